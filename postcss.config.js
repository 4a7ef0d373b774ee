export default {
  plugins: {
    // `light-dark()` stays the native CSS function: the tokens are shared with pages that do not load Mantine.
    'postcss-preset-mantine': { features: { lightDarkFunction: false } },
    'postcss-simple-vars': {
      // The same as `breakpoints` in client/ui/theme/mantine.ts.
      variables: {
        'mantine-breakpoint-xs': '30em',
        'mantine-breakpoint-sm': '40em',
        'mantine-breakpoint-md': '48em',
        'mantine-breakpoint-lg': '64em',
        'mantine-breakpoint-xl': '80em',
      },
    },
  },
};

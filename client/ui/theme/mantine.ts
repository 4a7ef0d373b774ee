import type {
  Alert,
  Anchor,
  Button,
  Card,
  Checkbox,
  Combobox,
  CSSVariablesResolver,
  Drawer,
  Input,
  InputBase,
  MantineColorsTuple,
  Menu,
  Modal,
  NativeSelect,
  NumberInput,
  Paper,
  Popover,
  Radio,
  Tabs,
  VariantColorsResolver,
} from '@mantine/core';
import { createTheme, defaultVariantColorsResolver } from '@mantine/core';
import { MantineButtonRoot } from '#client/ui/busy-button.tsx';

// Tuples go from light to dark, as Mantine expects. The visible colours come from the tokens (resolvers below); the
// tuples only feed Mantine's derived shades (hover mixes, disabled states).
const petrol: MantineColorsTuple = [
  '#e8f4f5',
  '#cfe6e9',
  '#a3dee7',
  '#7fd0dc',
  '#45a8b7',
  '#1f8394',
  '#0f6475',
  '#0a4f5d',
  '#0a4350',
  '#062c35',
];
const orange: MantineColorsTuple = [
  '#fff3e8',
  '#ffe9d2',
  '#ffd0a6',
  '#ffb27a',
  '#ff9c50',
  '#ff9443',
  '#ff7a1a',
  '#c94f00',
  '#a83c00',
  '#873600',
];
const gray: MantineColorsTuple = [
  '#f6f8f7',
  '#eef1f0',
  '#e1e7e6',
  '#cbd5d5',
  '#a9bcbe',
  '#7b8a8e',
  '#5c6f75',
  '#465a61',
  '#2b3f46',
  '#13252b',
];
const dark: MantineColorsTuple = [
  '#e9f0ef',
  '#c8d6d7',
  '#a9bcbe',
  '#6f8488',
  '#2f474b',
  '#1d3236',
  '#122225',
  '#0b1719',
  '#091315',
  '#060e10',
];

/** Colours whose filled variant uses the tokens' own fill and text colours, tested for contrast in both schemes. */
const tokenFills: Readonly<Record<string, string>> = { petrol: 'primary', orange: 'accent', red: 'danger' };
/** Colours whose light variant represents a state of the product (spec §4). */
const tokenStates: Readonly<Record<string, string>> = {
  blue: 'blue',
  green: 'green',
  orange: 'orange',
  red: 'red',
  gray: 'neutral',
};

const variantColorResolver: VariantColorsResolver = (input) => {
  const color = input.color ?? input.theme.primaryColor;
  const fill = tokenFills[color];
  if (input.variant === 'filled' && fill) {
    return {
      background: `var(--fill-${fill})`,
      hover: `var(--fill-${fill}-hover)`,
      color: `var(--on-fill-${fill})`,
      border: '1px solid transparent',
    };
  }
  const state = tokenStates[color];
  if (input.variant === 'light' && state) {
    return {
      background: `var(--state-${state})`,
      hover: `color-mix(in oklab, var(--state-${state}), var(--on-state-${state}) 10%)`,
      color: `var(--on-state-${state})`,
      border: '1px solid transparent',
    };
  }
  return defaultVariantColorsResolver(input);
};

const schemeIndependent = {
  '--mantine-color-body': 'var(--surface-page)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--text-soft)',
  '--mantine-color-bright': 'var(--text)',
  '--mantine-color-anchor': 'var(--text-link)',
  '--mantine-color-error': 'var(--text-error)',
  '--mantine-color-success': 'var(--text-success)',
  '--mantine-color-placeholder': 'var(--text-soft)',
  '--mantine-color-default': 'var(--surface-raised)',
  '--mantine-color-default-hover': 'var(--surface-sunken)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--line-control)',
  '--mantine-color-disabled': 'var(--state-neutral)',
  '--mantine-color-disabled-color': 'var(--text-soft)',
  '--mantine-color-disabled-border': 'var(--line)',
  '--mantine-primary-color-contrast': 'var(--on-fill-primary)',
  '--mantine-color-petrol-filled': 'var(--fill-primary)',
  '--mantine-color-petrol-filled-hover': 'var(--fill-primary-hover)',
  '--mantine-color-petrol-light': 'color-mix(in oklab, var(--fill-primary) 12%, transparent)',
  '--mantine-color-petrol-light-hover': 'color-mix(in oklab, var(--fill-primary) 18%, transparent)',
  '--mantine-color-petrol-light-color': 'var(--text-link)',
  '--mantine-color-petrol-text': 'var(--text-link)',
  '--mantine-color-petrol-outline': 'var(--text-link)',
  '--mantine-color-petrol-outline-hover': 'color-mix(in oklab, var(--fill-primary) 8%, transparent)',
  '--mantine-color-red-text': 'var(--text-error)',
  // Destructive menu entries and calendar weekends: Mantine's own colour has too little contrast.
  '--mantine-color-red-6': 'var(--text-error)',
  '--mantine-color-red-light-color': 'var(--on-state-red)',
  '--mantine-color-red-outline': 'var(--text-error)',
  '--mantine-color-orange-text': 'var(--text-accent)',
  '--mantine-color-orange-outline': 'var(--text-accent)',
  '--mantine-color-green-text': 'var(--text-success)',
};

/** Maps Mantine's variables to the tokens; pass to `MantineProvider` together with `theme`. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: schemeIndependent,
  dark: schemeIndependent,
});

/**
 * The type of a theme's entry for a component. Only the types are imported: with `Component.extend()` the first page
 * would load every component named in the theme.
 */
type Customised<Component> = Component extends { extend(input: infer Input): unknown } ? Input : never;

/**
 * For layers that cover the page: shell/mantine.css alone animates them and keeps the page below from scrolling.
 * Mantine's own way renders the content twice more and recomputes the style of every element on the page. What returns the
 * focus is ui/opener.ts: Mantine takes it away from a layer that has opened before this one closes.
 */
const still = { lockScroll: false, returnFocus: false, transitionProps: { duration: 0 } };

/** The Mantine theme of the application, on the same tokens as the public site. */
export const theme = createTheme({
  primaryColor: 'petrol',
  primaryShade: { light: 7, dark: 3 },
  autoContrast: true,
  // Mantine's active style moves the pressed element by a pixel, which causes another layout and paint of its
  // surroundings.
  activeClassName: '',
  // `md` is the product's mobile breakpoint, 768 px (spec §9).
  breakpoints: { xs: '30em', sm: '40em', md: '48em', lg: '64em', xl: '80em' },
  colors: { petrol, orange, gray, dark },
  white: '#ffffff',
  black: '#13252b',
  fontFamily: 'var(--font-text)',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, monospace',
  headings: {
    fontFamily: 'var(--font-heading)',
    fontWeight: '700',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: 'clamp(1.75rem, 1.5rem + 1.2vw, 2.375rem)', lineHeight: '1.1' },
      h2: { fontSize: '1.5rem', lineHeight: '1.2' },
      h3: { fontSize: '1.1875rem', lineHeight: '1.3' },
      h4: { fontSize: '1.0625rem', lineHeight: '1.35' },
    },
  },
  fontSizes: { xs: '0.8125rem', sm: '0.9375rem', md: '1rem', lg: '1.125rem', xl: '1.3125rem' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: {
    xs: '2px',
    sm: 'var(--radius-sm)',
    md: 'var(--radius-md)',
    lg: 'var(--radius-lg)',
    xl: 'var(--radius-pill)',
  },
  defaultRadius: 'md',
  shadows: {
    xs: 'var(--shadow-sm)',
    sm: 'var(--shadow-sm)',
    md: 'var(--shadow-md)',
    lg: 'var(--shadow-lg)',
    xl: 'var(--shadow-lg)',
  },
  focusRing: 'auto',
  cursorType: 'pointer',
  respectReducedMotion: true,
  variantColorResolver,
  components: {
    Button: {
      defaultProps: { component: MantineButtonRoot },
      styles: { label: { fontWeight: 600 } },
      // Compact buttons also get a smaller font; Mantine keeps the same size.
      vars: (_, { size }) => ({
        root: String(size).startsWith('compact') ? { '--button-fz': '0.875rem' } : {},
      }),
    } satisfies Customised<typeof Button>,
    // White would be invisible on the light petrol of the dark scheme.
    Checkbox: { defaultProps: { iconColor: 'var(--on-fill-primary)' } } satisfies Customised<typeof Checkbox>,
    Radio: { defaultProps: { iconColor: 'var(--on-fill-primary)' } } satisfies Customised<typeof Radio>,
    // Colour alone does not distinguish a link from the surrounding text.
    Anchor: { defaultProps: { underline: 'always' } } satisfies Customised<typeof Anchor>,
    // Mantine's default role, alert, interrupts screen readers; failures set that role themselves.
    Alert: { defaultProps: { variant: 'light', role: 'note' } } satisfies Customised<typeof Alert>,
    Paper: {
      defaultProps: { radius: 'lg' },
      styles: { root: { backgroundColor: 'var(--surface-raised)' } },
    } satisfies Customised<typeof Paper>,
    Card: {
      defaultProps: { radius: 'lg', padding: 'lg', withBorder: true },
      styles: { root: { backgroundColor: 'var(--surface-raised)', borderColor: 'var(--line)' } },
    } satisfies Customised<typeof Card>,
    // As on the public site; the help text comes last, so that fields in a row stay aligned whichever of them has one.
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ['label', 'input', 'error', 'description'] },
    } satisfies Customised<typeof Input.Wrapper>,
    InputBase: { defaultProps: { size: 'md' } } satisfies Customised<typeof InputBase>,
    // A picture without a name is read out.
    ComboboxChevron: { defaultProps: { 'aria-hidden': true } },
    // These components set their own size instead of inheriting that of InputBase.
    NativeSelect: { defaultProps: { size: 'md' } } satisfies Customised<typeof NativeSelect>,
    // A number typed after a leading zero would remain text until the field is left, and Enter submits the form before
    // that.
    NumberInput: { defaultProps: { size: 'md', allowLeadingZeros: false } } satisfies Customised<
      typeof NumberInput
    >,
    // Position the drop-down once per opening instead of three times. It is as wide as its field, so it never needs to
    // shift.
    Popover: { defaultProps: { preventPositionChangeWhenVisible: false } } satisfies Customised<
      typeof Popover
    >,
    Combobox: { defaultProps: { middlewares: { shift: false } } } satisfies Customised<typeof Combobox>,
    Tabs: { styles: { tab: { fontWeight: 600 } } } satisfies Customised<typeof Tabs>,
    Modal: {
      defaultProps: {
        ...still,
        radius: 'lg',
        centered: true,
        // In the one English dialog, too.
        closeButtonProps: { 'aria-label': 'Chiudi', lang: 'it' },
      },
      styles: {
        title: {
          fontFamily: 'var(--font-heading)',
          fontWeight: 700,
          fontSize: 'var(--type-h4)',
          lineHeight: 1.25,
          // A file name has no natural break points.
          overflowWrap: 'anywhere',
          minWidth: 0,
        },
        // Keeps a focused element and its label clear of the sticky title and buttons.
        content: { backgroundColor: 'var(--surface-raised)', scrollPaddingBlock: '7rem 5rem' },
        header: { backgroundColor: 'var(--surface-raised)' },
      },
    } satisfies Customised<typeof Modal>,
    Drawer: {
      defaultProps: { ...still, closeButtonProps: { 'aria-label': 'Chiudi' } },
    } satisfies Customised<typeof Drawer>,
    Menu: {
      // An entry gets the initial focus, since nothing else is allowed in a menu.
      defaultProps: { transitionProps: still.transitionProps, withInitialFocusPlaceholder: false },
      // Its width grows with the letters, beyond that of a phone.
      styles: { dropdown: { maxWidth: 'calc(100vw - 2 * var(--gutter-application))' } },
    } satisfies Customised<typeof Menu>,
  },
});

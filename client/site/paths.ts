/** Every public path, in the order of the sitemap. Each is prerendered and readable without JavaScript. */
export const publicPaths = [
  '/',
  '/solutions',
  '/pricing',
  '/company',
  '/contacts',
  '/login',
  '/privacy',
  '/cookies',
  '/accessibility',
] as const;

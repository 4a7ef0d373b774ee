/** Every public address, in the order of the sitemap. Each is prerendered; none needs JavaScript to be read. */
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

import type { Screen } from '../support/screen.ts';

export const screens: readonly Screen[] = [
  { name: 'site-home', path: '/', as: 'visitor' },
  { name: 'site-solutions', path: '/solutions', as: 'visitor' },
  { name: 'site-pricing', path: '/pricing', as: 'visitor' },
  { name: 'site-company', path: '/company', as: 'visitor' },
  { name: 'site-contacts', path: '/contacts', as: 'visitor' },
  { name: 'site-privacy', path: '/privacy', as: 'visitor' },
  { name: 'site-cookies', path: '/cookies', as: 'visitor' },
  { name: 'site-accessibility', path: '/accessibility', as: 'visitor' },
  { name: 'site-not-found', path: '/percorso-che-non-esiste', as: 'visitor' },
];

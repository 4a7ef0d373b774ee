/** The links of the header and footer, in the order of spec §2. */
export const siteLinks = [
  { to: '/', label: 'Home' },
  { to: '/solutions', label: 'Soluzioni' },
  { to: '/pricing', label: 'Prezzi' },
  { to: '/company', label: 'Chi Siamo' },
  { to: '/contacts', label: 'Contatti' },
] as const;

/**
 * Everything that says who the provider is. Rebranding the product means editing this file; the drawn mark in
 * `client/ui/logo.tsx` and, with the name as its title, in `client/site/public/favicon.svg`; and, where they are used,
 * the addresses of the demo accounts in `server/demo/accounts.ts`.
 *
 * Addresses under the reserved top-level domain `.example` cannot belong to anybody; an operator replaces them, or
 * overrides the mail ones with `MAIL_FROM`, `REQUESTS_TO` and `INVOICE_ADMIN_EMAIL`.
 */
export const provider = {
  name: 'Trasvia',
  legalName: 'Trasvia S.r.l.',
  copyrightYear: 2026,
  tagline: 'Trasferte di gruppo per le squadre in cantiere',
  /**
   * Where the public site lives, without a final slash. Built into canonical links, the social card and the site map:
   * a page has one canonical address, whatever host happens to serve it.
   */
  siteUrl: 'https://www.trasvia.example',
  /** `country` is its ISO 3166-1 code. */
  address: { street: 'Via Torino 2', postalCode: '20123', city: 'Milano', country: 'IT' },
  /** The direct address shown on /contacts. */
  contactEmail: 'info@trasvia.example',
  support: {
    email: 'supporto@trasvia.example',
    /** E.164, for `tel:` and `https://wa.me/` links. */
    phone: '+390200000000',
    whatsapp: '+393000000000',
  },
  /** Data-protection and accessibility feedback channel. */
  privacyEmail: 'privacy@trasvia.example',
} as const;

/** Who writes and who is written to. The server's alone: what a page does not show is not sent to browsers. */
export const mailboxes = {
  mailFrom: 'Trasvia <no-reply@trasvia.example>',
  /** The four addresses that receive contact and trip requests (spec §7). */
  requestRecipients: [
    'richieste@trasvia.example',
    'operazioni@trasvia.example',
    'commerciale@trasvia.example',
    'direzione@trasvia.example',
  ],
  /** The reserved account that manages invoices for every customer (spec §6). */
  invoiceAdminEmail: 'fatture@trasvia.example',
} as const;

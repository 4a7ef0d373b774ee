/** An account for trying the product. Its password is public: see `demo` in server/env.ts for where it may exist. */
export type DemoAccount = {
  username: string;
  password: string;
  /** Its purpose in English, printed at the start. */
  purpose: string;
  email: string;
  fullName: string;
  companyName: string | null;
  role: 'user' | 'admin';
};

/** The demo accounts: a customer, an administrator, the invoice administrator. */
export function demoAccounts(invoiceAdminEmail: string): DemoAccount[] {
  return [
    {
      username: 'demo',
      password: 'demo-trasvia',
      purpose: 'customer',
      email: 'demo@trasvia.example',
      fullName: 'Marta Ferri',
      companyName: 'Ferri Montaggi S.r.l.',
      role: 'user',
    },
    {
      username: 'admin',
      password: 'admin-trasvia',
      purpose: 'administrator',
      email: 'admin@trasvia.example',
      fullName: 'Paolo Brandi',
      companyName: null,
      role: 'admin',
    },
    {
      username: 'fatture',
      password: 'fatture-trasvia',
      purpose: 'invoice administrator',
      email: invoiceAdminEmail,
      fullName: 'Ufficio Fatture',
      companyName: null,
      role: 'admin',
    },
  ];
}

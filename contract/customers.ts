import { calendarDateSchema } from './dates.ts';
import { listQuerySchema, listSchema } from './lists.ts';
import { z } from './validation.ts';

/** Texts of the invoice administrator's selectors (spec §2, Admin invoices). */
export const CUSTOMER_TEXTS = {
  placeholder: 'Seleziona un utente',
  none: 'Nessun utente trovato',
  unnamed: 'Utente senza nome',
  projectPlaceholder: 'Seleziona un progetto',
  noCustomer: 'Seleziona prima un utente',
  noProjects: 'Nessun progetto trovato per questo utente',
} as const;

/** An account that can be invoiced, as the invoice administrator's selectors show it. */
export const customerSchema = z.object({
  id: z.string(),
  fullName: z.string(),
  email: z.string(),
  companyName: z.string().nullable(),
});
export type Customer = z.infer<typeof customerSchema>;

/** The id of a customer in a path. */
export const customerParam = z.object({ id: z.string().max(100) });

/** `id`: only that customer. `invoiceable=true`: only customers that can get a new invoice, so no deleted accounts. */
export const customersQuerySchema = listQuerySchema.extend({
  id: customerParam.shape.id.optional(),
  invoiceable: z.stringbool().default(false),
});
export const customerListSchema = listSchema(customerSchema);

/** A project of one customer, as the selectors show it. */
export const customerProjectSchema = z.object({
  id: z.number().int(),
  name: z.string(),
  location: z.string(),
  status: z.string(),
  startDate: calendarDateSchema,
  endDate: calendarDateSchema,
});
export type CustomerProject = z.infer<typeof customerProjectSchema>;

export const customerProjectListSchema = listSchema(customerProjectSchema);

/** The name of a customer in a list: the full name, else the e-mail, else 'Utente senza nome'. */
export function customerLabel(customer: Pick<Customer, 'fullName' | 'email'>): string {
  return customer.fullName.trim() || customer.email.trim() || CUSTOMER_TEXTS.unnamed;
}

import { invoiceForm } from '#server/testing/invoice-form.ts';
import { pdfOf } from '#server/testing/pdf.ts';
import { DATASET_PASSWORD } from './dataset.ts';
import type { Request } from './generator.ts';
import type { Size, Who, World } from './world.ts';

/** Part of the addresses of 100 to 112 accounts at each size, so that the cost grows with the tables but not with the matches. */
const A_HUNDRED: Record<Size, string> = { S: 'cliente', M: 'cliente1', L: 'cliente12' };

/** A request to measure. */
export type Route = {
  name: string;
  who: Who | null;
  request: (world: World) => Request | Promise<Request>;
  /** The requests of one connection, if each writes its own record. */
  each?: (world: World, connection: number) => Request[];
  connections?: number;
};

const json = { 'Content-Type': 'application/json' };
const multipart = async (form: FormData): Promise<Pick<Request, 'headers' | 'body'>> => {
  const encoded = new Response(form);
  const type = encoded.headers.get('content-type') ?? '';
  return { headers: { 'Content-Type': type }, body: Buffer.from(await encoded.arrayBuffer()) };
};
const statusChange = (number: string | undefined, status: string): Request => ({
  method: 'PUT',
  path: '/api/admin/invoices/status',
  headers: json,
  body: JSON.stringify({ numbers: [number], status }),
});

/** The request that uploads a file of so many bytes to the sample invoice. */
export async function upload({ samples }: World, bytes: number): Promise<Request> {
  const form = new FormData();
  form.append('file', new File([pdfOf(bytes)], 'fattura.pdf', { type: 'application/pdf' }));
  return { method: 'PUT', path: `/api/admin/invoices/${samples.number}/file`, ...(await multipart(form)) };
}

const read = (name: string, who: Who, path: string | ((world: World) => string)): Route => ({
  name,
  who,
  request: (world) => ({ path: typeof path === 'string' ? path : path(world) }),
});

/** First page of all invoices. */
export const ADMIN_INVOICES = '/api/admin/invoices';

/** The most used routes of the product. */
export const routes: readonly Route[] = [
  read("a customer's invoices", 'customer', '/api/invoices'),
  read("a large customer's invoices", 'large', '/api/invoices'),
  read('all invoices, first page', 'office', ADMIN_INVOICES),
  read('all invoices, deep page', 'office', ({ samples }) => `${ADMIN_INVOICES}?cursor=${samples.deep}`),
  read('all invoices, search', 'office', ({ samples }) => `${ADMIN_INVOICES}?search=${samples.fragment}`),
  read('all invoices, broad search', 'office', `${ADMIN_INVOICES}?search=montaggi`),
  read('all invoices, filter and total', 'office', `${ADMIN_INVOICES}?status=Da%20Pagare`),
  read('all invoices, overdue', 'office', `${ADMIN_INVOICES}?status=Scaduta`),
  read('projects with team', 'customer', '/api/projects'),
  read("a large customer's projects", 'large', '/api/projects'),
  read('team tab', 'customer', '/api/employees'),
  read("a large customer's team tab", 'large', '/api/employees'),
  read('dashboard', 'customer', '/api/dashboard'),
  read("a large customer's dashboard", 'large', '/api/dashboard'),
  read('users, first page', 'admin', '/api/users'),
  read('users, by e-mail', 'admin', ({ identifiers }) => `/api/users?search=${identifiers.customer}%40`),
  read('users, a hundred found', 'admin', ({ size }) => `/api/users?search=${A_HUNDRED[size]}`),
  read('users, by a common name', 'admin', '/api/users?search=rossi'),
  {
    name: 'login',
    who: null,
    request: ({ identifiers }) => ({
      method: 'POST',
      path: '/api/auth/login',
      headers: json,
      body: JSON.stringify({ identifier: identifiers.customer, password: DATASET_PASSWORD, remember: false }),
    }),
  },
  {
    name: 'invoice creation',
    who: 'office',
    request: async ({ samples: { userId, projectId } }) => ({
      method: 'POST',
      path: ADMIN_INVOICES,
      ...(await multipart(invoiceForm({ userId, projectId, description: 'bench' }))),
    }),
  },
  {
    name: 'status change',
    who: 'office',
    request: ({ samples }) => statusChange(samples.numbers[0], 'Pagata'),
    each: ({ samples }, connection) =>
      ['Pagata', 'Da Pagare'].map((status) => statusChange(samples.numbers[connection], status)),
  },
  { name: 'PDF upload, 1 MB', who: 'office', connections: 8, request: (world) => upload(world, 1_000_000) },
  read('PDF download, 1 MB', 'office', ({ samples }) => `${ADMIN_INVOICES}/${samples.number}/file`),
];

import {
  adminInvoiceExportSchema,
  adminInvoiceFormSchema,
  adminInvoiceListSchema,
  adminInvoiceQuerySchema,
  adminInvoiceSchema,
  invoiceEditSchema,
  invoiceEventListSchema,
  invoiceFileFromSchema,
  invoiceStatusChangeSchema,
  invoiceStatusSchema,
} from '#contract/admin-invoices.ts';
import { todayInRome } from '#contract/dates.ts';
import { conflictSchema } from '#contract/errors.ts';
import {
  INVOICE_PDF,
  invoiceFileQuerySchema,
  invoiceFromSchema,
  invoiceNumberParam,
  invoiceSchema,
} from '#contract/invoices.ts';
import type { UserId } from '#server/auth/actor.ts';
import { AppError } from '#server/errors.ts';
import {
  createInvoice,
  DRAFT_FAILURES,
  INVOICE_FAILURES,
  PDF_FAILURES,
} from '#server/features/invoices/commands.ts';
import { PDF_ANSWER } from '#server/features/invoices/queries.ts';
import { actorOf, reading } from '#server/http/env.ts';
import { conflictWith } from '#server/http/error-answers.ts';
import { answerFileOf, FILE_FAILURES, fileAnswers } from '#server/http/file-answer.ts';
import { formBody, parseFields, uploadLimits, withMultipart } from '#server/http/multipart.ts';
import {
  createRouter,
  defineRoute,
  formAttempt,
  idempotencyHeader,
  jsonAnswer,
  jsonBody,
} from '#server/http/router.ts';
import { answerSpreadsheet } from '#server/http/spreadsheet.ts';
import {
  editInvoice,
  removeInvoice,
  removeInvoiceFile,
  setInvoiceStatus,
  storeInvoiceFile,
} from './commands.ts';
import {
  adminInvoiceSheet,
  exportAllInvoices,
  findAnyInvoice,
  findAnyInvoiceFile,
  listAllInvoices,
  listInvoiceEvents,
} from './queries.ts';

const tags = ['admin-invoices'];
const params = invoiceNumberParam;

const FILE_CHANGE_ANSWERS = {
  200: jsonAnswer(adminInvoiceSchema, 'The invoice as it is now'),
  409: jsonAnswer(conflictSchema(adminInvoiceSchema), 'It has another PDF by now: nothing is changed'),
};

export const adminInvoiceRoutes = createRouter()
  .openapi(
    defineRoute('invoiceAdmin', {
      method: 'get',
      path: '/admin/invoices',
      tags,
      summary: 'Invoices of every customer: searched, filtered, ordered',
      request: { query: adminInvoiceQuerySchema },
      responses: {
        200: jsonAnswer(adminInvoiceListSchema, 'One page, with the totals of everything filtered'),
      },
    }),
    async (c) => {
      const page = await listAllInvoices(reading(c), c.req.valid('query'), todayInRome());
      return c.json(adminInvoiceListSchema.parse(page), 200);
    },
  )
  .openapi(
    defineRoute('invoiceAdmin', {
      method: 'get',
      path: '/admin/invoices/export',
      tags,
      summary: 'The filtered table as a file for a spreadsheet program',
      request: { query: adminInvoiceExportSchema },
      responses: { 200: { description: 'CSV with semicolons and Italian numbers, or XLSX' } },
      failures: ['invoice_export_too_large', 'too_many_requests'],
    }),
    (c) => {
      const { format, ...filters } = c.req.valid('query');
      const today = todayInRome();
      const sheet = { name: 'Fatture', day: today, columns: adminInvoiceSheet };
      return answerSpreadsheet(c, format, sheet, () => exportAllInvoices(reading(c), filters, today));
    },
  )
  .openapi(
    defineRoute('invoiceAdmin', {
      method: 'post',
      path: '/admin/invoices',
      tags,
      summary: 'Create an invoice of any customer, with its PDF if there is one',
      request: { headers: idempotencyHeader, body: formBody(adminInvoiceFormSchema) },
      responses: { 201: jsonAnswer(invoiceSchema, 'The new invoice') },
      failures: ['invoice_user', ...INVOICE_FAILURES],
    }),
    async (c) => {
      const services = c.get('services');
      const invoice = await withMultipart(c.req.raw, uploadLimits(services, INVOICE_PDF), (form) => {
        const { userId, ...draft } = parseFields(adminInvoiceFormSchema, form.fields);
        const attempt = formAttempt(c.req.valid('header'), draft, form.file);
        return createInvoice(services, actorOf(c), userId as UserId, draft, form.file, attempt);
      });
      return c.json(invoiceSchema.parse(invoice), 201);
    },
  )
  .openapi(
    defineRoute('invoiceAdmin', {
      method: 'put',
      path: '/admin/invoices/status',
      tags,
      summary: 'Mark invoices as paid or to be paid, all of them or none, or all that are still there',
      request: { body: jsonBody(invoiceStatusSchema) },
      responses: {
        200: jsonAnswer(
          invoiceStatusChangeSchema,
          'The state, which had another before, and how many were deleted',
        ),
      },
      failures: ['not_found'],
    }),
    async (c) => {
      const change = await setInvoiceStatus(c.get('services'), actorOf(c), c.req.valid('json'));
      return c.json(invoiceStatusChangeSchema.parse(change), 200);
    },
  )
  .openapi(
    defineRoute('invoiceAdmin', {
      method: 'get',
      path: '/admin/invoices/{number}',
      tags,
      summary: 'One invoice',
      request: { params },
      responses: { 200: jsonAnswer(adminInvoiceSchema, 'The invoice') },
      failures: ['not_found'],
    }),
    async (c) => {
      const invoice = await findAnyInvoice(reading(c), c.req.valid('param').number);
      if (!invoice) throw new AppError('not_found');
      return c.json(adminInvoiceSchema.parse(invoice), 200);
    },
  )
  .openapi(
    defineRoute('invoiceAdmin', {
      method: 'patch',
      path: '/admin/invoices/{number}',
      tags,
      summary: 'Change amount, dates, project or description, from the version the change started from',
      request: { params, body: jsonBody(invoiceEditSchema) },
      responses: {
        200: jsonAnswer(adminInvoiceSchema, 'The invoice as it is now'),
        409: jsonAnswer(conflictSchema(adminInvoiceSchema), 'It has changed meanwhile: nothing is written'),
      },
      failures: ['not_found', ...DRAFT_FAILURES],
    }),
    async (c) => {
      const { number } = c.req.valid('param');
      const edited = await editInvoice(c.get('services'), actorOf(c), number, c.req.valid('json'));
      const invoice = adminInvoiceSchema.parse(edited.invoice);
      return edited.saved ? c.json(invoice, 200) : c.json(conflictWith(c, invoice), 409);
    },
  )
  .openapi(
    defineRoute('invoiceAdmin', {
      method: 'delete',
      path: '/admin/invoices/{number}',
      tags,
      summary: 'Delete an invoice, its file and its share of the project total',
      request: { params, query: invoiceFromSchema },
      responses: {
        204: { description: 'It is gone' },
        409: jsonAnswer(conflictSchema(adminInvoiceSchema), 'It has changed meanwhile: nothing is deleted'),
      },
      failures: ['not_found'],
    }),
    async (c) => {
      const { number } = c.req.valid('param');
      const { from } = c.req.valid('query');
      const changed = await removeInvoice(c.get('services'), actorOf(c), number, from);
      return changed ? c.json(conflictWith(c, adminInvoiceSchema.parse(changed)), 409) : c.body(null, 204);
    },
  )
  .openapi(
    defineRoute('invoiceAdmin', {
      method: 'get',
      path: '/admin/invoices/{number}/events',
      tags,
      summary: 'Who did what to an invoice when, oldest first',
      request: { params },
      responses: { 200: jsonAnswer(invoiceEventListSchema, 'Its history') },
      failures: ['not_found'],
    }),
    async (c) => {
      const { number } = c.req.valid('param');
      const items = await listInvoiceEvents(reading(c), number);
      if (items.length === 0 && !(await findAnyInvoice(reading(c), number))) throw new AppError('not_found');
      return c.json(invoiceEventListSchema.parse({ items }), 200);
    },
  )
  .openapi(
    defineRoute('invoiceAdmin', {
      method: 'get',
      path: '/admin/invoices/{number}/file',
      tags,
      summary: 'The PDF of an invoice, whole or a range of it',
      request: { params, query: invoiceFileQuerySchema },
      responses: fileAnswers('application/pdf'),
      failures: ['not_found', ...FILE_FAILURES],
    }),
    (c) => {
      const find = () => findAnyInvoiceFile(reading(c), c.req.valid('param').number);
      return answerFileOf(c, find, PDF_ANSWER);
    },
  )
  .openapi(
    defineRoute('invoiceAdmin', {
      method: 'put',
      path: '/admin/invoices/{number}/file',
      tags,
      summary: 'Give an invoice its PDF, or another one',
      request: { params, query: invoiceFileFromSchema, body: formBody() },
      responses: FILE_CHANGE_ANSWERS,
      failures: ['not_found', 'file_missing', ...PDF_FAILURES, 'file_upload_failed', 'file_record_failed'],
    }),
    async (c) => {
      const services = c.get('services');
      const { number } = c.req.valid('param');
      const { from } = c.req.valid('query');
      const stored = await withMultipart(c.req.raw, uploadLimits(services, INVOICE_PDF), ({ file }) =>
        storeInvoiceFile(services, actorOf(c), number, file, from),
      );
      const invoice = adminInvoiceSchema.parse(stored.invoice);
      return stored.saved ? c.json(invoice, 200) : c.json(conflictWith(c, invoice), 409);
    },
  )
  .openapi(
    defineRoute('invoiceAdmin', {
      method: 'delete',
      path: '/admin/invoices/{number}/file',
      tags,
      summary: 'Take the PDF off an invoice',
      request: { params, query: invoiceFileFromSchema },
      responses: FILE_CHANGE_ANSWERS,
      failures: ['not_found', 'file_missing', 'file_delete_failed'],
    }),
    async (c) => {
      const { number } = c.req.valid('param');
      const { from } = c.req.valid('query');
      const removed = await removeInvoiceFile(c.get('services'), actorOf(c), number, from);
      const invoice = adminInvoiceSchema.parse(removed.invoice);
      return removed.saved ? c.json(invoice, 200) : c.json(conflictWith(c, invoice), 409);
    },
  );

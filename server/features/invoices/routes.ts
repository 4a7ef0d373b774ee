import { todayInRome } from '#contract/dates.ts';
import { conflictSchema } from '#contract/errors.ts';
import {
  INVOICE_PDF,
  invoiceExportSchema,
  invoiceFileQuerySchema,
  invoiceFromSchema,
  invoiceListSchema,
  invoiceNumberParam,
  invoiceQuerySchema,
  invoiceSchema,
  invoiceSummarySchema,
  ownInvoiceFormSchema,
} from '#contract/invoices.ts';
import { AppError } from '#server/errors.ts';
import { permissionsOf } from '#server/features/accounts/policy.ts';
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
} from '#server/http/router.ts';
import { answerSpreadsheet, pagesOf } from '#server/http/spreadsheet.ts';
import { createInvoice, deleteOwnInvoice, INVOICE_FAILURES } from './commands.ts';
import {
  exportInvoices,
  findInvoiceFile,
  invoiceSheet,
  listInvoices,
  PDF_ANSWER,
  summariseInvoices,
} from './queries.ts';

export const invoiceRoutes = createRouter()
  .openapi(
    defineRoute('user', {
      method: 'get',
      path: '/invoices',
      tags: ['invoices'],
      summary: 'Own invoices issued up to today, newest first',
      request: { query: invoiceQuerySchema },
      responses: { 200: jsonAnswer(invoiceListSchema, 'One page, with the totals of everything filtered') },
    }),
    async (c) => {
      const page = await listInvoices(reading(c), actorOf(c).userId, c.req.valid('query'), todayInRome());
      return c.json(invoiceListSchema.parse(page), 200);
    },
  )
  .openapi(
    defineRoute('user', {
      method: 'get',
      path: '/invoices/summary',
      tags: ['invoices'],
      summary: 'What was spent and what is owed, up to today',
      responses: { 200: jsonAnswer(invoiceSummarySchema, 'Sums by state, month and project') },
    }),
    async (c) => {
      const summary = await summariseInvoices(reading(c), actorOf(c).userId, todayInRome());
      return c.json(invoiceSummarySchema.parse(summary), 200);
    },
  )
  .openapi(
    defineRoute('user', {
      method: 'get',
      path: '/invoices/export',
      tags: ['invoices'],
      summary: 'The filtered list as a file for a spreadsheet program',
      request: { query: invoiceExportSchema },
      responses: { 200: { description: 'CSV with semicolons and Italian numbers, or XLSX' } },
      failures: ['invoice_export_too_large', 'too_many_requests'],
    }),
    (c) => {
      const { format, ...filters } = c.req.valid('query');
      const today = todayInRome();
      const sheet = { name: 'Fatture', day: today, columns: invoiceSheet };
      return answerSpreadsheet(c, format, sheet, async () =>
        pagesOf(await exportInvoices(reading(c), actorOf(c).userId, filters, today)),
      );
    },
  )
  .openapi(
    defineRoute('user', {
      method: 'post',
      path: '/invoices',
      tags: ['invoices'],
      summary: "Create an invoice of one's own; administrators only",
      request: { headers: idempotencyHeader, body: formBody(ownInvoiceFormSchema) },
      responses: { 201: jsonAnswer(invoiceSchema, 'The new invoice') },
      failures: ['invoice_admin_only', ...INVOICE_FAILURES],
    }),
    async (c) => {
      const services = c.get('services');
      const actor = actorOf(c);
      // Checked before the form is read, because it may contain a file.
      if (!permissionsOf(actor.kind).createInvoices) throw new AppError('invoice_admin_only');
      const invoice = await withMultipart(c.req.raw, uploadLimits(services, INVOICE_PDF), (form) => {
        const draft = parseFields(ownInvoiceFormSchema, form.fields);
        const attempt = formAttempt(c.req.valid('header'), draft, form.file);
        return createInvoice(services, actor, actor.userId, draft, form.file, attempt);
      });
      return c.json(invoiceSchema.parse(invoice), 201);
    },
  )
  .openapi(
    defineRoute('user', {
      method: 'delete',
      path: '/invoices/{number}',
      tags: ['invoices'],
      summary: 'Delete an own invoice, its file and its share of the project total',
      request: { params: invoiceNumberParam, query: invoiceFromSchema },
      responses: {
        204: { description: 'It is gone' },
        409: jsonAnswer(conflictSchema(invoiceSchema), 'It has changed meanwhile: nothing is deleted'),
      },
      failures: ['sample_record', 'not_found'],
    }),
    async (c) => {
      const { number } = c.req.valid('param');
      const { from } = c.req.valid('query');
      const changed = await deleteOwnInvoice(c.get('services'), actorOf(c), number, from);
      return changed ? c.json(conflictWith(c, invoiceSchema.parse(changed)), 409) : c.body(null, 204);
    },
  )
  .openapi(
    defineRoute('user', {
      method: 'get',
      path: '/invoices/{number}/file',
      tags: ['invoices'],
      summary: 'The PDF of an own invoice, whole or a range of it',
      request: { params: invoiceNumberParam, query: invoiceFileQuerySchema },
      responses: fileAnswers('application/pdf'),
      failures: ['not_found', ...FILE_FAILURES],
    }),
    (c) => {
      const { number } = c.req.valid('param');
      const find = () => findInvoiceFile(reading(c), actorOf(c).userId, number, todayInRome());
      return answerFileOf(c, find, PDF_ANSWER);
    },
  );

import type { Page, Route } from '@playwright/test';
import type { InvoiceEvent } from '#contract/admin-invoices.ts';
import { addDays, todayInRome } from '#contract/dates.ts';
import { pdfOf, readablePdf } from '#server/testing/pdf.ts';
import { firstPage, LONGEST } from '../support/extremes.ts';
import {
  answerWrites,
  failToAnswer,
  leaveUnanswered,
  refusal,
  type Screen,
  waitForError,
} from '../support/screen.ts';

const path = '/app/pagamenti-fatture';
const list = `${path}?vista=fatture`;
const desk = '/app/admin/invoices';
const today = todayInRome();

/** The n-th of many invoices as the API answers it, with the longest texts. */
function invoice(index: number) {
  return {
    number: `FAT17${String(10_000_000_000 + index)}ABCDEFGH`,
    projectId: 100_000 + (index % 7),
    projectName: index % 3 === 0 ? LONGEST.project : 'Viadotto',
    amount: index % 4 === 0 ? 999_999.99 : 0.01,
    issueDate: addDays(today, -index),
    dueDate: addDays(today, 30 - index),
    status: index % 2 === 0 ? 'Da Pagare' : 'Pagata',
    description: index % 3 === 0 ? `Soggiorno, vitto e lavanderia per ${LONGEST.project}` : null,
    fileName: index % 5 === 0 ? null : `Fattura ${LONGEST.project}.pdf`,
    updatedAt: `${today}T08:00:00.000Z`,
    userId: 'longest',
    version: 1,
    fileUrl: null,
    customer: {
      id: 'longest',
      fullName: LONGEST.person,
      email: LONGEST.email,
      companyName: LONGEST.company,
    },
  };
}

/** Answers the list as if there were `count` invoices, of which it has read `shown`: a whole page, if omitted. */
function answerMany(api: string, count: number, shown?: number): (page: Page) => Promise<void> {
  const amount = 487_250_123.45;
  const { items, ...figures } = firstPage(count, invoice);
  const answer = (route: Route) =>
    route.fulfill({
      json: {
        ...figures,
        items: items.slice(0, shown),
        totals: { amount, paid: 0.45, unpaid: amount - 0.45 },
      },
    });
  return async (page) => {
    await page.route(new RegExp(`/api/${api}(\\?|$)`), answer);
  };
}

/** Chooses `item` in the first visible menu named `menu`. */
const openMenu =
  (item: string, menu = /^Azioni sulla fattura/) =>
  async (page: Page) => {
    await page.getByRole('button', { name: menu }).first().click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
    await page.getByRole('dialog').waitFor();
  };

/** Selects the first two invoices. Their bar scrolls the page, which is scrolled back for the picture once it is there. */
async function selectTwo(page: Page): Promise<void> {
  const rows = page.getByRole('checkbox', { name: /^Seleziona .*FAT/ });
  for (const index of [0, 1]) await rows.nth(index).check();
  await page.getByText('2 fatture selezionate').first().waitFor();
}

/** The first two of `count` invoices, both selected. */
function selectedOf(count: number): Pick<Screen, 'arrange' | 'prepare'> {
  return {
    arrange: answerMany('admin/invoices', count, 2),
    prepare: selectTwo,
  };
}

export const screens: readonly Screen[] = [
  { name: 'invoices', path, as: 'customer' },
  {
    name: 'invoices-tables',
    path,
    as: 'customer',
    async prepare(page) {
      for (const subject of ['Fatture per mese', 'Fatture per progetto'])
        await page.getByRole('button', { name: `Tabella: ${subject}` }).click();
    },
  },
  { name: 'invoices-samples', path, as: 'newCustomer' },
  { name: 'invoices-loading', path, as: 'customer', arrange: leaveUnanswered('invoices') },
  { name: 'invoices-error', path, as: 'customer', arrange: failToAnswer('invoices'), prepare: waitForError },
  { name: 'invoices-list', path: list, as: 'customer' },
  { name: 'invoices-list-samples', path: list, as: 'newCustomer' },
  {
    name: 'invoices-list-one',
    path: list,
    as: 'customer',
    arrange: answerMany('invoices', 1),
    prepare: (page) => page.getByText('1 di 1').waitFor(),
  },
  {
    name: 'invoices-list-thousand',
    path: list,
    as: 'customer',
    arrange: answerMany('invoices', 1000),
    prepare: (page) => page.getByText('25 di 1.000').waitFor(),
  },
  { name: 'invoices-list-loading', path: list, as: 'customer', arrange: leaveUnanswered('invoices?') },
  {
    name: 'invoices-list-error',
    path: list,
    as: 'customer',
    arrange: failToAnswer('invoices?'),
    prepare: waitForError,
  },
  { name: 'invoices-list-nothing-found', path: `${list}&cerca=introvabile`, as: 'customer' },
  {
    name: 'invoices-list-delete',
    path: list,
    as: 'customer',
    prepare: async (page) => {
      await page
        .getByRole('button', { name: /^Elimina la fattura/ })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'invoices-new', path: `${path}?nuova=1`, as: 'admin' },
  { name: 'admin-invoices', path: desk, as: 'invoiceAdmin' },
  {
    name: 'admin-invoices-loading',
    path: desk,
    as: 'invoiceAdmin',
    arrange: leaveUnanswered('admin/invoices'),
  },
  {
    name: 'admin-invoices-error',
    path: desk,
    as: 'invoiceAdmin',
    arrange: failToAnswer('admin/invoices'),
    prepare: waitForError,
  },
  { name: 'admin-invoices-empty', path: desk, as: 'invoiceAdmin', arrange: answerMany('admin/invoices', 0) },
  {
    name: 'admin-invoices-one',
    path: desk,
    as: 'invoiceAdmin',
    arrange: answerMany('admin/invoices', 1),
    prepare: (page) => page.getByText('1 di 1').waitFor(),
  },
  {
    name: 'admin-invoices-file-replace',
    path: desk,
    as: 'invoiceAdmin',
    arrange: answerMany('admin/invoices', 2),
    async prepare(page) {
      await openMenu('Sostituisci PDF', /^Azioni sul PDF/)(page);
      await page.getByRole('dialog').getByText('Scegli un PDF').waitFor();
    },
  },
  {
    name: 'admin-invoices-thousand',
    path: desk,
    as: 'invoiceAdmin',
    arrange: answerMany('admin/invoices', 1000),
    prepare: (page) => page.getByText('25 di 1.000').waitFor(),
  },
  {
    name: 'admin-invoices-selected',
    path: desk,
    as: 'invoiceAdmin',
    prepare: selectTwo,
  },
  { name: 'admin-invoices-selected-rest', path: desk, as: 'invoiceAdmin', ...selectedOf(1000) },
  { name: 'admin-invoices-selected-too-many', path: desk, as: 'invoiceAdmin', ...selectedOf(2000) },
  {
    name: 'admin-invoices-undo',
    path: desk,
    as: 'invoiceAdmin',
    async arrange(page) {
      await answerMany('admin/invoices', 3)(page);
      const numbers = [0, 2].map((index) => invoice(index).number);
      await answerWrites('admin/invoices', { status: 200, json: { changed: 2, numbers } })(page);
    },
    async prepare(page) {
      for (const index of [0, 2])
        await page.getByRole('checkbox', { name: `Seleziona ${invoice(index).number}` }).check();
      await page.getByRole('button', { name: 'Segna come Pagate' }).click();
      await page.getByRole('button', { name: 'Annulla la modifica' }).waitFor();
    },
  },
  {
    name: 'admin-invoices-menu',
    path: desk,
    as: 'invoiceAdmin',
    arrange: answerMany('admin/invoices', 1),
    async prepare(page) {
      // A menu is hidden once its invoice is scrolled out of sight, which on a phone is below the first screenful.
      const { width = 0 } = page.viewportSize() ?? {};
      await page.setViewportSize({ width, height: 1_600 });
      await page
        .getByRole('button', { name: /^Azioni sulla fattura/ })
        .first()
        .click();
      await page.getByRole('menuitem', { name: 'Elimina' }).waitFor();
    },
  },
  {
    name: 'admin-invoices-conflict',
    path: desk,
    as: 'invoiceAdmin',
    async arrange(page) {
      await answerMany('admin/invoices', 1)(page);
      await answerWrites('admin/invoices/', refusal('conflict', { ...invoice(2), version: 2 }))(page);
    },
    async prepare(page) {
      await openMenu('Modifica')(page);
      await page.getByRole('dialog').getByLabel('Descrizione').fill('Vitto e alloggio');
      await page.getByRole('button', { name: 'Salva modifiche' }).click();
      await page.getByText('Qualcuno ha modificato questi dati', { exact: false }).waitFor();
    },
  },
  {
    name: 'admin-invoices-new-errors',
    path: `${desk}?nuova=1`,
    as: 'invoiceAdmin',
    prepare: async (page) => {
      const file = {
        name: 'lettera.pdf',
        mimeType: 'application/pdf',
        buffer: Buffer.from('Gentile cliente'),
      };
      await page.getByRole('button', { name: 'Crea Fattura' }).click();
      await page.locator('input[type="file"]').setInputFiles(file);
      await page.getByText('Solo file PDF sono permessi').waitFor();
    },
  },
  {
    name: 'admin-invoices-new-file',
    path: `${desk}?nuova=1`,
    as: 'invoiceAdmin',
    prepare: async (page) => {
      const file = {
        name: `${LONGEST.project}.pdf`,
        mimeType: 'application/pdf',
        buffer: Buffer.from(pdfOf(900)),
      };
      await page.locator('input[type="file"]').setInputFiles(file);
      await page.getByText('File PDF selezionato').waitFor();
    },
  },
  { name: 'admin-invoices-edit', path: desk, as: 'invoiceAdmin', prepare: openMenu('Modifica') },
  {
    name: 'admin-invoices-file-preview',
    path: desk,
    as: 'invoiceAdmin',
    async arrange(page) {
      await answerMany('admin/invoices', 2)(page);
      const file = await readablePdf('Fattura di novembre');
      await page.route('**/api/admin/invoices/*/file**', (route) =>
        route.fulfill({ contentType: 'application/pdf', body: Buffer.from(file) }),
      );
    },
    async prepare(page) {
      await openMenu('Anteprima', /^Azioni sul PDF/)(page);
      await page
        .getByRole('dialog')
        .getByText(/non mostra i PDF/)
        .or(page.locator('iframe[src^="blob:"]'))
        .waitFor();
    },
  },
  { name: 'admin-invoices-history', path: desk, as: 'invoiceAdmin', prepare: openMenu('Cronologia') },
  {
    name: 'admin-invoices-history-full',
    path: desk,
    as: 'invoiceAdmin',
    async arrange(page) {
      await answerMany('admin/invoices', 1)(page);
      const items: readonly Pick<InvoiceEvent, 'action' | 'detail'>[] = [
        { action: 'file_replaced', detail: { fileName: `Fattura ${LONGEST.project}.pdf` } },
        { action: 'status', detail: { status: ['Da Pagare', 'Pagata'] } },
        {
          action: 'updated',
          detail: { amount: [999_999.99, 480], projectName: ['Viadotto', LONGEST.project] },
        },
        { action: 'created', detail: { amount: 999_999.99 } },
      ];
      await page.route('**/api/admin/invoices/*/events', (route) =>
        route.fulfill({
          json: {
            items: items.map((item, id) => ({
              ...item,
              id,
              at: `${today}T08:00:00.000Z`,
              actor: LONGEST.person,
            })),
          },
        }),
      );
    },
    async prepare(page) {
      await openMenu('Cronologia')(page);
      await page.getByText('Fattura creata').waitFor();
    },
  },
  { name: 'admin-invoices-delete', path: desk, as: 'invoiceAdmin', prepare: openMenu('Elimina') },
];

import type { Locator } from '@playwright/test';
import { LONGEST } from '../support/extremes.ts';
import { expectToFit, expectWholePlaceholder, expectWholeWords } from '../support/layout.ts';
import { expect, test } from '../support/test.ts';

test('a PDF that is named after its invoice is offered with the number said once', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer);
  const invoiceNumber = `FAT${Date.now()}DETTAUNA`;
  await app.make.invoice(customer, project, {
    invoiceNumber,
    fileName: `Fattura ${invoiceNumber}.pdf`,
    fileUrl: `${customer.id}/una.pdf`,
  });
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.goto(`/app/admin/invoices?cerca=${invoiceNumber}`);
  const preview = desk.getByRole('button', {
    name: `Anteprima di Fattura ${invoiceNumber}.pdf`,
    exact: true,
  });
  await expect(preview).toBeVisible();
  await expect(preview).toHaveAccessibleDescription('');
});

test('on a phone the search says all that it looks in, and a long file name wraps no words beside it', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer);
  const { invoiceNumber } = await app.make.invoice(customer, project, {
    fileName: `Fattura ${LONGEST.project}.pdf`,
    fileUrl: `${customer.id}/lungo.pdf`,
  });
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.setViewportSize({ width: 345, height: 740 });
  await desk.goto('/app/admin/invoices');
  await expectWholePlaceholder(desk.getByRole('searchbox', { name: 'Cerca' }));
  await desk.goto(`/app/admin/invoices?cerca=${invoiceNumber}`);
  const term = desk.getByRole('term').filter({ hasText: 'File PDF' });
  await expect(term).toBeVisible();
  const lines = await term.evaluate((words) => {
    const written = document.createRange();
    written.selectNodeContents(words);
    return new Set([...written.getClientRects()].map(({ top }) => top)).size;
  });
  expect(lines, 'lines of the words beside the name').toBe(1);
});

test('on a phone a short file name is beside its icon, level with the words before it', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer);
  const { invoiceNumber } = await app.make.invoice(customer, project, {
    fileName: 'nuova.pdf',
    fileUrl: `${customer.id}/corto.pdf`,
  });
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.setViewportSize({ width: 375, height: 740 });
  await desk.goto(`/app/admin/invoices?cerca=${invoiceNumber}`);
  const preview = desk.getByRole('button', { name: 'Anteprima di nuova.pdf' });
  await expect(preview).toBeVisible();
  /** Of the words in `element`, without the box around them. */
  const placeOf = (element: Element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT, (node) =>
      node.textContent?.includes('.pdf') || node.textContent === 'File PDF'
        ? NodeFilter.FILTER_ACCEPT
        : NodeFilter.FILTER_SKIP,
    );
    const written = document.createRange();
    written.selectNodeContents(walker.nextNode() ?? element);
    const { left, bottom } = written.getBoundingClientRect();
    return { left, bottom };
  };
  const words = desk.getByRole('term').filter({ hasText: 'File PDF' });
  const gaps = async () => {
    const [name, before] = await Promise.all([preview, words].map((one) => one.evaluate(placeOf)));
    const icon = await preview.locator('svg').boundingBox();
    if (!name || !before || !icon) return null;
    return { beside: name.left - (icon.x + icon.width), apart: Math.abs(name.bottom - before.bottom) };
  };
  await expect.poll(async () => (await gaps())?.beside, 'between icon and name').toBeLessThan(12);
  await expect.poll(async () => (await gaps())?.apart, 'between the lines').toBeLessThan(2);
});

test('with large letters on a phone, menus and the number of an invoice to delete are not cut off', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer);
  const { invoiceNumber } = await app.make.invoice(customer, project);
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.setViewportSize({ width: 360, height: 740 });
  await desk.goto(`/app/admin/invoices?cerca=${invoiceNumber}`);
  await desk.addStyleTag({ content: 'html { font-size: 150%; }' });
  await desk.getByRole('button', { name: /^Account di/ }).click();
  const account = desk.getByRole('menu');
  await expect(account).toBeVisible();
  expect((await account.boundingBox())?.x, 'left edge of the menu').toBeGreaterThanOrEqual(0);
  await desk.keyboard.press('Escape');
  await desk.getByRole('button', { name: `Azioni sulla fattura ${invoiceNumber}` }).click();
  await desk.getByRole('menuitem', { name: 'Elimina' }).click();
  const dialog = desk.getByRole('dialog');
  await expect(dialog).toContainText(invoiceNumber);
  const [content, room] = await dialog.evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth]);
  expect(content, 'width of the question').toBeLessThanOrEqual(room ?? 0);
});

test('on a phone the bar of all selected invoices leaves them most of the page, and a thumb finds its buttons', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer, { name: 'Funivia di Malcesine' });
  await app.make.invoice(customer, project, { status: 'Pagata' });
  await Promise.all(Array.from({ length: 104 }, () => app.make.invoice(customer, project, { euro: 812.4 })));
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.setViewportSize({ width: 1440, height: 740 });
  await desk.goto('/app/admin/invoices?cerca=malcesine&ordine=stato');
  await desk.getByRole('checkbox', { name: 'Seleziona tutte le righe' }).check();
  await desk
    .getByRole('checkbox', { name: /^Seleziona FAT/ })
    .last()
    .scrollIntoViewIfNeeded();
  const words = desk.getByRole('status').filter({ hasText: 'selezionate' });
  const bar = words.locator('..');
  const buttons = bar.getByRole('button');
  for (const width of [360, 320]) {
    await desk.setViewportSize({ width, height: 740 });
    await expect(words).toBeInViewport({ ratio: 1 });
    await expect.poll(async () => (await bar.boundingBox())?.height, `${width} px`).toBeLessThanOrEqual(150);
    await expect(buttons).toHaveText(['Annulla', /tutte\sle\s105$/, /Pagate$/, /Da\sPagare$/]);
    for (const button of await buttons.all()) {
      await expect(button).toBeInViewport({ ratio: 1 });
      const { height = 0, width: wide = 0 } = (await button.boundingBox()) ?? {};
      expect(Math.min(height, wide), 'for a thumb').toBeGreaterThanOrEqual(44);
    }
    await expectWholeWords(buttons);
    await expectToFit(desk);
  }
});

test('a new invoice is begun beside the title of the invoices, on a phone with a button as wide as its line', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const customer = await app.make.user();
  await app.make.invoice(customer, await app.make.project(customer));
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.goto('/app/admin/invoices');
  const section = desk.getByRole('region', { name: 'Fatture nel Sistema' });
  const create = section.getByRole('button', { name: 'Crea Nuova Fattura' });
  const title = section.getByRole('heading', { name: 'Fatture nel Sistema' });
  await expect(create).toBeVisible();
  const middle = async (part: Locator) => {
    const { y = 0, height = 0 } = (await part.boundingBox()) ?? {};
    return y + height / 2;
  };
  const apart = async () => Math.abs((await middle(create)) - (await middle(title)));
  await expect.poll(apart, 'from the middle of the title').toBeLessThan(2);

  await desk.setViewportSize({ width: 360, height: 740 });
  await expect(create).toBeInViewport({ ratio: 1 });
  await expect.poll(apart, 'below the title').toBeGreaterThan(20);
  const { height = 0, width = 0 } = (await create.boundingBox()) ?? {};
  expect(height, 'height for a thumb').toBeGreaterThanOrEqual(44);
  expect(width, 'width of the line').toBeGreaterThan(300);
  await expectToFit(desk);
  await create.press('Enter');
  const dialog = desk.getByRole('dialog', { name: 'Crea Nuova Fattura' });
  await expect(dialog.getByRole('combobox', { name: 'Utente' })).toBeFocused();
  await desk.keyboard.press('Escape');
  await expect(create).toBeFocused();
});

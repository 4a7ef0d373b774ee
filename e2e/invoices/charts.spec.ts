import { addDays, type CalendarDate, todayInRome } from '#contract/dates.ts';
import { expectToFit } from '../support/layout.ts';
import { expect, test } from '../support/test.ts';

test('the largest amounts of a chart fit on a phone', { tag: '@once' }, async ({ app, openAs }) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer, { name: 'Diga di Ridracoli' });
  for (const status of ['Pagata', 'Da Pagare'] as const) {
    for (let count = 0; count < 10; count += 1)
      await app.make.invoice(customer, project, { euro: 999_999.99, status });
  }
  for (let count = 1; count <= 6; count += 1) {
    const small = await app.make.project(customer, { name: `Ponte ${count}` });
    await app.make.invoice(customer, small, { euro: 1, issueDate: addDays(todayInRome(), -70) });
  }
  const page = await openAs(customer);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/app/pagamenti-fatture');
  const part = page.getByText('I 6 progetti con più spesa, su 7');
  await expect(part).toBeVisible();
  await page.getByRole('button', { name: 'Tabella: Fatture per mese di emissione, ultimi 12 mesi' }).click();
  await page.getByRole('button', { name: 'Tabella: Fatture per progetto' }).click();
  await expect(page.getByRole('cell', { name: '€ 9.999.999,90' })).toHaveCount(2);
  await expect(part).toBeHidden();
  await expectToFit(page);
});

test('a long project name without spaces does not push the chart switch out of its card', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const customer = await app.make.user();
  const name = 'Commessa_2026_Raffineria_di_Sarroch_Fermata_generale_impianto_etilene';
  await app.make.invoice(customer, await app.make.project(customer, { name }));
  const page = await openAs(customer);
  await page.goto('/app/pagamenti-fatture');
  const figure = page.getByRole('figure').filter({ hasText: 'Fatture per progetto' });
  const toggle = figure.getByRole('button', { name: 'Tabella: Fatture per progetto' });
  for (const width of [768, 360]) {
    await page.setViewportSize({ width, height: 740 });
    await toggle.scrollIntoViewIfNeeded();
    await expect(toggle).toBeInViewport({ ratio: 1 });
    await expect
      .poll(
        () => figure.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
        `how much of the content reaches out of its card at ${width} px`,
      )
      .toBeLessThanOrEqual(0);
  }
});

test('the months of a chart take one line each in its table on a phone', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer);
  await app.make.invoice(customer, project, { euro: 32_018, status: 'Pagata' });
  await app.make.invoice(customer, project, { euro: 15_827.7 });
  const page = await openAs(customer);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/app/pagamenti-fatture');
  await page.getByRole('button', { name: 'Tabella: Fatture per mese di emissione, ultimi 12 mesi' }).click();
  const rows = page.getByRole('figure').first().getByRole('row');
  await expect(rows).toHaveCount(13);
  const heights = await rows.evaluateAll((all) => all.slice(1).map(({ clientHeight }) => clientHeight));
  expect(new Set(heights).size).toBe(1);
  await expectToFit(page);
});

test('projects of one name are told apart by their places, or else their periods, in the chart and in the filter', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const customer = await app.make.user();
  for (const [euro, location, startDate] of [
    [600, 'Priolo', '2026-05-04'],
    [100, 'Modena', '2026-05-04'],
    [60, 'Gela', '2026-01-05'],
    [40, 'Gela', '2026-03-02'],
  ] as const) {
    const values = { location, startDate: startDate as CalendarDate };
    const project = await app.make.project(customer, { name: 'Manutenzione', ...values });
    await app.make.invoice(customer, project, { euro });
  }
  const page = await openAs(customer);
  await page.goto('/app/pagamenti-fatture');
  const figure = page.getByRole('figure', { name: '«Manutenzione (Priolo)»: 75% della spesa' });
  await expect(figure.getByText('Manutenzione (Gela, 05/01/2026 – 04/02/2026)')).toBeVisible();
  await expect(figure.getByText('Manutenzione (Modena)')).toBeVisible();
  await figure.getByRole('button', { name: 'Tabella: Fatture per progetto' }).click();
  await expect(figure.getByRole('row', { name: 'Manutenzione (Modena)' })).toContainText('€ 100,00');
  await page.goto('/app/pagamenti-fatture?vista=fatture');
  await page.getByRole('combobox', { name: 'Progetto' }).click();
  await expect(
    page.getByRole('option', { name: 'Manutenzione (Gela, 02/03/2026 – 01/04/2026)' }),
  ).toBeVisible();
  await page.getByRole('option', { name: 'Manutenzione (Modena)' }).click();
  await expect(page.getByRole('combobox', { name: 'Progetto' })).toHaveValue('Manutenzione (Modena)');
  await expect(page.getByText('1 fattura', { exact: true })).toBeVisible();
  await expect(page.getByText('€ 100,00').first()).toBeVisible();
});

test('the table with the numbers of a chart has a name, on Home as among the invoices', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer, { name: 'Diga di Santa Chiara' });
  await app.make.invoice(customer, project, { euro: 1234.5 });
  const page = await openAs(customer);
  await page.goto('/app/home');
  const month = page.getByRole('region', { name: 'Spesa per mese' });
  await month.getByText('i numeri').click();
  await expect(month.getByRole('table', { name: 'Fatture emesse per mese' })).toContainText('€ 1.234,50');
  const budgets = page.getByRole('region', { name: 'Speso e proiezione per progetto' });
  await expect(budgets.getByRole('table', { name: 'Speso e proiezione per progetto' })).toContainText(
    'Diga di Santa Chiara',
  );
  await page.goto('/app/pagamenti-fatture');
  for (const subject of ['Fatture per mese di emissione, ultimi 12 mesi', 'Fatture per progetto']) {
    await page.getByRole('button', { name: `Tabella: ${subject}` }).click();
    await expect(page.getByRole('table', { name: subject, exact: true })).toContainText('€ 1.234,50');
  }
});

test('a year without invoices has no figure at the top of its columns', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer, { name: 'Diga di Ancipa' });
  await app.make.invoice(customer, project, { euro: 800, issueDate: addDays(todayInRome(), -500) });
  const page = await openAs(customer);
  await page.goto('/app/pagamenti-fatture');
  const figure = page.getByRole('figure', { name: 'Negli ultimi dodici mesi non risultano spese' });
  await expect(figure.getByText('Fatture per mese di emissione')).toBeVisible();
  await expect(figure.getByText('€')).toHaveCount(0);
});

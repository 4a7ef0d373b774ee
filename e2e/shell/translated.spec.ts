import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';
import { translate } from '../support/translation.ts';
import { wake } from '../support/wake.ts';

test('pages that the browser translates go on telling the truth', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer, { name: 'Galleria del Furlo' });
  for (const euro of [100, 200.5, 50]) await app.make.invoice(customer, project, { euro });

  await test.step('selected invoices are counted, and marked as paid', async () => {
    const desk = await openAs(await app.make.invoiceAdmin());
    await desk.bringToFront();
    await desk.setViewportSize({ width: 1440, height: 900 });
    await desk.goto('/app/admin/invoices?cerca=furlo');
    const rows = desk.getByRole('checkbox', { name: /^Seleziona (?!tutte)/ });
    await expect(rows).toHaveCount(3);
    await translate(desk);
    await expect(desk.getByRole('heading', { level: 1 })).toHaveText('«Gestione Fatture Admin»');
    const bar = desk.getByRole('status').filter({ hasText: /selezionat[ae]/ });
    await rows.first().check();
    await expect(bar).toContainText('«1 fattura selezionata»');
    await rows.nth(1).check();
    await rows.nth(2).check();
    await expect(bar).toContainText('«3 fatture selezionate»');
    await expect(bar).toContainText('€ 350,50');
    await desk.getByRole('button', { name: 'Segna come Pagate' }).click();
    await expect(desk.getByText('Stato fattura aggiornato a: Pagata')).toBeVisible();
    await expect(desk.getByRole('row').filter({ hasText: '«Pagata»' })).toHaveCount(3);
    await expect(desk.getByRole('row').filter({ hasText: '«Da Pagare»' })).toHaveCount(0);
  });

  await test.step('a project is completed', async () => {
    const page = await openAs(customer);
    await page.bringToFront();
    await page.goto('/app/progetti-team');
    const complete = page.getByRole('button', { name: 'Segna come completato: Galleria del Furlo' });
    const reopen = page.getByRole('button', { name: 'Riapri progetto: Galleria del Furlo' });
    await expect(complete.first()).toBeVisible();
    await translate(page);
    await complete.first().click();
    await expect(reopen.first()).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('«Progetti e Team»');
  });
});

for (const [translator, translateBy] of [
  ['puts elements in the place of texts', translate],
  [
    'writes into the texts',
    (page: Page) =>
      page.evaluate(() => {
        document.documentElement.lang = 'en';
        const title = document.querySelector('h1')?.firstChild;
        if (title) title.nodeValue = `«${title.nodeValue}»`;
      }),
  ],
] as const) {
  test(`a public page stays translated and keeps what is typed if the browser ${translator} before its first use`, {
    tag: '@once',
  }, async ({ page }) => {
    await page.goto('/contacts');
    const title = page.getByRole('heading', { level: 1 });
    const words = await title.textContent();
    await translateBy(page);
    const fields = { nome: 'Anna', cognome: 'Traducibile', telefono: '+39 333 1234567' };
    for (const [name, value] of Object.entries(fields)) await page.locator(`[name=${name}]`).fill(value);
    await page.mouse.move(20, 200);
    await page.mouse.move(24, 204);
    await expect(title).toHaveText(`«${words}»`);
    for (const [name, value] of Object.entries(fields))
      await expect(page.locator(`[name=${name}]`)).toHaveValue(value);
    // By the browser itself: a script would stay on the page.
    await page.locator('main form [type=submit]').click();
    await expect(page).toHaveURL('/contacts?inviato=1#inviato');
    await expect(page.getByText('Messaggio Inviato')).toBeVisible();
    // In the language it was written in, it starts as ever.
    await wake(page);
  });
}

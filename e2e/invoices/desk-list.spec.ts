import type { Page } from '@playwright/test';
import { unzipSync } from 'fflate';
import { todayInRome } from '#contract/dates.ts';
import { bytesOf } from '../support/invoices.ts';
import { expect, test } from '../support/test.ts';

test('the address holds the search, the filters and the order of invoices', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const customer = await app.make.user({ fullName: 'Bice Tagliamento' });
  const project = await app.make.project(customer, { name: 'Argine Tagliamento' });
  for (const euro of [300, 100, 200]) await app.make.invoice(customer, project, { euro });
  await app.make.invoice(customer, project, { euro: 50, status: 'Pagata' });
  const clerk = await app.make.invoiceAdmin();
  const desk = await openAs(clerk);
  await desk.setViewportSize({ width: 1440, height: 900 });
  await desk.goto('/app/admin/invoices');
  const steps = await desk.evaluate(() => history.length);
  const field = (name: string) => desk.getByRole('combobox', { name });
  await field('Utente').fill('tagliamento');
  await desk.getByRole('option', { name: /Bice/ }).click();
  await desk.getByRole('searchbox', { name: 'Cerca' }).pressSequentially('argine');
  await field('Stato').click();
  await desk.getByRole('option', { name: 'Da Pagare', exact: true }).click();
  await field('File PDF').click();
  await desk.getByRole('option', { name: 'Senza PDF' }).click();
  await desk.getByRole('button', { name: 'Importo' }).click();
  const expectFound = async (page: Page) => {
    await expect(page.getByText('3 fatture', { exact: true })).toBeVisible();
    await expect(page.getByRole('row').getByRole('strong')).toHaveText(['€ 100,00', '€ 200,00', '€ 300,00']);
    await expect(page.getByRole('searchbox', { name: 'Cerca' })).toHaveValue('argine');
    await expect(page.getByRole('combobox', { name: 'Utente' })).toHaveValue('Bice Tagliamento');
    await expect(page.getByRole('combobox', { name: 'Stato' })).toHaveValue('Da Pagare');
    await expect(page.getByRole('combobox', { name: 'File PDF' })).toHaveValue('Senza PDF');
    const amount = page.getByRole('columnheader', { name: 'Importo' });
    await expect(amount).toHaveAttribute('aria-sort', 'ascending');
  };
  await expectFound(desk);
  expect(await desk.evaluate(() => history.length)).toBe(steps);
  await desk.reload();
  await expectFound(desk);
  const other = await openAs(clerk);
  await other.setViewportSize({ width: 1440, height: 900 });
  await other.goto(desk.url());
  await expectFound(other);

  const waiting = other.waitForEvent('download');
  const asked = todayInRome();
  await other.getByRole('button', { name: 'Esporta' }).click();
  await other.getByRole('menuitem', { name: 'Excel' }).click();
  const download = await waiting;
  // The server picks the day, which may have changed meanwhile.
  expect([asked, todayInRome()].map((day) => `fatture-${day}.xlsx`)).toContain(download.suggestedFilename());
  const { 'xl/worksheets/sheet1.xml': sheet } = unzipSync(await bytesOf(download));
  const written = new TextDecoder().decode(sheet);
  expect(written.match(/<row /g)).toHaveLength(4);
  expect(written.match(/(?<=<v>)[1-3]00(?=<\/v>)/g)).toEqual(['100', '200', '300']);

  await other.getByRole('searchbox', { name: 'Cerca' }).fill('introvabile');
  await other.getByRole('button', { name: 'Togli i filtri' }).press('Enter');
  await expect(other.getByRole('heading', { name: 'Fatture nel Sistema' })).toBeFocused();
  await expect(other).toHaveURL('/app/admin/invoices?ordine=importo&verso=crescente');
  for (const name of ['Utente', 'Stato']) await expect(other.getByRole('combobox', { name })).toHaveValue('');
  await expect(other.getByRole('searchbox', { name: 'Cerca' })).toHaveValue('');
  // The button that clears a filter disappears with it.
  await desk.bringToFront();
  await desk.getByRole('button', { name: 'Togli la scelta' }).press('Enter');
  await expect(field('Utente')).toBeFocused();
  await expect(field('Utente')).toHaveValue('');
  await desk.getByRole('button', { name: 'Tutti gli stati' }).press('Enter');
  await expect(field('Stato')).toBeFocused();
  await expect(field('Stato')).toHaveValue('');
  await desk.getByRole('button', { name: 'Cancella la ricerca' }).press('Enter');
  await expect(desk.getByRole('searchbox', { name: 'Cerca' })).toBeFocused();
  await expect(desk.getByRole('searchbox', { name: 'Cerca' })).toHaveValue('');
});

test('two changes of the address in quick succession are both kept', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const customer = await app.make.user();
  await app.make.invoice(customer, await app.make.project(customer));
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.setViewportSize({ width: 1440, height: 900 });
  await desk.goto('/app/admin/invoices');
  const chooseAndPress = async (status: string, button: string) => {
    await desk.getByRole('combobox', { name: 'Stato' }).click();
    const pressed = await desk.getByRole('button', { name: button }).elementHandle();
    await desk
      .getByRole('option', { name: status, exact: true })
      .evaluate((option: HTMLElement, following) => {
        option.click();
        // A key press commits the choice at once.
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Shift', bubbles: true }));
        (following as HTMLElement).click();
      }, pressed);
  };
  await chooseAndPress('Da Pagare', 'Importo');
  await expect(desk).toHaveURL('/app/admin/invoices?stato=Da+Pagare&ordine=importo&verso=crescente');
  await expect(desk.getByRole('combobox', { name: 'Stato' })).toHaveValue('Da Pagare');
  await chooseAndPress('Pagata', 'Crea Nuova Fattura');
  await expect(desk.getByRole('dialog', { name: 'Crea Nuova Fattura' })).toBeVisible();
  await expect(desk).toHaveURL('/app/admin/invoices?stato=Pagata&ordine=importo&verso=crescente&nuova=1');
});

test('an invoice that moves to the next page before it is loaded appears and counts once', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer, { name: 'Molo sopraflutto' });
  const make = (euro: number) => app.make.invoice(customer, project, { euro });
  const [moved] = await Promise.all(Array.from({ length: 26 }, (_, index) => make(index + 1)));
  const number = moved?.invoiceNumber ?? '';
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.setViewportSize({ width: 1440, height: 900 });
  await desk.goto('/app/admin/invoices?cerca=sopraflutto&ordine=importo&verso=crescente');
  await expect(desk.getByText('25 di 26')).toBeVisible();
  await desk.getByRole('checkbox', { name: `Seleziona ${number}` }).check();
  const change = {
    projectId: project.id,
    amount: 100,
    issueDate: todayInRome(),
    dueDate: null,
    description: '',
  };
  const edit = await desk.request.patch(`/api/admin/invoices/${number}`, { data: { version: 1, ...change } });
  expect(edit.ok()).toBe(true);
  await desk.getByRole('button', { name: 'Mostra altre' }).click();
  await expect(desk.getByText('26 di 26')).toBeVisible();
  await expect(desk.getByRole('row').last()).toContainText('€ 100,00');
  await expect(desk.getByText('1 fattura selezionata · € 100,00')).toBeVisible();
  await expect(desk.getByLabel('Totali delle fatture filtrate')).toContainText('€ 450,00');
  await expect(desk.getByRole('checkbox', { name: `Seleziona ${number}` })).toHaveCount(1);
});

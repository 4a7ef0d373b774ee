import type { Page } from '@playwright/test';
import { entryOf } from '../support/invoices.ts';
import { openMenu } from '../support/menu.ts';
import { expect, test } from '../support/test.ts';

async function goTo(page: Page, name: string): Promise<void> {
  await (await openMenu(page)).getByRole('link', { name }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
}

test('what changes on one page has changed on the pages visited before', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer, { name: 'Centrale di Edolo' });
  const { invoiceNumber } = await app.make.invoice(customer, project, { euro: 1250.5 });
  await app.make.invoice(customer, project, { euro: 100 });
  const page = await openAs(customer);
  const card = page.getByRole('list', { name: 'Progetti attivi' }).getByRole('listitem').first();
  // From here on without a reload, so that every page is shown from what is in the memory of the application.
  await page.goto('/app/progetti-team');
  await expect(card).toContainText('€ 1.350,50');
  await goTo(page, 'Pagamenti e Fatture');
  await page.getByRole('tab', { name: 'Fatture' }).click();
  await page.getByRole('button', { name: `Elimina la fattura ${invoiceNumber}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Elimina' }).click();
  await expect(page.getByText('Fattura eliminata con successo!')).toBeVisible();
  const entries = entryOf(page, 'Centrale di Edolo');
  await expect(entries).toHaveCount(1);
  await expect(entries).toContainText('€ 100,00');

  await goTo(page, 'Progetti e Team');
  await expect(card).toContainText('€ 100,00');
  await card.getByRole('button', { name: 'Modifica Centrale di Edolo' }).click();
  const edit = page.getByRole('dialog', { name: 'Modifica Centrale di Edolo' });
  await edit.getByLabel('Nome Progetto').fill('Centrale di Grosio');
  await edit.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(page.getByText('Progetto aggiornato')).toBeVisible();

  await goTo(page, 'Pagamenti e Fatture');
  await expect(page.getByText('Centrale di Grosio').first()).toBeVisible();
  await expect(page.getByText('Centrale di Edolo')).toHaveCount(0);
});

test('an administrator finds the own new name in the list of users', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const admin = await app.make.user({ role: 'admin', fullName: 'Ottavia Primanota' });
  const page = await openAs(admin);
  await page.goto(`/app/user-management?cerca=${encodeURIComponent(admin.email)}`);
  const listed = entryOf(page, admin.email);
  await expect(listed).toContainText('Ottavia Primanota');
  await page.getByRole('button', { name: /^Account di/ }).click();
  await page.getByRole('menuitem', { name: 'Il mio profilo' }).click();
  await page.getByLabel('Nome completo').fill('Ottavia Secondanota');
  await page.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(page.getByText('Profilo aggiornato con successo')).toBeVisible();
  await page.goBack();
  await expect(listed).toContainText('Ottavia Secondanota');
});

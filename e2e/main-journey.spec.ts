import { readFile } from 'node:fs/promises';
import type { Download, Page } from '@playwright/test';
import { addDays, formatDate, todayInRome } from '#contract/dates.ts';
import { mailboxes } from '#provider';
import { readablePdf } from '#server/testing/pdf.ts';
import { expectAccessible } from './support/accessibility.ts';
import { expectToFit } from './support/layout.ts';
import { expect, test } from './support/test.ts';

const customer = {
  fullName: 'Paola Galli',
  companyName: 'Galli Montaggi S.r.l.',
  email: 'paola.galli@example.com',
  password: 'cantiere-2026',
};
const project = { name: 'Fermata impianto etilene', location: 'Priolo Gargallo (SR)' };
const start = addDays(todayInRome(), 21);
const end = addDays(start, 12);

/** The main use of the product, from registration to the downloaded invoice; nothing is mocked. */
test('a customer registers, requests a trip and downloads its invoice', {
  tag: '@once',
}, async ({ app, page, openAs }) => {
  await test.step('the customer registers and logs in', async () => {
    await page.goto('/login');
    await page.getByRole('button', { name: 'Registrati' }).click();
    const form = page.getByRole('form', { name: 'Registrazione' });
    await form.getByLabel('Nome completo').fill(customer.fullName);
    await form.getByLabel('Nome azienda').fill(customer.companyName);
    await form.getByLabel('Email').fill(customer.email);
    await form.getByLabel('Password', { exact: true }).fill(customer.password);
    await form.getByLabel('Conferma password').fill(customer.password);
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Registrati' }).click();
    await expect(
      page.getByText('Registrazione completata. Ora puoi accedere con le tue credenziali.'),
    ).toBeVisible();
    await page.getByLabel('Email o username').fill(customer.email);
    await page.getByLabel('Password', { exact: true }).fill(customer.password);
    await page.getByRole('button', { name: 'Accedi' }).click();
    await expect(page).toHaveURL(/\/app\/home$/);
    await expectSound(page);
  });

  await test.step('the customer creates a project with a crew of two', async () => {
    await page.goto('/app/progetti-team');
    await page.getByRole('button', { name: 'Nuovo Progetto' }).click();
    const dialog = page.getByRole('dialog', { name: 'Crea Nuovo Progetto' });
    await dialog.getByRole('textbox', { name: 'Nome Progetto' }).fill(project.name);
    await dialog.getByRole('textbox', { name: 'Località' }).fill(project.location);
    await dialog.getByRole('textbox', { name: 'Data Inizio' }).fill(formatDate(start));
    await dialog.getByRole('textbox', { name: 'Data Fine' }).fill(formatDate(end));
    await dialog.getByRole('textbox', { name: 'Proiezione Spesa Totale (€)' }).fill('96000');
    await dialog.getByRole('textbox', { name: 'Spesa ad Oggi (€)' }).fill('100,50');
    for (const [index, [name, surname, role]] of crew.entries()) {
      await dialog.getByRole('button', { name: 'Aggiungi dipendente' }).click();
      const member = dialog.getByRole('group', { name: `Nuovo dipendente ${index + 1}` });
      await member.getByRole('textbox', { name: 'Nome', exact: true }).fill(name);
      await member.getByRole('textbox', { name: 'Cognome' }).fill(surname);
      await member.getByRole('combobox', { name: 'Ruolo' }).selectOption(role);
    }
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Crea Progetto' }).click();
    await expect(page.getByText('Progetto creato', { exact: true })).toBeVisible();
    await expect(page.getByText('2 persone').first()).toBeVisible();
    await expect(page.getByText('€ 100,50').first()).toBeVisible();
    await expectSound(page);
  });

  await test.step('the customer sends a trip request, which arrives by email', async () => {
    await page.goto('/app/nuova-trasferta');
    await page.getByRole('textbox', { name: 'Città' }).fill('Siracusa');
    await page
      .getByLabel('Posizione Esatta del Sito di Lavoro')
      .fill('Via Litoranea Priolese 39, cancello 2');
    await page.getByRole('textbox', { name: 'Data di Inizio' }).fill(formatDate(start));
    await page.getByRole('textbox', { name: 'Data di Fine' }).fill(formatDate(end));
    await page.getByRole('combobox', { name: 'Nome del Progetto' }).fill(project.name);
    await page
      .getByRole('textbox', { name: 'Ragione della Trasferta' })
      .fill('Manutenzione programmata del reparto 3');
    await page.getByRole('textbox', { name: 'Numero di Persone' }).fill('2');
    await page.getByRole('button', { name: 'Continua' }).click();
    await expect(page.getByText('Step 2 di 4')).toBeVisible();
    await page.getByRole('textbox', { name: 'Camere Singole' }).fill('2');
    await page.getByRole('button', { name: 'Continua' }).click();
    await expect(page.getByText('Step 3 di 4')).toBeVisible();
    await page.getByLabel('Parcheggio').selectOption('necessario');
    await page.getByRole('textbox', { name: 'Budget', exact: true }).fill('85');
    await page.getByRole('button', { name: 'Continua' }).click();
    await expect(page.getByText('Step 4 di 4')).toBeVisible();
    await page.getByRole('textbox', { name: 'Numero di Telefono' }).fill('+39 0931 123456');
    await page.getByRole('textbox', { name: 'Email' }).fill(customer.email);
    await expectSound(page);
    await page.getByRole('button', { name: 'Invia Richiesta' }).click();
    await expect(page.getByText('Richiesta Inviata')).toBeVisible();
    await expect(page).toHaveURL(/\/app\/home$/);

    const message = await app.mailbox.received(`Nuova Richiesta Trasferta - Siracusa (${project.name})`);
    expect(message.to?.map(({ address }) => address)).toEqual(mailboxes.requestRecipients);
    expect(message.replyTo?.map(({ address }) => address)).toEqual([customer.email]);
    expect(message.text).toContain('Via Litoranea Priolese 39, cancello 2');
    expect(message.text).toContain('Manutenzione programmata del reparto 3');
  });

  const pdf = Buffer.from(await readablePdf('Fattura per la fermata di Priolo'));

  await test.step('the invoice administrator creates an invoice with its PDF', async () => {
    const desk = await openAs(await app.make.invoiceAdmin());
    await desk.goto('/app/home');
    await expect(desk).toHaveURL(/\/app\/admin\/invoices$/);
    await desk.getByRole('button', { name: 'Crea Nuova Fattura' }).click();
    const dialog = desk.getByRole('dialog', { name: 'Crea Nuova Fattura' });
    const user = dialog.getByRole('combobox', { name: 'Utente' });
    await user.fill(customer.fullName);
    await expect(desk.getByRole('option', { name: customer.fullName })).toBeVisible();
    await user.press('ArrowDown');
    await user.press('Enter');
    await desk.keyboard.press('Tab');
    const projects = dialog.getByRole('combobox', { name: 'Progetto' });
    await expect(projects).toBeFocused();
    await projects.press('ArrowDown');
    await expect(desk.getByRole('option', { name: project.name })).toBeVisible();
    await projects.press('ArrowDown');
    await projects.press('Enter');
    await dialog.getByRole('textbox', { name: 'Importo' }).fill('12480,50');
    await dialog
      .locator('input[type="file"]')
      .setInputFiles({ name: 'fattura priolo.pdf', mimeType: 'application/pdf', buffer: pdf });
    await expect(desk.getByText('File PDF selezionato')).toBeVisible();
    await expectAccessible(desk);
    await dialog.getByRole('button', { name: 'Crea Fattura' }).click();
    await expect(desk.getByText('Fattura creata con successo!')).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(desk.getByText('€ 12.480,50').first()).toBeVisible();
    await expectSound(desk);
  });

  await test.step('the customer sees the invoice and downloads the same bytes', async () => {
    await page.bringToFront();
    await page.goto('/app/pagamenti-fatture');
    await page.getByRole('tab', { name: 'Fatture' }).click();
    await expect(page.getByText('€ 12.480,50').first()).toBeVisible();
    await expect(page.getByText('Da Pagare').first()).toBeVisible();
    await expectSound(page);
    const started = page.waitForEvent('download');
    await page.getByRole('button', { name: /^Scarica il PDF della fattura FAT/ }).click();
    const download = await started;
    await expect(page.getByText(/^Download della fattura FAT\w+ avviato$/)).toBeVisible();
    expect(download.suggestedFilename()).toBe('fattura priolo.pdf');
    expect((await bytesOf(download)).equals(pdf)).toBe(true);
  });

  await test.step('the spending of the project grows by the amount', async () => {
    await page.goto('/app/progetti-team');
    await expect(page.getByText('€ 12.581,00').first()).toBeVisible();
    await page.goto('/app/home');
    await expect(page.getByText('€ 12.480,50').first()).toBeVisible();
  });
});

const crew = [
  ['Marco', 'Ferri', 'Capocantiere'],
  ['Elena', 'Moretti', 'Tecnico'],
] as const;

async function expectSound(page: Page): Promise<void> {
  await expectAccessible(page);
  await expectToFit(page);
}

async function bytesOf(download: Download): Promise<Buffer> {
  return readFile(await download.path());
}

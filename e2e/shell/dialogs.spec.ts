import type { Page } from '@playwright/test';
import { pdfOf } from '#server/testing/pdf.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { answerOnce } from '../support/answer-once.ts';
import { chooseOption, pdfUpload } from '../support/invoices.ts';
import { openMenu } from '../support/menu.ts';
import { expect, test } from '../support/test.ts';

test('the input of a dialog is discarded only after confirmation; an open calendar closes first', async ({
  app,
  openAs,
  isMobile,
}) => {
  const customer = await app.make.user();
  await app.make.project(customer, { name: 'Diga di Ridracoli' });
  const page = await openAs(customer);
  await page.goto('/app/home');
  await page.getByRole('button', { name: /^Account di/ }).waitFor();
  await (await openMenu(page)).getByRole('link', { name: 'Progetti e Team' }).click();
  await page.getByRole('button', { name: 'Modifica Diga di Ridracoli' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Modifica Diga di Ridracoli' });
  const name = dialog.getByRole('textbox', { name: 'Nome Progetto' });
  await name.fill('Diga di Ridracoli, lotto 2');
  await dialog.getByRole('button', { name: 'Seleziona data: Data Fine' }).click();
  await expect(page.getByRole('dialog', { name: 'Seleziona data' }).locator(':focus')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Mese successivo' })).toHaveCount(0);
  await expect(name).toHaveValue('Diga di Ridracoli, lotto 2');
  // The back button of a phone also closes the calendar first.
  await dialog.getByRole('button', { name: 'Seleziona data: Data Fine' }).click();
  await expect(page.getByRole('dialog', { name: 'Seleziona data' }).locator(':focus')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Mese successivo' })).toHaveCount(0);
  await expect(dialog.getByRole('button', { name: 'Seleziona data: Data Fine' })).toBeFocused();
  await expect(name).toHaveValue('Diga di Ridracoli, lotto 2');
  const end = dialog.getByRole('textbox', { name: 'Data Fine' });
  await end.fill(' 20/02/2030 ');
  await end.press('Tab');
  await expect(end).toHaveValue('20/02/2030');

  // Shortcuts do not open the palette or the menu over the dialog.
  for (const keys of ['Control+k', 'Control+b']) await name.press(keys);
  const opens = (keys: string) => page.locator(`[aria-keyshortcuts^="${keys}"]`);
  // Checked in these attributes because they change at once, before the palette's code is loaded.
  await expect(opens('Control+K')).toHaveAttribute('aria-expanded', 'false');
  await expect(opens('Control+B')).toHaveAttribute('aria-expanded', String(!isMobile));
  await expect(page.getByRole('dialog')).toHaveCount(1);

  const question = page.getByRole('dialog', { name: 'Chiudere senza salvare?' });
  await name.press('Escape');
  await expect(question).toBeVisible();
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Torna indietro' }).click();
  await expect(question).toHaveCount(0);
  await expect(name).toHaveValue('Diga di Ridracoli, lotto 2');
  await expect(name).toBeFocused();

  await page.goBack();
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: 'Chiudi senza salvare' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL('/app/progetti-team');

  await page.getByRole('button', { name: 'Modifica Diga di Ridracoli' }).first().click();
  await expect(name).toHaveValue('Diga di Ridracoli');
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL('/app/progetti-team');
});

test('the back button closes whatever covers the page, but not while an answer is awaited', async ({
  app,
  openAs,
  isMobile,
  problems,
}) => {
  problems.expect(/status of 500/);
  const customer = await app.make.user();
  const project = await app.make.project(customer, { name: 'Diga di Ridracoli' });
  await app.make.employee(customer, { name: 'Ada Neri' }, project);
  const page = await openAs(customer);
  await page.goto('/app/home');
  await expect(page.getByRole('button', { name: /^Account di/ })).toBeVisible();
  await (await openMenu(page)).getByRole('link', { name: 'Progetti e Team' }).click();
  const dialogs = page.getByRole('dialog');
  const expectClosedByBack = async () => {
    await expect(dialogs.locator(':focus')).toBeVisible();
    await page.goBack();
    await expect(dialogs).toHaveCount(0);
    await expect(page).toHaveURL('/app/progetti-team');
  };
  const active = page.getByRole('region', { name: 'Progetti Attivi' });
  const team = active.getByRole('button', { name: 'team di Diga di Ridracoli' });
  await team.click();
  await expectClosedByBack();
  await expect(team).toBeFocused();
  await page
    .getByRole('button', { name: /^Cerca/ })
    .first()
    .click();
  await expectClosedByBack();
  if (isMobile) {
    await page.getByRole('button', { name: 'Apri il menu' }).click();
    await expectClosedByBack();
  }

  await active.getByRole('button', { name: 'Elimina Diga di Ridracoli' }).click();
  await expectClosedByBack();
  await active.getByRole('button', { name: 'Elimina Diga di Ridracoli' }).click();
  const { promise: tried, resolve: isTried } = Promise.withResolvers<void>();
  await answerOnce(page, 'projects/*', (route) => tried.then(() => route.fulfill({ status: 500, json: {} })));
  await dialogs.getByRole('button', { name: 'Elimina' }).click();
  await expect(dialogs.getByRole('button', { name: 'Eliminando...' })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL('/app/progetti-team');
  isTried();
  await expect(dialogs.getByRole('alert')).toBeVisible();
  await expectClosedByBack();
  await page.goBack();
  await expect(page).toHaveURL('/app/home');
});

/** What the browser tells screen readers: the roles and names of all that is not hidden from them. */
async function toldOf(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  return nodes.filter(({ ignored }) => !ignored).map(({ role, name }) => `${role?.value} ${name?.value}`);
}

test('of an open dialog, screen readers reach the lists, the calendar and the messages, and not the page below', async ({
  app,
  openAs,
  isMobile,
}) => {
  const customer = await app.make.user({ fullName: 'Ottavia Villacidro' });
  await app.make.project(customer, { name: 'Diga di Olginate' });
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.goto('/app/admin/invoices');
  const create = desk.getByRole('button', { name: 'Crea Nuova Fattura' });
  const page = ['heading Gestione Fatture', 'button Crea Nuova Fattura', 'searchbox Cerca'];
  const form = ['dialog Crea Nuova Fattura', 'textbox Data Emissione', 'button Crea Fattura'];
  /** Also that no dialog is said to be all there is, and that the focus is not in what is hidden. */
  const expectTold = async (told: string[], hidden: string[]) => {
    const all = [...told, ...hidden];
    const present = async () => {
      const now = await toldOf(desk);
      return all.filter((what) => now.some((one) => one.startsWith(what)));
    };
    await expect.poll(present).toEqual(told);
    await expect(desk.getByRole('dialog').and(desk.locator('[aria-modal]'))).toHaveCount(0);
    await expect(desk.locator('[aria-hidden=true] :focus')).toHaveCount(0);
  };
  await create.click();
  await expectTold(form, page);
  const dialog = desk.getByRole('dialog', { name: 'Crea Nuova Fattura' });
  await dialog.getByRole('combobox', { name: 'Utente' }).fill('villacidro');
  await expectTold([...form, 'option Ottavia Villacidro'], page);
  await expectAccessible(desk);
  await chooseOption(desk, 'Utente', 'villacidro', /Ottavia Villacidro/);
  await dialog.getByRole('button', { name: 'Seleziona data: Data Emissione' }).click();
  await expectTold([...form, 'button Mese successivo'], page);
  await expectAccessible(desk);
  await desk.keyboard.press('Escape');
  await dialog.locator('input[type=file]').setInputFiles(pdfUpload('fattura.pdf', pdfOf(200)));
  await expectTold([...form, 'button Chiudi notifica'], page);
  await expectAccessible(desk);

  // A question above the form.
  await desk.keyboard.press('Escape');
  await expectTold(['dialog Chiudere senza salvare?', 'button Torna indietro'], [...form, ...page]);
  await expectAccessible(desk);
  await desk.getByRole('button', { name: 'Torna indietro' }).click();
  await expectTold(form, [...page, 'button Torna indietro']);
  await desk.keyboard.press('Escape');
  await desk.getByRole('button', { name: 'Chiudi senza salvare' }).click();
  await expectTold(page, form);

  // The other sheets.
  await desk
    .getByRole('button', { name: /^Cerca/ })
    .first()
    .click();
  await expectTold(['dialog Cerca'], page);
  await desk.keyboard.press('Escape');
  await expectTold(page, ['dialog Cerca']);
  if (!isMobile) return;
  for (const _ of ['first', 'again']) {
    await desk.getByRole('button', { name: 'Apri il menu' }).click();
    await expectTold(['dialog Menu'], page);
    await desk.keyboard.press('Escape');
    await expectTold(page, ['dialog Menu']);
  }
});

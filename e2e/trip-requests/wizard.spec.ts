import type { Locator, Page } from '@playwright/test';
import fc from 'fast-check';
import { addDays, formatDate } from '#contract/dates.ts';
import {
  REDIRECT_AFTER_SENDING_MS,
  type TripRequest,
  tripRequestDetailSchema,
} from '#contract/trip-requests.ts';
import { customerLines, tripRequestSamples } from '#server/testing/trip-request-samples.ts';
import { until } from '#server/testing/until.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { answerOnce } from '../support/answer-once.ts';
import { expectToFit } from '../support/layout.ts';
import { expect, test } from '../support/test.ts';
import {
  continueToNextStep,
  FIRST_DAY,
  fillBasics,
  fillToTheEnd,
  LAST_DAY,
  textboxOf,
  WIZARD_PATH,
} from '../support/trip-requests.ts';

/** Fills the four steps with `request` and stops before sending it. */
async function fillEverything(page: Page, request: TripRequest): Promise<void> {
  const choose = (group: string, option: string) =>
    page.getByRole('radiogroup', { name: group, exact: true }).getByRole('radio', { name: option }).check();
  await textboxOf(page, 'Città').fill(request.citta);
  await textboxOf(page, 'Posizione Esatta del Sito di Lavoro').fill(request.posizione);
  await textboxOf(page, 'Data di Inizio').fill(formatDate(request.dataInizio));
  await textboxOf(page, 'Data di Fine').fill(formatDate(request.dataFine));
  await page.getByRole('combobox', { name: 'Nome del Progetto' }).fill(request.progetto);
  await textboxOf(page, 'Ragione della Trasferta').fill(request.ragione);
  await textboxOf(page, 'Numero di Persone').fill(String(request.numeroDipendenti));
  await continueToNextStep(page);
  await choose('Tipo di Alloggio', request.alloggio);
  if (request.preferenzaAlloggio) await choose('Preferenza', request.preferenzaAlloggio);
  await textboxOf(page, 'Camere Singole').fill(String(request.camere.singole));
  await textboxOf(page, 'Camere Doppie').fill(String(request.camere.doppie));
  await textboxOf(page, 'Suite').fill(String(request.camere.suite));
  await continueToNextStep(page);
  await page.getByLabel('Colazione').selectOption(request.requisiti.colazione);
  await page.getByLabel('Lavanderia').selectOption(request.requisiti.lavanderia);
  await page.getByLabel('Parcheggio').selectOption(request.requisiti.parcheggio);
  await page.getByLabel('Cucina').selectOption(request.requisiti.cucina);
  await page.getByRole('textbox', { name: 'Budget', exact: true }).fill(String(request.budget));
  await textboxOf(page, 'Note sul Budget').fill(request.budgetNote ?? '');
  await choose('Priorità', request.priorita);
  await continueToNextStep(page);
  await textboxOf(page, 'Altre Richieste').fill(request.altreRichieste ?? '');
  await textboxOf(page, 'Numero di Telefono').fill(request.telefono);
  await textboxOf(page, 'Email').fill(request.email);
}

/** Sends a request for Olbia in a page whose clock is paused, and waits for the confirmation. */
async function sendAndStop(page: Page): Promise<Locator> {
  await page.clock.install();
  await page.goto(WIZARD_PATH);
  await fillToTheEnd(page, 'Olbia');
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  await page.getByRole('button', { name: 'Invia Richiesta' }).click();
  const confirmation = page.getByRole('group', { name: /^Ne abbiamo mandato una copia/ });
  await until('the confirmation', async () => {
    await page.clock.runFor(100);
    return confirmation.isVisible();
  });
  return confirmation;
}

test('the wizard stores and mails exactly what was entered', { tag: '@once' }, async ({ app, openAs }) => {
  const user = await app.make.user();
  const page = await openAs(user);
  const property = fc.asyncProperty(tripRequestSamples, async (request) => {
    await page.goto(WIZARD_PATH);
    await fillEverything(page, request);
    await Promise.all([
      page.waitForResponse((response) => response.request().method() === 'POST'),
      page.getByRole('button', { name: 'Invia Richiesta' }).click(),
    ]);
    const { rows } = await app.make.sql<{ id: number }>(
      'select id from trip_requests where user_id = $1 order by id desc limit 1',
      [user.id],
    );
    const id = rows[0]?.id;
    const record = await page.request.get(`/api/trip-requests/${id}`);
    expect(tripRequestDetailSchema.parse(await record.json())).toMatchObject(request);
    const mail = await until(`the mail of request ${id}`, async () =>
      (await app.mailbox.messages()).find(({ text }) =>
        text?.includes(`${app.origin}/app/gestione-richieste/${id}\n`),
      ),
    );
    for (const written of customerLines(request)) expect(mail.text).toContain(written);
  });
  // No shrinking: each smaller sample would cost another run through the wizard.
  await fc.assert(property, { numRuns: 3, endOnFailure: true });
});

test('a trip request goes through four steps and is mailed to the provider', async ({ app, openAs }) => {
  const user = await app.make.user();
  await app.make.project(user, { name: 'Raffineria di Gela' });
  const page = await openAs(user);
  await page.goto(WIZARD_PATH);
  await expect(
    page.getByText('Compila il modulo sottostante per richiedere una nuova trasferta.'),
  ).toBeVisible();
  await expect(page.getByText('Step 1 di 4')).toBeVisible();
  await expect(page.getByText('25%')).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page);

  await continueToNextStep(page);
  await expect(textboxOf(page, 'Città')).toBeFocused();
  await expect(page.getByText('La città è obbligatoria')).toBeVisible();
  await expectAccessible(page);

  await fillBasics(page, 'Gela');
  const project = page.getByRole('combobox', { name: 'Nome del Progetto' });
  await project.fill('Diga di Ravedis');
  // Nothing is listed, and no list is said to be open.
  await expect(page.getByRole('option')).toHaveCount(0);
  await expect(project).toHaveAttribute('aria-expanded', 'false');
  await project.fill('Raff');
  await expect(project).toHaveAttribute('aria-expanded', 'true');
  await expect(page.getByRole('option', { name: 'Raffineria di Gela' })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  const option = page.getByRole('option', { name: 'Raffineria di Gela' });
  await expect(project).toHaveAttribute('aria-activedescendant', (await option.getAttribute('id')) ?? '');
  await expectAccessible(page);
  // A letter leaves the option that the arrow keys had come to: Enter would not choose it.
  await page.keyboard.type('i');
  await expect(option).toBeVisible();
  await expect(project).not.toHaveAttribute('aria-activedescendant', (await option.getAttribute('id')) ?? '');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(project).toHaveValue('Raffineria di Gela');
  await expect(project).toHaveAttribute('aria-expanded', 'false');
  await textboxOf(page, 'Data di Fine').fill(formatDate(addDays(FIRST_DAY, -1)));
  await continueToNextStep(page);
  await expect(textboxOf(page, 'Data di Fine')).toBeFocused();
  await expect(page.getByText('La data di fine non può precedere la data di inizio')).toBeVisible();
  await textboxOf(page, 'Data di Fine').fill(formatDate(LAST_DAY));
  await continueToNextStep(page);

  const secondStep = page.getByRole('heading', { name: 'Preferenze di Alloggio' });
  await expect(secondStep).toBeFocused();
  await expect(secondStep).toHaveAccessibleDescription('Step 2 di 4');
  await expect(page.getByRole('radiogroup', { name: 'Preferenza' })).toBeVisible();
  await page.getByRole('radio', { name: 'Hotel' }).first().check();
  await expect(page.getByRole('radiogroup', { name: 'Preferenza' })).toBeHidden();
  await textboxOf(page, 'Camere Doppie').fill('4');
  await expect(page.getByText('Nelle camere indicate c’è posto per 8 persone su 12')).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page);
  await continueToNextStep(page);

  await expect(page.getByText('Step 3 di 4')).toBeVisible();
  await page.getByLabel('Colazione').selectOption('necessario');
  const budget = page.getByRole('textbox', { name: 'Budget', exact: true });
  for (const typed of ['85,50', '85.50']) {
    await budget.fill('');
    await budget.pressSequentially(typed);
    await expect(budget).toHaveValue('€\u00a085,50');
    await continueToNextStep(page);
    await expect(page.getByText('Inserisci un numero intero')).toBeVisible();
    await expect(budget).toBeFocused();
  }
  await budget.fill('');
  await budget.pressSequentially('1.200.000');
  await continueToNextStep(page);
  await expect(page.getByText('Al massimo 100.000')).toBeVisible();
  await expect(budget).toHaveValue('€\u00a01.200.000');
  for (const typed of ['1.200', '12.000']) {
    await budget.fill('');
    await budget.pressSequentially(typed);
    await expect(budget).toHaveValue(`€\u00a0${typed}`);
    await continueToNextStep(page);
    await expect(page.getByText('Step 4 di 4')).toBeVisible();
    await page.getByRole('button', { name: 'Indietro' }).click();
    await expect(budget).toHaveValue(`€\u00a0${typed}`);
  }
  const notes = page.getByRole('textbox', { name: 'Note sul Budget' });
  await notes.fill('1.300');
  await notes.press('ControlOrMeta+A');
  await notes.press('ControlOrMeta+C');
  await notes.fill('');
  await budget.fill('');
  await budget.press('ControlOrMeta+V');
  await expect(budget).toHaveValue('€\u00a01.300');
  await budget.fill('85');
  await page.getByRole('radio', { name: 'Distanza' }).check();
  await expectAccessible(page);
  await expectToFit(page);
  await continueToNextStep(page);

  await expect(page.getByText('100%')).toBeVisible();
  await textboxOf(page, 'Altre Richieste').fill('Colazione dalle 5:00, città è già nota');
  await textboxOf(page, 'Numero di Telefono').fill('+39 333 1234567');
  await expect(textboxOf(page, 'Email')).toHaveValue(user.email);
  await expectAccessible(page);
  await expectToFit(page);
  await page.getByRole('button', { name: 'Invia Richiesta' }).click();

  await expect(page.getByText('Richiesta Inviata')).toBeVisible();
  await expect(
    page.getByText('La tua richiesta è stata presa in carico. Verrai contattato al più presto.'),
  ).toBeVisible();
  await expect(page).toHaveURL(/\/app\/home$/);

  const mail = await app.mailbox.received('Nuova Richiesta Trasferta - Gela (Raffineria di Gela)');
  expect(mail.replyTo?.map(({ address }) => address)).toEqual([user.email]);
  expect(mail.text).toContain('- Colazione: necessario');
  expect(mail.text).toContain('ALTRE RICHIESTE\nColazione dalle 5:00, città è già nota');
  await app.mailbox.received('Abbiamo ricevuto la richiesta - Gela');

  await page.goto(`${WIZARD_PATH}/richieste`);
  await expectAccessible(page);
  await expectToFit(page);
  await page.getByRole('link', { name: /Apri la richiesta per Gela/ }).click();
  await expect(page.getByRole('heading', { name: 'Trasferta a Gela' })).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page);
});

test('"Indietro" leads to the previous step, whatever the history of the browser', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.goto(WIZARD_PATH);
  await fillBasics(page, 'Gela');
  const at = (title: string) => expect(page.getByRole('heading', { name: title, level: 2 })).toBeFocused();
  await continueToNextStep(page);
  await at('Preferenze di Alloggio');
  await continueToNextStep(page);
  await at('Requisiti e Preferenze');
  await page.evaluate(() => history.go(-2));
  await at('Informazioni Base');
  await textboxOf(page, 'Città').fill('');
  await page.goForward();
  // The next step cannot be shown; its history entry is rewritten to the first one.
  await expect.poll(() => page.evaluate(() => history.state.usr.wizard.step)).toBe(0);
  await textboxOf(page, 'Città').fill('Gela');
  await page.goForward();
  await at('Requisiti e Preferenze');
  const back = page.getByRole('button', { name: 'Indietro' });
  await back.click();
  await at('Preferenze di Alloggio');
  await back.click();
  await at('Informazioni Base');
  // Two presses before the first is followed are one.
  await continueToNextStep(page);
  await at('Preferenze di Alloggio');
  await back.evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
  });
  await at('Informazioni Base');
});

test('a double click on "Continua" does not send the request, where the next step has its button', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.goto(WIZARD_PATH);
  await fillToTheEnd(page, 'Gela');
  const title = (name: string) => page.getByRole('heading', { level: 2, name });
  await page.getByRole('button', { name: 'Indietro' }).click();
  await expect(title('Requisiti e Preferenze')).toBeFocused();
  const press = async (button: string, clickCount: number) => {
    await page.getByRole('button', { name: button }).hover();
    await page.mouse.down({ clickCount });
    await page.mouse.up({ clickCount });
  };
  await press('Continua', 1);
  await expect(title('Richieste Aggiuntive e Contatti')).toBeFocused();
  await press('Invia Richiesta', 2);
  await page.getByRole('button', { name: 'Indietro' }).click();
  await expect(title('Requisiti e Preferenze')).toBeFocused();
});

test('the title of the next step is in view, also zoomed in and below a notice', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const page = await openAs(await app.make.user());
  await page.goto(WIZARD_PATH);
  await fillBasics(page, 'Gela');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Ricomincia da capo' })).toBeVisible();
  // A window of 1280 × 720 at 200 %.
  await page.setViewportSize({ width: 640, height: 360 });
  await continueToNextStep(page);
  const title = page.getByRole('heading', { level: 2, name: 'Preferenze di Alloggio' });
  await expect(title).toBeFocused();
  await expect(title).toBeInViewport({ ratio: 1 });
});

test('an unsent request survives a reload and another login', { tag: '@once' }, async ({ app, openAs }) => {
  const user = await app.make.user();
  const page = await openAs(user);
  await page.goto(WIZARD_PATH);
  await fillBasics(page, 'Melilli');
  await continueToNextStep(page);
  // The title takes the focus after the fields are there.
  await expect(page.getByRole('heading', { name: 'Preferenze di Alloggio' })).toBeFocused();
  // Typed after the preset 0, and submitted with Enter in the field.
  await textboxOf(page, 'Camere Singole').press('End');
  await page.keyboard.type('3');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Step 3 di 4')).toBeVisible();
  await page.getByRole('button', { name: 'Indietro' }).click();
  await expect(page.getByText('Step 2 di 4')).toBeVisible();
  await page.reload();
  await expect(page.getByText('Step 2 di 4')).toBeVisible();
  await expect(textboxOf(page, 'Camere Singole')).toHaveValue('3');

  // Left first: what the page still reads would be refused.
  await page.goto('about:blank');
  await page.context().clearCookies();
  const stranger = await app.make.user();
  await app.signIn(page.context(), stranger);
  await page.goto(WIZARD_PATH);
  await expect(textboxOf(page, 'Città')).toHaveValue('');
  await page.goto('about:blank');
  await page.context().clearCookies();
  await app.signIn(page.context(), user);
  await page.goto(WIZARD_PATH);
  await expect(textboxOf(page, 'Camere Singole')).toHaveValue('3');
  await page.getByRole('button', { name: 'Indietro' }).click();
  await expect(textboxOf(page, 'Città')).toHaveValue('Melilli');

  const restart = page.getByRole('button', { name: 'Ricomincia da capo' });
  await restart.click();
  await expect(page.getByRole('dialog', { name: 'Ricominciare da capo?' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Annulla', exact: true }).click();
  await expect(restart).toBeFocused();
  await expect(textboxOf(page, 'Città')).toHaveValue('Melilli');
  await restart.click();
  await page.getByRole('button', { name: 'Ricomincia', exact: true }).click();
  await expect(textboxOf(page, 'Città')).toHaveValue('');
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeFocused();
});

test('the confirmation of a request gets the focus, and stays while its link has it', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user();
  const page = await openAs(user);
  const confirmation = await sendAndStop(page);
  await expect(confirmation).toContainText(`Ne abbiamo mandato una copia a ${user.email}.`);
  await expect(confirmation).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(confirmation.getByRole('link', { name: 'Vedi la richiesta' })).toBeFocused();
  await page.clock.runFor(10_000);
  await expect(confirmation.getByRole('link', { name: 'Vedi la richiesta' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await page.clock.runFor(1_999);
  await expect(confirmation).toBeVisible();
  await expect(page).not.toHaveURL('/app/home');
  await page.clock.runFor(1);
  await page.clock.resume();
  await expect(page).toHaveURL('/app/home');
});

test('the confirmation of a request stays while something is searched for', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const page = await openAs(await app.make.user());
  await sendAndStop(page);
  await page.keyboard.press('Control+k');
  const box = page.getByRole('dialog', { name: 'Cerca' }).getByRole('combobox');
  await until('the palette', async () => {
    await page.clock.runFor(5);
    return box.isVisible();
  });
  await page.clock.runFor(10_000);
  await expect(box).toBeFocused();
  await expect(page).toHaveURL(WIZARD_PATH);
  await page.keyboard.press('Escape');
  await page.clock.resume();
  await expect(page).toHaveURL('/app/home');
});

test('following the link of the confirmation cancels the redirect to Home, even on a slow connection', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  const confirmation = await sendAndStop(page);
  const { promise: arrived, resolve: letGo } = Promise.withResolvers<void>();
  const asked = page.waitForRequest('**/assets/*.js');
  await page.route('**/assets/*.js', async (route) => {
    await arrived;
    await route.fallback();
  });
  await confirmation.getByRole('link', { name: 'Vedi la richiesta' }).click();
  await page.clock.runFor(100);
  await asked;
  // A touch leaves no focus on the link.
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  await page.clock.runFor(REDIRECT_AFTER_SENDING_MS);
  letGo();
  await page.clock.resume();
  await expect(page.getByRole('heading', { level: 1, name: 'Trasferta a Olbia' })).toBeVisible();
});

test('a failed send says so and keeps the input, and the retry sends the request once', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 500/);
  const user = await app.make.user();
  const page = await openAs(user);
  await page.goto(`${WIZARD_PATH}/richieste`);
  await expect(page.getByText('Non hai ancora inviato richieste').first()).toBeVisible();
  await page.getByRole('link', { name: 'Nuova richiesta' }).first().click();
  await fillToTheEnd(page, 'Brindisi');
  // The server takes the request, but its answer never reaches the browser.
  await answerOnce(page, 'trip-requests', async (route) => {
    await route.fetch();
    await route.fulfill({ status: 500, json: {} });
  });
  await page.getByRole('button', { name: 'Invia Richiesta' }).click();
  await expect(
    page.getByText(
      "Si è verificato un errore durante l'invio della richiesta. Per favore, riprova più tardi.",
    ),
  ).toBeVisible();
  await expect(page.getByText('Errore', { exact: true })).toBeVisible();
  await expect(textboxOf(page, 'Numero di Telefono')).toHaveValue('+39 333 1234567');
  // The list read before shows what may have been stored.
  await page.getByRole('link', { name: 'Le tue richieste' }).first().click();
  await expect(page.getByRole('row', { name: 'Brindisi' })).toBeVisible();
  await page.goBack();
  // A success without the server's JSON does not count as sent either.
  await answerOnce(page, 'trip-requests', async (route) => {
    await route.fetch();
    await route.fulfill({ status: 201, contentType: 'text/html', body: '<p>ok</p>' });
  });
  await page.getByRole('button', { name: 'Invia Richiesta' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Connessione assente o instabile' })).toBeVisible();
  await page.getByRole('button', { name: 'Invia Richiesta' }).click();
  await expect(page.getByText('Richiesta Inviata')).toBeVisible();
  await app.mailbox.received('Nuova Richiesta Trasferta - Brindisi');

  await page.goto(WIZARD_PATH);
  await page.getByRole('button', { name: 'Parti dall’ultima richiesta' }).click();
  await expect(textboxOf(page, 'Città')).toHaveValue('Brindisi');
  await expect(page.getByRole('heading', { level: 2, name: 'Informazioni Base' })).toBeFocused();
});

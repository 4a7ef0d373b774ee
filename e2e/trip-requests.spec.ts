import type { Locator, Page } from '@playwright/test';
import fc from 'fast-check';
import { addDays, formatDate, todayInRome } from '#contract/dates.ts';
import {
  REDIRECT_AFTER_SENDING_MS,
  type TripRequest,
  tripRequestDetailSchema,
} from '#contract/trip-requests.ts';
import { customerLines, tripRequestSamples } from '#server/testing/trip-request-samples.ts';
import { until } from '#server/testing/until.ts';
import { expectAccessible } from './support/accessibility.ts';
import { answerOnce } from './support/answer-once.ts';
import { expectToFit } from './support/layout.ts';
import { expect, test } from './support/test.ts';

const wizard = '/app/nuova-trasferta';
const start = addDays(todayInRome(), 30);
const end = addDays(start, 18);

const textbox = (page: Page, name: string) => page.getByRole('textbox', { name });
const next = (page: Page) => page.getByRole('button', { name: 'Continua' }).click();

/** Waits until both tabs see the same local storage: the browser syncs it with a delay. */
async function expectSameDrafts(one: Page, other: Page): Promise<void> {
  const kept = (page: Page) => page.evaluate(() => Object.entries(localStorage).sort());
  await expect(async () => expect(await kept(one)).toEqual(await kept(other))).toPass();
}

async function fillBasics(page: Page, city: string): Promise<void> {
  await textbox(page, 'Città').fill(city);
  await textbox(page, 'Posizione Esatta del Sito di Lavoro').fill('Portineria 2');
  await textbox(page, 'Data di Inizio').fill(formatDate(start));
  await textbox(page, 'Data di Fine').fill(formatDate(end));
  await page.getByRole('combobox', { name: 'Nome del Progetto' }).fill('Fermata invernale');
  await textbox(page, 'Ragione della Trasferta').fill('Manutenzione');
  await textbox(page, 'Numero di Persone').fill('12');
}

async function fillToTheEnd(page: Page, city: string): Promise<void> {
  await fillBasics(page, city);
  await next(page);
  await next(page);
  await next(page);
  await textbox(page, 'Numero di Telefono').fill('+39 333 1234567');
}

/** Fills the four steps with `request` and stops before sending it. */
async function fillEverything(page: Page, request: TripRequest): Promise<void> {
  const choose = (group: string, option: string) =>
    page.getByRole('radiogroup', { name: group, exact: true }).getByRole('radio', { name: option }).check();
  await textbox(page, 'Città').fill(request.citta);
  await textbox(page, 'Posizione Esatta del Sito di Lavoro').fill(request.posizione);
  await textbox(page, 'Data di Inizio').fill(formatDate(request.dataInizio));
  await textbox(page, 'Data di Fine').fill(formatDate(request.dataFine));
  await page.getByRole('combobox', { name: 'Nome del Progetto' }).fill(request.progetto);
  await textbox(page, 'Ragione della Trasferta').fill(request.ragione);
  await textbox(page, 'Numero di Persone').fill(String(request.numeroDipendenti));
  await next(page);
  await choose('Tipo di Alloggio', request.alloggio);
  if (request.preferenzaAlloggio) await choose('Preferenza', request.preferenzaAlloggio);
  await textbox(page, 'Camere Singole').fill(String(request.camere.singole));
  await textbox(page, 'Camere Doppie').fill(String(request.camere.doppie));
  await textbox(page, 'Suite').fill(String(request.camere.suite));
  await next(page);
  await page.getByLabel('Colazione').selectOption(request.requisiti.colazione);
  await page.getByLabel('Lavanderia').selectOption(request.requisiti.lavanderia);
  await page.getByLabel('Parcheggio').selectOption(request.requisiti.parcheggio);
  await page.getByLabel('Cucina').selectOption(request.requisiti.cucina);
  await page.getByRole('textbox', { name: 'Budget', exact: true }).fill(String(request.budget));
  await textbox(page, 'Note sul Budget').fill(request.budgetNote ?? '');
  await choose('Priorità', request.priorita);
  await next(page);
  await textbox(page, 'Altre Richieste').fill(request.altreRichieste ?? '');
  await textbox(page, 'Numero di Telefono').fill(request.telefono);
  await textbox(page, 'Email').fill(request.email);
}

test('the wizard stores and mails exactly what was entered', { tag: '@once' }, async ({ app, openAs }) => {
  const user = await app.make.user();
  const page = await openAs(user);
  const property = fc.asyncProperty(tripRequestSamples, async (request) => {
    await page.goto(wizard);
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
  await page.goto(wizard);
  await expect(
    page.getByText('Compila il modulo sottostante per richiedere una nuova trasferta.'),
  ).toBeVisible();
  await expect(page.getByText('Step 1 di 4')).toBeVisible();
  await expect(page.getByText('25%')).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page);

  await next(page);
  await expect(textbox(page, 'Città')).toBeFocused();
  await expect(page.getByText('La città è obbligatoria')).toBeVisible();
  await expectAccessible(page);

  await fillBasics(page, 'Gela');
  await page.getByRole('combobox', { name: 'Nome del Progetto' }).fill('Raff');
  await expect(page.getByRole('option', { name: 'Raffineria di Gela' })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expectAccessible(page);
  await page.getByRole('option', { name: 'Raffineria di Gela' }).click();
  await textbox(page, 'Data di Fine').fill(formatDate(addDays(start, -1)));
  await next(page);
  await expect(textbox(page, 'Data di Fine')).toBeFocused();
  await expect(page.getByText('La data di fine non può precedere la data di inizio')).toBeVisible();
  await textbox(page, 'Data di Fine').fill(formatDate(end));
  await next(page);

  await expect(page.getByRole('heading', { name: 'Preferenze di Alloggio' })).toBeFocused();
  await expect(page.getByRole('radiogroup', { name: 'Preferenza' })).toBeVisible();
  await page.getByRole('radio', { name: 'Hotel' }).first().check();
  await expect(page.getByRole('radiogroup', { name: 'Preferenza' })).toBeHidden();
  await textbox(page, 'Camere Doppie').fill('4');
  await expect(page.getByText('Nelle camere indicate c’è posto per 8 persone su 12')).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page);
  await next(page);

  await expect(page.getByText('Step 3 di 4')).toBeVisible();
  await page.getByLabel('Colazione').selectOption('necessario');
  const budget = page.getByRole('textbox', { name: 'Budget', exact: true });
  for (const typed of ['85,50', '85.50']) {
    await budget.fill('');
    await budget.pressSequentially(typed);
    await expect(budget).toHaveValue('€\u00a085,50');
    await next(page);
    await expect(page.getByText('Inserisci un numero intero')).toBeVisible();
    await expect(budget).toBeFocused();
  }
  await budget.fill('');
  await budget.pressSequentially('1.200.000');
  await next(page);
  await expect(page.getByText('Al massimo 100.000')).toBeVisible();
  await expect(budget).toHaveValue('€\u00a01.200.000');
  for (const typed of ['1.200', '12.000']) {
    await budget.fill('');
    await budget.pressSequentially(typed);
    await expect(budget).toHaveValue(`€\u00a0${typed}`);
    await next(page);
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
  await next(page);

  await expect(page.getByText('100%')).toBeVisible();
  await textbox(page, 'Altre Richieste').fill('Colazione dalle 5:00, città è già nota');
  await textbox(page, 'Numero di Telefono').fill('+39 333 1234567');
  await expect(textbox(page, 'Email')).toHaveValue(user.email);
  await expectAccessible(page);
  await expectToFit(page);
  await page.getByRole('button', { name: 'Invia Richiesta' }).click();

  await expect(page.getByText('Richiesta Inviata')).toBeVisible();
  await expect(page.getByText(`Ne abbiamo mandato una copia a ${user.email}.`)).toBeVisible();
  await expect(
    page.getByText('La tua richiesta è stata presa in carico. Verrai contattato al più presto.'),
  ).toBeVisible();
  await expect(page).toHaveURL(/\/app\/home$/);

  const mail = await app.mailbox.received('Nuova Richiesta Trasferta - Gela (Raffineria di Gela)');
  expect(mail.replyTo?.map(({ address }) => address)).toEqual([user.email]);
  expect(mail.text).toContain('- Colazione: necessario');
  expect(mail.text).toContain('ALTRE RICHIESTE\nColazione dalle 5:00, città è già nota');
  await app.mailbox.received('Abbiamo ricevuto la tua richiesta - Gela');

  await page.goto(`${wizard}/richieste`);
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
  await page.goto(wizard);
  await fillBasics(page, 'Gela');
  const at = (title: string) => expect(page.getByRole('heading', { name: title, level: 2 })).toBeFocused();
  await next(page);
  await at('Preferenze di Alloggio');
  await next(page);
  await at('Requisiti e Preferenze');
  await page.evaluate(() => history.go(-2));
  await at('Informazioni Base');
  await textbox(page, 'Città').fill('');
  await page.goForward();
  // The next step cannot be shown; its history entry is rewritten to the first one.
  await expect.poll(() => page.evaluate(() => history.state.usr.wizard.step)).toBe(0);
  await textbox(page, 'Città').fill('Gela');
  await page.goForward();
  await at('Requisiti e Preferenze');
  const back = page.getByRole('button', { name: 'Indietro' });
  await back.click();
  await at('Preferenze di Alloggio');
  await back.click();
  await at('Informazioni Base');
});

test('an unsent request survives a reload and another login', { tag: '@once' }, async ({ app, openAs }) => {
  const user = await app.make.user();
  const page = await openAs(user);
  await page.goto(wizard);
  await fillBasics(page, 'Melilli');
  await next(page);
  // Typed after the preset 0, and submitted with Enter in the field.
  await textbox(page, 'Camere Singole').press('End');
  await page.keyboard.type('3');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Step 3 di 4')).toBeVisible();
  await page.getByRole('button', { name: 'Indietro' }).click();
  await expect(page.getByText('Step 2 di 4')).toBeVisible();
  await page.reload();
  await expect(page.getByText('Step 2 di 4')).toBeVisible();
  await expect(textbox(page, 'Camere Singole')).toHaveValue('3');

  await page.context().clearCookies();
  const stranger = await app.make.user();
  await app.signIn(page.context(), stranger);
  await page.goto(wizard);
  await expect(textbox(page, 'Città')).toHaveValue('');
  await page.context().clearCookies();
  await app.signIn(page.context(), user);
  await page.goto(wizard);
  await expect(textbox(page, 'Camere Singole')).toHaveValue('3');
  await page.getByRole('button', { name: 'Indietro' }).click();
  await expect(textbox(page, 'Città')).toHaveValue('Melilli');

  const restart = page.getByRole('button', { name: 'Ricomincia da capo' });
  await restart.click();
  await expect(page.getByRole('dialog', { name: 'Ricominciare da capo?' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Annulla', exact: true }).click();
  await expect(restart).toBeFocused();
  await expect(textbox(page, 'Città')).toHaveValue('Melilli');
  await restart.click();
  await page.getByRole('button', { name: 'Ricomincia', exact: true }).click();
  await expect(textbox(page, 'Città')).toHaveValue('');
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeFocused();
});

/** Sends a request for Olbia in a page whose clock is paused, and waits for the confirmation. */
async function sendAndStop(page: Page): Promise<Locator> {
  await page.clock.install();
  await page.goto(wizard);
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

test('the confirmation of a request gets the focus, and stays while its link has it', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  const confirmation = await sendAndStop(page);
  await expect(confirmation).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(confirmation.getByRole('link', { name: 'Vedi la richiesta' })).toBeFocused();
  await page.clock.runFor(10_000);
  await expect(confirmation.getByRole('link', { name: 'Vedi la richiesta' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await page.clock.runFor(REDIRECT_AFTER_SENDING_MS);
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
  await page.goto(wizard);
  await fillToTheEnd(page, 'Brindisi');
  // The server takes the request, but its answer never reaches the browser.
  await page.route('**/api/trip-requests', async (route) => {
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
  await expect(textbox(page, 'Numero di Telefono')).toHaveValue('+39 333 1234567');
  // A success without the server's JSON does not count as sent either.
  await page.unroute('**/api/trip-requests');
  await answerOnce(page, 'trip-requests', async (route) => {
    await route.fetch();
    await route.fulfill({ status: 201, contentType: 'text/html', body: '<p>ok</p>' });
  });
  await page.getByRole('button', { name: 'Invia Richiesta' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Connessione assente o instabile' })).toBeVisible();
  await page.getByRole('button', { name: 'Invia Richiesta' }).click();
  await expect(page.getByText('Richiesta Inviata')).toBeVisible();
  await app.mailbox.received('Nuova Richiesta Trasferta - Brindisi');

  await page.goto(wizard);
  await page.getByRole('button', { name: 'Parti dall’ultima richiesta' }).click();
  await expect(textbox(page, 'Città')).toHaveValue('Brindisi');
  await expect(page.getByRole('heading', { level: 2, name: 'Informazioni Base' })).toBeFocused();
});

/** Opens the page of the customer's request `id` and the question whether to withdraw it. */
async function askToWithdraw(page: Page, id: number): Promise<void> {
  await page.goto(`${wizard}/richieste/${id}`);
  await page.getByRole('button', { name: 'Annulla richiesta' }).click();
}

test('a request can be withdrawn, and duplicated as a new draft', async ({ app, openAs }) => {
  const user = await app.make.user();
  const request = await app.make.tripRequest(user, { city: 'Porto Torres', people: 7 });
  const page = await openAs(user);
  await askToWithdraw(page, request.id);
  await textbox(page, 'Motivo (facoltativo)').fill('Cantiere rinviato');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Annulla la richiesta' }).click();
  await expect(page.getByText('Cantiere rinviato', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Annulla richiesta' })).toBeHidden();
  const history = page.getByRole('list', { name: 'Cronologia della richiesta' });
  await expect(history.getByRole('listitem').filter({ hasText: 'Cantiere rinviato' })).toHaveCount(1);
  await app.mailbox.received('Richiesta Trasferta annullata - Porto Torres');

  await page.getByRole('button', { name: 'Duplica' }).click();
  await expect(textbox(page, 'Città')).toHaveValue('Porto Torres');
  await expect(textbox(page, 'Numero di Persone')).toHaveValue('7');
  const duplicated = page.getByText('Hai duplicato la richiesta per Porto Torres.');
  await expect(duplicated).toBeVisible();
  await page.reload();
  await expect(duplicated).toBeVisible();
  await textbox(page, 'Città').fill('Alghero');
  await page.reload();
  await expect(page.getByText('Hai ripreso la richiesta che non avevi ancora inviato.')).toBeVisible();
});

test('a failed withdrawal is reported once, in its dialog', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 500/);
  const user = await app.make.user();
  const { id } = await app.make.tripRequest(user, { city: 'Oristano' });
  const page = await openAs(user);
  await askToWithdraw(page, id);
  await answerOnce(page, `trip-requests/${id}/withdrawal`, (route) =>
    route.fulfill({ status: 500, json: {} }),
  );
  await page.getByRole('button', { name: 'Annulla la richiesta' }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(1);
});

test('a withdrawal that came too late is reported once and closes its dialog', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 409/);
  const user = await app.make.user();
  const { id } = await app.make.tripRequest(user, { city: 'Oristano' });
  const page = await openAs(user);
  await askToWithdraw(page, id);
  const { promise: arrived, resolve: letGo } = Promise.withResolvers<void>();
  const message = 'Questa richiesta non si può più annullare da qui. Chiama il supporto.';
  const error = { code: 'trip_request_not_withdrawable', message };
  await answerOnce(page, `trip-requests/${id}/withdrawal`, (route) =>
    route.fulfill({ status: 409, json: { error } }),
  );
  await page.route(`**/api/trip-requests/${id}`, (route) => arrived.then(() => route.fallback()));
  await page.getByRole('button', { name: 'Annulla la richiesta' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveText(new RegExp(message));
  letGo();
});

test('withdrawing a request that another tab withdrew says so, without advice to call support', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 409/);
  const user = await app.make.user();
  const { id } = await app.make.tripRequest(user, { city: 'Oristano' });
  const page = await openAs(user);
  await askToWithdraw(page, id);
  await app.make.sql("update trip_requests set state = 'Annullata' where id = $1", [id]);
  await page.getByRole('button', { name: 'Annulla la richiesta' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveText(/Questa richiesta è già annullata\./);
});

test('a duplicate does not silently replace a draft from another tab', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  const request = await app.make.tripRequest(user, { city: 'Olbia' });
  const page = await openAs(user);
  await page.goto(`${wizard}/richieste/${request.id}`);
  await expect(page.getByRole('button', { name: 'Duplica' })).toBeVisible();
  const tab = await page.context().newPage();
  await tab.goto(wizard);
  await textbox(tab, 'Città').fill('Tempio Pausania');
  await expectSameDrafts(tab, page);
  await page.bringToFront();
  await page.getByRole('button', { name: 'Duplica' }).click();
  await page.getByRole('dialog', { name: 'Sostituire la richiesta non inviata?' }).waitFor();
  await page.getByRole('button', { name: 'Annulla', exact: true }).click();
  await tab.reload();
  await expect(textbox(tab, 'Città')).toHaveValue('Tempio Pausania');
});

test('a draft sent in one tab is not sent again in another', { tag: '@once' }, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.goto(wizard);
  await fillToTheEnd(page, 'Siniscola');
  const tab = await page.context().newPage();
  await tab.goto(wizard);
  await expect(textbox(tab, 'Numero di Telefono')).toHaveValue('+39 333 1234567');
  const seen: string[] = [];
  for (const each of [page, tab]) {
    await each.bringToFront();
    const answer = each.waitForResponse(
      (response) => response.url().endsWith('/api/trip-requests') && response.request().method() === 'POST',
    );
    await each.getByRole('button', { name: 'Invia Richiesta' }).click();
    seen.push((await (await answer).json()).id);
    await expect(each.getByText('Richiesta Inviata').first()).toBeVisible();
  }
  expect(seen[1]).toBe(seen[0]);
});

test('writing and sending in one tab does not lose the draft of another', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const page = await openAs(await app.make.user());
  const tab = await page.context().newPage();
  for (const each of [page, tab]) {
    await each.goto(wizard);
    await expect(textbox(each, 'Città')).toHaveValue('');
  }
  await textbox(tab, 'Città').fill('Tempio Pausania');
  const turnTo = async (each: Page) => {
    await expectSameDrafts(page, tab);
    await each.bringToFront();
  };
  const send = async (city: string) => {
    await turnTo(page);
    await page.getByRole('button', { name: 'Invia Richiesta' }).click();
    await expect(page.getByText('Richiesta Inviata').first()).toBeVisible();
    await app.mailbox.received(`Nuova Richiesta Trasferta - ${city}`);
    await turnTo(tab);
  };
  await turnTo(page);
  await fillToTheEnd(page, 'Arzachena');
  await send('Arzachena');
  await tab.getByRole('link', { name: 'Le tue richieste' }).click();
  await tab
    .getByRole('dialog', { name: 'Uscire senza salvare?' })
    .getByRole('button', { name: 'Resta qui' })
    .click();
  // The next change is stored again.
  await textbox(tab, 'Posizione Esatta del Sito di Lavoro').fill('Cava');
  await tab.getByRole('link', { name: 'Le tue richieste' }).click();
  await expect(tab.getByRole('heading', { level: 1, name: 'Le tue richieste' })).toBeVisible();
  await tab.goBack();
  await expect(textbox(tab, 'Città')).toHaveValue('Tempio Pausania');

  await turnTo(page);
  await page.goto(wizard);
  await fillToTheEnd(page, 'Palau');
  await turnTo(tab);
  await textbox(tab, 'Ragione della Trasferta').fill('Scavo');
  await send('Palau');
  await tab.reload();
  await expect(textbox(tab, 'Città')).toHaveValue('Tempio Pausania');
  await expect(textbox(tab, 'Ragione della Trasferta')).toHaveValue('Scavo');

  // A restored draft that another tab replaced also asks before leaving, even if unchanged.
  await turnTo(page);
  await page.goto(wizard);
  await textbox(page, 'Città').fill('Olbia');
  await turnTo(tab);
  await tab.getByRole('link', { name: 'Le tue richieste' }).click();
  await expect(tab.getByRole('dialog', { name: 'Uscire senza salvare?' })).toBeVisible();
});

test('an administrator answers a request and resends undelivered mail', async ({ app, openAs }) => {
  const customer = await app.make.user({ companyName: 'Ponteggi Lucani S.r.l.' });
  await app.make.tripRequest(customer, { city: 'Viggiano' });
  const lost = await app.make.undeliveredMail({ subject: 'Nuova Richiesta Trasferta - Matera (Diga)' });
  const page = await openAs(await app.make.user({ role: 'admin', fullName: 'Marta Operazioni' }));
  await page.goto('/app/home');
  await page.getByRole('button', { name: /^Account di/ }).click();
  await page.getByRole('menuitem', { name: 'Gestione Richieste' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Gestione Richieste' })).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page);
  await page.getByRole('button', { name: `Invia di nuovo: ${lost.subject}` }).click();
  await app.mailbox.received('Matera (Diga)');
  await expect(page.getByText(lost.subject)).toHaveCount(0);

  await page.getByRole('searchbox').fill('ponteggi lucani');
  await expect(page.getByText('1 di 1')).toBeVisible();
  await page.getByRole('link', { name: /Gestisci la richiesta per Viggiano/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Trasferta a Viggiano' })).toBeVisible();
  await page.getByLabel('Stato').selectOption('Proposta inviata');
  await textbox(page, 'Nota per il cliente').fill('Due appartamenti a Viggiano.');
  await expectAccessible(page);
  await expectToFit(page);
  await page.getByRole('button', { name: 'Aggiorna e avvisa il cliente' }).click();
  await expect(page.getByText('Due appartamenti a Viggiano.').last()).toBeVisible();
  const mail = await app.mailbox.received('Proposta inviata: la tua richiesta per Viggiano');
  expect(mail.to?.map(({ address }) => address)).toEqual([customer.email]);
  // Saved changes need no confirmation.
  await page.getByRole('link', { name: 'Gestione Richieste' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Gestione Richieste' })).toBeVisible();
});

test('undelivered mail is polled only for a while after a resend', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const retried = await app.make.undeliveredMail({ subject: 'Da sé (Rovigo)', state: 'queued', attempts: 7 });
  const lost = await app.make.undeliveredMail({ subject: 'Da rimandare (Adria)' });
  const page = await openAs(await app.make.user({ role: 'admin' }));
  const list = '**/api/admin/mail-messages';
  let asked = 0;
  let answered = 0;
  await page.route(list, async (route) => {
    asked += 1;
    await route.fulfill({ response: await route.fetch() });
    answered += 1;
  });
  // Like the server, but nothing tries to deliver it.
  await page.route(`${list}/${lost.id}/resend`, async (route) => {
    await app.make.sql("update mail_messages set state = 'queued' where id = $1", [lost.id]);
    await route.fulfill({ status: 204 });
  });
  /** Advances the clock by a minute in steps, waiting for the answers to each step's requests. */
  const aMinute = async () => {
    for (let turn = 0; turn < 12; turn += 1) {
      await page.clock.runFor(5_000);
      // When this is answered, every earlier request has been counted.
      await page.evaluate(async () => (await fetch('/healthz')).text());
      await until('the answers', () => answered === asked);
    }
  };
  await page.clock.install();
  await page.goto('/app/gestione-richieste');
  const waits = (subject: string) =>
    page.locator('[data-entry]').filter({ hasText: subject }).getByText('nuovo tentativo in arrivo');
  await expect(waits(retried.subject)).toBeVisible();
  await aMinute();
  expect(asked).toBe(1);

  await page.getByRole('button', { name: `Invia di nuovo: ${lost.subject}` }).click();
  await expect(waits(lost.subject)).toBeVisible();
  const first = asked;
  await aMinute();
  expect(asked).toBeGreaterThan(first);
  const last = asked;
  await aMinute();
  expect(asked).toBe(last);
});

test('the title of a request that loads slowly has the focus before and after it is loaded', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const customer = await app.make.user();
  const { id } = await app.make.tripRequest(customer, { city: 'Matera' });
  const admin = await app.make.user({ role: 'admin' });
  for (const { user, list, data } of [
    { user: customer, list: '/app/nuova-trasferta/richieste', data: `**/api/trip-requests/${id}` },
    { user: admin, list: '/app/gestione-richieste', data: `**/api/admin/trip-requests/${id}` },
  ]) {
    const page = await openAs(user);
    const { promise: opened, resolve: isOpened } = Promise.withResolvers<void>();
    await page.route(data, (route) => opened.then(() => route.fallback()));
    await page.goto(list);
    await page.getByRole('link', { name: /richiesta per Matera/ }).press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'Richiesta di trasferta' })).toBeFocused();
    isOpened();
    await expect(page.getByRole('heading', { level: 1, name: 'Trasferta a Matera' })).toBeFocused();
  }
});

test('the question whether to leave closes and the page is left once the save succeeds', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const { id } = await app.make.tripRequest(await app.make.user(), { city: 'Viggiano' });
  const page = await openAs(await app.make.user({ role: 'admin' }));
  await page.goto(`/app/gestione-richieste/${id}`);
  const saved = Promise.withResolvers<void>();
  await answerOnce(page, '**/state-changes', async (route) => {
    await saved.promise;
    await route.fallback();
  });
  await page.getByLabel('Stato').selectOption('In lavorazione');
  await page.getByRole('button', { name: 'Aggiorna e avvisa il cliente' }).click();
  await page.getByRole('link', { name: 'Gestione Richieste' }).first().click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Resta qui' })).toBeVisible();
  saved.resolve();
  await expect(page.getByRole('heading', { level: 1, name: 'Gestione Richieste' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a note is kept when somebody else changed the state first', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 409/);
  const request = await app.make.tripRequest(await app.make.user(), { city: 'Ravenna' });
  const admin = await app.make.user({ role: 'admin' });
  const [first, second] = await Promise.all([openAs(admin), openAs(admin)]);
  const send = async (page: Page) => {
    await page.bringToFront();
    await page.getByRole('button', { name: 'Aggiorna e avvisa il cliente' }).click();
  };
  for (const page of [first, second]) {
    await page.goto(`/app/gestione-richieste/${request.id}`);
    await expect(page.getByLabel('Stato')).toHaveValue('Inviata');
  }
  await first.bringToFront();
  await first.getByLabel('Stato').selectOption('In lavorazione');
  await send(first);
  await expect(first.getByText('Richiesta aggiornata')).toBeVisible();
  await second.bringToFront();
  await textbox(second, 'Nota per il cliente').fill('Due camere vicino al porto.');
  await send(second);
  await expect(
    second.getByRole('alert').filter({ hasText: 'Qualcun altro ha modificato questi dati nel frattempo.' }),
  ).toBeVisible();
  await expect(textbox(second, 'Nota per il cliente')).toHaveValue('Due camere vicino al porto.');
  // Only a note was written: the state set by the other stays.
  await expect(second.getByLabel('Stato')).toHaveValue('In lavorazione');
  await send(second);
  await expect(second.getByText('Richiesta aggiornata')).toBeVisible();
  await expect(second.getByText('Due camere vicino al porto.').last()).toBeVisible();
});

test('a note retried after a lost answer is sent once', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 500/);
  const request = await app.make.tripRequest(await app.make.user(), { city: 'Comiso' });
  const page = await openAs(await app.make.user({ role: 'admin' }));
  await page.goto(`/app/gestione-richieste/${request.id}`);
  await page.getByLabel('Stato').selectOption('Confermata');
  await textbox(page, 'Nota per il cliente').fill('Le camere sono vostre.');
  await answerOnce(page, `admin/trip-requests/${request.id}/state-changes`, async (route) => {
    await route.fetch();
    await route.fulfill({ status: 500, json: {} });
  });
  const send = page.getByRole('button', { name: 'Aggiorna e avvisa il cliente' });
  await send.click();
  const history = page.getByRole('region', { name: 'Cronologia' }).getByText('Le camere sono vostre.');
  await expect(history).toHaveCount(1);
  await expect(textbox(page, 'Nota per il cliente')).toHaveValue('Le camere sono vostre.');
  await send.click();
  await expect(page.getByText('Richiesta aggiornata')).toBeVisible();
  await expect(textbox(page, 'Nota per il cliente')).toHaveValue('');
  await expect(history).toHaveCount(1);
});

test('the unsent input for one request does not appear in another', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const find = async (page: Page, city: string) => {
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Cerca' });
    await palette.getByRole('combobox').fill(city);
    await palette.getByRole('option', { name: city }).click();
  };
  const title = (page: Page, city: string) =>
    expect(page.getByRole('heading', { level: 1, name: `Trasferta a ${city}` })).toBeVisible();
  const customer = await app.make.user();
  const written = await app.make.tripRequest(customer, { city: 'Augusta' });
  const other = await app.make.tripRequest(customer, { city: 'Milazzo', state: 'In lavorazione' });

  const admin = await openAs(await app.make.user({ role: 'admin' }));
  await admin.goto(`/app/gestione-richieste/${other.id}`);
  await title(admin, 'Milazzo');
  await find(admin, 'Augusta');
  await title(admin, 'Augusta');
  await admin.getByLabel('Stato').selectOption('Confermata');
  await textbox(admin, 'Nota per il cliente').fill('Le camere ad Augusta sono prenotate.');
  await find(admin, 'Milazzo');
  await admin.getByRole('button', { name: 'Esci dalla pagina' }).click();
  await title(admin, 'Milazzo');
  await expect(textbox(admin, 'Nota per il cliente')).toHaveValue('');
  await expect(admin.getByLabel('Stato')).toHaveValue('In lavorazione');

  const page = await openAs(customer);
  await page.goto(`${wizard}/richieste/${other.id}`);
  await title(page, 'Milazzo');
  await find(page, 'Augusta');
  await expect(page).toHaveURL(`${wizard}/richieste/${written.id}`);
  await title(page, 'Augusta');
  await page.getByRole('button', { name: 'Annulla richiesta' }).click();
  await textbox(page, 'Motivo (facoltativo)').fill('Ad Augusta non si lavora più');
  await page.getByRole('button', { name: 'Torna indietro' }).click();
  // Nothing opens over a dialog, even while it closes.
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await find(page, 'Milazzo');
  await title(page, 'Milazzo');
  await page.getByRole('button', { name: 'Annulla richiesta' }).click();
  await expect(textbox(page, 'Motivo (facoltativo)')).toHaveValue('');
});

test('an address without a request says so and links to the list', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of (404|422)/);
  const customer = await app.make.user();
  const sides = [
    { as: customer, list: `${wizard}/richieste`, link: 'Vedi le tue richieste' },
    {
      as: await app.make.user({ role: 'admin' }),
      list: '/app/gestione-richieste',
      link: 'Vedi tutte le richieste',
    },
  ];
  for (const { as, list, link } of sides) {
    const page = await openAs(as);
    for (const address of ['987654321', 'nessuna']) {
      await page.goto(`${list}/${address}`);
      await expect(page.getByRole('status').filter({ hasText: 'Questa richiesta non c’è' })).toBeVisible();
      await expectAccessible(page);
    }
    await page.getByRole('link', { name: link }).click();
    await expect(page).toHaveURL(list);
  }
});

test('the list shows a request in the state just seen on its page', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const customer = await app.make.user();
  const { id } = await app.make.tripRequest(customer, { city: 'Termoli' });
  const page = await openAs(customer);
  await page.goto(`${wizard}/richieste`);
  const row = page.getByRole('row', { name: 'Termoli' });
  await expect(row.getByText('Inviata', { exact: true })).toBeVisible();
  await app.make.sql("update trip_requests set state = 'Proposta inviata' where id = $1", [id]);
  await row.getByRole('link', { name: /^Apri la richiesta/ }).click();
  await expect(page.getByText('Proposta inviata', { exact: true }).first()).toBeVisible();
  await page.getByRole('link', { name: 'Le tue richieste' }).first().click();
  await expect(row.getByText('Proposta inviata', { exact: true })).toBeVisible();
});

test('going back to a list of requests restores its search and filter', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const customer = await app.make.user();
  for (const city of ['Brindisi', 'Gela']) await app.make.tripRequest(customer, { city });
  const admin = await app.make.user({ role: 'admin' });
  for (const [as, list] of [
    [customer, `${wizard}/richieste`],
    [admin, '/app/gestione-richieste'],
  ] as const) {
    const page = await openAs(as);
    await page.goto(list);
    await page.getByRole('searchbox').pressSequentially('brindisi');
    await page.getByRole('combobox', { name: 'Stato' }).selectOption('Inviata');
    await expect(page).toHaveURL(/[?&]cerca=brindisi/);
    await expect(page).toHaveURL(/[?&]stato=Inviata/);
    await page.getByRole('link', { name: 'Brindisi' }).first().click();
    await expect(page).toHaveURL(/richieste\/\d+$/);
    await page.goBack();
    await expect(page.getByRole('searchbox')).toHaveValue('brindisi');
    await expect(page.getByRole('combobox', { name: 'Stato' })).toHaveValue('Inviata');
    await expect(page.getByRole('link', { name: 'Brindisi' }).first()).toBeVisible();
    await expect(page.getByRole('link', { name: 'Gela' })).toHaveCount(0);
  }
});

test('the management of requests is closed to customers', { tag: '@once' }, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.goto('/app/gestione-richieste');
  await expect(page.getByText('Accesso non autorizzato')).toBeVisible();
  await expect(page).toHaveURL(/\/app\/home$/);
});

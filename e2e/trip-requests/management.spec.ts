import type { Page } from '@playwright/test';
import { until } from '#server/testing/until.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { answerOnce } from '../support/answer-once.ts';
import type { RunningApp } from '../support/app.ts';
import { expectToFit, expectWholePlaceholder } from '../support/layout.ts';
import { untilNoted } from '../support/reads.ts';
import { expect, test } from '../support/test.ts';
import { textboxOf, WIZARD_PATH } from '../support/trip-requests.ts';

test('an administrator answers a request and resends undelivered mail', async ({ app, openAs }) => {
  const customer = await app.make.user({ companyName: 'Ponteggi Lucani S.r.l.' });
  // Found by the address of the customer, too.
  await app.make.user({ email: `anna.${customer.email}` });
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
  await textboxOf(page, 'Nota per il cliente').fill('Due appartamenti a Viggiano.');
  await expectAccessible(page);
  await expectToFit(page);
  await page.getByRole('button', { name: 'Aggiorna e avvisa il cliente' }).click();
  await expect(page.getByText('Due appartamenti a Viggiano.').last()).toBeVisible();
  const mail = await app.mailbox.received('Proposta inviata: la richiesta per Viggiano');
  expect(mail.to?.map(({ address }) => address)).toEqual([customer.email]);
  await page.getByRole('link', { name: 'Il suo account' }).click();
  await expect(page.getByText('Totale utenti')).toBeVisible();
  await expect(page.getByText('1 di 1')).toBeVisible();
  await expect(
    page.getByRole('button', { name: `Utente: ${customer.fullName}, togli il filtro` }),
  ).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page);
  await page.getByRole('button', { name: `Azioni per ${customer.fullName}` }).click();
  await page.getByRole('menuitem', { name: 'Richieste di trasferta' }).click();
  await page.getByRole('link', { name: /Gestisci la richiesta per Viggiano/ }).click();
  await page.getByRole('link', { name: 'Tutte le sue richieste' }).click();
  await expect(page.getByText('1 di 1')).toBeVisible();
  const filter = page.getByRole('button', { name: `Cliente: ${customer.fullName}, togli il filtro` });
  await expect(filter).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page);
  await filter.click();
  await expect(page).toHaveURL(/\/gestione-richieste$/);
  await expect(filter).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1, name: 'Gestione Richieste' })).toBeFocused();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Trasferta a Viggiano' })).toBeVisible();
  // Saved changes need no confirmation.
  await page.getByRole('link', { name: 'Gestione Richieste' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Gestione Richieste' })).toBeVisible();
});

test('on a phone the search of the requests says all that it looks in', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const page = await openAs(await app.make.user({ role: 'admin' }));
  await page.setViewportSize({ width: 345, height: 740 });
  await page.goto('/app/gestione-richieste');
  await expectWholePlaceholder(page.getByRole('searchbox', { name: 'Cerca per cliente, città o progetto' }));
});

test('the list of requests waits for the notice above it, and does not move when that arrives', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user({ role: 'admin' }));
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/api/admin/mail-messages**', async (route) => {
    await promise;
    await route.continue();
  });
  const read = page.waitForResponse(/\/api\/admin\/trip-requests(\?|$)/);
  await page.goto('/app/gestione-richieste');
  await read;
  const search = page.getByRole('searchbox', { name: 'Cerca per cliente, città o progetto' });
  await expect(page.getByRole('main').getByText('Caricamento…')).toHaveCount(1);
  await expect(search).toHaveCount(0);
  resolve();
  await expect(search).toBeVisible();
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
      await untilNoted(page);
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
  await textboxOf(second, 'Nota per il cliente').fill('Due camere vicino al porto.');
  await send(second);
  await expect(
    second.getByRole('alert').filter({ hasText: 'Qualcun altro ha modificato questi dati nel frattempo.' }),
  ).toBeVisible();
  await expect(textboxOf(second, 'Nota per il cliente')).toHaveValue('Due camere vicino al porto.');
  // Only a note was written: the state set by the other stays.
  await expect(second.getByLabel('Stato')).toHaveValue('In lavorazione');
  await send(second);
  await expect(second.getByText('Richiesta aggiornata')).toBeVisible();
  await expect(second.getByText('Due camere vicino al porto.').last()).toBeVisible();
});

test('a note for a request deleted meanwhile is said not to be sent', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 404/);
  const { id } = await app.make.tripRequest(await app.make.user(), { city: 'Scicli' });
  const page = await openAs(await app.make.user({ role: 'admin' }));
  await page.goto(`/app/gestione-richieste/${id}`);
  await textboxOf(page, 'Nota per il cliente').fill('Due camere a Scicli.');
  await app.make.sql('delete from trip_requests where id = $1', [id]);
  await page.getByRole('button', { name: 'Aggiorna e avvisa il cliente' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Non esiste più' })).toBeVisible();
  await expect(page.getByText('Questa richiesta non c’è').last()).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Richiesta di trasferta' })).toBeFocused();
});

/** Administrators see every message that was given up, also those of other journeys. */
async function forgetUndelivered({ make }: RunningApp): Promise<void> {
  await make.sql("delete from mail_messages where state = 'failed'");
}

test('messages are sent again one after the other with Enter alone', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const cities = ['Scicli', 'Pozzallo', 'Rosolini'];
  await forgetUndelivered(app);
  // The newest first.
  for (const city of cities.toReversed()) await app.make.undeliveredMail({ subject: `Richiesta - ${city}` });
  const page = await openAs(await app.make.user({ role: 'admin' }));
  // Like the server, but nothing tries to deliver them: they stay in the list, without their button.
  await page.route('**/api/admin/mail-messages/*/resend', async (route) => {
    const id = route.request().url().split('/').at(-2);
    await app.make.sql("update mail_messages set state = 'queued' where id = $1", [id]);
    await route.fulfill({ status: 204 });
  });
  await page.goto('/app/gestione-richieste');
  const again = (city = '') => page.getByRole('button', { name: `Invia di nuovo: Richiesta - ${city}` });
  // The second, the third, then what is left before them.
  await again(cities[1]).press('Enter');
  for (const next of [cities[2], cities[0]]) {
    await expect(again(next)).toBeFocused();
    await expect(again(next)).toBeInViewport();
    await page.keyboard.press('Enter');
  }
  await expect(page.getByRole('button', { name: /^Invia di nuovo/ })).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1, name: 'Gestione Richieste' })).toBeFocused();
});

test('mail that somebody else has sent again meanwhile leaves the focus on the page', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 409/);
  await forgetUndelivered(app);
  const lost = await app.make.undeliveredMail({ subject: 'Nuova Richiesta Trasferta - Ispica (Serra)' });
  const page = await openAs(await app.make.user({ role: 'admin' }));
  await page.goto('/app/gestione-richieste');
  const again = page.getByRole('button', { name: `Invia di nuovo: ${lost.subject}` });
  await expect(again).toBeVisible();
  await app.make.sql("update mail_messages set state = 'queued' where id = $1", [lost.id]);
  await again.click();
  await expect(page.getByText('Questa email non è più tra quelle da inviare di nuovo.')).toBeVisible();
  await expect(again).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1, name: 'Gestione Richieste' })).toBeFocused();
});

test('an answer that comes late takes neither the focus nor what was typed meanwhile', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const lost = await app.make.undeliveredMail({ subject: 'Nuova Richiesta Trasferta - Noto (Ponte)' });
  const { id } = await app.make.tripRequest(await app.make.user(), { city: 'Noto' });
  const page = await openAs(await app.make.user({ role: 'admin' }));
  await page.goto('/app/gestione-richieste');
  const search = page.getByRole('searchbox');
  await answerOnce(page, 'admin/mail-messages/*/resend', async (route) => {
    await search.focus();
    await route.continue();
  });
  await page.getByRole('button', { name: `Invia di nuovo: ${lost.subject}` }).click();
  await expect(page.getByText('Email rimessa in coda')).toBeVisible();
  await expect(search).toBeFocused();

  await page.goto(`/app/gestione-richieste/${id}`);
  const note = textboxOf(page, 'Nota per il cliente');
  await note.fill('Due camere a Noto.');
  await answerOnce(page, `admin/trip-requests/${id}/state-changes`, async (route) => {
    await note.fill('Da venerdì tre.');
    await route.continue();
  });
  const send = page.getByRole('button', { name: 'Aggiorna e avvisa il cliente' });
  await send.click();
  await expect(page.getByText('Richiesta aggiornata')).toBeVisible();
  await expect(note).toHaveValue('Da venerdì tre.');
  await send.click();
  await expect(note).toHaveValue('');
  await expect(page.getByRole('region', { name: 'Cronologia' }).getByText('Da venerdì tre.')).toBeVisible();
});

test('the requests opened while the logout is answered show no error of the mail', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 500/);
  const page = await openAs(await app.make.user({ role: 'admin' }));
  await page.goto('/app/home');
  const { promise: tried, resolve: isTried } = Promise.withResolvers<void>();
  await answerOnce(page, 'auth/logout', (route) =>
    tried.then(() => route.fulfill({ status: 500, json: {} })),
  );
  const account = page.getByRole('button', { name: /^Account di/ });
  for (const entry of ['Logout', 'Gestione Richieste']) {
    await account.click();
    await page.getByRole('menuitem', { name: entry }).click();
  }
  await expect(page.getByRole('searchbox')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  isTried();
  await expect(page.getByText('Errore durante il logout')).toBeVisible();
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
  await textboxOf(page, 'Nota per il cliente').fill('Le camere sono vostre.');
  await answerOnce(page, `admin/trip-requests/${request.id}/state-changes`, async (route) => {
    await route.fetch();
    await route.fulfill({ status: 500, json: {} });
  });
  const send = page.getByRole('button', { name: 'Aggiorna e avvisa il cliente' });
  await send.click();
  const history = page.getByRole('region', { name: 'Cronologia' }).getByText('Le camere sono vostre.');
  await expect(history).toHaveCount(1);
  await expect(textboxOf(page, 'Nota per il cliente')).toHaveValue('Le camere sono vostre.');
  await send.click();
  await expect(page.getByText('Richiesta aggiornata')).toBeVisible();
  await expect(textboxOf(page, 'Nota per il cliente')).toHaveValue('');
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
  await textboxOf(admin, 'Nota per il cliente').fill('Le camere ad Augusta sono prenotate.');
  await find(admin, 'Milazzo');
  await admin.getByRole('button', { name: 'Esci dalla pagina' }).click();
  await title(admin, 'Milazzo');
  await expect(textboxOf(admin, 'Nota per il cliente')).toHaveValue('');
  await expect(admin.getByLabel('Stato')).toHaveValue('In lavorazione');

  const page = await openAs(customer);
  await page.goto(`${WIZARD_PATH}/richieste/${other.id}`);
  await title(page, 'Milazzo');
  await find(page, 'Augusta');
  await expect(page).toHaveURL(`${WIZARD_PATH}/richieste/${written.id}`);
  await title(page, 'Augusta');
  await page.getByRole('button', { name: 'Annulla richiesta' }).click();
  await textboxOf(page, 'Motivo (facoltativo)').fill('Ad Augusta non si lavora più');
  await page.getByRole('button', { name: 'Torna indietro' }).click();
  // Nothing opens over a dialog, even while it closes.
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await find(page, 'Milazzo');
  await title(page, 'Milazzo');
  await page.getByRole('button', { name: 'Annulla richiesta' }).click();
  await expect(textboxOf(page, 'Motivo (facoltativo)')).toHaveValue('');
});

test('the management of requests is closed to customers', { tag: '@once' }, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.goto('/app/gestione-richieste');
  await expect(page.getByText('Accesso non autorizzato')).toBeVisible();
  await expect(page).toHaveURL(/\/app\/home$/);
});

import { randomUUID } from 'node:crypto';
import type { Request, Route } from '@playwright/test';
import { ACCOUNT_NOTICES } from '#contract/accounts.ts';
import { ERRORS } from '#contract/errors.ts';
import { UNCONFIRMED_CHANGES } from '#contract/profile.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { logIn, mailed, markNotices } from '../support/accounts.ts';
import { answerOnce } from '../support/answer-once.ts';
import { expectTitleUncovered, expectToFit, expectUncovered } from '../support/layout.ts';
import { expect, test } from '../support/test.ts';

/** The server carries out the request, but neither its answer nor its cookies arrive. */
async function loseAnswer(route: Route) {
  const context = route.request().frame().page().context();
  const cookies = await context.cookies();
  await route.fetch();
  await context.clearCookies();
  // Without the signed copy of the session, which is believed for a minute.
  await context.addCookies(cookies.filter(({ name }) => !name.includes('session_data')));
  await route.abort();
}

const BROKEN_DOWN = 'Qualcosa non ha funzionato. Riprova tra poco.';

test('the buttons of the registration are reached in the order in which they are shown', async ({ page }) => {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Registrati' }).click();
  // The title takes the focus after the buttons are there.
  await expect(page.getByRole('heading', { name: 'Crea il tuo account' })).toBeFocused();
  const cancel = page.getByRole('button', { name: 'Annulla' });
  const submit = page.getByRole('button', { name: 'Registrati' });
  await cancel.focus();
  await page.keyboard.press('Tab');
  await expect(submit).toBeFocused();
  const [first, second] = [await cancel.boundingBox(), await submit.boundingBox()];
  if (!first || !second) throw new Error('a button is not shown');
  expect(first.y < second.y || (first.y === second.y && first.x < second.x)).toBe(true);
});

test('each password of the registration has its own button to show it', { tag: '@once' }, async ({
  page,
}) => {
  await page.goto('/login?modulo=registrazione');
  await page.getByRole('button', { name: 'Mostra la conferma', exact: true }).click();
  await expect(page.getByLabel('Conferma password')).toHaveAttribute('type', 'text');
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Nascondi la conferma', exact: true }).click();
  await expect(page.getByLabel('Conferma password')).toHaveAttribute('type', 'password');
  await expect(page.getByRole('button', { name: 'Mostra la password', exact: true })).toHaveCount(1);
});

test('a browser that refuses storage and the channel between tabs shows the login, and works once cookies are allowed', {
  tag: '@once',
}, async ({ app, page }) => {
  // As Firefox does where it blocks all cookies.
  await page.addInitScript(() => {
    const refuse = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
    Object.defineProperties(window, {
      localStorage: { get: refuse },
      sessionStorage: { get: refuse },
      BroadcastChannel: { value: refuse },
    });
    indexedDB.open = refuse;
  });
  const user = await app.make.user();
  await logIn(page, user.email, user.password);
  await expect(page).toHaveURL(/\/app\/home$/);
  await expect(page.getByRole('button', { name: /^Account di/ })).toBeVisible();
  await page.goto('/app/progetti-team');
  await expect(page.getByRole('button', { name: 'Nuovo Progetto' })).toBeVisible();
});

test('a visitor registers, logs in by username and stays logged in after the browser restarts', {
  tag: '@once',
}, async ({ page, browser, problems }) => {
  const name = `rita.moro${test.info().project.name}`;
  await page.goto('/login');
  await page.getByRole('button', { name: 'Registrati' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  // The form has its own address: reload, back and forward work.
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Crea il tuo account' })).toBeVisible();
  await expect(page).toHaveTitle('Crea il tuo account · Trasvia');
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Bentornato in Trasvia' })).toBeVisible();
  await expect(page).toHaveTitle('Accedi · Trasvia');
  await page.goForward();
  await expect(page.getByRole('heading', { name: 'Crea il tuo account' })).toBeVisible();
  const submit = page.getByRole('button', { name: 'Registrati' });
  const problemAt = async (label: string, message: string) => {
    await submit.click();
    await expect(page.getByText(message, { exact: true })).toBeVisible();
    await expect(page.getByLabel(label, { exact: true })).toBeFocused();
  };
  await problemAt('Nome completo', 'Inserisci il tuo nome completo');
  await page.getByLabel('Nome completo').fill('Rita Moro');
  await problemAt('Email', "Inserisci un'email valida");
  await page.getByLabel('Email').fill(`${name}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill('corta');
  await problemAt('Password', 'La password deve contenere almeno 6 caratteri');
  await page.getByLabel('Password', { exact: true }).fill('abbastanza');
  await problemAt('Conferma password', 'Le password non corrispondono');
  await expectAccessible(page);
  await expectToFit(page);
  await page.getByLabel('Conferma password').fill('abbastanza');
  // There, these words push the button out of the place that the toast then has.
  await page.setViewportSize({ width: 360, height: 740 });
  await submit.click();
  await expect(
    page.getByText('Registrazione completata. Ora puoi accedere con le tue credenziali.'),
  ).toBeVisible();
  await expect(page.getByText('Registrazione completata con successo!')).toBeVisible();
  await expect(page.getByLabel('Email o username')).toHaveValue(`${name}@example.com`);
  await expectTitleUncovered(page);

  await logIn(page, name.toUpperCase(), 'abbastanza', true);
  // Said before the code of the application is loaded, and only for ten seconds.
  await expect(page.getByText('Accesso effettuato con successo!')).toBeVisible();
  await expect(page).toHaveURL(/\/app\/home$/);

  // A closed browser keeps only cookies with an expiry date.
  const kept = (await page.context().cookies()).filter(({ expires }) => expires > 0);
  const reopened = await browser.newContext({ storageState: { cookies: kept, origins: [] } });
  const stopWatching = problems.watch(reopened);
  const later = await reopened.newPage();
  await later.goto('/login');
  await expect(later).toHaveURL(/\/app\/home$/);
  stopWatching();
  await reopened.close();
});

test('after a registration the toast covers neither the title of the login nor its button, on any phone', {
  tag: '@once',
}, async ({ page }) => {
  for (const [width, height] of [
    [360, 740],
    [390, 844],
    [412, 915],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto('/login');
    await page.getByRole('button', { name: 'Registrati' }).click();
    await page.getByLabel('Nome completo').fill('Rita Moro');
    await page.getByLabel('Email').fill(`rita.${randomUUID()}@example.com`);
    for (const label of ['Password', 'Conferma password'])
      await page.getByLabel(label, { exact: true }).fill('abbastanza');
    await page.getByRole('button', { name: 'Registrati' }).click();
    await expect(page.getByText('Registrazione completata con successo!')).toBeVisible();
    await expect(page.getByText('Ora puoi accedere con le tue credenziali.')).toBeVisible();
    await expectUncovered(page.getByRole('button', { name: 'Accedi' }));
    await expectTitleUncovered(page);
  }
});

test('wrong credentials are rejected with a message; the keyboard is enough', { tag: '@once' }, async ({
  page,
  app,
  problems,
}) => {
  problems.expect(/status of 401/);
  const user = await app.make.user();
  await page.goto('/login');
  await page.getByRole('button', { name: 'Accedi', exact: true }).click();
  await expect(page.getByRole('alert')).toHaveText('Inserisci email/username e password per accedere.');
  await expect(page.getByLabel('Email o username')).toBeFocused();
  await page.keyboard.type(user.username);
  await page.keyboard.press('Tab');
  await page.keyboard.type('sbagliata');
  const busy = Promise.withResolvers<void>();
  await answerOnce(page, 'auth/login', (route) => busy.promise.then(() => route.fallback()));
  const logins: Request[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/auth/login')) logins.push(request);
  });
  await page.getByRole('button', { name: 'Accedi', exact: true }).press('Enter');
  // The button keeps the focus and does not send a second time.
  const sending = page.getByRole('button', { name: 'Elaborazione...' });
  await expect(sending).toBeDisabled();
  await expect(sending).toBeFocused();
  // Another form would be replaced when the answer arrives.
  for (const name of ['Password dimenticata?', 'Ricevi un codice via email', 'Registrati']) {
    await expect(page.getByRole('button', { name })).toBeDisabled();
  }
  await page.keyboard.press('Enter');
  busy.resolve();
  await expect(page.getByRole('alert')).toContainText('Email/username o password errata. Accesso negato.');
  await expect(page.getByRole('alert')).toContainText('Credenziali non valide');
  await expect(page.getByRole('button', { name: 'Accedi', exact: true })).toBeFocused();
  expect(logins).toHaveLength(1);
  await page.getByLabel('Email o username').fill('nessuno.di.noto');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('Username non trovato');
  await expectAccessible(page);

  // Neither does it while the application is loading.
  const { promise: loaded, resolve: load } = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', (route) => loaded.then(() => route.continue()));
  await page.getByLabel('Email o username').fill(user.username);
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  const loading = page.waitForRequest('**/assets/*.js');
  await page.keyboard.press('Enter');
  await loading;
  await page.keyboard.press('Enter');
  await expect(sending).toBeDisabled();
  load();
  await expect(page).toHaveURL('/app/home');
  expect(logins).toHaveLength(3);
});

test('a login sent with Enter before the code of the page has come is sent once it has', {
  tag: '@once',
}, async ({ page, app }) => {
  const user = await app.make.user();
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  await page.route('**/assets/start-*.js', (route) => arrived.then(() => route.continue()));
  const logins: Request[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/auth/login')) logins.push(request);
  });
  await page.goto('/login');
  await page.getByLabel('Email o username').fill(user.username);
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Registrati' })).toBeDisabled();
  // Neither the address nor the page has the password.
  await expect(page).toHaveURL('/login');
  arrive();
  await expect(page).toHaveURL('/app/home');
  expect(logins).toHaveLength(1);
});

test('the region that announced the login stays in the application, which does not announce it again', {
  tag: '@once',
}, async ({ page, app }) => {
  const user = await app.make.user();
  await page.goto('/login');
  const region = page.getByRole('region', { name: 'Notifiche' });
  await region.evaluate((element) => element.setAttribute('data-marked', ''));
  await page.getByLabel('Email o username').fill(user.username);
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/app/home');
  await expect(page.getByRole('button', { name: /^Account di/ })).toBeVisible();
  await expect(region).toHaveCount(1);
  await expect(region).toHaveAttribute('data-marked');
});

test('a protected page is remembered over the login', { tag: '@once' }, async ({ page, app }) => {
  const user = await app.make.user();
  await page.goto('/app/profile');
  await expect(page).toHaveURL(/\/$/);
  await logIn(page, user.email, user.password);
  await expect(page).toHaveURL(/\/app\/profile$/);
  await expect(page.getByRole('heading', { name: 'Il tuo profilo' })).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page);
});

test('a failed login or registration shows an error and keeps the input', { tag: '@once' }, async ({
  page,
  problems,
}) => {
  problems.expect(/status of (500|503)/);
  for (const call of ['login', 'registrations']) {
    await answerOnce(page, `auth/${call}`, (route) => route.fulfill({ status: 500, json: {} }));
  }
  await page.goto('/login');
  await page.getByLabel('Email o username').fill('anna');
  await page.getByLabel('Password', { exact: true }).fill('segreta');
  await page.getByRole('button', { name: 'Accedi', exact: true }).click();
  await expect(page.getByRole('alert')).toHaveText('Si è verificato un errore durante il login.');
  await expect(page.getByLabel('Email o username')).toHaveValue('anna');

  await page.getByRole('button', { name: 'Registrati' }).click();
  await page.getByLabel('Nome completo').fill('Anna Verdi');
  await page.getByLabel('Email', { exact: true }).fill('anna@impresa.example');
  await page.getByLabel('Password', { exact: true }).fill('segreta');
  await page.getByLabel('Conferma password').fill('segreta');
  await page.getByRole('button', { name: 'Registrati' }).click();
  const failure = page.getByRole('alert');
  await expect(failure).toContainText('Errore durante la registrazione');
  await expect(failure).toContainText('Registrazione fallita. Riprova più tardi.');
  await expect(page.getByLabel('Nome completo')).toHaveValue('Anna Verdi');

  // A server that says why it fails does so in the words of the specification too.
  const { status, message } = ERRORS.unavailable;
  for (const call of ['login', 'registrations']) {
    await page.route(`**/api/auth/${call}`, (route) =>
      route.fulfill({ status, json: { error: { code: 'unavailable', message } } }),
    );
  }
  await page.getByRole('button', { name: 'Registrati' }).click();
  await expect(failure).toHaveText(
    'Errore durante la registrazioneRegistrazione fallita. Riprova più tardi.',
  );
  await page.getByRole('button', { name: 'Annulla' }).click();
  await page.getByLabel('Email o username').fill('anna');
  await page.getByLabel('Password', { exact: true }).fill('segreta');
  await page.getByRole('button', { name: 'Accedi', exact: true }).click();
  await expect(page.getByRole('alert')).toHaveText('Si è verificato un errore durante il login.');
});

test('the message of a wrong field is read with the field, and announced if that has the focus already', {
  tag: '@once',
}, async ({ page }) => {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Registrati' }).click();
  await page.getByLabel('Nome completo').fill('Anna Verdi');
  const email = page.getByLabel('Email', { exact: true });
  await email.fill('anna');
  const announced = page.getByRole('alert').filter({ hasText: "Inserisci un'email valida" });
  await page.getByRole('button', { name: 'Registrati' }).click();
  await expect(email).toBeFocused();
  await expect(email).toHaveAccessibleDescription("Inserisci un'email valida");
  await expect(announced).toHaveCount(0);
  await email.press('Enter');
  await expect(announced).toBeVisible();
});

test('a login left open over a deployment says to reload the page', { tag: '@once' }, async ({
  page,
  problems,
}) => {
  problems.expect(/status of 404/);
  await page.goto('/login');
  // Then all its code has come, except that for sending, which it asks for when a field is used.
  await expect(page.getByRole('button', { name: 'Registrati' })).toBeEnabled();
  await page.route('**/assets/*.js', (route) => route.fulfill({ status: 404 }));
  await page.getByLabel('Email o username').fill('anna');
  await page.getByLabel('Password', { exact: true }).fill('segreta');
  await page.getByRole('button', { name: 'Accedi', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('ricarica la pagina');
  await expect(page.getByLabel('Email o username')).toHaveValue('anna');
});

test('a failed email confirmation says so and does not ask for a login', { tag: '@once' }, async ({
  page,
  problems,
}) => {
  problems.expect(/status of 500/);
  await answerOnce(page, 'auth/email-verifications/confirmations', (route) =>
    route.fulfill({ status: 500, json: {} }),
  );
  await page.goto('/login#conferma=abc');
  await expect(page.getByRole('alert')).toHaveText(BROKEN_DOWN);
});

test('a confirmation link opened while logged out confirms the address at login', { tag: '@once' }, async ({
  app,
  page,
  openAs,
  problems,
}) => {
  problems.expect(/status of 409/);
  const user = await app.make.user();
  const elsewhere = await openAs(user);
  await elsewhere.goto('/app/profile');
  const left = Promise.withResolvers<void>();
  await answerOnce(elsewhere, 'auth/email-verifications', (route) =>
    left.promise.then(() => route.fallback()),
  );
  await elsewhere.getByRole('button', { name: 'Invia l’email di conferma' }).click();
  await elsewhere.getByRole('link', { name: 'Supporto 24/7' }).click();
  await expect(elsewhere.getByRole('heading', { level: 1, name: 'Supporto 24/7' })).toBeVisible();
  left.resolve();
  await expect(elsewhere.getByText(`Controlla la posta di ${user.email}.`)).toBeVisible();
  // A mail that does not arrive can be asked for again.
  await elsewhere.goBack();
  await elsewhere.getByRole('button', { name: 'Invia l’email di conferma' }).click();
  await expect(elsewhere.getByRole('button', { name: 'Invia di nuovo' })).toBeEnabled();
  const link = await mailed(app, user.email, /http\S+#conferma=\S+/);
  await page.bringToFront();
  await page.goto(link);
  await expect(page.getByRole('alert')).toContainText('Per confermare l’indirizzo accedi al tuo account.');
  // The login may be done in another tab. A link for a new password, which works once, stays open meanwhile.
  const [reset, other] = [await page.context().newPage(), await page.context().newPage()];
  await reset.goto('/login#reimposta=abc');
  await expect(reset.getByRole('heading', { name: 'Scegli una nuova password' })).toBeVisible();
  await reset.locator('input[name="password"]').fill('tutta nuova');
  await logIn(other, user.email, user.password);
  await expect(other).toHaveURL('/app/home');
  await expect(page).toHaveURL('/app/home');
  await page.bringToFront();
  await page.goto('/app/profile');
  await expect(page.getByText('Confermata', { exact: true })).toBeVisible();
  await reset.bringToFront();
  await expect(reset.locator('input[name="password"]')).toHaveValue('tutta nuova');
});

test('the page where a forgotten password is reset focuses its title without framing it', {
  tag: '@once',
}, async ({ page }) => {
  await page.goto('/login#reimposta=abc');
  const title = page.getByRole('heading', { name: 'Scegli una nuova password' });
  await expect(title).toBeFocused();
  await expect(title).toHaveCSS('outline-style', 'none');
});

test('a forgotten password is reset with a link by mail', { tag: '@once' }, async ({
  page,
  app,
  problems,
}) => {
  problems.expect(/status of 500/);
  const user = await app.make.user();
  await page.goto('/login');
  await page.getByRole('button', { name: 'Password dimenticata?' }).click();
  await page.getByLabel('Email', { exact: true }).fill(user.email);
  const ask = page.getByRole('button', { name: 'Invia il collegamento' });
  const notices = await markNotices(page);
  await answerOnce(page, 'auth/recoveries', (route) => route.fulfill({ status: 500, json: {} }));
  await ask.click();
  await expect(page.getByRole('alert')).toHaveText(BROKEN_DOWN);
  await ask.click();
  await expect(notices).toContainText(/tra poco riceverai un’email/);
  const link = await mailed(app, user.email, /http\S+#reimposta=\S+/);
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Scegli una nuova password' })).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
  await expectAccessible(page);
  await page.locator('input[name="password"]').fill('tutta nuova');
  await page.getByLabel('Conferma password').fill('tutta nuova');
  await markNotices(page);
  await page.getByRole('button', { name: 'Salva la password' }).click();
  await expect(notices).toHaveText('Password aggiornata. Ora puoi accedere con la nuova password.');
  await logIn(page, user.email, 'tutta nuova');
  await expect(page).toHaveURL(/\/app\/home$/);
});

test('after a reset whose answer was lost, the used link does not read as a failed reset', {
  tag: '@once',
}, async ({ page, app, problems }) => {
  problems.expect(/net::ERR_FAILED/);
  problems.expect(/status of 410/);
  const user = await app.make.user();
  await page.goto('/login');
  await page.getByRole('button', { name: 'Password dimenticata?' }).click();
  await page.getByLabel('Email', { exact: true }).fill(user.email);
  await page.getByRole('button', { name: 'Invia il collegamento' }).click();
  // The answer leads back to the login, and may arrive after the mail.
  await expect(page.getByText(/tra poco riceverai un’email/)).toBeVisible();
  await page.goto(await mailed(app, user.email, /http\S+#reimposta=\S+/));
  await page.locator('input[name="password"]').fill('tutta nuova');
  await page.getByLabel('Conferma password').fill('tutta nuova');
  await answerOnce(page, 'auth/password-resets', loseAnswer);
  const save = page.getByRole('button', { name: 'Salva la password' });
  await save.click();
  await expect(page.getByRole('alert')).toContainText('Connessione assente o instabile');
  await save.click();
  await expect(page.getByRole('alert')).toHaveText(ACCOUNT_NOTICES.perhapsReset);
  await logIn(page, user.email, 'tutta nuova');
  await expect(page).toHaveURL(/\/app\/home$/);
});

test('after a change of the password whose answer was lost, the login says which one may be valid', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/net::ERR_FAILED/);
  problems.expect(/status of 401/);
  const user = await app.make.user();
  const page = await openAs(user);
  await page.goto('/app/profile');
  // A read that is not answered yet would meet the ended session first.
  await expect(page.getByText(/Metodi di accesso collegati/)).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await page.getByLabel(/^Password attuale/).fill(user.password);
  await page.getByLabel(/^Nuova password/).fill('tutta nuova');
  await page.getByLabel('Conferma nuova password').fill('tutta nuova');
  // For up to a minute, reads believe the signed cookie of the session that ended.
  const { me } = await (await page.request.get('/api/auth/session')).json();
  let believed = true;
  await page.route('**/api/auth/session', (route) =>
    believed ? route.fulfill({ json: { me: { ...me, companyName: 'Edile Nord' } } }) : route.fallback(),
  );
  await page.route('**/api/auth/sessions?*', (route) =>
    route.fulfill({ json: { items: [], nextCursor: null, total: 0 } }),
  );
  await answerOnce(page, 'auth/password', loseAnswer);
  const change = page.getByRole('button', { name: 'Cambia password' });
  await change.click();
  await expect(page.getByRole('alert')).toContainText('Connessione assente o instabile');
  await expect(page.getByLabel('Azienda')).toHaveValue('Edile Nord');
  believed = false;
  await change.click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText(UNCONFIRMED_CHANGES.password)).toBeVisible();
  await logIn(page, user.email, 'tutta nuova');
  await expect(page).toHaveURL(/\/app\/profile$/);
});

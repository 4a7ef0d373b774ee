import type { Page, Request, Route } from '@playwright/test';
import { ACCOUNT_NOTICES } from '#contract/accounts.ts';
import { tooManyRequestsText } from '#contract/errors.ts';
import { PROFILE_TEXTS, UNCONFIRMED_CHANGES } from '#contract/profile.ts';
import type { TestUser } from '#server/testing/factories.ts';
import { codeOf } from '#server/testing/totp.ts';
import { until } from '#server/testing/until.ts';
import { expectAccessible } from './support/accessibility.ts';
import { answerOnce } from './support/answer-once.ts';
import type { RunningApp } from './support/app.ts';
import { expectToFit } from './support/layout.ts';
import { expect, test } from './support/test.ts';

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** What `pattern` matches in the newest mail to `address`. */
function mailed(app: RunningApp, address: string, pattern: RegExp): Promise<string> {
  return until(`a mail to ${address}`, async () => {
    const messages = await app.mailbox.messages();
    const texts = messages.filter(({ to }) => to?.some((one) => one.address === address));
    return pattern.exec(texts.at(-1)?.text ?? '')?.[0];
  });
}

/** The live region of the login screen. A screen reader announces only what appears in a region that was already there. */
async function markNotices(page: Page) {
  await page
    .getByRole('main')
    .getByRole('status')
    .evaluate((region) => region.setAttribute('data-marked', ''));
  return page.locator('[data-marked]');
}

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

async function logIn(page: Page, identifier: string, password: string, remember = false) {
  await page.bringToFront();
  await page.goto('/login');
  await page.getByLabel('Email o username').fill(identifier);
  await page.getByLabel('Password', { exact: true }).fill(password);
  if (remember) await page.getByLabel('Ricordami per 30 giorni').check();
  await page.getByRole('button', { name: 'Accedi', exact: true }).click();
}

async function logOut(page: Page) {
  await page.getByRole('button', { name: /^Account di/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/$/);
}

test('the buttons of the registration are reached in the order in which they are shown', async ({ page }) => {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Registrati' }).click();
  const cancel = page.getByRole('button', { name: 'Annulla' });
  const submit = page.getByRole('button', { name: 'Registrati' });
  await cancel.focus();
  await page.keyboard.press('Tab');
  await expect(submit).toBeFocused();
  const [first, second] = [await cancel.boundingBox(), await submit.boundingBox()];
  if (!first || !second) throw new Error('a button is not shown');
  expect(first.y < second.y || (first.y === second.y && first.x < second.x)).toBe(true);
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
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Bentornato in Trasvia' })).toBeVisible();
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
  await submit.click();
  await expect(
    page.getByText('Registrazione completata. Ora puoi accedere con le tue credenziali.'),
  ).toBeVisible();
  await expect(page.getByText('Registrazione completata con successo!')).toBeVisible();

  await logIn(page, name.toUpperCase(), 'abbastanza', true);
  await expect(page).toHaveURL(/\/app\/home$/);
  await expect(page.getByText('Accesso effettuato con successo!')).toBeVisible();

  // A closed browser keeps only cookies with an expiry date.
  const kept = (await page.context().cookies()).filter(({ expires }) => expires > 0);
  const reopened = await browser.newContext({ storageState: { cookies: kept, origins: [] } });
  problems.watch(reopened);
  const later = await reopened.newPage();
  await later.goto('/login');
  await expect(later).toHaveURL(/\/app\/home$/);
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

test('two-factor login is set up with an app, asked for at login, and switched off with a recovery code', {
  tag: '@once',
}, async ({ page, app, openAs, problems }) => {
  problems.expect(/status of 422/);
  const user = await app.make.user();
  const profile = await openAs(user);
  await profile.goto('/app/profile');
  await profile.getByRole('button', { name: 'Attiva la verifica' }).click();
  await profile.getByLabel('La tua password').fill(user.password);
  await profile.getByRole('button', { name: 'Continua' }).click();
  await expect(profile.getByRole('img', { name: /Codice QR/ })).toBeVisible();
  await expect(profile.getByText('Inquadra il codice con l’app.')).toBeFocused();
  await expectAccessible(profile);
  const secret = (await profile.getByText(/^[A-Z2-7]{32,}$/).textContent()) ?? '';
  await profile.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = () => profile.evaluate(() => navigator.clipboard.readText());
  await profile.getByRole('button', { name: 'Copia la chiave' }).click();
  await expect(profile.getByText('Chiave copiata')).toBeVisible();
  expect(await copied()).toBe(secret);
  await profile.getByLabel('Codice di 6 cifre').fill(codeOf(secret));
  await profile.getByRole('button', { name: 'Attiva', exact: true }).click();
  const recoveryCodes = profile.getByRole('list', { name: 'Codici di recupero' }).getByRole('listitem');
  await expect(recoveryCodes).toHaveCount(10);
  await expect(profile.getByRole('note').filter({ hasText: 'Conserva questi codici' })).toBeFocused();
  const recoveryCode = (await recoveryCodes.first().textContent()) ?? '';
  await profile.getByRole('button', { name: 'Copia', exact: true }).click();
  await expect(profile.getByText('Codici copiati')).toBeVisible();
  expect((await copied()).split('\n')).toEqual(await recoveryCodes.allTextContents());
  await profile.getByRole('button', { name: 'Li ho conservati' }).click();
  await expect(profile.getByText('Attiva', { exact: true })).toBeVisible();

  await logIn(page, user.email, user.password);
  await expect(page.getByRole('heading', { name: 'Verifica in due passaggi' })).toBeVisible();
  await expectAccessible(page);
  // The code used for enrolment cannot be used again.
  await page.getByLabel('Codice').fill(codeOf(secret, 1));
  await page.getByRole('button', { name: 'Accedi' }).click();
  await expect(page).toHaveURL(/\/app\/home$/);

  await profile.bringToFront();
  await profile.getByRole('button', { name: 'Disattiva' }).click();
  await expect(profile.getByLabel('La tua password')).toBeFocused();
  await profile.keyboard.type(user.password);
  const code = profile.getByRole('textbox', { name: 'Codice' });
  await code.fill('AAAAA-AAAAA');
  await profile.keyboard.press('Enter');
  await expect(code).toHaveAccessibleDescription(/Il codice non è corretto o è scaduto/);
  await expect(code).toBeFocused();
  await expectAccessible(profile);
  await code.fill(recoveryCode);
  await profile.keyboard.press('Enter');
  await expect(profile.getByText('Non attiva', { exact: true })).toBeVisible();
});

test('a user logs in with a code by mail, with the keyboard alone', {
  tag: '@once',
}, async ({ page, app, problems }) => {
  problems.expect(/status of 422/);
  const user = await app.make.user();
  await page.goto('/login');
  const byCode = page.getByRole('button', { name: 'Ricevi un codice via email' });
  await expect(byCode).toBeEnabled();
  await byCode.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Accedi con un codice' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.keyboard.type(user.email);
  const notices = await markNotices(page);
  await page.keyboard.press('Enter');
  const code = page.getByLabel('Codice di 6 cifre');
  await expect(code).toBeFocused();
  await expect(notices).toContainText(/tra poco riceverai un’email con il codice/);
  await expectAccessible(page);
  await expectToFit(page);
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await expect(code).toHaveAccessibleDescription(/Il codice non è corretto o è scaduto/);
  await expect(code).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(await mailed(app, user.email, /\b\d{6}\b/));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/app\/home$/);
});

const BROKEN_DOWN = 'Qualcosa non ha funzionato. Riprova tra poco.';

test('a failed login or registration shows an error and keeps the input', { tag: '@once' }, async ({
  page,
  problems,
}) => {
  problems.expect(/status of 500/);
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
});

test('a login left open over a deployment says to reload the page', { tag: '@once' }, async ({
  page,
  problems,
}) => {
  problems.expect(/status of 404/);
  await page.goto('/login', { waitUntil: 'networkidle' });
  await expect(page.getByRole('button', { name: 'Accedi', exact: true })).toBeEnabled();
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
  await elsewhere.getByRole('button', { name: 'Invia l’email di conferma' }).click();
  const link = await mailed(app, user.email, /http\S+#conferma=\S+/);
  await page.bringToFront();
  await page.goto(link);
  await expect(page.getByRole('alert')).toContainText('Per confermare l’indirizzo accedi al tuo account.');
  await page.getByLabel('Email o username').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.getByRole('button', { name: 'Accedi', exact: true }).click();
  await expect(page).toHaveURL('/app/home');
  await expect(page.getByText('Indirizzo email confermato. Grazie!')).toBeVisible();
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
  await page.getByLabel('Password attuale').fill(user.password);
  await page.getByLabel(/^Nuova password/).fill('tutta nuova');
  await page.getByLabel('Conferma nuova password').fill('tutta nuova');
  // For up to a minute, reads believe the signed cookie of the session that ended.
  const { me } = await (await page.request.get('/api/auth/session')).json();
  let believed = true;
  await page.route('**/api/auth/session', (route) =>
    believed ? route.fulfill({ json: { me: { ...me, companyName: 'Edile Nord' } } }) : route.fallback(),
  );
  await page.route('**/api/auth/sessions', (route) => route.fulfill({ json: [] }));
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

test('the recovery codes appear even if the answer that switched the second factor on was lost', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/net::ERR_FAILED/);
  const user = await app.make.user();
  const page = await openAs(user);
  await page.goto('/app/profile');
  await page.getByRole('button', { name: 'Attiva la verifica' }).click();
  await page.getByLabel('La tua password').fill(user.password);
  await page.getByRole('button', { name: 'Continua' }).click();
  const secret = (await page.getByText(/^[A-Z2-7]{32,}$/).textContent()) ?? '';
  await answerOnce(page, 'auth/two-factor/confirmations', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByLabel('Codice di 6 cifre').fill(codeOf(secret));
  await page.getByRole('button', { name: 'Attiva', exact: true }).click();
  const codes = page.getByRole('list', { name: 'Codici di recupero' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
});

test('a session that has ended is not reported as a deleted account, nor as a logout everywhere', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 401/);
  const user = await app.make.user();
  for (const press of [
    async (page: Page) => {
      await page.getByRole('button', { name: 'Elimina account' }).click();
      await page.getByLabel('La tua password').fill(user.password);
      await page.getByRole('button', { name: 'Continua' }).click();
      return page.getByRole('button', { name: 'Elimina definitivamente' });
    },
    async (page: Page) => {
      await page.getByRole('button', { name: 'Disconnetti tutti' }).click();
      return page.getByRole('dialog').getByRole('button', { name: 'Disconnetti tutti' });
    },
  ]) {
    const page = await openAs(user);
    await page.goto('/app/profile', { waitUntil: 'networkidle' });
    const button = await press(page);
    await expect(button).toBeVisible();
    await page.context().clearCookies();
    await button.click();
    await expect(page).toHaveURL(/\/login$/);
    await expect(page.getByText('Sessione scaduta')).toBeVisible();
  }
});

test('a logout everywhere ends this page and the other tab of the browser, and a login enters both', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user();
  const page = await openAs(user);
  await page.goto('/app/profile');
  const otherTab = await page.context().newPage();
  await otherTab.goto('/app/home', { waitUntil: 'networkidle' });
  await page.bringToFront();
  // No request is pending when the session ends.
  await expect(page.getByText(/Metodi di accesso collegati/)).toBeVisible();
  await page.getByRole('button', { name: 'Disconnetti tutti' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnetti tutti' }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByText('Logout effettuato con successo')).toBeVisible();
  await expect(otherTab).toHaveURL(/\/$/);

  await otherTab.goto('/login');
  await expect(otherTab.getByRole('button', { name: 'Accedi' })).toBeEnabled();
  await page.bringToFront();
  await logIn(page, user.email, user.password);
  for (const tab of [page, otherTab]) await expect(tab).toHaveURL(/\/app\/home$/);
});

/**
 * Two accounts with a project each, and a page of the first one: it has read the projects and gone back to the public Home,
 * without reloading the document. `enter` goes to the projects from there.
 */
async function tabLeftOnPublicPage(app: RunningApp, openAs: (user: TestUser) => Promise<Page>) {
  const before = await app.make.user();
  await app.make.project(before, { name: 'Diga di Ridracoli' });
  const next = await app.make.user();
  await app.make.project(next, { name: 'Porto di Livorno' });
  const page = await openAs(before);
  const enter = async () => {
    await page.getByRole('banner').getByRole('link', { name: 'Accedi' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
    await page.getByRole('link', { name: 'Progetti e Team' }).filter({ visible: true }).first().click();
    await expect(page.getByRole('heading', { level: 1, name: 'Progetti e Team' })).toBeVisible();
  };
  await page.goto('/app/home');
  await logOut(page);
  await app.signIn(page.context(), before);
  await enter();
  await expect(page.getByText('Diga di Ridracoli').first()).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\/$/);
  return { page, next, enter };
}

async function expectOnlyNextAccount(page: Page) {
  await expect(page.getByText('Porto di Livorno').first()).toBeVisible();
  await expect(page.getByText('Diga di Ridracoli')).toHaveCount(0);
}

test('logging in from a tab left on a public page shows nothing of the previous account', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const { page, next, enter } = await tabLeftOnPublicPage(app, openAs);
  // Another tab logs in with another account.
  await app.signIn(page.context(), next);
  await enter();
  await expectOnlyNextAccount(page);
});

test('going back to the application from a public page shows nothing of an account left in another tab', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const { page, next } = await tabLeftOnPublicPage(app, openAs);
  const otherTab = await page.context().newPage();
  await otherTab.goto('/app/home');
  await logOut(otherTab);
  await logIn(otherTab, next.email, next.password);
  await expect(otherTab).toHaveURL(/\/app\/home$/);
  await page.bringToFront();
  await page.evaluate(() => history.go(2));
  await expect(page.getByRole('button', { name: `Account di ${next.username}` })).toBeVisible();
  await expectOnlyNextAccount(page);
});

test('signing out a device is sent once and moves the focus to what remains', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user();
  const page = await openAs(user);
  await openAs(user);
  await openAs(user);
  await page.bringToFront();
  await page.goto('/app/profile');
  const ends = page.getByRole('button', { name: /^Disconnetti (?!gli altri|tutti)/ });
  await expect(ends).toHaveCount(2);
  const answer = Promise.withResolvers<void>();
  await page.route('**/api/auth/sessions/*', async (route) => {
    await answer.promise;
    await route.continue();
  });
  await ends.first().click();
  await expect(ends.first()).toBeDisabled();
  answer.resolve();
  await expect(page.getByText('Dispositivo disconnesso')).toBeVisible();
  await expect(ends).toHaveCount(1);
  await expect(page.locator('[data-entry]').last()).toBeFocused();
  await page.getByRole('button', { name: 'Disconnetti gli altri' }).click();
  await expect(ends).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Dispositivi collegati' })).toBeFocused();
});

test('the second step of account deletion gets the focus', { tag: '@once' }, async ({ app, openAs }) => {
  const user = await app.make.user();
  const page = await openAs(user);
  await page.goto('/app/profile');
  await page.getByRole('button', { name: 'Elimina account' }).click();
  await page.getByLabel('La tua password').fill(user.password);
  await page.getByRole('button', { name: 'Continua' }).click();
  await expect(page.getByText('Stai per eliminare l’account')).toBeFocused();
});

test('the profile can be edited, except for the email', async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.goto('/app/profile');
  await expect(page.getByLabel('Email', { exact: true })).not.toBeEditable();
  await page.getByLabel('Nome completo').fill('');
  await page.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(page.getByText('Inserisci il tuo nome completo')).toBeVisible();
  await expect(page.getByLabel('Nome completo')).toBeFocused();
  await page.getByLabel('Nome completo').fill('Nome Nuovo');
  await page.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(page.getByText('Profilo aggiornato con successo')).toBeVisible();
  // The library draws the border of a password field on its wrapper.
  const password = page.getByLabel('Password attuale');
  await password.focus();
  await expect(password.locator('..')).toHaveCSS('outline-style', 'solid');
});

test('saving the profile sends only the changed fields', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user({ companyName: 'Montaggi Rosi S.r.l.' });
  const page = await openAs(user);
  await page.goto('/app/profile');
  const sent: unknown[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'PATCH') return;
    // Besides the names that the change started from.
    const { from: _, ...fields } = request.postDataJSON();
    sent.push(fields);
  });
  const save = async (field: string, value: string) => {
    await page.getByLabel(field).fill(value);
    const answered = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
    await page.getByRole('button', { name: 'Salva modifiche' }).click();
    await answered;
  };
  await save('Nome completo', 'Anna Verdi');
  await expect(page.getByText('Profilo aggiornato con successo')).toBeVisible();
  await save('Azienda', 'Montaggi Rossi S.r.l.');
  await expect
    .poll(() => sent)
    .toEqual([{ fullName: 'Anna Verdi' }, { companyName: 'Montaggi Rossi S.r.l.' }]);
});

test('after saving, the profile shows changes made elsewhere and keeps what was typed during the save', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user({ companyName: 'Montaggi Rosi S.r.l.' });
  const page = await openAs(user);
  await page.goto('/app/profile');
  await page.getByLabel('Nome completo').fill('Anna Verdi');
  await app.make.sql("update profiles set company_name = 'Montaggi Rossi S.r.l.' where id = $1", [user.id]);
  const picture = page.getByLabel('URL immagine profilo');
  await answerOnce(page, 'me', async (route) => {
    await picture.fill('https://example.com/anna.png');
    await route.continue();
  });
  await page.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(page.getByText('Profilo aggiornato con successo')).toBeVisible();
  await expect(page.getByLabel('Azienda')).toHaveValue('Montaggi Rossi S.r.l.');
  await expect(page.getByLabel('Nome completo')).toHaveValue('Anna Verdi');
  await expect(picture).toHaveValue('https://example.com/anna.png');
});

test('a server that never answers is reported as a missing connection, and the input stays', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.clock.install();
  await page.goto('/app/profile');
  await page.getByLabel('Nome completo').fill('Anna Verdi');
  const arrived = Promise.withResolvers<void>();
  await answerOnce(page, 'me', async () => arrived.resolve());
  const save = page.getByRole('button', { name: 'Salva modifiche' });
  await save.click();
  await arrived.promise;
  await page.clock.fastForward(45_000);
  await expect(page.getByRole('alert').filter({ hasText: 'Connessione assente o instabile' })).toBeVisible();
  await expect(page.getByLabel('Nome completo')).toHaveValue('Anna Verdi');
  await save.click();
  await expect(page.getByText('Profilo aggiornato con successo')).toBeVisible();
});

test('an account without a password explains how to log in and offers a link to set one', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user();
  await app.make.sql('delete from accounts where user_id = $1', [user.id]);
  const page = await openAs(user);
  await page.goto('/app/profile');
  await expect(page.getByText('Non hai una password: entri con un codice via email.')).toBeVisible();
  await expect(page.getByText(/Metodi di accesso/)).toHaveCount(0);
  await expect(page.getByLabel('Password attuale')).toHaveCount(0);
  await page.getByRole('button', { name: 'Invia il collegamento' }).click();
  await expect(page.getByText(`Controlla la posta di ${user.email}.`)).toBeVisible();
  // Dialogs that need the password explain how to get one.
  for (const action of ['Attiva la verifica', 'Elimina account']) {
    const opener = page.getByRole('button', { name: action });
    await opener.press('Enter');
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('Per continuare serve una password e non ne hai una')).toBeFocused();
    await expect(dialog.getByLabel('La tua password')).toHaveCount(0);
    await expect(dialog.getByRole('button', { name: 'Invia il collegamento' })).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(opener).toBeFocused();
  }
  await page.goto(await mailed(app, user.email, /http\S+#reimposta=\S+/));
  await expect(page.getByRole('heading', { name: 'Scegli una nuova password' })).toBeVisible();
  await page.locator('input[name="password"]').fill('una-nuova');
  await page.getByLabel('Conferma password').fill('una-nuova');
  await page.getByRole('button', { name: 'Salva la password' }).click();
  await expect(page.getByText('Ora puoi accedere con la nuova password.')).toBeVisible();
});

test('a refused download of the own data says why', { tag: '@once' }, async ({ app, openAs, problems }) => {
  problems.expect(/status of 429/);
  const page = await openAs(await app.make.user());
  await page.goto('/app/profile');
  await page.route('**/api/me/data/availability', (route) =>
    route.fulfill({
      status: 429,
      json: { error: { code: 'too_many_requests', message: tooManyRequestsText(3600), fields: {} } },
    }),
  );
  await page.getByRole('button', { name: 'Scarica i miei dati' }).click();
  await expect(page.getByText('Troppi tentativi. Riprova tra un’ora.')).toBeVisible();
  await page.unroute('**/api/me/data/availability');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Scarica i miei dati' }).click();
  expect((await download).suggestedFilename()).toMatch(/^i-miei-dati-.*\.zip$/);
});

test('removing the profile picture is saved at once and leaves no unsaved changes', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const picture = `${app.origin}/foto.svg`;
  const page = await openAs(await app.make.user({ profilePicture: picture }));
  await page.route(picture, (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
  );
  await page.goto('/app/profile');
  await page.getByRole('button', { name: 'Togli la foto' }).click();
  const question = page.getByRole('dialog', { name: 'Togliere la foto?' });
  await question.getByRole('button', { name: 'Annulla' }).click();
  await expect(question).toHaveCount(0);
  await page.getByRole('button', { name: 'Togli la foto' }).click();
  await question.getByRole('button', { name: 'Togli la foto' }).click();
  await expect(page.getByText('Profilo aggiornato con successo')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'I tuoi dati', exact: true })).toBeFocused();
  const file = page.locator('input[type="file"]');
  await file.setInputFiles({ name: 'volto.png', mimeType: 'image/png', buffer: PICTURE });
  await expect(page.getByRole('button', { name: 'Togli la foto' })).toBeVisible();
  // The input is cleared, so the same file can be chosen again.
  await expect(file).toHaveValue('');
  await page.getByRole('link', { name: 'Supporto 24/7' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Supporto 24/7' })).toBeVisible();
});

test('unsaved profile changes are discarded only after confirmation', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user();
  const page = await openAs(user);
  await page.goto('/app/home');
  await page.getByRole('button', { name: /^Account di/ }).click();
  await page.getByRole('menuitem', { name: 'Il mio profilo' }).click();
  await page.getByLabel('Nome completo').fill('Nome a metà');
  const ask = page.getByRole('dialog', { name: 'Uscire senza salvare?' });
  await page.goBack();
  await ask.getByRole('button', { name: 'Resta qui' }).click();
  await expect(ask).toBeHidden();
  await expect(page.getByLabel('Nome completo')).toHaveValue('Nome a metà');
  // Closing the tab shows the browser's own question.
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const browsers = await asked;
  expect(browsers.type()).toBe('beforeunload');
  await browsers.dismiss();
  await expect(page.getByLabel('Nome completo')).toHaveValue('Nome a metà');
  // The back button closes a dialog and stays on the page.
  await page.getByRole('button', { name: 'Attiva la verifica' }).click();
  await expect(page.getByLabel('La tua password')).toBeFocused();
  await page.goBack();
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByRole('link', { name: 'Supporto 24/7' }).click();
  await ask.getByRole('button', { name: 'Esci dalla pagina' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Supporto 24/7' })).toBeFocused();
  await page.goBack();
  await expect(page.getByLabel('Nome completo')).toHaveValue(user.fullName);

  // Saved changes need no confirmation.
  await page.getByLabel('Nome completo').fill('Nome Intero');
  await page.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(page.getByText('Profilo aggiornato con successo')).toBeVisible();

  await page.getByLabel('Password attuale').fill(user.password);
  await page.getByRole('textbox', { name: 'Nuova password', exact: true }).fill(user.password);
  await page.getByLabel('Conferma nuova password').fill(user.password);
  await page.getByRole('button', { name: 'Cambia password' }).click();
  await expect(
    page.getByRole('textbox', { name: 'Nuova password', exact: true }),
  ).toHaveAccessibleDescription(/Scegli una password diversa da quella attuale/);
  await page.getByLabel('Password attuale').fill('');
  await page.getByRole('textbox', { name: 'Nuova password', exact: true }).fill('');
  await page.getByLabel('Conferma nuova password').fill('');
  await page.goBack();
  await expect(page).toHaveURL(/\/app\/home$/);
});

test('an administrator finds, creates, edits and suspends users', async ({ app, openAs }) => {
  const before = {
    fullName: `Zoè Trovàbile ${test.info().project.name}`,
    companyName: 'Ragione Vecchia S.r.l.',
  };
  const target = await app.make.user(before);
  const page = await openAs(await app.make.user({ role: 'admin' }));
  // Faked: the database has no user without a name or an address.
  const nobody = async (route: Route) => {
    const answer = await route.fetch();
    const { items } = await answer.json();
    const [user] = items;
    const json = { items: [{ ...user, fullName: '', email: '' }], total: 1234, nextCursor: null };
    await route.fulfill({ response: answer, json });
  };
  await page.route(/\/api\/users(\?|$)/, nobody, { times: 1 });
  await page.goto('/app/user-management');
  await expect(page.getByText('Totale utenti: 1.234', { exact: true })).toBeVisible();
  await expect(page.getByText('N/A', { exact: true })).toHaveCount(2);
  await page.getByPlaceholder('Cerca utenti...').fill(`zoe trovabile ${test.info().project.name}`);
  await expect(page.getByText(target.email)).toBeVisible();
  await expect(page.getByText('1 di 1')).toBeVisible();
  await expect(page.getByText('Email da confermare')).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page);
  await page.reload();
  await expect(page.getByPlaceholder('Cerca utenti...')).toHaveValue(/^zoe trovabile/);
  await expect(page.getByText('1 di 1')).toBeVisible();
  await page.getByRole('button', { name: `Azioni per ${target.fullName}` }).click();
  await page.getByRole('menuitem', { name: 'Sospendi' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sospendi' }).click();
  await expect(page.getByText('Sospeso', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: `Azioni per ${target.fullName}` }).click();
  await expect(page.getByRole('menuitem', { name: 'Elimina' })).toBeVisible();
  // A suspended account gets no mail.
  await expect(page.getByRole('menuitem', { name: /collegamento/ })).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('menuitem', { name: 'Modifica' }).click();
  const names = page.getByRole('dialog', { name: 'Modifica utente' });
  await names.getByLabel('Nome completo').fill('');
  await names.getByRole('button', { name: 'Salva' }).click();
  await expect(names.getByText('Inserisci il nome completo')).toBeVisible();
  await names.getByLabel('Nome completo').fill(target.fullName);
  await names.getByLabel('Azienda').fill('Ragione Nuova S.r.l.');
  await expectAccessible(page);
  const edited = page.waitForRequest((request) => request.method() === 'PATCH');
  await names.getByRole('button', { name: 'Salva' }).click();
  await expect(page.getByText(`Dati di ${target.fullName} aggiornati`)).toBeVisible();
  // Unchanged fields are not sent: they would overwrite what the owner saved meanwhile.
  expect((await edited).postDataJSON()).toEqual({ companyName: 'Ragione Nuova S.r.l.', from: before });
  await expect(page.getByText('Ragione Nuova S.r.l.')).toBeVisible();

  await page.getByRole('button', { name: 'Nuovo Utente' }).click();
  await page.getByRole('button', { name: 'Crea utente' }).click();
  await expect(page.getByText('Compila tutti i campi obbligatori.')).toHaveCount(3);
  await expect(page.getByRole('textbox', { name: 'Password' })).toHaveAttribute('aria-invalid', 'true');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email').fill(`nuovo.${test.info().project.name}@example.com`);
  await dialog.getByLabel(/^Password/).fill('segreta');
  await dialog.getByLabel('Nome completo').fill('Nuovo Arrivato');
  await expectAccessible(page);
  const sent: string[] = [];
  const note = (request: Request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
  page.on('request', note);
  // Two clicks before the button is disabled send one request.
  await page.getByRole('button', { name: 'Crea utente' }).evaluate((button: HTMLElement) => {
    button.click();
    button.click();
  });
  await expect(page.getByText('Utente Nuovo Arrivato creato con successo')).toBeVisible();
  page.off('request', note);
  expect(sent.filter((request) => request === 'POST /api/users')).toHaveLength(1);
});

test('when two administrators rename one user, the later one is shown both versions', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 409/);
  const target = await app.make.user({ fullName: 'Irma Contesa', companyName: null });
  const elsewhere = await openAs(await app.make.user({ role: 'admin' }));
  const page = await openAs(await app.make.user({ role: 'admin' }));
  const rename = async (fullName: string) => {
    const data = { fullName };
    expect((await elsewhere.request.patch(`/api/users/${target.id}`, { data })).ok()).toBe(true);
  };
  await page.goto(`/app/user-management?cerca=${target.email}`);
  await page.getByRole('button', { name: 'Azioni per Irma Contesa' }).click();
  await page.getByRole('menuitem', { name: 'Modifica' }).click();
  const dialog = page.getByRole('dialog', { name: 'Modifica utente' });
  const name = dialog.getByLabel('Nome completo');
  const save = dialog.getByRole('button', { name: 'Salva', exact: true });
  await name.fill('Irma Mia');
  await rename('Irma Loro');
  await save.click();
  await expect(dialog.getByRole('row', { name: 'Nome completo Irma Mia Irma Loro' })).toBeVisible();
  await expect(dialog.getByRole('row')).toHaveCount(2);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Usa la versione salvata' }).click();
  await expect(name).toHaveValue('Irma Loro');

  await name.fill('Irma Mia');
  await rename('Irma Altrui');
  await save.click();
  await dialog.getByRole('button', { name: 'Salva la mia versione' }).click();
  await expect(page.getByText('Dati di Irma Mia aggiornati')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Azioni per Irma Mia' })).toBeVisible();
});

test('a user who changes a name that an administrator changed meanwhile is shown both versions', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 409/);
  const user = await app.make.user({ fullName: 'Irma Contesa', companyName: null });
  const elsewhere = await openAs(await app.make.user({ role: 'admin' }));
  const page = await openAs(user);
  const rename = async (fullName: string) => {
    const data = { fullName };
    expect((await elsewhere.request.patch(`/api/users/${user.id}`, { data })).ok()).toBe(true);
  };
  await page.goto('/app/profile');
  const name = page.getByLabel('Nome completo');
  const save = page.getByRole('button', { name: 'Salva modifiche' });
  await name.fill('Irma Mia');
  await rename('Irma Loro');
  await save.click();
  await expect(page.getByRole('row', { name: 'Nome completo Irma Mia Irma Loro' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Usa la versione salvata' }).click();
  await expect(name).toHaveValue('Irma Loro');

  await name.fill('Irma Mia');
  await rename('Irma Altrui');
  // The account is read again meanwhile, which must not hide that the name has changed.
  await page.locator('input[type="file"]').setInputFiles({
    name: 'volto.png',
    mimeType: 'image/png',
    buffer: PICTURE,
  });
  await expect(page.getByText('Irma Altrui', { exact: true })).toBeVisible();
  await expect(name).toHaveValue('Irma Mia');
  await save.click();
  await expect(page.getByRole('row', { name: 'Nome completo Irma Mia Irma Altrui' })).toBeVisible();
  await page.getByRole('button', { name: 'Salva la mia versione' }).click();
  await expect(page.getByRole('row')).toHaveCount(0);
  await expect(page.getByText('Irma Mia', { exact: true })).toBeVisible();

  // The own change is what the next one starts from.
  await name.fill('Irma Seconda');
  await save.click();
  await expect(page.getByText('Irma Seconda', { exact: true })).toBeVisible();
});

test('a dialog stays open until its request is answered', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 500/);
  const page = await openAs(await app.make.user({ role: 'admin' }));
  await page.goto('/app/home');
  await page.getByRole('button', { name: /^Account di/ }).click();
  await page.getByRole('menuitem', { name: 'Gestione Utenti' }).click();
  await page.getByRole('button', { name: 'Nuovo Utente' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email').fill('attesa@example.com');
  await dialog.getByLabel(/^Password/).fill('segreta');
  await dialog.getByLabel('Nome completo').fill('Nuova Attesa');
  const { promise: tried, resolve: areTried } = Promise.withResolvers<void>();
  await answerOnce(page, 'users', (route) => tried.then(() => route.fulfill({ status: 500, json: {} })));
  const sending = page.waitForRequest('**/api/users');
  await dialog.getByRole('button', { name: 'Crea utente' }).click();
  await sending;
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Chiudi' }).click();
  await page.goBack();
  await expect(dialog.getByLabel('Nome completo')).toHaveValue('Nuova Attesa');
  await expect(dialog).toHaveCount(1);
  areTried();
  await expect(dialog.getByRole('alert')).toContainText("Errore durante la creazione dell'utente");
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Chiudere senza salvare?' });
  await question.getByRole('button', { name: 'Chiudi senza salvare' }).click();
  await expect(dialog).toHaveCount(0);
});

test('the dialog cannot be closed while the account is being deleted', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 500/);
  const user = await app.make.user();
  const page = await openAs(user);
  await page.goto('/app/profile');
  await page.getByRole('button', { name: 'Elimina account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Elimina account' });
  await dialog.getByLabel('La tua password').fill(user.password);
  await dialog.getByRole('button', { name: 'Continua' }).click();
  const remove = dialog.getByRole('button', { name: 'Elimina definitivamente' });
  const { promise: tried, resolve: isTried } = Promise.withResolvers<void>();
  await answerOnce(page, 'me', (route) => tried.then(() => route.fulfill({ status: 500, json: {} })));
  await remove.click();
  await expect(dialog.locator('button[data-loading]')).toBeVisible();
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Chiudi' }).click();
  isTried();
  await expect(dialog.getByRole('alert')).toContainText('Si è verificato un errore imprevisto');
  await remove.click();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByText(PROFILE_TEXTS.deleted)).toBeVisible();
});

test('deleting a user who is already gone updates the list and says so', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 404/);
  const target = await app.make.user({ fullName: 'Ugo Sparito' });
  const admin = await app.make.user({ role: 'admin' });
  const [page, other] = [await openAs(admin), await openAs(admin)];
  for (const tab of [page, other]) {
    await tab.bringToFront();
    await tab.goto('/app/user-management');
    await tab.getByPlaceholder('Cerca utenti...').fill('ugo sparito');
    // Until then the row may move away under the pointer.
    await expect(tab.getByText('1 di 1')).toBeVisible();
    await tab.getByRole('button', { name: `Azioni per ${target.fullName}` }).click();
    await tab.getByRole('menuitem', { name: 'Elimina' }).click();
    await tab.getByRole('dialog').getByRole('button', { name: 'Elimina', exact: true }).waitFor();
  }
  for (const tab of [other, page]) {
    await tab.bringToFront();
    await tab.getByRole('dialog').getByRole('button', { name: 'Elimina', exact: true }).click();
    await expect(tab.getByRole('dialog')).toBeHidden();
    await expect(
      tab.getByRole('status').filter({ hasText: 'Nessun utente corrisponde alla ricerca' }),
    ).toBeVisible();
  }
  await expect(page.getByText('Non esiste più: la pagina è aggiornata.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Gestione Utenti' })).toBeFocused();
});

test('an administrator who changes their own name sees it in the list of users', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const page = await openAs(await app.make.user({ role: 'admin', fullName: 'Prima Denominazione' }));
  const list = page.getByRole('main');
  const choose = async (item: string) => {
    await page.getByRole('button', { name: /^Account di/ }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await page.goto('/app/user-management');
  await expect(list.getByText('Prima Denominazione')).toBeVisible();
  await choose('Il mio profilo');
  await page.getByLabel('Nome completo').fill('Seconda Denominazione');
  await page.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(page.getByText('Profilo aggiornato con successo')).toBeVisible();
  await choose('Gestione Utenti');
  await expect(list.getByText('Seconda Denominazione')).toBeVisible();
  await expect(list.getByText('Prima Denominazione')).toHaveCount(0);
});

test('user management is closed to customers', { tag: '@once' }, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.goto('/app/user-management');
  await expect(page).toHaveURL(/\/app\/home$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('Accesso non autorizzato')).toBeVisible();
});

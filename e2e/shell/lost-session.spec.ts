import { REFRESH_MINUTES } from '#contract/sessions.ts';
import { answerOnce } from '../support/answer-once.ts';
import { expectUncovered } from '../support/layout.ts';
import { submitLogin } from '../support/login.ts';
import { openMenu } from '../support/menu.ts';
import { expect, test } from '../support/test.ts';

test('a page opened while the logout is answered shows no error, and is read if the logout fails', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 500/);
  const user = await app.make.user();
  const { invoiceNumber: number } = await app.make.invoice(user, await app.make.project(user));
  const page = await openAs(user);
  await page.goto('/app/pagamenti-fatture?vista=fatture');
  const { promise: tried, resolve: isTried } = Promise.withResolvers<void>();
  await page.route(/\/(export|file)\?/, (route) => tried.then(() => route.abort()));
  await page.getByRole('button', { name: `Scarica il PDF della fattura ${number}` }).click();
  await page.getByRole('button', { name: 'Esporta' }).click();
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  await answerOnce(page, 'auth/logout', (route) =>
    tried.then(() => route.fulfill({ status: 500, json: {} })),
  );
  // Pressed again before the answer, it is sent once.
  for (const _press of [1, 2]) {
    await page.getByRole('button', { name: /^Account di/ }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
  }
  await page.getByRole('link', { name: 'Progetti e Team' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Progetti e Team' })).toBeFocused();
  await expect(page.getByRole('main').locator('[aria-busy=true]').first()).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  isTried();
  await expect(page.getByText('Errore durante il logout')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Tutti i Progetti' })).toBeVisible();
  await expect(page.getByRole('main').locator('[aria-busy=true]')).toHaveCount(0);
});

test('a session that ends while writing leads to the login and back without losing the text', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 401/);
  const user = await app.make.user();
  const page = await openAs(user);
  await page.goto('/app/progetti-team');
  await (await openMenu(page)).getByRole('link', { name: 'Supporto 24/7' }).click();
  const message = page.getByLabel('Come possiamo aiutarti?');
  await message.fill('Il furgone è fermo a Melfi');
  await page.setViewportSize({ width: 360, height: 740 });
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Invia al supporto' }).click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByText('Sessione scaduta', { exact: true })).toBeVisible();
  await expectUncovered(page.locator('[type=submit]'));
  await submitLogin(page, user);
  await expect(page).toHaveURL('/app/support');
  await expect(message).toHaveValue('Il furgone è fermo a Melfi');
  await expect(message).toHaveAccessibleDescription(/scrivi dalla pagina «Progetti e Team»/);
  await page.getByRole('button', { name: 'Invia al supporto' }).click();
  const told = page.getByText(/Il numero della tua richiesta è SUP-/);
  await expect(told).toBeVisible();
  const [reference = ''] = /SUP-\w+/.exec((await told.textContent()) ?? '') ?? [];
  expect((await app.mailbox.received(reference)).text).toContain(`Pagina: ${app.origin}/app/progetti-team\n`);
  await expect(page.getByRole('note').filter({ hasText: 'SUP-' })).toBeFocused();
});

test('a dialog closed by a lost session reopens with its input, except passwords', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 401/);
  const admin = await app.make.user({ role: 'admin' });
  const page = await openAs(admin);
  await page.goto('/app/user-management');
  await page.getByRole('button', { name: 'Nuovo Utente' }).click();
  const dialog = page.getByRole('dialog', { name: 'Crea nuovo utente' });
  await dialog.getByLabel('Email').fill('geometra@example.com');
  await dialog.getByLabel('Nome completo').fill('Ugo Ridolfi');
  await dialog.getByLabel(/^Password/).fill('una password');
  await page.context().clearCookies();
  await dialog.getByRole('button', { name: 'Crea utente' }).click();
  await expect(page).toHaveURL('/login');
  await submitLogin(page, admin);
  await expect(page).toHaveURL('/app/user-management');
  await expect(dialog.getByLabel('Email')).toHaveValue('geometra@example.com');
  await expect(dialog.getByLabel('Nome completo')).toHaveValue('Ugo Ridolfi');
  await expect(dialog.getByLabel(/^Password/)).toHaveValue('');

  const customer = await app.make.user();
  const own = await openAs(customer);
  await own.goto('/app/profile');
  const fields = [/^Password attuale/, /^Nuova password/, /^Conferma nuova password/].map((label) =>
    own.getByLabel(label),
  );
  for (const field of fields) await field.fill('un segreto nuovo');
  await own.getByLabel('Nome completo').fill('Ugo Ridolfi');
  // A pending read would meet the ended session first.
  await expect(own.getByRole('main').locator('[aria-busy=true]')).toHaveCount(0);
  await own.context().clearCookies();
  await own.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(own).toHaveURL('/login');
  await submitLogin(own, customer);
  await expect(own.getByLabel('Nome completo')).toHaveValue('Ugo Ridolfi');
  for (const field of fields) await expect(field).toHaveValue('');
});

test('after a lost session, restored input does not overwrite what others saved', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 401/);
  const customer = await app.make.user({ fullName: 'Ugo Quercioli', companyName: 'Quercioli' });
  const request = await app.make.tripRequest(customer);
  const admin = await app.make.user({ role: 'admin' });
  const [page, elsewhere] = await Promise.all([openAs(admin), openAs(admin)]);
  await page.bringToFront();
  await page.goto(`/app/gestione-richieste/${request.id}`);
  const note = page.getByLabel('Nota per il cliente');
  await note.fill('Due camere vicino al porto.');
  const change = await elsewhere.request.post(`/api/admin/trip-requests/${request.id}/state-changes`, {
    headers: { 'idempotency-key': crypto.randomUUID() },
    data: { from: 'Inviata', state: 'Proposta inviata', note: '' },
  });
  expect(change.ok()).toBe(true);
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Aggiorna e avvisa il cliente' }).click();
  await submitLogin(page, admin);
  await expect(note).toHaveValue('Due camere vicino al porto.');
  await expect(page.getByLabel('Stato')).toHaveValue('Proposta inviata');
  await page.getByRole('button', { name: 'Aggiorna e avvisa il cliente' }).click();
  await expect(page.getByText('Richiesta aggiornata')).toBeVisible();

  await page.goto(`/app/user-management?cerca=${customer.email}`);
  await page.getByRole('button', { name: 'Azioni per Ugo Quercioli' }).click();
  await page.getByRole('menuitem', { name: 'Modifica' }).click();
  const dialog = page.getByRole('dialog', { name: 'Modifica utente' });
  await dialog.getByLabel('Azienda').fill('Quercioli Scavi');
  const data = { fullName: 'Ugo Maria Quercioli' };
  expect((await elsewhere.request.patch(`/api/users/${customer.id}`, { data })).ok()).toBe(true);
  await page.context().clearCookies();
  await dialog.getByRole('button', { name: 'Salva modifiche' }).click();
  await submitLogin(page, admin);
  await expect(dialog.getByLabel('Azienda')).toHaveValue('Quercioli Scavi');
  await dialog.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(dialog).toHaveCount(0);
  const own = await openAs(customer);
  await own.goto('/app/profile');
  await expect(own.getByLabel('Nome completo')).toHaveValue('Ugo Maria Quercioli');
  await expect(own.getByLabel('Azienda')).toHaveValue('Quercioli Scavi');

  await own.getByLabel('Azienda').fill('Quercioli e Figli');
  await expect(own.getByRole('main').locator('[aria-busy=true]')).toHaveCount(0);
  await elsewhere.request.patch(`/api/users/${customer.id}`, { data: { fullName: 'Ugo Bassi' } });
  await own.context().clearCookies();
  await own.getByRole('button', { name: 'Salva modifiche' }).click();
  await submitLogin(own, customer);
  await expect(own.getByLabel('Azienda')).toHaveValue('Quercioli e Figli');
  await expect(own.getByLabel('Nome completo')).toHaveValue('Ugo Bassi');
});

test('whoever logs in where the session of another account ended starts at their own first page', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 401/);
  const page = await openAs(await app.make.user({ role: 'admin' }));
  await page.clock.install();
  await page.goto('/app/user-management?cerca=Rossi');
  await expect(page.getByRole('heading', { level: 1, name: 'Gestione Utenti' })).toBeVisible();
  await expect(page.getByRole('main').locator('[aria-busy=true]')).toHaveCount(0);
  await page.context().clearCookies();
  await page.clock.fastForward(REFRESH_MINUTES * 60_000);
  await expect(page).toHaveURL('/login');
  await submitLogin(page, await app.make.user());
  await expect(page).toHaveURL('/app/home');
  await expect(page.getByText('Accesso effettuato con successo!')).toBeVisible();
});

test('an invoice changed during a lost session is shown in both versions', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of (401|409)/);
  const customer = await app.make.user();
  const project = await app.make.project(customer);
  const { invoiceNumber: number } = await app.make.invoice(customer, project, { euro: 480 });
  const clerk = await app.make.invoiceAdmin();
  const [desk, elsewhere] = await Promise.all([openAs(clerk), openAs(clerk)]);
  await desk.bringToFront();
  await desk.goto(`/app/admin/invoices?cerca=${number}`);
  await desk.getByRole('button', { name: `Azioni sulla fattura ${number}` }).click();
  await desk.getByRole('menuitem', { name: 'Modifica' }).click();
  const dialog = desk.getByRole('dialog', { name: 'Modifica fattura' });
  await dialog.getByLabel('Descrizione').fill('Vitto e alloggio');
  const list = await elsewhere.request.get(`/api/admin/invoices?search=${number}`);
  const [{ version, projectId, issueDate, dueDate }] = (await list.json()).items;
  const changed = await elsewhere.request.patch(`/api/admin/invoices/${number}`, {
    data: { version, projectId, issueDate, dueDate, amount: 520, description: '' },
  });
  expect(changed.ok()).toBe(true);
  await desk.context().clearCookies();
  await dialog.getByRole('button', { name: 'Salva modifiche' }).click();
  await submitLogin(desk, clerk);
  await expect(dialog.getByLabel('Descrizione')).toHaveValue('Vitto e alloggio');
  await dialog.getByRole('button', { name: 'Salva modifiche' }).click();
  const notice = dialog.getByRole('note', { name: /^Qualcuno ha modificato questi dati/ });
  await expect(notice.getByRole('row', { name: 'Importo' })).toContainText('€ 480,00');
  await expect(notice.getByRole('row', { name: 'Importo' })).toContainText('€ 520,00');
});

test('a dialog survives a session end noticed in the background, and a login in another tab', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of (401|503)/);
  const admin = await app.make.user({ role: 'admin' });
  const page = await openAs(admin);
  await page.clock.install();
  await page.goto('/app/user-management');
  await page.getByRole('button', { name: 'Nuovo Utente' }).click();
  const dialog = page.getByRole('dialog', { name: 'Crea nuovo utente' });
  await dialog.getByLabel('Email').fill('perito@example.com');
  await page.context().clearCookies();
  await page.clock.fastForward(REFRESH_MINUTES * 60_000);
  await expect(page).toHaveURL('/login');
  await submitLogin(page, admin);
  await expect(page).toHaveURL('/app/user-management');
  await expect(dialog.getByLabel('Email')).toHaveValue('perito@example.com');

  await page.context().clearCookies();
  const otherTab = await page.context().newPage();
  await otherTab.goto('/login');
  const asked = page.waitForResponse('**/api/auth/session');
  await submitLogin(otherTab, admin);
  await expect(otherTab).toHaveURL('/app/home');
  await asked;
  await page.bringToFront();
  await expect(dialog.getByLabel('Email')).toHaveValue('perito@example.com');

  // It also survives when the server does not answer who is signed in.
  await page.context().clearCookies();
  let asks = 0;
  await page.route('**/api/auth/session', (route) => {
    asks += 1;
    return asks > 2 ? route.fallback() : route.fulfill({ status: 503, json: {} });
  });
  await otherTab.bringToFront();
  await otherTab.goto('/login');
  await submitLogin(otherTab, admin);
  // After the second failure the page goes to the login, which asks again.
  await expect.poll(() => asks).toBeGreaterThan(2);
  await expect(page).toHaveURL('/app/user-management');
  await page.bringToFront();
  await expect(dialog.getByLabel('Email')).toHaveValue('perito@example.com');
});

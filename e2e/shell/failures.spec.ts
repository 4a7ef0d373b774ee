import { expectAccessible } from '../support/accessibility.ts';
import { expectWholeWords } from '../support/layout.ts';
import { submitLogin } from '../support/login.ts';
import { openMenu } from '../support/menu.ts';
import { expect, test } from '../support/test.ts';

test('a page that crashes keeps the shell and shows the id of its log entry', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/TypeError: Cannot (destructure|read) /);
  const page = await openAs(await app.make.user());
  await page.goto('/app/support');
  const title = page.getByRole('heading', { level: 1 });
  await expect(title).toHaveText('Supporto 24/7');
  const begins = await title.boundingBox();
  await page.route('**/api/dashboard', (route) => route.fulfill({ json: { today: 'nonsense' } }));
  await page.goto('/app/home');
  const error = page.getByRole('heading', { name: 'Unexpected Application Error!' });
  await expect(error).toBeVisible();
  await expect(error).toHaveAttribute('lang', 'en');
  const box = await error.boundingBox();
  expect({ x: box?.x, y: box?.y }, 'where every page begins').toEqual({ x: begins?.x, y: begins?.y });
  await expect(page.getByText(/Codice da comunicare al supporto: [\w-]{36}/)).toBeVisible();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copia il codice' }).click();
  await expect(page.getByText('Codice copiato.')).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  await expect(page.getByText(copied, { exact: true })).toBeVisible();
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));
  });
  await page.getByRole('button', { name: 'Copia il codice' }).click();
  await expect(page.getByText(/^Copia non riuscita/)).toBeVisible();
  await expect(page.getByRole('button', { name: /^Account di/ })).toBeVisible();
  await expectAccessible(page);
  await page.unroute('**/api/dashboard');
  const menu = await openMenu(page);
  await menu.getByRole('link', { name: 'Supporto 24/7' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Supporto 24/7' })).toBeVisible();
});

test('a page that crashes takes the focus, and leads to Home, also from Home itself', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/TypeError: Cannot (destructure|read) /);
  const page = await openAs(await app.make.user());
  const error = page.getByRole('heading', { name: 'Unexpected Application Error!' });
  const home = page.getByRole('link', { name: 'Torna alla Home' });
  const title = page.getByRole('heading', { level: 1, name: 'Home' });
  const nonsense = { json: { today: 'nonsense' } };
  await page.goto('/app/support');
  await page.route('**/api/invoices/summary', (route) => route.fulfill(nonsense));
  await (await openMenu(page)).getByRole('link', { name: 'Pagamenti e Fatture' }).click();
  await expect(error).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  await home.press('Enter');
  await expect(title).toBeFocused();
  await page.route('**/api/dashboard', (route) => route.fulfill(nonsense));
  await page.reload();
  await expect(error).toBeVisible();
  await page.unroute('**/api/dashboard');
  await home.press('Enter');
  await expect(title).toBeVisible();
  await expect(page.getByText('Progetti Attivi')).toBeVisible();
});

test('a frame that crashes says so in the main part of the page, and leads to the public site', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/TypeError: Cannot (destructure|read) /);
  const page = await openAs(await app.make.user());
  await page.route('**/api/auth/session', (route) => route.fulfill({ json: { me: { id: 'nobody' } } }));
  await page.goto('/app/home');
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible();
  await expectAccessible(page);
  await page.unroute('**/api/auth/session');
  await main.getByRole('link', { name: 'Torna alla pagina iniziale' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('code that fails to load leaves the page and its input, and is requested again', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/Failed to load resource/);
  const customer = await app.make.user();
  await app.make.project(customer, { name: 'Diga di Ridracoli' });
  const page = await openAs(customer);
  await page.goto('/app/progetti-team');
  await page.getByRole('button', { name: 'Modifica Diga di Ridracoli' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Modifica Diga di Ridracoli' });
  const name = dialog.getByRole('textbox', { name: 'Nome Progetto' });
  await name.fill('Diga di Ridracoli, lotto 2');
  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  const cut = () => page.route('**/assets/*.js', (route) => route.abort());
  const missing = page.getByText('Questa parte della pagina non si è caricata');
  const pick = dialog.getByRole('button', { name: 'Seleziona data: Data Fine' });
  await cut();
  await pick.click();
  await expect(missing).toBeVisible();
  await expect(pick).toBeFocused();
  await expect(name).toHaveValue('Diga di Ridracoli, lotto 2');
  // A failure stays, and would be taken for the next one.
  await page.getByRole('button', { name: 'Chiudi notifica' }).click();
  await expect(missing).toHaveCount(0);
  await page.unroute('**/assets/*.js');
  await pick.click();
  await page.getByRole('button', { name: 'Mese successivo' }).click();
  await page.keyboard.press('Escape');
  await expect(name).toHaveValue('Diga di Ridracoli, lotto 2');
  await name.fill('Diga di Ridracoli');
  await dialog.getByRole('button', { name: 'Annulla' }).click();
  await expect(dialog).toHaveCount(0);

  const search = page.getByRole('button', { name: 'Cerca', exact: false }).first();
  await cut();
  await search.click();
  await expect(missing).toBeVisible();
  await expect(search).toHaveAttribute('aria-expanded', 'false');
  await expect(page.getByRole('heading', { level: 1, name: 'Progetti e Team' })).toBeVisible();
  await page.unroute('**/assets/*.js');
  await search.click();
  await expect(page.getByRole('dialog', { name: 'Cerca' })).toBeVisible();
  expect(loads).toBe(0);
});

test('a newly deployed version is loaded with the next page', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 404/);
  const user = await app.make.user();
  const page = await openAs(user);
  // However slow this machine is, the reload begins ten seconds after the click; on a slow connection, it takes a minute.
  await page.addInitScript(() => {
    const [load] = performance.getEntriesByType('navigation');
    const { at } = JSON.parse(sessionStorage.getItem('trasvia:going-to') ?? '{}');
    if (!(load instanceof PerformanceNavigationTiming) || load.type !== 'reload' || !at) return;
    Object.defineProperty(performance, 'timeOrigin', { value: at + 10_000 });
    Date.now = () => at + 70_000 + performance.now();
  });
  await page.goto('/app/home');
  await expect(page.getByText('Progetti Attivi')).toBeVisible();
  let reloads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) reloads += 1;
  });
  // The server no longer has the code of the open version.
  await page.route('**/assets/*.js', (route) =>
    reloads === 0 ? route.fulfill({ status: 404 }) : route.continue(),
  );
  await page.getByRole('link', { name: 'Supporto 24/7' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Supporto 24/7' })).toBeVisible();
  await expect(page).toHaveURL('/app/support');
  // The router reloads once for each missing part of the page.
  expect(reloads).toBeGreaterThan(0);

  // So is the public home, with what a logout says, and the next login does not lead back to the page that was left.
  await page.getByRole('button', { name: /^Account di/ }).click();
  reloads = 0;
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page.getByRole('status').getByText('Logout effettuato con successo')).toBeVisible();
  await expect(page).toHaveURL('/');
  expect(reloads).toBeGreaterThan(0);
  await page.goto('/login');
  await submitLogin(page, user);
  await expect(page).toHaveURL('/app/home');
});

test('a page whose code always fails is loaded again once, and then leads to Home', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const page = await openAs(await app.make.user());
  await page.goto('/app/home');
  await expect(page.getByText('Progetti Attivi')).toBeVisible();
  const module = await page.evaluate<string>(
    "window.__reactRouterManifest.routes['app/support/page'].module",
  );
  await page.route(`**${module}`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("too old a browser")' }),
  );
  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  const error = page.getByRole('heading', { name: 'Unexpected Application Error!' });
  const title = page.getByRole('heading', { level: 1, name: 'Home' });
  await page.getByRole('link', { name: 'Supporto 24/7' }).first().click();
  await expect(error).toBeVisible();
  await expect(page).toHaveURL('/app/support');
  expect(loads).toBe(1);
  await page.getByRole('link', { name: 'Torna alla Home' }).click();
  await expect(title).toBeVisible();

  await page.evaluate(() => sessionStorage.clear());
  loads = 0;
  await page.goto('/app/support');
  await expect(error).toBeVisible();
  await expect(page.getByText('too old a browser')).toBeVisible();
  expect(loads, 'asked for, and once more').toBe(2);
  await page.getByRole('link', { name: 'Torna alla Home' }).click();
  await expect(title).toBeVisible();
});

test('in a browser whose storage fails, a visitor logs in, changes page and writes to support', {
  tag: '@once',
}, async ({ app, browser, problems }) => {
  const user = await app.make.user();
  const context = await browser.newContext();
  problems.watch(context);
  await context.addInitScript(() => {
    const fail = () => {
      throw new DOMException('damaged', 'UnknownError');
    };
    Object.assign(Storage.prototype, { getItem: fail, setItem: fail, removeItem: fail });
  });
  const page = await context.newPage();
  await page.goto('/app/home');
  await expect(page).toHaveURL('/');
  await page.goto('/login');
  await submitLogin(page, user);
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
  const menu = await openMenu(page);
  await menu.getByRole('link', { name: 'Supporto 24/7' }).click();
  await page.getByLabel('Come possiamo aiutarti?').fill('La memoria del browser è guasta');
  // Nothing keeps it, so leaving would lose it.
  await menu.getByRole('link', { name: 'Home' }).click();
  const question = page.getByRole('dialog', { name: 'Uscire senza salvare?' });
  await question.getByRole('button', { name: 'Resta qui' }).click();
  await page.getByRole('button', { name: 'Invia al supporto' }).click();
  await expect(page.getByRole('note').filter({ hasText: 'SUP-' })).toBeVisible();
  await context.close();
});

test('a support request whose page is left meanwhile still says its number, or that it failed', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/Failed to load resource/);
  const user = await app.make.user();
  const page = await openAs(user);
  await page.goto('/app/support');
  let answers = Promise.withResolvers<'lost' | 'given'>();
  await page.route('**/api/support-requests', async (route) =>
    (await answers.promise) === 'lost' ? route.abort() : route.fallback(),
  );
  const message = page.getByLabel('Come possiamo aiutarti?');
  const words = 'Il pullman delle sei non è arrivato.';
  await message.fill(words);
  const visit = async (name: string) => {
    await (await openMenu(page)).getByRole('link', { name }).click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  };
  const sendAndReturn = async () => {
    await page.getByRole('button', { name: 'Invia al supporto' }).click();
    await expect(message).not.toBeEditable();
    await visit('Home');
    await visit('Supporto 24/7');
    await expect(page.getByText('Stiamo inviando il tuo messaggio…')).toBeVisible();
    await expect(message).toBeHidden();
  };
  await sendAndReturn();
  answers.resolve('lost');
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(message).toHaveValue(words);

  answers = Promise.withResolvers();
  await sendAndReturn();
  answers.resolve('given');
  await expect(page.getByText(/^Il numero della tua richiesta è SUP-\w+\.$/)).toBeVisible();
  await expect(message).toHaveValue('');
  const { rows } = await app.make.sql('select from support_requests where user_id = $1', [user.id]);
  expect(rows).toHaveLength(1);
});

test('a failure is shown for a thousand seconds', { tag: '@once' }, async ({ app, openAs, problems }) => {
  problems.expect(/status of 500/);
  const user = await app.make.user();
  const { name } = await app.make.employee(user);
  const page = await openAs(user);
  await page.clock.install();
  await page.goto('/app/progetti-team?tab=team');
  await page.route('**/api/employees/*/status', (route) => route.fulfill({ status: 500, json: {} }));
  const status = page.getByRole('combobox', { name: `Stato di ${name}` });
  await expect(status).toBeVisible();
  await page.clock.pauseAt(Date.now() + 60_000);
  await status.selectOption('Rientrato');
  const failure = page.locator('[data-at]');
  const isShown = async () => {
    await page.clock.runFor(100);
    return failure.isVisible();
  };
  await expect.poll(isShown, { intervals: [100] }).toBe(true);
  await page.clock.fastForward(995_000);
  await expect(failure).toBeVisible();
  await page.clock.runFor(5_000);
  await expect(failure).toHaveCount(0);
});

test('a support request retried after a lost answer and a reload is sent once', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/Failed to load resource/);
  const user = await app.make.user();
  const page = await openAs(user);
  await page.goto('/app/support');
  const keys: (string | undefined)[] = [];
  const waited = Promise.withResolvers<void>();
  let lost: 'whole' | 'body' | null = 'whole';
  await page.route('**/api/support-requests', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (lost === null) return route.fallback();
    await route.fetch();
    await waited.promise;
    await (lost === 'whole' ? route.abort() : route.fulfill({ status: 201 }));
  });
  const message = page.getByLabel('Come possiamo aiutarti?');
  await message.fill('Serve una navetta per il turno di notte.');
  const send = page.getByRole('button', { name: 'Invia al supporto' });
  await send.click();
  // Text added while sending would be taken for sent.
  await expect(message).not.toBeEditable();
  waited.resolve();
  await expect(page.getByRole('alert')).toBeVisible();
  await page.reload();
  lost = 'body';
  await send.click();
  await expect(page.getByRole('alert')).toContainText('Connessione assente o instabile');
  lost = null;
  await send.click();
  const confirmation = page.getByRole('note').filter({ hasText: 'SUP-' });
  await expect(confirmation).toBeVisible();
  for (const width of [320, 340, 360, 380, 400]) {
    await page.setViewportSize({ width, height: 740 });
    await expectWholeWords(confirmation);
  }
  expect(new Set(keys)).toEqual(new Set([expect.stringMatching(/^[\da-f-]{36}$/)]));
  const { rows } = await app.make.sql('select from support_requests where user_id = $1', [user.id]);
  expect(rows).toHaveLength(1);
});

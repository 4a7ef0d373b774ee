import type { Locator, Page } from '@playwright/test';
import { addDays, formatDate, todayInRome, withArticle } from '#contract/dates.ts';
import { REFRESH_MINUTES } from '#contract/sessions.ts';
import { pdfOf } from '#server/testing/pdf.ts';
import { expectAccessible, expectContrast } from './support/accessibility.ts';
import { answerOnce } from './support/answer-once.ts';
import { expectTitleUncovered, expectToFit, expectUncovered, expectWholeWords } from './support/layout.ts';
import { roundTripsOf } from './support/round-trips.ts';
import { expect, test } from './support/test.ts';

const SEVEN_DAYS = 7 * 86_400;

/** The side menu; opens the drawer first where it is one. */
async function openMenu(page: Page) {
  const opener = page.getByRole('button', { name: 'Apri il menu' });
  if (await opener.isVisible()) await opener.click();
  return page.getByRole('navigation', { name: 'Menu principale' });
}

async function logIn(page: Page, user: { email: string; password: string }): Promise<void> {
  await page.getByLabel('Email o username').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.getByRole('button', { name: 'Accedi' }).click();
}

test('the menu has five entries for a customer and marks the current page', async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.goto('/app');
  await expect(page).toHaveURL('/app/home');
  const menu = await openMenu(page);
  await expect(menu.getByRole('link')).toHaveText([
    'Home',
    'Nuova Trasferta',
    'Pagamenti e Fatture',
    'Progetti e Team',
    'Supporto 24/7',
  ]);
  await expect(menu.locator('[aria-current=page]')).toHaveText('Home');
  await menu.getByRole('link', { name: 'Supporto 24/7' }).click();
  await expect(page).toHaveURL('/app/support');
  await expect(page.getByRole('heading', { level: 1, name: 'Supporto 24/7' })).toBeFocused();
});

test('closing the menu on a phone returns the focus to its button', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const page = await openAs(await app.make.user());
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/app/support');
  const opener = page.getByRole('button', { name: 'Apri il menu' });
  const menu = page.getByRole('dialog', { name: 'Menu' });
  for (const _ of ['first', 'again']) {
    await opener.press('Enter');
    await expect(menu.getByRole('button', { name: 'Chiudi' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(opener).toBeFocused();
  }
});

test('on a phone no toast covers an entry of the menu', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 500/);
  const page = await openAs(await app.make.user());
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/app/support');
  await page.getByRole('button', { name: /^Account di/ }).click();
  await answerOnce(page, 'auth/logout', (route) => route.fulfill({ status: 500, json: {} }));
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page.getByText('Errore durante il logout')).toBeVisible();
  const menu = await openMenu(page);
  for (const entry of await menu.getByRole('link').all()) await entry.click({ trial: true });
});

test('on a small laptop lists are tables that fit beside the menu, and cards where they do not fit @once', async ({
  app,
  openAs,
}) => {
  const customer = await app.make.user({
    fullName: 'Annamaria Quattrocchi',
    companyName: 'Quattrocchi Montaggi S.r.l.',
  });
  const project = await app.make.project(customer, {
    name: 'Montaggio linea imbottigliamento',
    location: 'Civitavecchia (RM)',
    projectedTotal: '148500.00',
  });
  await app.make.employee(customer, { name: 'Alessandro Castellani', role: 'Capocantiere' });
  await app.make.invoice(customer, project, { euro: 38192.7 });
  const other = await app.make.user({
    companyName: null,
    email: `${'ufficio.acquisti.'.repeat(4)}@example.com`,
  });
  await app.make.invoice(other, await app.make.project(other), { euro: 999_999.99 });
  const lists = [
    { user: customer, path: '/app/progetti-team', table: 'Tutti i progetti' },
    { user: customer, path: '/app/progetti-team?tab=team', table: 'Team completo' },
    { user: customer, path: '/app/pagamenti-fatture?vista=fatture', table: 'Tutte le fatture' },
    { user: await app.make.invoiceAdmin(), path: '/app/admin/invoices', table: 'Fatture nel sistema' },
    { user: await app.make.user({ role: 'admin' }), path: '/app/user-management', table: 'Utenti' },
  ];
  for (const { user, path, table } of lists) {
    const page = await openAs(user);
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.goto(path);
    await expect(page.getByRole('table', { name: table }).getByRole('rowheader').first()).toBeVisible();
    await expectToFit(page);
    await page.setViewportSize({ width: 800, height: 720 });
    await expect(page.getByRole('list', { name: table })).toBeVisible();
    await expectToFit(page);
    // Letters half as large again, on a phone.
    await page.setViewportSize({ width: 360, height: 740 });
    await page.addStyleTag({ content: 'html { font-size: 150%; }' });
    await expectToFit(page);
    for (const selector of await page.getByRole('combobox', { name: /^Stato di / }).all()) {
      expect((await selector.boundingBox())?.width, 'its words can be read').toBeGreaterThan(150);
    }
  }
});

test('a note on a page does not interrupt a screen reader', { tag: '@once' }, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.goto('/app/home');
  await expect(page.getByRole('note', { name: 'Questi sono dati di esempio' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('Ctrl+B collapses the menu to icons for seven days', async ({ app, openAs, isMobile }) => {
  const page = await openAs(await app.make.user());
  await page.goto('/app/home');
  await page.getByRole('button', { name: /^Account di/ }).waitFor();
  await page.keyboard.press('Control+b');
  if (isMobile) {
    await expect(page.getByRole('dialog').getByRole('link', { name: 'Home', exact: true })).toBeVisible();
    await page.keyboard.press('Control+b');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    return;
  }
  const side = page.getByRole('navigation', { name: 'Menu principale' }).locator('xpath=../..');
  await expect(side).toHaveCSS('width', '48px');
  const [cookie] = (await page.context().cookies()).filter(({ name }) => name === 'sidebar_state');
  const seconds = (cookie?.expires ?? 0) - Date.now() / 1000;
  expect(Math.abs(seconds - SEVEN_DAYS)).toBeLessThan(120);
  await page.reload();
  await expect(side).toHaveCSS('width', '48px');
  await expect(page.getByRole('link', { name: 'Nuova Trasferta' }).first()).toBeVisible();
  const home = page.getByRole('link', { name: 'Home', exact: true });
  await home.focus();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('tooltip', { name: 'Nuova Trasferta' })).toBeVisible();
  await side.getByRole('link', { name: 'Supporto 24/7' }).hover();
  await expect(page.getByRole('tooltip', { name: 'Supporto 24/7' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('tooltip')).toHaveCount(0);
  await page.keyboard.press('Control+b');
  await expect(side).toHaveCSS('width', '256px');
  const focused = page.getByRole('link', { name: 'Nuova Trasferta' }).first();
  await expect(focused).toBeFocused();
  await page.keyboard.press('Control+b');
  await expect(side).toHaveCSS('width', '48px');
  await expect(focused).toBeFocused();
});

/** Fails when the background of `part` is that of the page, which is drawn in `Canvas`. */
async function expectToStandOut(part: Locator): Promise<void> {
  await expect(part).not.toHaveCSS('background-color', /^rgba\(.*, 0\)$|^rgb\(255, 255, 255\)$/);
}

test('with forced colours, selected items and charts stay visible', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user();
  const project = await app.make.project(user, { name: 'Diga di Ridracoli', projectedTotal: '100.00' });
  await app.make.invoice(user, project, { euro: 900, issueDate: todayInRome() });
  await app.make.employee(user, { status: 'in trasferta' }, project);
  const page = await openAs(user);
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
  const read = Promise.withResolvers<void>();
  await page.route('**/api/dashboard', async (route) => {
    await read.promise;
    await route.continue();
  });
  await page.goto('/app/home');
  const ring = page.getByRole('main').getByRole('status').locator('[aria-hidden]');
  await expect(ring).toHaveCSS('border-left-color', 'rgb(0, 0, 0)');
  await expect(ring).toHaveCSS('border-top-color', 'rgb(255, 255, 255)');
  read.resolve();
  const menu = page.getByRole('navigation', { name: 'Menu principale' });
  await expectToStandOut(menu.getByRole('link', { name: 'Home', exact: true }));
  await expectToStandOut(page.locator('[data-highest="true"]'));
  await expectToStandOut(page.locator('[data-over="true"]'));
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /Cerca pagine/ }).fill('supporto');
  await expectToStandOut(page.getByRole('option', { selected: true }));
  await page.goto('/app/progetti-team');
  await expectToStandOut(page.getByRole('tab', { selected: true }));
  await expectToStandOut(page.getByRole('progressbar').first().locator('div'));
  await page.getByRole('tab', { name: 'Team' }).click();
  await expect(page.getByTitle(/^Diga di Ridracoli, /)).toHaveCSS('outline-style', 'solid');
  await expectToStandOut(page.getByTitle(/^In trasferta: /));
  await page.goto('/app/pagamenti-fatture');
  const marks = page.getByText(/^\s*Pagate\s+Da pagare$/).locator('span');
  await expect(marks.first()).toHaveCSS('background-color', 'rgb(0, 0, 0)');
  await expect(marks.last()).toHaveCSS('background-image', /^repeating-linear-gradient/);
  await page.goto('/app/requirements');
  await page.getByRole('textbox', { name: 'Destination' }).fill('Rotterdam');
  await page.getByRole('textbox', { name: 'Start date' }).fill(formatDate(todayInRome()));
  await page.getByRole('textbox', { name: 'End date' }).fill(formatDate(addDays(todayInRome(), 3)));
  await page.getByRole('button', { name: 'Choose a date: Start date' }).click();
  await expectToStandOut(page.locator('[data-selected]'));
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expectToStandOut(page.getByRole('radio', { checked: true }).first());
  await page.getByLabel('Wi-Fi').check();
  await expectToStandOut(page.getByLabel('Wi-Fi'));
});

test('a printed page has no toasts, buttons or filters', { tag: '@once' }, async ({ app, openAs }) => {
  const user = await app.make.user();
  await app.make.project(user, { name: 'Diga' });
  const page = await openAs(user);
  await page.goto('/app/progetti-team');
  const table = page.getByRole('table', { name: 'Tutti i progetti' });
  const pressed = [
    page.getByRole('button', { name: 'Nuovo Progetto' }),
    page.getByRole('tab', { name: 'Team' }),
    page.getByRole('search'),
    page.getByRole('button', { name: 'Modifica Diga' }).first(),
    table.getByRole('columnheader', { name: 'Azioni' }),
    table.getByRole('columnheader', { name: 'Dettagli' }),
  ];
  await expect(table.getByRole('rowheader', { name: 'Diga' })).toBeVisible();
  for (const part of pressed) await expect(part).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  for (const part of pressed) await expect(part).toBeHidden();
  await expect(table.getByRole('rowheader', { name: 'Diga' })).toBeVisible();
  await page.emulateMedia({ media: null });

  await page.goto('/app/profile');
  await page.getByLabel('Nome completo').fill('Anna Verdi');
  await page.getByRole('button', { name: 'Salva modifiche' }).click();
  const said = page.getByText('Profilo aggiornato con successo');
  await expect(said).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(said).toBeHidden();
});

test('a page is printed in the light scheme, also where the system has the dark one', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user();
  await app.make.project(user, { name: 'Diga' });
  const page = await openAs(user);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/app/progetti-team');
  await expect(page.getByRole('rowheader', { name: 'Diga' })).toBeVisible();
  await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark');
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('html')).toHaveCSS('color-scheme', 'light');
  await expect(page.getByRole('heading', { name: 'Diga' })).toBeVisible();
  await expectContrast(page);
});

test('the title of Home does not move when its code loads, with either width of the menu', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  const title = page.getByRole('heading', { level: 1, name: 'Home' });
  for (const [state, width] of [
    ['collapsed', '48px'],
    ['expanded', '256px'],
  ] as const) {
    await page.context().addCookies([{ name: 'sidebar_state', value: state, url: app.origin }]);
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/assets/opening-*.js', async (route) => {
      await promise;
      await route.continue();
    });
    await page.goto('/app/home', { waitUntil: 'commit' });
    const before = await title.boundingBox();
    resolve();
    const side = page.getByRole('navigation', { name: 'Menu principale' }).locator('xpath=../..');
    await expect(side).toHaveCSS('width', width);
    await page.unrouteAll();
    expect((await title.boundingBox())?.x).toBe(before?.x);
  }
});

test('Home left open over midnight reloads its data when the user returns', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.goto('/app/home');
  await expect(page.getByText('Fatture da Pagare')).toBeVisible();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  /** Each return to the page asks who is signed in. */
  const comeBack = async () => {
    const session = page.waitForResponse('**/api/auth/session');
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    await session;
  };
  await comeBack();
  expect(asked).not.toContain('/api/dashboard');
  await page.clock.setSystemTime(Date.now() + 86_400_000);
  const again = page.waitForResponse('**/api/dashboard');
  await comeBack();
  await again;
});

test('a page in front at midnight shows the new day', { tag: '@once' }, async ({ app, openAs }) => {
  const user = await app.make.user();
  await app.make.project(user, { endDate: addDays(todayInRome(), 3) });
  const page = await openAs(user);
  await page.clock.install();
  const tomorrow = async (path: string) => {
    const again = page.waitForResponse(`**/api/${path}`);
    await page.clock.fastForward(86_400_000);
    await again;
  };
  await page.goto('/app/home');
  await expect(page.getByText('Fatture da Pagare')).toBeVisible();
  await tomorrow('dashboard');
  await page.goto('/app/progetti-team');
  await expect(page.getByText('ancora 2 giorni')).toBeVisible();
  await tomorrow('projects?*');
  await expect(page.getByText('termina domani')).toBeVisible();
  // What is overdue.
  await page.goto('/app/pagamenti-fatture');
  await expect(page.getByText('Spesa totale ad oggi')).toBeVisible();
  await tomorrow('invoices/summary');
});

test('each role is redirected away from the pages of others', { tag: '@once' }, async ({
  app,
  openAs,
  page,
  problems,
}) => {
  await page.goto('/app/profile');
  await expect(page).toHaveURL('/');

  problems.expect(/status of 404/);
  const customer = await openAs(await app.make.user());
  for (const path of ['/app/admin/invoices', '/app/admin/sconosciuta']) {
    await customer.goto(path);
    await expect(customer).toHaveURL('/app/home');
  }
  await customer.goto('/app/sconosciuta');
  const unknown = customer.getByRole('heading', { level: 1 });
  await expect(unknown).toHaveText('Oops! Page not found');
  await expect(unknown).toHaveAttribute('lang', 'en');
  await expectAccessible(customer);
  await customer.getByRole('link', { name: 'Torna alla home' }).click();
  await expect(customer).toHaveURL('/app/home');

  const clerk = await openAs(await app.make.invoiceAdmin());
  await clerk.goto('/app/sconosciuta');
  await expect(clerk).toHaveURL('/app/admin/invoices');
  await clerk.goto('/app/admin/sconosciuta');
  await clerk.getByRole('link', { name: 'Torna alla home' }).click();
  await expect(clerk).toHaveURL('/app/admin/invoices');
});

test.describe('before its code is loaded', { tag: '@once' }, () => {
  test.use({ javaScriptEnabled: false });

  test('Home shows its title to a signed-in customer, and a loading state to others', async ({
    app,
    openAs,
    page,
  }) => {
    const customer = await openAs(await app.make.user());
    const answer = await customer.goto('/app/home');
    expect(answer?.headers().vary).toContain('Cookie');
    await expect(customer.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
    await expect(customer.getByText('Bentornato! Ecco una panoramica')).toBeVisible();
    await expect(customer.getByRole('status')).toHaveText('Caricamento in corso…');
    await expectToFit(customer);

    const clerk = await openAs(await app.make.invoiceAdmin());
    for (const [visited, path] of [
      [customer, '/app/profile'],
      [page, '/app/home'],
      [clerk, '/app/home'],
    ] as const) {
      await visited.goto(path);
      await expect(visited.getByRole('status')).toHaveText('Caricamento in corso…');
      await expect(visited.getByRole('heading')).toHaveCount(0);
    }
    await expect(clerk).toHaveURL('/app/admin/invoices');
  });
});

test('no page needs more than two round trips to the API', { tag: '@once' }, async ({ app, openAs }) => {
  const { make } = app;
  const customer = await make.user();
  const project = await make.project(customer);
  await make.assign(customer, project, await make.employee(customer));
  await make.invoice(customer, project);
  const { id } = await make.tripRequest(customer);
  const pages: [Page, string[]][] = [
    [
      await openAs(customer),
      [
        'home',
        'progetti-team',
        'nuova-trasferta',
        'nuova-trasferta/richieste',
        `nuova-trasferta/richieste/${id}`,
        'pagamenti-fatture',
        'profile',
        'support',
        'requirements',
      ],
    ],
    [
      await openAs(await make.user({ role: 'admin' })),
      ['user-management', 'gestione-richieste', `gestione-richieste/${id}`],
    ],
    [await openAs(await make.invoiceAdmin()), ['admin/invoices']],
  ];
  const unexpected = [];
  for (const [page, paths] of pages) {
    await page.bringToFront();
    for (const path of paths) {
      const trips = await roundTripsOf(page, `/app/${path}`);
      // Zero would mean that nothing was measured.
      if (trips < 1 || trips > 2) unexpected.push({ path, trips });
    }
  }
  expect(unexpected).toEqual([]);
});

test('the user menu shows what each role may do, and logging out says so', async ({ app, openAs }) => {
  const page = await openAs(await app.make.user({ role: 'admin', username: 'anna.admin' }));
  await page.clock.install();
  await page.goto('/app/home');
  await page.getByRole('button', { name: /Account di anna.admin/ }).click();
  await expect(page.getByRole('menuitem', { name: 'Gestione Utenti' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Il mio profilo' })).toBeVisible();
  // By keyboard: the first entry has the focus, arrows move it, Esc returns it.
  await expect(page.getByRole('menuitem', { name: 'Gestione Utenti' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Gestione Richieste' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: /Account di anna.admin/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/');
  const said = page.getByRole('status').getByText('Logout effettuato con successo');
  await expect(said).toBeVisible();
  await page.clock.fastForward(8000);
  await expect(said).toBeVisible();
  await page.clock.fastForward(2000);
  await expect(said).toHaveCount(0);
  await page.goto('/app/home');
  await expect(page).toHaveURL('/');
});

test('a page opened while the logout is answered shows no error, and is read if the logout fails', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 500/);
  const page = await openAs(await app.make.user());
  await page.goto('/app/home', { waitUntil: 'networkidle' });
  const { promise: tried, resolve: isTried } = Promise.withResolvers<void>();
  await answerOnce(page, 'auth/logout', (route) =>
    tried.then(() => route.fulfill({ status: 500, json: {} })),
  );
  await page.getByRole('button', { name: /^Account di/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await page.getByRole('link', { name: 'Pagamenti e Fatture' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Pagamenti e Fatture' })).toBeFocused();
  await expect(page.getByRole('main').locator('[aria-busy=true]').first()).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  isTried();
  await expect(page.getByText('Errore durante il logout')).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Fatture' })).toBeVisible();
  await expect(page.getByRole('main').locator('[aria-busy=true]')).toHaveCount(0);
});

test('login, logout and the way between the public site and the application move the focus to the new page', {
  tag: '@once',
}, async ({ page, app }) => {
  const { username, password } = await app.make.user();
  const title = page.getByRole('heading', { level: 1, name: 'Home', exact: true });
  await page.goto('/login');
  await page.getByLabel('Email o username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Accedi', exact: true }).click();
  await expect(title).toBeFocused();
  await page.goto('/');
  await page.getByRole('link', { name: 'Accedi' }).first().press('Enter');
  await expect(title).toBeFocused();
  await page.getByRole('button', { name: /^Account di/ }).press('Enter');
  await page.getByRole('menuitem', { name: 'Logout' }).press('Enter');
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('main')).toBeFocused();
  // A document that is opened leaves the focus to the browser.
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expect(page.locator('body')).toBeFocused();
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
  await logIn(page, user);
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
  await logIn(page, admin);
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
  await own.context().clearCookies();
  await own.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(own).toHaveURL('/login');
  await logIn(own, customer);
  await expect(own.getByLabel('Nome completo')).toHaveValue('Ugo Ridolfi');
  for (const field of fields) await expect(field).toHaveValue('');
});

test('after a lost session, restored input does not overwrite what others saved', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 401/);
  const customer = await app.make.user({ fullName: 'Ugo Ridolfi', companyName: 'Ridolfi' });
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
  await logIn(page, admin);
  await expect(note).toHaveValue('Due camere vicino al porto.');
  await expect(page.getByLabel('Stato')).toHaveValue('Proposta inviata');
  await page.getByRole('button', { name: 'Aggiorna e avvisa il cliente' }).click();
  await expect(page.getByText('Richiesta aggiornata')).toBeVisible();

  await page.goto(`/app/user-management?cerca=${customer.email}`);
  await page.getByRole('button', { name: 'Azioni per Ugo Ridolfi' }).click();
  await page.getByRole('menuitem', { name: 'Modifica' }).click();
  const dialog = page.getByRole('dialog', { name: 'Modifica utente' });
  await dialog.getByLabel('Azienda').fill('Ridolfi Scavi');
  const data = { fullName: 'Ugo Maria Ridolfi' };
  expect((await elsewhere.request.patch(`/api/users/${customer.id}`, { data })).ok()).toBe(true);
  await page.context().clearCookies();
  await dialog.getByRole('button', { name: 'Salva' }).click();
  await logIn(page, admin);
  await expect(dialog.getByLabel('Azienda')).toHaveValue('Ridolfi Scavi');
  await dialog.getByRole('button', { name: 'Salva' }).click();
  await expect(dialog).toHaveCount(0);
  const own = await openAs(customer);
  await own.goto('/app/profile');
  await expect(own.getByLabel('Nome completo')).toHaveValue('Ugo Maria Ridolfi');
  await expect(own.getByLabel('Azienda')).toHaveValue('Ridolfi Scavi');

  await own.getByLabel('Azienda').fill('Ridolfi e Figli');
  await elsewhere.request.patch(`/api/users/${customer.id}`, { data: { fullName: 'Ugo Bassi' } });
  await own.context().clearCookies();
  await own.getByRole('button', { name: 'Salva modifiche' }).click();
  await logIn(own, customer);
  await expect(own.getByLabel('Azienda')).toHaveValue('Ridolfi e Figli');
  await expect(own.getByLabel('Nome completo')).toHaveValue('Ugo Bassi');
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
  await logIn(desk, clerk);
  await expect(dialog.getByLabel('Descrizione')).toHaveValue('Vitto e alloggio');
  await dialog.getByRole('button', { name: 'Salva modifiche' }).click();
  const notice = dialog.getByRole('note', { name: /^Qualcuno ha modificato questi dati/ });
  await expect(notice.getByRole('row', { name: 'Importo' })).toContainText('€ 480,00');
  await expect(notice.getByRole('row', { name: 'Importo' })).toContainText('€ 520,00');
});

test('a form stays open when its entry leaves the list', { tag: '@once' }, async ({ app, openAs }) => {
  const customer = await app.make.user({ fullName: 'Ugo Ridolfi', companyName: 'Argine vecchio' });
  const project = await app.make.project(customer);
  const { invoiceNumber: number } = await app.make.invoice(customer, project);
  /** Makes the page read again: its data gets stale, and the connection comes back. */
  const readAnew = async (page: Page) => {
    // Going offline would break pending prefetches of code.
    await page.waitForLoadState('networkidle');
    await page.clock.fastForward('06:00');
    await page.context().setOffline(true);
    await expect(page.getByText('Sei offline', { exact: false })).toBeVisible();
    await page.context().setOffline(false);
  };

  const clerk = await app.make.invoiceAdmin();
  const [desk, elsewhere] = await Promise.all([openAs(clerk), openAs(clerk)]);
  await desk.bringToFront();
  await desk.clock.install();
  await desk.goto(`/app/admin/invoices?stato=Da+Pagare&cerca=${number}`);
  await desk.getByRole('button', { name: `Azioni sulla fattura ${number}` }).click();
  await desk.getByRole('menuitem', { name: 'Modifica' }).click();
  const invoice = desk.getByRole('dialog', { name: 'Modifica fattura' });
  // Typed earlier, the text would go to the first field, which gets the focus when the dialog opens.
  await expect(invoice.getByRole('combobox', { name: 'Progetto' })).toBeFocused();
  await invoice.getByLabel('Descrizione').fill('Vitto e alloggio');
  const paid = { data: { numbers: [number], status: 'Pagata' } };
  expect((await elsewhere.request.put('/api/admin/invoices/status', paid)).ok()).toBe(true);
  await readAnew(desk);
  await expect(desk.getByText('Nessuna fattura corrisponde ai filtri.')).toBeVisible();
  await expect(invoice.getByLabel('Descrizione')).toHaveValue('Vitto e alloggio');

  const [users, otherTab] = await Promise.all([
    openAs(await app.make.user({ role: 'admin' })),
    openAs(await app.make.user({ role: 'admin' })),
  ]);
  await users.bringToFront();
  await users.clock.install();
  await users.goto('/app/user-management?cerca=Argine+vecchio');
  await users.getByRole('button', { name: 'Azioni per Ugo Ridolfi' }).click();
  await users.getByRole('menuitem', { name: 'Modifica' }).click();
  const user = users.getByRole('dialog', { name: 'Modifica utente' });
  await user.getByLabel('Nome completo').fill('Ugo Maria Ridolfi');
  const moved = { data: { companyName: 'Altrove' } };
  expect((await otherTab.request.patch(`/api/users/${customer.id}`, moved)).ok()).toBe(true);
  await readAnew(users);
  await expect(users.getByText('Nessun utente corrisponde alla ricerca').first()).toBeVisible();
  await expect(user.getByLabel('Nome completo')).toHaveValue('Ugo Maria Ridolfi');
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
  await logIn(page, admin);
  await expect(page).toHaveURL('/app/user-management');
  await expect(dialog.getByLabel('Email')).toHaveValue('perito@example.com');

  await page.context().clearCookies();
  const otherTab = await page.context().newPage();
  await otherTab.goto('/login');
  const asked = page.waitForResponse('**/api/auth/session');
  await logIn(otherTab, admin);
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
  await logIn(otherTab, admin);
  // After the second failure the page goes to the login, which asks again.
  await expect.poll(() => asks).toBeGreaterThan(2);
  await expect(page).toHaveURL('/app/user-management');
  await page.bringToFront();
  await expect(dialog.getByLabel('Email')).toHaveValue('perito@example.com');
});

test('a page that crashes keeps the shell and shows the id of its log entry', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/./);
  const page = await openAs(await app.make.user());
  await page.route('**/api/dashboard', (route) => route.fulfill({ json: { today: 'nonsense' } }));
  await page.goto('/app/home');
  const error = page.getByRole('heading', { name: 'Unexpected Application Error!' });
  await expect(error).toBeVisible();
  await expect(error).toHaveAttribute('lang', 'en');
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

test('a long list is rendered in full, and going back restores its scroll position', async ({
  app,
  openAs,
}) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer);
  await Promise.all(Array.from({ length: 26 }, () => app.make.invoice(customer, project)));
  const page = await openAs(customer);
  await page.goto('/app/home');
  await expect(page.getByRole('button', { name: /^Account di/ })).toBeVisible();
  await (await openMenu(page)).getByRole('link', { name: 'Pagamenti e Fatture' }).click();
  await page.getByRole('tab', { name: 'Fatture' }).click();
  const entries = page.getByRole('button', { name: /^Elimina la fattura/ });
  await expect(entries).toHaveCount(25);
  await entries.last().scrollIntoViewIfNeeded();
  const menu = await openMenu(page);
  const position = () => page.evaluate(() => scrollY);
  const before = await position();
  expect(before).toBeGreaterThan(0);
  await menu.getByRole('link', { name: 'Supporto 24/7' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Supporto 24/7' })).toBeVisible();
  await page.goBack();
  await expect(entries).toHaveCount(25);
  await expect.poll(position).toBe(before);
  await page.getByRole('button', { name: 'Mostra altre' }).click();
  await expect(entries).toHaveCount(26);
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.matches('[data-entry]:last-child')))
    .toBe(true);
});

test('of a list of more than a hundred entries those near the window are rendered, and none is lost', async ({
  app,
  openAs,
  isMobile,
}) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer);
  for (let page = 0; page < 6; page += 1) {
    await Promise.all(Array.from({ length: 25 }, () => app.make.invoice(customer, project)));
  }
  const page = await openAs(customer);
  await page.goto('/app/home');
  await expect(page.getByRole('button', { name: /^Account di/ })).toBeVisible();
  await (await openMenu(page)).getByRole('link', { name: 'Pagamenti e Fatture' }).click();
  await page.getByRole('tab', { name: 'Fatture' }).click();
  const entries = page.getByRole('button', { name: /^Elimina la fattura/ });
  const showMore = async (shown: number) => {
    await page.getByRole('button', { name: 'Mostra altre' }).click();
    await expect(page.getByText(`${shown} di 150`)).toBeVisible();
  };
  await expect(page.getByText('25 di 150')).toBeVisible();
  for (const shown of [50, 75, 100]) await showMore(shown);
  await expect(entries).toHaveCount(100);

  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-index'));
  for (const shown of [125, 150]) {
    await showMore(shown);
    await expect.poll(focused).toBe(String(shown - 25));
    await expect(page.locator('[data-index]:focus')).toBeInViewport();
  }
  expect(await entries.count()).toBeLessThan(60);

  // The first and the last one, and the place of each.
  await page.evaluate(() => scrollTo(0, 0));
  const places = isMobile ? page.locator('li[aria-posinset]') : page.locator('tr[aria-rowindex]');
  await expect(places.first()).toHaveAttribute(
    isMobile ? 'aria-posinset' : 'aria-rowindex',
    isMobile ? '1' : '2',
  );
  await expect(places.first()).toBeVisible();
  expect(await focused()).toBe('125');
  await expectAccessible(page);
  if (!isMobile) await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '151');
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(page.locator('[data-index="149"]')).toBeInViewport();

  // A step back from another page finds the entries where they were.
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2));
  await expect(page.locator('[data-index="149"]')).toHaveCount(0);
  const inSight = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('[data-index]')]
        .filter((entry) => entry.getBoundingClientRect().top > 100)
        .map((entry) => `${entry.dataset.index} ${Math.round(entry.getBoundingClientRect().top)}`)
        .at(0),
    );
  await expect.poll(inSight).not.toBeUndefined();
  const menu = await openMenu(page);
  const before = await inSight();
  await menu.getByRole('link', { name: 'Supporto 24/7' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Supporto 24/7' })).toBeVisible();
  await page.goBack();
  await expect.poll(inSight).toBe(before);

  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  expect(await entries.count()).toBe(150);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await expect.poll(() => entries.count()).toBeLessThan(60);
});

test('a failed "show more" says so beside the button, which retries', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 500/);
  const customer = await app.make.user();
  const project = await app.make.project(customer);
  await Promise.all(Array.from({ length: 26 }, () => app.make.invoice(customer, project)));
  const page = await openAs(customer);
  await page.goto('/app/pagamenti-fatture?vista=fatture');
  const entries = page.getByRole('button', { name: /^Elimina la fattura/ });
  await expect(entries).toHaveCount(25);
  await page.route('**/api/invoices?*', (route) => route.fulfill({ status: 500, json: {} }));
  await page.getByRole('button', { name: 'Mostra altre' }).click();
  await expect(page.getByRole('alert')).not.toBeEmpty();
  const again = page.getByRole('button', { name: 'Riprova' });
  await expect(again).toBeVisible();
  await expect(entries).toHaveCount(25);
  await page.unroute('**/api/invoices?*');
  await again.click();
  await expect(entries).toHaveCount(26);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('an empty list is announced once, and its text is on the page once', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const customer = await app.make.user();
  await app.make.employee(customer);
  const page = await openAs(customer);
  await page.clock.install();
  await page.goto('/app/progetti-team?tab=team&cerca=nulla');
  const title = 'Nessun dipendente corrisponde alla ricerca';
  const told = page.getByRole('status').filter({ hasText: title });
  const read = async () => (await page.locator('body').ariaSnapshot()).split(title).length - 1;
  await expect(told).toHaveCount(1);
  expect(await read()).toBe(1);
  await page.clock.fastForward(10_000);
  await expect(told).toHaveCount(0);
  expect(await read()).toBe(1);
});

test('pressing the current tab keeps the search and the history', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const customer = await app.make.user();
  await app.make.employee(customer);
  const page = await openAs(customer);
  const searched = '/app/progetti-team?tab=team&cerca=nulla';
  await page.goto(searched);
  const said = page.getByRole('status').filter({ hasText: 'Nessun dipendente corrisponde alla ricerca' });
  await expect(said).toHaveCount(1);
  await page.getByRole('tab', { name: 'Team' }).dblclick();
  await page.getByRole('tab', { name: 'Progetti' }).dblclick();
  await expect(page).toHaveURL('/app/progetti-team');
  await page.goBack();
  await expect(page).toHaveURL(searched);
  await expect(said).toHaveCount(1);
});

test('invalid filters in the address are ignored', { tag: '@once' }, async ({ app, openAs }) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer, { name: 'Diga' });
  await app.make.employee(customer, { name: 'Ada Neri' }, project);
  await app.make.invoice(customer, project);
  await app.make.tripRequest(customer, { city: 'Avise' });
  const long = 'x'.repeat(201);
  const expectShown = async (page: Page, shown: readonly (readonly [address: string, entry: string])[]) => {
    for (const [address, entry] of shown) {
      await page.goto(address);
      await expect(page.locator('[data-entry]').filter({ hasText: entry }).first()).toBeVisible();
      for (const box of await page.getByRole('searchbox').all()) await expect(box).toHaveValue('');
    }
  };
  await expectShown(await openAs(customer), [
    ['/app/pagamenti-fatture?vista=fatture&progetto=abc', 'Diga'],
    [`/app/pagamenti-fatture?vista=fatture&cerca=${long}&dal=ieri`, 'Diga'],
    [`/app/progetti-team?cerca=${long}&stato=nessuno`, 'Diga'],
    [`/app/progetti-team?tab=team&progetto=99999999999999999999&cerca=${long}`, 'Ada Neri'],
    ['/app/nuova-trasferta/richieste?cerca=%00&stato=nessuno', 'Avise'],
  ]);
  await expectShown(await openAs(await app.make.invoiceAdmin()), [
    [`/app/admin/invoices?cliente=${long}&cerca=${long}&pdf=forse`, 'Diga'],
  ]);
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

test('going offline shows a notice, and loaded data stays', { tag: '@once' }, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.goto('/app/home', { waitUntil: 'networkidle' });
  await expect(page.getByText('Progetti Attivi')).toBeVisible();
  await page.context().setOffline(true);
  await expect(page.getByText(/Sei offline/)).toBeVisible();
  await expect(page.getByText('Progetti Attivi')).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText(/Sei offline/)).toHaveCount(0);
});

test('a newly deployed version is loaded with the next page', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 404/);
  problems.expect(/loading route module|dynamically imported module/);
  const page = await openAs(await app.make.user());
  await page.goto('/app/home', { waitUntil: 'networkidle' });
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
});

test.describe('a hovered link', () => {
  /** Imports the code of a page as the router does. Out: whether the browser has it. */
  const hasCode = (page: Page, file: string) =>
    page.evaluate(
      (file) =>
        import(file).then(
          () => true,
          () => false,
        ),
      file,
    );

  /** Opens the form of a new trip. Out: the link to the support page, and the file of that page's code. */
  async function openForm(page: Page) {
    await page.goto('/app/nuova-trasferta', { waitUntil: 'networkidle' });
    const city = page.getByLabel('Città');
    await city.fill('Ravenna');
    // Every way of leaving the document, noted as it begins.
    await page.evaluate(() => {
      const left: string[] = [];
      Object.assign(window, { left });
      navigation.addEventListener('navigate', ({ navigationType }) => left.push(navigationType));
    });
    const file = await page.evaluate(
      () => Reflect.get(window, '__reactRouterManifest').routes['app/support/page'].module,
    );
    return { city, link: page.getByRole('link', { name: 'Supporto 24/7' }).first(), file: String(file) };
  }

  test('loads the code of its page, which then opens without it', { tag: '@once' }, async ({
    app,
    openAs,
  }) => {
    const page = await openAs(await app.make.user());
    const { link, file } = await openForm(page);
    const code = page.waitForResponse(`**${file}`);
    await link.hover();
    await code;
    expect(await hasCode(page, file)).toBe(true);
    await page.route('**/assets/*.js', (route) => route.fulfill({ status: 404 }));
    await link.click();
    await expect(page.getByRole('heading', { level: 1, name: 'Supporto 24/7' })).toBeVisible();
    expect(await page.evaluate(() => Reflect.get(window, 'left'))).toEqual(['push']);
  });

  for (const intent of ['hover', 'focus'] as const) {
    test(`keeps the page when a version was deployed meanwhile (${intent})`, { tag: '@once' }, async ({
      app,
      openAs,
      problems,
    }) => {
      problems.expect(/status of 404/);
      const page = await openAs(await app.make.user());
      const { city, link, file } = await openForm(page);
      await page.route('**/assets/*.js', (route) => route.fulfill({ status: 404 }));
      const code = page.waitForResponse(`**${file}`);
      await link[intent]();
      await code;
      expect(await hasCode(page, file)).toBe(false);
      expect(await page.evaluate(() => Reflect.get(window, 'left'))).toEqual([]);
      await expect(city).toHaveValue('Ravenna');
    });
  }
});

test('going to an address while another page is loading stays at that address', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const page = await openAs(await app.make.user());
  await page.goto('/app/home');
  await expect(page.getByText('Progetti Attivi')).toBeVisible();
  // The code of the other page never arrives.
  const asked = page.waitForRequest('**/assets/*.js');
  await page.route('**/assets/*.js', () => {});
  await page.getByRole('link', { name: 'Supporto 24/7' }).first().click();
  await asked;
  await page.unrouteAll();
  await page.goto('/app/profile');
  await expect(page.getByRole('heading', { level: 1, name: 'Il tuo profilo' })).toBeVisible();
  await expect(page.getByText(/Metodi di accesso collegati/)).toBeVisible();
  await expect(page).toHaveURL('/app/profile');
});

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' });

  /** The keys of the answers stored on the device for offline reading. */
  const keptKeys = (page: Page) =>
    page.evaluate(
      () =>
        new Promise<unknown[][]>((resolve) => {
          const opening = indexedDB.open('trasvia-offline');
          opening.onupgradeneeded = () => opening.result.createObjectStore('answers');
          opening.onsuccess = () => {
            const reading = opening.result.transaction('answers').objectStore('answers').getAll();
            reading.onsuccess = () => {
              opening.result.close();
              resolve(reading.result.map(({ queryKey }) => queryKey));
            };
          };
        }),
    );

  /** The kinds of the stored answers. */
  const kept = async (page: Page) =>
    (await keptKeys(page)).map((key) => key.slice(0, 2).join(' ')).toSorted();

  /** Makes the stored answers whose key begins with `name` older by `ms` milliseconds. */
  const readBefore = (page: Page, name: string, ms: number) =>
    page.evaluate(
      ([name, ms]) =>
        new Promise<void>((resolve) => {
          const opening = indexedDB.open('trasvia-offline');
          opening.onsuccess = () => {
            const writing = opening.result.transaction('answers', 'readwrite');
            writing.objectStore('answers').openCursor().onsuccess = ({ target }) => {
              const { result: cursor } = target as IDBRequest<IDBCursorWithValue | null>;
              if (!cursor) return;
              const { value } = cursor;
              if (value.queryKey[0] === name) cursor.update({ ...value, at: value.at - ms });
              cursor.continue();
            };
            writing.oncomplete = () => {
              opening.result.close();
              resolve();
            };
          };
        }),
      [name, ms] as const,
    );

  /**
   * Tells `page` that it is offline: Chromium tells only pages that were open when the network went away.
   * @returns a function that undoes it; until then documents that the page loads may be told so again, online or not
   */
  async function tellOffline(page: Page): Promise<() => Promise<void>> {
    const session = await page.context().newCDPSession(page);
    await session.send('Network.overrideNetworkState', {
      offline: true,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
    return () => session.detach();
  }

  test('the application opens with the last data read, until logout', {
    tag: '@once',
  }, async ({ app, openAs, problems }) => {
    problems.expect(/ERR_INTERNET_DISCONNECTED/);
    const user = await app.make.user();
    const project = await app.make.project(user, { name: 'Diga di Ridracoli' });
    await app.make.invoice(user, project, { euro: 1250 });
    const page = await openAs(user);
    await page.goto('/app/home');
    await page.getByRole('link', { name: 'Progetti e Team' }).first().click();
    await expect(page.getByRole('row', { name: /Diga di Ridracoli/ })).toBeVisible();
    await expect.poll(() => kept(page)).toEqual(['dashboard', 'me', 'projects list', 'projects list']);
    const scope = await page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
    expect(new URL(scope).pathname).toBe('/app');

    // The data shown may be much older than the last check of the session.
    await readBefore(page, 'projects', 72 * 60 * 60_000);
    const threeDaysAgo = formatDate(addDays(todayInRome(), -3));
    await page.context().setOffline(true);
    await page.reload();
    const forgetOffline = await tellOffline(page);
    await expect(
      page.getByText(`Sei offline: vedi gli ultimi dati caricati, fino ${withArticle('al', threeDaysAgo)}`),
    ).toBeVisible();
    await expect(page.getByRole('row', { name: /Diga di Ridracoli/ })).toBeVisible();
    await expectAccessible(page);
    const tab = await page.context().newPage();
    await tab.goto('/app');
    await tellOffline(tab);
    await expect(tab).toHaveURL('/app/home');
    await expect(tab.getByText('Progetti Attivi')).toBeVisible();
    await expect(tab.getByText('1.250,00').first()).toBeVisible();
    // Never read on this device: the page says so.
    await tab.getByRole('link', { name: 'Pagamenti e Fatture' }).first().click();
    await expect(tab.getByText(/Connessione assente o instabile/)).toBeVisible();

    await page.context().setOffline(false);
    await expect(tab.getByText(/Sei offline/)).toHaveCount(0);
    // At once, not with the next retry, which comes every twenty seconds.
    await expect(tab.getByRole('heading', { name: 'Fatture Recenti' })).toBeVisible({ timeout: 10_000 });
    await tab.close();
    await forgetOffline();

    // A page that reads nothing, so that no answer is pending at logout.
    await page.goto('/app/support');
    await expect(page.getByText(/Sei offline/)).toHaveCount(0);
    await page.getByRole('button', { name: /^Account di/ }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await expect(page).toHaveURL('/');
    await expect.poll(() => kept(page)).toEqual([]);
    await page.context().setOffline(true);
    await page.goto('/app/home');
    await expect(page.getByRole('heading', { name: 'Trasvia non risponde' })).toBeVisible();
  });

  test('the device stores at most sixty answers, and neither PDFs nor histories of invoices', {
    tag: '@once',
  }, async ({ app, openAs }) => {
    const customer = await app.make.user();
    const project = await app.make.project(customer, { name: 'Darsena di Ravenna' });
    const { invoiceNumber: number } = await app.make.invoice(customer, project);
    const desk = await openAs(await app.make.invoiceAdmin());
    await desk.goto('/app/admin/invoices');
    await desk.getByRole('searchbox', { name: 'Cerca' }).fill(number);
    await expect(desk.getByText('1 fattura', { exact: true })).toBeVisible();
    const lists = Array<string>(2).fill('admin-invoices list');
    await expect.poll(() => kept(desk)).toEqual([...lists, 'me']);

    await desk.getByRole('button', { name: `Carica PDF della fattura ${number}` }).click();
    const uploading = desk.getByRole('dialog', { name: 'Carica PDF' });
    await uploading
      .locator('input[type="file"]')
      .setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from(pdfOf(200)) });
    await uploading.getByRole('button', { name: 'Carica PDF' }).click();
    await desk.getByRole('button', { name: `Anteprima di a.pdf, PDF della fattura ${number}` }).click();
    const dialog = desk.getByRole('dialog');
    await expect(dialog.getByRole('button', { name: 'Scarica PDF' })).toBeEnabled();
    await dialog.getByRole('button', { name: 'Chiudi' }).click();
    await desk.getByRole('button', { name: `Azioni sulla fattura ${number}` }).click();
    await desk.getByRole('menuitem', { name: 'Cronologia' }).click();
    await expect(dialog.getByText('PDF caricato')).toBeVisible();
    await dialog.getByRole('button', { name: 'Chiudi' }).click();
    await desk.getByRole('searchbox', { name: 'Cerca' }).fill('ravenna');
    await expect.poll(() => kept(desk)).toEqual(['admin-invoices list', ...lists, 'me']);

    // As many as an hour of searching would leave.
    await desk.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const opening = indexedDB.open('trasvia-offline');
          opening.onsuccess = () => {
            const writing = opening.result.transaction('answers', 'readwrite');
            const answers = writing.objectStore('answers');
            const reading = answers.getAll();
            reading.onsuccess = () => {
              const list = reading.result.find(({ queryKey }) => queryKey[1] === 'list');
              for (let index = 0; index < 56; index += 1)
                answers.put({ ...list, at: list.at - index }, `${index}`);
            };
            writing.oncomplete = () => {
              opening.result.close();
              resolve();
            };
          };
        }),
    );
    expect(await kept(desk)).toHaveLength(60);
    await desk.getByRole('searchbox', { name: 'Cerca' }).fill('darsena');
    await expect.poll(async () => JSON.stringify(await keptKeys(desk))).toContain('darsena');
    await expect.poll(() => kept(desk)).toEqual([...Array<string>(59).fill('admin-invoices list'), 'me']);
  });
});

test('the palette offers every page of an account', { tag: '@once' }, async ({ app, openAs }) => {
  const customer = ['Le tue richieste', 'Travel requirements'];
  const offers = async (page: Page, name: string) => {
    await page.goto('/app/home');
    await page.getByRole('button', { name: /^Account di/ }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Cerca' }).getByRole('combobox').fill(name);
    return page.getByRole('dialog', { name: 'Cerca' }).getByRole('option', { name, exact: true });
  };
  const page = await openAs(await app.make.user());
  for (const name of customer) await expect(await offers(page, name)).toBeVisible();
  await expect(await offers(page, 'Gestione Richieste')).toHaveCount(0);
  const admin = await openAs(await app.make.user({ role: 'admin' }));
  for (const name of [...customer, 'Gestione Richieste', 'Gestione Utenti'])
    await expect(await offers(admin, name)).toBeVisible();
});

test('the palette finds pages and records by keyboard', { tag: '@once' }, async ({ app, openAs }) => {
  const user = await app.make.user();
  const project = await app.make.project(user, { name: 'Diga di Ridracoli' });
  await app.make.employee(user, { name: 'Ridolfi Ugo' }, project);
  const page = await openAs(user);
  await page.goto('/app/home');
  const opener = page.getByRole('button', { name: /^Cerca/ });
  await opener.press('Enter');
  const box = page.getByRole('dialog', { name: 'Cerca' }).getByRole('combobox', { name: /Cerca pagine/ });
  await expect(box).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();
  await page.keyboard.press('Control+k');
  await expect(box).toBeFocused();
  await expectAccessible(page);
  await box.fill('rid');
  await expect(page.getByRole('option', { name: /Diga di Ridracoli/ })).toBeVisible();
  await expect(page.getByRole('option', { name: /Ridolfi Ugo/ })).toBeVisible();
  await box.fill('x'.repeat(120));
  await expect(box).toHaveValue('x'.repeat(100));
  await box.fill('x');
  await expect(page.getByText('Scrivi almeno due caratteri.')).toBeVisible();
  await box.fill('ferta');
  await expect(page.getByText('Nessun risultato', { exact: false })).toBeVisible();
  await box.fill('supporto');
  await expect(page.getByRole('option', { selected: true })).toHaveText(/Supporto/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/app/support');
});

test('the palette announces its results and what Enter would open', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  const project = await app.make.project(user, { name: 'Diga di Ridracoli' });
  await app.make.employee(user, { name: 'Ridolfi Ugo' }, project);
  const page = await openAs(user);
  await page.goto('/app/home');
  await page.getByRole('button', { name: /^Account di/ }).waitFor();
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog', { name: 'Cerca' });
  const box = dialog.getByRole('combobox');
  const status = dialog.getByRole('status');
  const active = async () => page.locator(`[id="${await box.getAttribute('aria-activedescendant')}"]`);
  await expect(box).toHaveAttribute('aria-expanded', 'true');
  await expect(box).not.toHaveAttribute('aria-activedescendant');
  await expect(status).toHaveText('');

  await box.fill('rid');
  await expect(status).toHaveText('2 risultati');
  const list = dialog.getByRole('listbox', { name: 'Risultati' });
  await expect(box).toHaveAttribute('aria-controls', (await list.getAttribute('id')) ?? '');
  const dam = list
    .getByRole('group', { name: 'Progetti' })
    .getByRole('option', { name: /Diga di Ridracoli/ });
  const person = list.getByRole('group', { name: 'Persone' }).getByRole('option', { name: /Ridolfi Ugo/ });
  await expect(dam).toHaveAttribute('aria-selected', 'true');
  await expect(await active()).toHaveText(/Diga di Ridracoli/);
  await box.press('ArrowDown');
  await expect(person).toHaveAttribute('aria-selected', 'true');
  await expect(dam).toHaveAttribute('aria-selected', 'false');
  await expect(await active()).toHaveText(/Ridolfi Ugo/);
  await expectAccessible(page);
  // The arrows wrap around.
  await box.press('ArrowDown');
  await expect(dam).toHaveAttribute('aria-selected', 'true');
  await box.press('ArrowUp');
  await expect(person).toHaveAttribute('aria-selected', 'true');
  await expect(box).toBeFocused();

  await box.fill('introvabile');
  await expect(status).toHaveText(/^Nessun risultato/);
  await expect(box).toHaveAttribute('aria-expanded', 'false');
  await expectAccessible(page);
  await box.fill('travel');
  await expect(dialog.getByRole('option', { name: 'Travel requirements' })).toHaveAttribute('lang', 'en');
});

test('repeating a search in the palette finds a record created meanwhile', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  const page = await openAs(user);
  await page.goto('/app/home');
  await page.getByRole('button', { name: /^Account di/ }).waitFor();
  const search = async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Cerca' }).getByRole('combobox').fill('ridolfi');
  };
  await search();
  await expect(page.getByText('Nessun risultato', { exact: false })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await app.make.employee(user, { name: 'Ridolfi Ugo' });
  await search();
  await expect(page.getByRole('option', { name: /Ridolfi Ugo/ })).toBeVisible();
});

test('the palette says that the search of records failed, even when it finds a page', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/500/);
  const page = await openAs(await app.make.user());
  await page.route('**/api/search?*', (route) =>
    route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'Errore interno' } } }),
  );
  await page.goto('/app/home');
  await page.getByRole('button', { name: /^Account di/ }).waitFor();
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog', { name: 'Cerca' });
  await dialog.getByRole('combobox').fill('supporto');
  await expect(dialog.getByRole('option', { name: 'Supporto 24/7' })).toBeVisible();
  await expect(dialog.getByRole('status')).toHaveText('La ricerca non risponde. Riprova tra poco.');
});

test('the palette finds records of customers for administrators', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const customer = await app.make.user({ fullName: 'Ottavio Quarnaro', companyName: 'Moli e Fari' });
  const project = await app.make.project(customer, { name: 'Molo Quarnaro' });
  const { invoiceNumber } = await app.make.invoice(customer, project);
  const { id } = await app.make.tripRequest(customer, { city: 'Fiume', projectName: 'Molo Quarnaro' });
  const find = async (page: Page, path: string, hit: string) => {
    await page.goto(path);
    await page.getByRole('button', { name: /^Account di/ }).waitFor();
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog', { name: 'Cerca' });
    await dialog.getByRole('combobox').fill('quarnaro');
    await expect(dialog.getByRole('option', { name: hit })).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('option', { name: hit }).click();
  };
  const clerk = await openAs(await app.make.invoiceAdmin());
  await find(clerk, '/app/admin/invoices?stato=Pagata', 'Ottavio Quarnaro, Moli e Fari · Molo Quarnaro');
  await expect(clerk).toHaveURL(`/app/admin/invoices?cerca=${invoiceNumber}`);
  await expect(clerk.getByRole('searchbox', { name: 'Cerca' })).toHaveValue(invoiceNumber);
  await expect(clerk.getByText('1 fattura', { exact: true })).toBeVisible();

  const admin = await openAs(await app.make.user({ role: 'admin' }));
  await find(admin, '/app/home', 'Fiume');
  await expect(admin).toHaveURL(`/app/gestione-richieste/${id}`);
  await find(admin, '/app/home', customer.email);
  await expect(admin.getByPlaceholder('Cerca utenti...')).toHaveValue(customer.email);
  await expect(admin.getByText('1 di 1')).toBeVisible();
});

test('Enter in the palette opens the first result and scrolls to it', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  for (let count = 0; count < 30; count += 1) await app.make.employee(user, {});
  await app.make.employee(user, { name: 'Zeno Ridolfi' }, await app.make.project(user));
  const page = await openAs(user);
  await page.goto('/app/home');
  await page.getByRole('button', { name: /^Account di/ }).waitFor();
  await page.keyboard.press('Control+k');
  const box = page.getByRole('dialog', { name: 'Cerca' }).getByRole('combobox', { name: /Cerca pagine/ });
  await box.fill('ridolfi');
  await expect(page.getByRole('option', { selected: true })).toHaveText(/Zeno Ridolfi/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/tab=team&cerca=Zeno/);
  await expect(page.getByRole('table', { name: 'Team completo' }).getByText('Zeno Ridolfi')).toBeInViewport();
  const search = page.getByRole('searchbox', { name: /Cerca nome/ }).or(page.getByLabel(/Cerca nome/));
  await search.first().fill('');
  await expect(page).toHaveURL('/app/progetti-team?tab=team');
});

test('the result opened by the palette stays in sight when content above it loads late', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user();
  for (let count = 0; count < 20; count += 1)
    await app.make.employee(user, {}, await app.make.project(user, { name: `Lotto ${count}` }));
  await app.make.employee(user, { name: 'Zeno Ridolfi' });
  const page = await openAs(user);
  const late = Promise.withResolvers<void>();
  await page.route('**/api/projects/timeline?**', (route) => late.promise.then(() => route.fallback()));
  await page.clock.install();
  await page.goto('/app/home');
  await page.getByRole('button', { name: /^Account di/ }).waitFor();
  await page.keyboard.press('Control+k');
  const box = page.getByRole('dialog', { name: 'Cerca' }).getByRole('combobox', { name: /Cerca pagine/ });
  await box.fill('ridolfi');
  await page.clock.runFor(1000);
  await expect(page.getByRole('option', { selected: true })).toHaveText(/Zeno Ridolfi/);
  await page.keyboard.press('Enter');
  const person = page.getByRole('table', { name: 'Team completo' }).getByText('Zeno Ridolfi');
  await expect(person).toBeInViewport();
  await page.clock.runFor(10_000);
  late.resolve();
  const calendar = page.getByRole('region', { name: 'Calendario trasferte' });
  await expect(calendar.getByText('Lotto 7', { exact: true })).toBeAttached();
  await expect(person).toBeInViewport();
});

for (const scheme of ['light', 'dark'] as const) {
  test(`Home and support are accessible and fit the screen, ${scheme}`, async ({ app, openAs }) => {
    const user = await app.make.user();
    const project = await app.make.project(user, {
      name: 'Manutenzionestraordinariadellacentraletermoelettricalungamente',
      projectedTotal: '100.00',
    });
    await app.make.employee(user, { name: 'Massimiliano Bartolomeo Della Gherardesca' }, project);
    await app.make.invoice(user, project, {
      euro: 999_999.99,
      issueDate: project.startDate,
      dueDate: project.startDate,
    });
    const page = await openAs(user);
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto('/app/home');
    await expect(page.getByText('Progetti Attivi')).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page);
    await page.goto('/app/support');
    await page.getByRole('button', { name: 'Invia al supporto' }).click();
    await expect(page.getByText('Scrivi come possiamo aiutarti')).toBeVisible();
    await expect(page.getByLabel('Come possiamo aiutarti?')).toBeFocused();
    await expectAccessible(page);
    await expectToFit(page);
  });
}

test('the skip link is high enough for a thumb and leads to the content', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const page = await openAs(await app.make.user());
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/app/support');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const skip = page.getByRole('link', { name: 'Vai al contenuto' });
  await skip.focus();
  expect((await skip.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});

test('no toast covers the title of the page, at any width', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 500/);
  const username = 'massimiliano.bartolomeo.dellagherardesca';
  const page = await openAs(await app.make.user({ username }));
  for (const width of [360, 768, 1280, 1440]) {
    await page.setViewportSize({ width, height: 740 });
    await page.goto('/app/support');
    await page.getByRole('button', { name: /^Account di/ }).click();
    await expectToFit(page);
    await answerOnce(page, 'auth/logout', (route) => route.fulfill({ status: 500, json: {} }));
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await expect(page.getByText('Errore durante il logout')).toBeVisible();
    await expectTitleUncovered(page);
  }
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
  await logIn(page, user);
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
  const menu = await openMenu(page);
  await menu.getByRole('link', { name: 'Supporto 24/7' }).click();
  await page.getByLabel('Come possiamo aiutarti?').fill('La memoria del browser è guasta');
  await page.getByRole('button', { name: 'Invia al supporto' }).click();
  await expect(page.getByRole('note').filter({ hasText: 'SUP-' })).toBeVisible();
  await context.close();
});

test('a support request retried after a lost answer and a reload is sent once', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/Failed to load resource/);
  const page = await openAs(await app.make.user());
  await page.goto('/app/support');
  const keys: (string | undefined)[] = [];
  const waited = Promise.withResolvers<void>();
  let lost = true;
  await page.route('**/api/support-requests', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (!lost) return route.fallback();
    await route.fetch();
    await waited.promise;
    await route.abort();
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
  lost = false;
  await send.click();
  const confirmation = page.getByRole('note').filter({ hasText: 'SUP-' });
  await expect(confirmation).toBeVisible();
  for (const width of [320, 340, 360, 380, 400]) {
    await page.setViewportSize({ width, height: 740 });
    await expectWholeWords(confirmation);
  }
  expect(new Set(keys)).toEqual(new Set([expect.stringMatching(/^[\da-f-]{36}$/)]));
  const { rows } = await app.make.sql('select from support_requests where message like $1', [
    'Serve una navetta%',
  ]);
  expect(rows).toHaveLength(1);
});

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
  await expect(page.getByRole('button', { name: 'Mese successivo' })).toBeVisible();
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
  await end.blur();
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

import type { Locator, Page } from '@playwright/test';
import { addDays, type CalendarDate, formatDate, todayInRome } from '#contract/dates.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { answerOnce } from '../support/answer-once.ts';
import { LONGEST } from '../support/extremes.ts';
import { drawn } from '../support/frames.ts';
import { expectTitleUncovered, expectToFit } from '../support/layout.ts';
import { setLetterSize } from '../support/letters.ts';
import { movedFar, watchShifts } from '../support/shifts.ts';
import { expect, test } from '../support/test.ts';

/** Noon of a day in Italy, or an hour later: a clock that starts then reaches no other day by itself. */
const noonOf = (day: CalendarDate) => new Date(`${day}T11:00:00Z`);

/** Fails when the background of `part` is that of the page, which is drawn in `Canvas`. */
async function expectToStandOut(part: Locator): Promise<void> {
  await expect(part).not.toHaveCSS('background-color', /^rgba\(.*, 0\)$|^rgb\(255, 255, 255\)$/);
}

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
  await app.make.invoice(other, await app.make.project(other), {
    euro: 1_000_000,
    dueDate: addDays(todayInRome(), 30),
    fileName: 'fattura.pdf',
    fileUrl: 'fattura.pdf',
  });
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
    // As beside a longer list.
    await page.addStyleTag({ content: 'html { overflow-y: scroll; }' });
    await expect(page.getByRole('table', { name: table }).getByRole('rowheader').first()).toBeVisible();
    await expectToFit(page);
    await page.setViewportSize({ width: 800, height: 720 });
    await expect(page.getByRole('list', { name: table })).toBeVisible();
    await expectToFit(page);
    // Letters half as large again, on a phone.
    await page.setViewportSize({ width: 360, height: 740 });
    await page.addStyleTag({ content: 'html { font-size: 150%; }' });
    await expectToFit(page);
    const selectors = page.getByRole('combobox', { name: /^Stato di / });
    await expect(selectors).toHaveCount(table === 'Team completo' ? 1 : 0);
    for (const selector of await selectors.all()) {
      expect((await selector.boundingBox())?.width, 'its words can be read').toBeGreaterThan(150);
    }
  }
});

test('with letters twice as large every page fits a phone', { tag: '@once' }, async ({ app, openAs }) => {
  const customer = await app.make.user({ companyName: LONGEST.company });
  const project = await app.make.project(customer, { name: LONGEST.project, projectedTotal: '148500.00' });
  await app.make.employee(customer, { name: LONGEST.person, role: 'Capocantiere' }, project);
  const issued = { issueDate: project.startDate, dueDate: project.startDate };
  await app.make.invoice(customer, project, { euro: 999_999.99, ...issued });
  const { id } = await app.make.tripRequest(customer, { city: 'Priolo Gargallo', people: 22 });
  const pages = [
    {
      user: customer,
      paths: [
        'home',
        'progetti-team',
        'progetti-team?tab=team',
        'pagamenti-fatture',
        'pagamenti-fatture?vista=fatture',
        'nuova-trasferta',
        'nuova-trasferta/richieste',
        `nuova-trasferta/richieste/${id}`,
        'requirements',
        'profile',
        'support',
      ],
    },
    {
      user: await app.make.user({ role: 'admin' }),
      paths: ['user-management', 'gestione-richieste', `gestione-richieste/${id}`],
    },
    { user: await app.make.invoiceAdmin(), paths: ['admin/invoices'] },
  ];
  for (const { user, paths } of pages) {
    const page = await openAs(user);
    await page.setViewportSize({ width: 360, height: 740 });
    await setLetterSize(page, 32);
    for (const path of paths) {
      await page.goto(`/app/${path}`);
      await expect(page.locator('[data-page-title]')).toBeVisible();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await test.step(path, async () => {
        await expectToFit(page);
        const separated = await page.locator('main').innerText();
        expect(separated, 'no line ends or begins with a dot between facts').not.toMatch(/[ \n]·|·[ \n]/);
      });
    }
  }
});

test('three figures stand on one line where there is room for them, else the last one fills its own', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.setViewportSize({ width: 768, height: 1024 });
  const tiles = page.getByRole('main').locator('dl').first().locator('> div');
  for (const [menu, below] of [
    ['collapsed', 0],
    ['expanded', 1],
  ] as const) {
    await page.context().addCookies([{ name: 'sidebar_state', value: menu, url: app.origin }]);
    await page.goto('/app/pagamenti-fatture');
    await expect(tiles).toHaveCount(3);
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    const boxes = await Promise.all(
      [tiles.first(), tiles.nth(1), tiles.last()].map((one) => one.boundingBox()),
    );
    const [first, second, last] = boxes;
    expect(Math.sign((last?.y ?? 0) - (first?.y ?? 0)), `the third with the menu ${menu}`).toBe(below);
    const line = below === 1 ? (second?.x ?? 0) + (second?.width ?? 0) - (first?.x ?? 0) : first?.width;
    expect(last?.width, 'its width').toBeCloseTo(line ?? 0, 0);
  }
});

/** Opens Home with its figures held back, lets them come, and fails when what is below them has moved. */
async function expectFiguresInPlace(page: Page, width: number): Promise<void> {
  const shortcuts = page.getByRole('navigation', { name: 'Scorciatoie' });
  await page.setViewportSize({ width, height: 900 });
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/api/dashboard', (route) => promise.then(() => route.continue()));
  await page.goto('/app/home');
  const before = await shortcuts.boundingBox();
  resolve();
  await expect(page.getByRole('link', { name: 'Spesa Totale ad Oggi' })).toBeVisible();
  const after = await shortcuts.boundingBox();
  const moved = Math.abs((after?.y ?? 0) - (before?.y ?? 0));
  expect(moved, `how far the shortcuts moved, ${width} px`).toBeLessThan(2);
  await page.unrouteAll();
}

test("the figures of a new customer's samples, and the note on them, move nothing when they arrive", {
  tag: '@once',
}, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  for (const width of [320, 360, 768, 1440]) {
    await expectFiguresInPlace(page, width);
    const above = await page.getByRole('navigation', { name: 'Scorciatoie' }).boundingBox();
    const below = await page.getByRole('note', { name: 'Questi sono dati di esempio' }).boundingBox();
    expect(below?.y).toBeGreaterThan((above?.y ?? 0) + (above?.height ?? 0));
  }
});

test('the figures of a customer with six-digit sums and overdue invoices move nothing when they arrive', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer);
  const day = addDays(todayInRome(), -3);
  await app.make.invoice(customer, project, { euro: 274_169.5, status: 'Pagata' });
  await app.make.invoice(customer, project, { euro: 70_131.5 });
  for (const euro of [4000, 1875.5]) {
    await app.make.invoice(customer, project, { euro, issueDate: day, dueDate: day });
  }
  const page = await openAs(customer);
  // At 1180 and 1240 px all four are on one row, whose longest name takes two lines.
  for (const width of [320, 345, 360, 768, 1180, 1240, 1280]) await expectFiguresInPlace(page, width);
});

for (const [path, late, last] of [
  ['/app/progetti-team', [/projects\?.*In\+corso/], 'Tutti i Progetti'],
  ['/app/progetti-team?tab=team', [/projects\/stats/, /projects\/timeline/], 'Team Completo'],
  ['/app/nuova-trasferta/richieste', [/trip-requests\?/], 'Le tue richieste'],
] as const) {
  test(`what a new customer sees on ${path} stays in its place when the rest arrives`, {
    tag: '@once',
  }, async ({ app, openAs }) => {
    const page = await openAs(await app.make.user());
    await watchShifts(page);
    for (const width of [360, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const held = await Promise.all(
        late.map(async (read) => {
          const { promise, resolve } = Promise.withResolvers<void>();
          await page.route(read, (route) => promise.then(() => route.fallback()));
          return resolve;
        }),
      );
      await page.goto(path);
      await expect(page.locator('main [aria-busy=true]')).toHaveCount(held.length);
      for (const letGo of held) {
        await drawn(page);
        letGo();
      }
      await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
      await expect(page.getByRole('heading', { name: last })).toBeVisible();
      expect.soft(await movedFar(page), `${width} px`).toEqual([]);
      await page.unrouteAll();
    }
  });
}

test('a note on a page does not interrupt a screen reader', { tag: '@once' }, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.goto('/app/home');
  await expect(page.getByRole('note', { name: 'Questi sono dati di esempio' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

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
  await page.getByRole('combobox', { name: /Cerca progetti/ }).fill('supporto');
  await expectToStandOut(page.getByRole('option', { selected: true }));
  const listed = Promise.withResolvers<void>();
  await page.route('**/api/projects?*', async (route) => {
    await listed.promise;
    await route.continue();
  });
  await page.goto('/app/progetti-team');
  await expectToStandOut(page.locator('[aria-busy=true] [aria-hidden]').first());
  // A screen reader may wait with what is said in a busy region, until it is gone with its words.
  await expect(page.getByRole('status').filter({ hasText: 'Caricamento' }).first()).toBeAttached();
  await expect(page.locator('[role=status][aria-busy], [aria-busy] [role=status]')).toHaveCount(0);
  listed.resolve();
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

test('where more contrast is asked for, no text is softer than the rest', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const page = await openAs(await app.make.user());
  await page.emulateMedia({ contrast: 'more' });
  await page.goto('/app/support');
  const strong = await page.locator('body').evaluate((body) => getComputedStyle(body).color);
  for (const entry of ['Home', 'Progetti e Team'])
    await expect(page.getByRole('link', { name: entry, exact: true })).toHaveCSS('color', strong);
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
    // Without its style sheet it has no place yet.
    await expect(title).toBeVisible();
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
  const today = todayInRome();
  // Neither does the day end meanwhile, nor do the data get old.
  await page.clock.setFixedTime(noonOf(today));
  await page.goto('/app/home');
  await expect(page.getByText('Fatture da Pagare')).toBeVisible();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const comeBack = () =>
    page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  // On a return the page asks at least who is signed in.
  const session = page.waitForResponse('**/api/auth/session');
  await comeBack();
  await session;
  expect(asked).not.toContain('/api/dashboard');
  await page.clock.setFixedTime(noonOf(addDays(today, 1)));
  // Who is signed in is not asked again while the page is reading the answer to the return before.
  const again = page.waitForResponse('**/api/dashboard');
  await comeBack();
  await again;
  // What was read a minute before midnight is not shown as that of the day after.
  const earlier = Date.parse(`${today}T22:00Z`);
  const midnight = todayInRome(new Date(earlier)) === today ? earlier + 60 * 60_000 : earlier;
  await page.clock.setFixedTime(midnight - 60_000);
  await page.goto('/app/progetti-team');
  await expect(page.getByRole('heading', { name: 'Tutti i Progetti' })).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await page.getByRole('link', { name: 'Supporto' }).filter({ visible: true }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Progetti e Team' })).toHaveCount(0);
  await page.clock.setFixedTime(midnight + 60_000);
  const projects = page.waitForResponse('**/api/projects?*');
  await page.getByRole('link', { name: 'Progetti e Team' }).filter({ visible: true }).first().click();
  await projects;
});

test('the bars of spending stay below their numbers where a row of a table frames nothing, as in Safari', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user();
  const project = await app.make.project(user, { projectedTotal: '1000.00' });
  await app.make.invoice(user, project, { euro: 1500 });
  const page = await openAs(user);
  await page.goto('/app/home');
  const table = page.getByRole('table').filter({ hasText: 'Proiezione' });
  await expect(table).toBeVisible();
  await page.addStyleTag({ content: 'tr { position: static !important; }' });
  const outside = await table.evaluate((frame) => {
    const { top, bottom, left, right } = frame.getBoundingClientRect();
    return [...frame.querySelectorAll('div')].filter((bar) => {
      const box = bar.getBoundingClientRect();
      // The mark of the goal is a little higher than its bar.
      return box.top < top || box.bottom > bottom + 3 || box.left < left || box.right > right + 0.5;
    }).length;
  });
  expect(outside).toBe(0);
});

test('a page in front at midnight shows the new day', { tag: '@once' }, async ({ app, openAs }) => {
  const user = await app.make.user();
  const today = todayInRome();
  const project = await app.make.project(user, { endDate: addDays(today, 3) });
  const { invoiceNumber } = await app.make.invoice(user, project, { dueDate: addDays(today, 3) });
  const page = await openAs(user);
  await page.clock.install({ time: noonOf(today) });
  /** Some days later at once: while the page is still taking the answer for one day, it does not ask again for the next. */
  const later = async (days: number, path: string, on = page) => {
    const again = on.waitForResponse(`**/api/${path}`);
    await on.clock.fastForward(days * 86_400_000);
    await again;
  };
  await page.goto('/app/home');
  await expect(page.getByText('Fatture da Pagare', { exact: true })).toBeVisible();
  await later(1, 'dashboard');
  await page.goto('/app/progetti-team');
  await expect(page.getByText('ancora 2 giorni')).toBeVisible();
  await later(1, 'projects?*');
  await expect(page.getByText('termina domani')).toBeVisible();
  // What is overdue.
  await page.goto('/app/pagamenti-fatture');
  await expect(page.getByText('Spesa totale ad oggi')).toBeVisible();
  const recent = page.getByRole('row').filter({ hasText: invoiceNumber });
  await expect(recent).toContainText('Da Pagare');
  await expect(recent).not.toContainText('scaduta');
  await later(2, 'invoices/summary');
  await expect(recent).toContainText('scaduta');

  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.clock.install({ time: noonOf(today) });
  await desk.goto(`/app/admin/invoices?cerca=${invoiceNumber}`);
  const row = desk.getByRole('row').filter({ hasText: invoiceNumber });
  await expect(row).toContainText('scade');
  await later(4, 'admin/invoices?*', desk);
  await expect(row).toContainText('scaduta');
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

test('a toast that is closed gives the focus back to where it came from', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 500/);
  const page = await openAs(await app.make.user());
  await page.goto('/app/support');
  const account = page.getByRole('button', { name: /^Account di/ });
  const message = page.getByLabel('Come possiamo aiutarti?');
  await page.route('**/api/auth/logout**', (route) => route.fulfill({ status: 500, json: {} }));
  for (const key of ['Enter', 'Escape']) {
    await account.press('Enter');
    await page.getByRole('menuitem', { name: 'Logout' }).press('Enter');
    await expect(page.getByText('Errore durante il logout')).toBeVisible();
    await message.focus();
    const close = page.getByRole('button', { name: 'Chiudi notifica' });
    await close.focus();
    await close.press(key);
    await expect(close).toHaveCount(0);
    await expect(message).toBeFocused();
  }
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

test('what a chart of Home finds is read once, not as its name and as its words', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const page = await openAs(await app.make.user());
  await page.goto('/app/home');
  for (const [title, finding] of [
    ['Spesa per mese', 'Hai speso € 48.570,50'],
    ['Speso e proiezione per progetto', 'Il progetto in corso è entro'],
  ] as const) {
    const panel = page.getByRole('region', { name: title });
    await expect(panel).toContainText(finding);
    const read = await panel.ariaSnapshot();
    expect(read.split(finding).length - 1, title).toBe(1);
  }
});

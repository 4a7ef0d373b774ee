import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { openMenu } from '../support/menu.ts';
import { expect, test } from '../support/test.ts';

test('a form stays open when its entry leaves the list', { tag: '@once' }, async ({ app, openAs }) => {
  const customer = await app.make.user({ fullName: 'Ugo Ridolfi', companyName: 'Argine vecchio' });
  const project = await app.make.project(customer);
  const { invoiceNumber: number } = await app.make.invoice(customer, project);
  /**
   * Makes the page read again: its data gets stale, and the connection comes back. It was never cut, since the session may be
   * refreshed at any moment.
   */
  const readAnew = async (page: Page) => {
    await page.clock.fastForward('06:00');
    await page.evaluate(() => {
      for (const event of ['offline', 'online']) dispatchEvent(new Event(event));
    });
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

test('a list that becomes cards, or a table again, keeps the focus on the same control', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const customer = await app.make.user();
  const [first, second] = ['Diga di Ridracoli', 'Viadotto Bormida'];
  for (const name of [first, second])
    await app.make.project(customer, { name, location: 'Bagno di Romagna' });
  const page = await openAs(customer);
  const wide = { width: 1280, height: 900 };
  const narrow = { width: 800, height: 900 };
  await page.setViewportSize(wide);
  await page.goto('/app/progetti-team');
  const all = page.getByRole('region', { name: 'Tutti i Progetti' });
  const table = all.getByRole('table');
  const cards = all.getByRole('list', { name: 'Tutti i progetti' });
  const edit = { name: `Modifica ${first}` };
  await table.getByRole('button', edit).focus();
  await page.setViewportSize(narrow);
  await expect(cards.getByRole('button', edit)).toBeFocused();
  await page.setViewportSize(wide);
  await expect(table.getByRole('button', edit)).toBeFocused();
  // What is elsewhere keeps the focus.
  const account = page.getByRole('button', { name: /^Account di/ });
  await account.focus();
  await page.setViewportSize(narrow);
  await expect(cards).toBeVisible();
  await expect(account).toBeFocused();
  // Cards have no headers.
  await app.make.invoice(customer, await app.make.project(customer));
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.setViewportSize(wide);
  await desk.goto('/app/admin/invoices');
  await desk.getByRole('columnheader').getByRole('button', { name: 'Importo' }).focus();
  await desk.setViewportSize(narrow);
  await expect(desk.getByRole('heading', { name: 'Fatture nel Sistema' })).toBeFocused();
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
    .poll(() => page.evaluate(() => document.activeElement?.closest('[data-entry]:last-child') !== null))
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

  const focused = () =>
    page.evaluate(() => document.activeElement?.closest('[data-index]')?.getAttribute('data-index'));
  for (const shown of [125, 150]) {
    await showMore(shown);
    await expect.poll(focused).toBe(String(shown - 25));
    await expect(page.locator('[data-index] :focus')).toBeInViewport();
  }
  await expect.poll(() => entries.count()).toBeLessThan(60);

  // The first and the last one, and the place of each.
  await page.evaluate(() => scrollTo(0, 0));
  const places = isMobile ? page.locator('li[aria-posinset]') : page.locator('tbody tr[aria-rowindex]');
  await expect(places.first()).toHaveAttribute(
    isMobile ? 'aria-posinset' : 'aria-rowindex',
    isMobile ? '1' : '2',
  );
  await expect(places.first()).toBeVisible();
  expect(await focused()).toBe('125');
  await expectAccessible(page);
  if (!isMobile) {
    await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '151');
    await expect(page.getByRole('row').first()).toHaveAttribute('aria-rowindex', '1');
  }
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(page.locator('[data-index="149"]')).toBeInViewport();

  // A step back from another page finds the entries where they were.
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2));
  await expect(page.locator('[data-index="149"]')).toHaveCount(0);
  const inSight = () =>
    page.evaluate(async () => {
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return [...document.querySelectorAll<HTMLElement>('[data-index]')]
        .filter((entry) => entry.getBoundingClientRect().top > 100)
        .map((entry) => `${entry.dataset.index} ${Math.round(entry.getBoundingClientRect().top)}`)
        .at(0);
    });
  await expect.poll(inSight).not.toBeUndefined();
  const menu = await openMenu(page);
  let before = await inSight();
  // Entries move while the heights of those above them are measured.
  await expect
    .poll(async () => {
      const last = before;
      before = await inSight();
      return before === last;
    })
    .toBe(true);
  await menu.getByRole('link', { name: 'Supporto 24/7' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Supporto 24/7' })).toBeVisible();
  await page.goBack();
  await expect.poll(inSight).toBe(before);

  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  expect(await entries.count()).toBe(150);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await expect.poll(() => entries.count()).toBeLessThan(60);
});

test('more entries asked for while the first ones are still being rendered get the focus', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer);
  await Promise.all(Array.from({ length: 30 }, () => app.make.invoice(customer, project)));
  const page = await openAs(customer);
  await page.goto('/app/pagamenti-fatture');
  const tab = page.getByRole('tab', { name: 'Fatture' });
  await tab.waitFor();
  // As on a machine so slow that the button is pressed before anything follows it.
  await page.evaluate(() => {
    const observer = new MutationObserver(() => {
      const more = [...document.querySelectorAll('button')].find((one) => one.innerText === 'Mostra altre');
      if (!more) return;
      observer.disconnect();
      const section = more.closest('section');
      Object.assign(window, { rendered: section?.querySelectorAll('[data-entry]').length });
      more.focus();
      more.click();
    });
    observer.observe(document.body, { childList: true, subtree: true });
  });
  await tab.click();
  const entries = page.getByRole('region', { name: 'Tutte le Fatture' }).locator('[data-entry]');
  await expect(entries).toHaveCount(30);
  expect(await page.evaluate('rendered')).toBeLessThan(25);
  await expect(entries.nth(25).locator(':is(h3, th)')).toBeFocused();
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

test('a list whose search is removed is not called empty before it is read', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const customer = await app.make.user();
  await app.make.tripRequest(customer, { city: 'Termoli' });
  await app.make.invoice(customer, await app.make.project(customer));
  const admin = await app.make.user({ role: 'admin' });
  const found = 'Nessuna richiesta corrisponde alla ricerca';
  const lists = [
    { user: customer, path: 'nuova-trasferta/richieste', reads: 'trip-requests', says: found },
    { user: admin, path: 'gestione-richieste', reads: 'admin/trip-requests', says: found },
    { user: admin, path: 'user-management', reads: 'users', says: 'Nessun utente corrisponde alla ricerca' },
    {
      user: await app.make.invoiceAdmin(),
      path: 'admin/invoices',
      reads: 'admin/invoices',
      says: 'Nessuna fattura corrisponde ai filtri.',
    },
  ];
  for (const { user, path, reads, says } of lists) {
    const page = await openAs(user);
    const { promise: cleared, resolve: isCleared } = Promise.withResolvers<void>();
    const isWhole = (url: URL) => url.pathname === `/api/${reads}` && !url.searchParams.has('search');
    await page.route(isWhole, (route) => cleared.then(() => route.fallback()));
    await page.goto(`/app/${path}?cerca=nulla`);
    const nothingFound = page.getByRole('main').getByText(says).last();
    await expect(nothingFound).toBeVisible();
    await page.getByRole('searchbox').fill('');
    await expect(page).toHaveURL(`/app/${path}`);
    await expect(nothingFound).toBeVisible();
    isCleared();
    await expect(page.locator('[data-entry]').first()).toBeVisible();
  }
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
  // Left before they are shown, the employees would stay, and nothing would be announced again.
  await expect(page.getByRole('heading', { name: 'Tutti i Progetti' })).toBeVisible();
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
      const boxes = page.getByRole('searchbox');
      await expect(boxes.first()).toBeVisible();
      for (const box of await boxes.all()) await expect(box).toHaveValue('');
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

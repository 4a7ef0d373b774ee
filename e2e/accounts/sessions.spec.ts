import type { Page } from '@playwright/test';
import type { TestUser } from '#server/testing/factories.ts';
import { logIn } from '../support/accounts.ts';
import type { RunningApp } from '../support/app.ts';
import { expect, test } from '../support/test.ts';

async function logOut(page: Page) {
  await page.getByRole('button', { name: /^Account di/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/$/);
}

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
  // Only then does the page no longer follow what happens to the session.
  await expect(page.getByRole('banner').getByRole('link', { name: 'Accedi' })).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
  return { page, next, enter };
}

async function expectOnlyNextAccount(page: Page) {
  await expect(page.getByText('Porto di Livorno').first()).toBeVisible();
  await expect(page.getByText('Diga di Ridracoli')).toHaveCount(0);
}

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
    await page.goto('/app/profile');
    // A read that is not answered yet would meet the ended session first.
    await expect(page.getByText(/Metodi di accesso collegati/)).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    const button = await press(page);
    await expect(button).toBeVisible();
    await page.context().clearCookies();
    await button.click();
    await expect(page).toHaveURL(/\/login$/);
    await expect(page.getByText('Sessione scaduta')).toBeVisible();
  }
});

test('a logout everywhere ends this page and the other tabs of the browser, and a login enters them', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user();
  const page = await openAs(user);
  await page.goto('/app/profile');
  const otherTab = await page.context().newPage();
  await otherTab.goto('/app/home');
  // No request may be pending when the session ends. On a slow machine the network is also idle before they start.
  await expect(otherTab.getByText('Progetti Attivi')).toBeVisible();
  await expect(otherTab.locator('[aria-busy=true]')).toHaveCount(0);
  const openingTab = await page.context().newPage();
  await openingTab.route('**/api/auth/session', () => {});
  const asked = openingTab.waitForRequest('**/api/auth/session');
  await openingTab.goto('/app/home');
  await asked;
  await page.bringToFront();
  await expect(page.getByText(/Metodi di accesso collegati/)).toBeVisible();
  const { promise: loaded, resolve: load } = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', (route) => loaded.then(() => route.continue()));
  await page.getByRole('button', { name: 'Disconnetti tutti' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnetti tutti' }).click();
  // It goes by itself after ten seconds.
  await expect(page.getByText('Logout effettuato con successo')).toBeVisible();
  // Before the code of the public Home has arrived in the page that logs out.
  for (const tab of [otherTab, openingTab]) await expect(tab).toHaveURL(/\/$/);
  load();
  await expect(page).toHaveURL(/\/$/);

  await otherTab.goto('/login');
  await expect(otherTab.getByRole('button', { name: 'Accedi' })).toBeEnabled();
  await page.bringToFront();
  await logIn(page, user.email, user.password);
  for (const tab of [page, otherTab]) await expect(tab).toHaveURL(/\/app\/home$/);
});

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
  // Its name alone, not all of the entry, which a screen reader would read.
  await expect(page.locator('[data-entry]').last().locator('[data-name]')).toBeFocused();
  await page.getByRole('button', { name: 'Disconnetti gli altri' }).click();
  await expect(ends).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Dispositivi collegati' })).toBeFocused();
});

test('the buttons that sign out two sessions of one browser have different names', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  const page = await openAs(user);
  for (let other = 1; other <= 3; other += 1) await openAs(user);
  await page.bringToFront();
  const days = ['2026-01-12T08:30:00.000Z', '2026-01-13T16:45:10.000Z', '2026-01-13T16:45:50.000Z'];
  await page.route('**/api/auth/sessions?*', async (route) => {
    const response = await route.fetch();
    const list: { items: [object, ...object[]] } = await response.json();
    const [current, ...others] = list.items;
    const dated = others.map((session, index) => ({ ...session, lastUsedAt: days[index] }));
    await route.fulfill({ response, json: { ...list, items: [current, ...dated] } });
  });
  await page.goto('/app/profile');
  const ends = page.getByRole('button', { name: /^Disconnetti (?!gli altri|tutti)/ });
  await expect(ends).toHaveCount(3);
  await expect(ends.first()).toHaveAccessibleName(/Ultimo utilizzo 12\/01\/2026, 09:30$/);
  // Of the same minute.
  await expect(ends.nth(1)).toHaveAccessibleName(/Ultimo utilizzo 13\/01\/2026, 17:45, 1 di 2$/);
  await expect(ends.last()).toHaveAccessibleName(/Ultimo utilizzo 13\/01\/2026, 17:45, 2 di 2$/);
});

test('five devices are shown at first, and the others page by page', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  const page = await openAs(user);
  await app.make.sql(
    `insert into sessions (id, token, user_id, expires_at, updated_at)
     select gen_random_uuid(), gen_random_uuid(), $1, now() + interval '1 day', now() - n * interval '1 hour'
     from generate_series(1, 35) n`,
    [user.id],
  );
  await page.goto('/app/profile');
  const devices = page.locator('section', { hasText: 'Dispositivi collegati' });
  const entries = devices.locator('[data-entry]');
  await expect(devices.getByText('5 di 36', { exact: true })).toBeVisible();
  await expect(entries.first()).toContainText('Questo dispositivo');
  await devices.getByRole('button', { name: 'Mostra altri' }).click();
  await expect(devices.getByText('30 di 36', { exact: true })).toBeVisible();
  await expect(entries.nth(5).locator('[data-name]')).toBeFocused();
  await devices.getByRole('button', { name: 'Mostra altri' }).click();
  await expect(devices.getByText('36 di 36', { exact: true })).toBeVisible();
  await expect(entries).toHaveCount(36);
  await devices.getByRole('button', { name: 'Disconnetti gli altri' }).click();
  await expect(entries).toHaveCount(1);
  await expect(devices.getByText('di 36')).toHaveCount(0);
});

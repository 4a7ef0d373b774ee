import { expectAccessible } from '../support/accessibility.ts';
import { answerOnce } from '../support/answer-once.ts';
import { openMenu } from '../support/menu.ts';
import { pressShortcut } from '../support/shortcuts.ts';
import { expect, test } from '../support/test.ts';

const SEVEN_DAYS = 7 * 86_400;

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
  // However the address was written.
  await page.goto('/app/Nuova-Trasferta/richieste');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect((await openMenu(page)).locator('[aria-current=page]')).toHaveText('Nuova Trasferta');
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
    await expect(menu).toHaveCSS('width', '288px');
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(opener).toBeFocused();
  }
});

test('a window that becomes too narrow for the menu leaves the focus on the button that opens it', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.setViewportSize({ width: 1280, height: 740 });
  await page.goto('/app/support');
  const opener = page.getByRole('button', { name: 'Apri il menu' });
  const entry = page.getByRole('link', { name: 'Progetti e Team' });
  await entry.focus();
  await page.setViewportSize({ width: 768, height: 740 });
  await expect(entry).toBeFocused();
  await expect(opener).toHaveCount(0);
  await page.setViewportSize({ width: 767, height: 740 });
  await expect(opener).toBeFocused();
  const message = page.getByLabel('Come possiamo aiutarti?');
  await message.focus();
  await page.setViewportSize({ width: 1280, height: 740 });
  await page.setViewportSize({ width: 700, height: 740 });
  await expect(opener).toBeVisible();
  await expect(message).toBeFocused();
});

test('a menu left open in a window that grows does not open again when it shrinks', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.setViewportSize({ width: 700, height: 740 });
  await page.goto('/app/support');
  const opener = page.getByRole('button', { name: 'Apri il menu' });
  await opener.click();
  await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 740 });
  await expect(page.getByRole('button', { name: 'Menu laterale' })).toBeVisible();
  await page.setViewportSize({ width: 700, height: 740 });
  await expect(opener).toHaveAttribute('aria-expanded', 'false');
  await expect(page.getByRole('dialog', { name: 'Menu' })).toHaveCount(0);
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
  const entries = (await openMenu(page)).getByRole('link');
  await expect(entries).toHaveCount(5);
  for (const entry of await entries.all()) await entry.click({ trial: true });
});

test('Ctrl+B collapses the menu to icons for seven days', async ({ app, openAs, isMobile }) => {
  const page = await openAs(await app.make.user());
  await page.goto('/app/home');
  const before = Date.now() / 1000;
  await pressShortcut(page, 'Control+b');
  if (isMobile) {
    await expect(page.getByRole('dialog').getByRole('link', { name: 'Home', exact: true })).toBeVisible();
    await page.keyboard.press('Control+b');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    return;
  }
  const side = page.getByRole('navigation', { name: 'Menu principale' }).locator('xpath=../..');
  await expect(side).toHaveCSS('width', '48px');
  const [cookie] = (await page.context().cookies()).filter(({ name }) => name === 'sidebar_state');
  // The browser reckons in whole seconds.
  expect(cookie?.expires).toBeGreaterThanOrEqual(before + SEVEN_DAYS - 1);
  expect(cookie?.expires).toBeLessThanOrEqual(Date.now() / 1000 + SEVEN_DAYS + 1);
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
  await page.keyboard.press('Meta+b');
  await expect(side).toHaveCSS('width', '256px');
  const focused = page.getByRole('link', { name: 'Nuova Trasferta' }).first();
  await expect(focused).toBeFocused();
  await page.keyboard.press('Control+b');
  await expect(side).toHaveCSS('width', '48px');
  await expect(focused).toBeFocused();
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
  for (const path of [
    '/app/admin/invoices',
    '/app/admin/sconosciuta',
    '/app/Admin/invoices',
    '/app/%61dmin/invoices',
  ]) {
    await customer.goto(path);
    await expect(customer).toHaveURL('/app/home');
  }
  await customer.goto('/app/sconosciuta');
  const unknown = customer.getByRole('heading', { level: 1 });
  await expect(unknown).toHaveText('Oops! Page not found');
  await expect(unknown).toHaveAttribute('lang', 'en');
  await expectAccessible(customer);
  await customer.getByRole('link', { name: 'Torna alla Home', exact: true }).click();
  await expect(customer).toHaveURL('/app/home');

  const clerk = await openAs(await app.make.invoiceAdmin());
  await clerk.goto('/app/sconosciuta');
  await expect(clerk).toHaveURL('/app/admin/invoices');
  await clerk.goto('/app/admin/sconosciuta');
  await clerk.getByRole('link', { name: 'Torna a Gestione Fatture', exact: true }).click();
  await expect(clerk).toHaveURL('/app/admin/invoices');
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
  await expectAccessible(page);
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Gestione Richieste' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: /Account di anna.admin/ })).toBeFocused();
  await page.keyboard.press('Enter');
  // Paused, so that the message does not go by itself on a busy machine.
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  const said = page.getByRole('status').getByText('Logout effettuato con successo');
  const isSaid = async () => {
    await page.clock.runFor(100);
    return said.isVisible();
  };
  await expect.poll(isSaid, { intervals: [100] }).toBe(true);
  await expect(page).toHaveURL('/');
  await page.clock.runFor(8000);
  await expect(said).toBeVisible();
  await page.clock.runFor(2000);
  await expect(said).toHaveCount(0);
  await page.clock.resume();
  await page.goto('/app/home');
  await expect(page).toHaveURL('/');
});

test('the button of the side menu tells by its state alone whether the menu is wide', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.bringToFront();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/app/support');
  const button = page.getByRole('button', { name: 'Menu laterale', exact: true });
  await expect(button).toHaveAttribute('aria-expanded', 'true');
  await button.click();
  await expect(button).toHaveAttribute('aria-expanded', 'false');
  await button.click();
  await expect(button).toHaveAttribute('aria-expanded', 'true');
});

import { expectContrast } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';

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

test('a chart is printed with its columns, and neither it nor a line of the calendar is cut in two', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user();
  const project = await app.make.project(user, { name: 'Diga' });
  await app.make.employee(user, { name: 'Mario Rossi' }, project);
  await app.make.invoice(user, project);
  const page = await openAs(user);
  await page.goto('/app/home');
  await page.emulateMedia({ media: 'print' });
  const panel = page.getByRole('region', { name: 'Spesa per mese' });
  const highest = panel.getByTitle(/1\.000,00$/).locator('[data-highest="true"]');
  await expect(highest).toBeVisible();
  expect((await highest.boundingBox())?.height, 'height of the highest column').toBeGreaterThan(100);
  await expect(panel).toHaveCSS('break-inside', 'avoid');
  await page.goto('/app/progetti-team?tab=team');
  const line = page.getByTitle(/^Diga, .+: /).locator('../..');
  await expect(line).toContainText('Mario Rossi');
  await expect(line).toHaveCSS('break-inside', 'avoid');
});

test('a short page is printed no higher than what is on it, or Firefox would print an empty sheet after it', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.setViewportSize({ width: 1440, height: 2000 });
  await page.goto('/app/nuova-trasferta/richieste');
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { level: 1 })).toBeVisible();
  const isAsHighAsTheWindow = () => page.evaluate(() => document.body.offsetHeight >= innerHeight);
  expect(await isAsHighAsTheWindow()).toBe(true);
  await page.emulateMedia({ media: 'print' });
  expect(await isAsHighAsTheWindow()).toBe(false);
});

test('panels are printed one below the other, outside of any grid, which Firefox would not break between pages', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user();
  const request = await app.make.tripRequest(user, { city: 'Pisticci' });
  await app.make.employee(user, { name: 'Mario Rossi' });
  const page = await openAs(user);
  for (const [path, panel] of [
    ['/app/home', 'Speso e proiezione per progetto'],
    ['/app/progetti-team?tab=team', 'Team Completo'],
    ['/app/profile', 'Dispositivi collegati'],
    [`/app/nuova-trasferta/richieste/${request.id}`, 'La richiesta'],
  ] as const) {
    await page.emulateMedia({ media: null });
    await page.goto(path);
    const title = page.getByRole('main').getByRole('heading', { level: 2, name: panel });
    const around = title.locator('xpath=ancestor::*[ancestor::main]');
    const displays = () =>
      around.evaluateAll((elements) => elements.map((element) => getComputedStyle(element).display));
    await expect(title).toBeVisible();
    expect(await displays(), path).toContain('grid');
    await page.emulateMedia({ media: 'print' });
    expect(await displays(), path).not.toContain('grid');
  }
});

test('a list is printed as a table, also where the screen has room for cards only', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  await app.make.project(user, { name: 'Diga' });
  const page = await openAs(user);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/app/progetti-team');
  const projects = page.getByRole('region', { name: 'Tutti i Progetti' });
  await expect(projects.getByRole('heading', { name: 'Diga' })).toBeVisible();
  const cell = projects.getByRole('table').getByRole('rowheader', { name: 'Diga' });
  await expect(cell).toBeHidden();
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await expect(cell).toBeVisible();
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await expect(cell).toBeHidden();
  await expect(projects.getByRole('heading', { name: 'Diga' })).toBeVisible();
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

test('a public page is printed plain, without what only leads to other pages', { tag: '@once' }, async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/pricing');
  const pressed = [
    page.getByRole('banner').getByRole('link', { name: 'Accedi' }),
    page.getByRole('heading', { name: 'Vediamo quanto costa la tua?' }),
    page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }),
  ];
  for (const part of pressed) await expect(part).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  for (const part of pressed) await expect(part).toBeHidden();
  await expect(page.getByRole('contentinfo').getByText('20123 Milano')).toBeVisible();
  // On the screen it is a dark band with pale letters.
  const offer = page.getByRole('heading', { name: 'Pacchetto Completo Personalizzato' });
  const title = page.getByRole('heading', { level: 1 });
  const ink = await title.evaluate((element) => getComputedStyle(element).color);
  await expect(offer).toHaveCSS('color', ink);
  await expectContrast(page);
});

import type { Locator } from '@playwright/test';
import { addDays, todayInRome } from '#contract/dates.ts';
import { expectAccessible, expectContrast } from '../support/accessibility.ts';
import { entryOf } from '../support/invoices.ts';
import { expectDrawnBehind, expectToFit } from '../support/layout.ts';
import { expect, test } from '../support/test.ts';

/** Label, figure and address of each tile. */
const tilesOf = (tiles: Locator) =>
  tiles.evaluateAll((all) =>
    all.map((tile) => {
      const [label, figure] = ['dt', 'dd'].map((part) => tile.querySelector(part)?.textContent?.trim());
      return [label, figure?.replaceAll('\u00a0', ' '), tile.querySelector('a')?.getAttribute('href')];
    }),
  );

test('Home counts what the account has, and its tiles and shortcuts lead there', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer);
  await app.make.project(customer, { status: 'Completato' });
  await app.make.employee(customer, {}, project);
  await app.make.employee(customer);
  await app.make.employee(customer, { status: 'Rientrato' }, project);
  await app.make.invoice(customer, project, { euro: 1000, status: 'Pagata' });
  await app.make.invoice(customer, project, { euro: 239.5 });
  const page = await openAs(customer);
  await page.goto('/app/home');
  await expect(page.getByRole('link', { name: 'Progetti Attivi' })).toBeVisible();
  expect(await tilesOf(page.getByRole('main').locator('dl > div'))).toEqual([
    ['Progetti Attivi', '1', '/app/progetti-team'],
    ['Attualmente in trasferta', '2', '/app/progetti-team?tab=team&stato=in+trasferta'],
    ['Spesa Totale ad Oggi', '€ 1.239,50', '/app/pagamenti-fatture'],
    ['Fatture da Pagare', '€ 239,50', '/app/pagamenti-fatture?vista=fatture&stato=Da+Pagare'],
  ]);
  const shortcuts = page.getByRole('navigation', { name: 'Scorciatoie' }).getByRole('link');
  expect(
    await shortcuts.evaluateAll((links) =>
      links.map((link) => [link.querySelector('strong')?.textContent, link.getAttribute('href')]),
    ),
  ).toEqual([
    ['Nuova Trasferta', '/app/nuova-trasferta'],
    ['Pagamenti e Fatture', '/app/pagamenti-fatture'],
    ['Progetti e Team', '/app/progetti-team'],
    ['Supporto 24/7', '/app/support'],
  ]);
});

test('a number beside a name in Arabic or Hebrew letters stays with its own words', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const customer = await app.make.user();
  const today = todayInRome();
  const project = await app.make.project(customer, {
    location: 'حيفا 12',
    startDate: addDays(today, -20),
    endDate: addDays(today, 5),
  });
  for (let count = 0; count < 3; count += 1) await app.make.employee(customer, {}, project);
  const request = await app.make.tripRequest(customer, { projectName: 'פרויקט 2026' });
  const page = await openAs(customer);

  await page.goto('/app/home');
  const line = page
    .getByRole('region', { name: 'Inizi e fini nei prossimi 14 giorni' })
    .getByText(/3 persone/)
    .last();
  await expectDrawnBehind(line, 'حيفا 12');

  await page.goto(`/app/nuova-trasferta/richieste/${request.id}`);
  const intro = page
    .getByRole('main')
    .getByText(/פרויקט 2026.*\d\d\/\d\d\/\d{4}/)
    .first();
  await expectDrawnBehind(intro, 'פרויקט 2026');
});

test('a line of Home opens what it is about', async ({ app, openAs }) => {
  const customer = await app.make.user();
  const today = todayInRome();
  const project = await app.make.project(customer, {
    name: 'Diga di Ridracoli & opere',
    startDate: addDays(today, -20),
    endDate: addDays(today, 5),
  });
  const other = await app.make.project(customer, { name: 'Porto di Livorno', endDate: addDays(today, 40) });
  await app.make.employee(customer, { name: 'Ada Neri' }, project);
  await app.make.employee(customer, { name: 'Bruno Longo', status: 'Rientrato' }, project);
  await app.make.employee(customer, { name: 'Carla Villa' });
  for (let count = 0; count < 20; count += 1) await app.make.employee(customer, {}, other);
  const { invoiceNumber } = await app.make.invoice(customer, project, {
    issueDate: addDays(today, -30),
    dueDate: today,
  });
  await app.make.invoice(customer, other, { dueDate: addDays(today, 60) });
  const { id } = await app.make.tripRequest(customer, { city: 'Gela', projectName: 'Revamping' });

  const page = await openAs(customer);
  const lines = (panel: string) => page.getByRole('region', { name: panel }).getByRole('link');
  const away = lines('Chi è in trasferta oggi');
  const team = page
    .getByRole('table', { name: 'Team completo' })
    .or(page.getByRole('list', { name: 'Team completo' }));

  await page.goto('/app/home');
  await expect(lines('Speso e proiezione per progetto').first()).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page);

  await away.filter({ hasText: 'Diga di Ridracoli' }).click();
  await expect(page).toHaveURL(`/app/progetti-team?tab=team&stato=in+trasferta&progetto=${project.id}`);
  await expect(team.getByText('Ada Neri').first()).toBeInViewport();
  await expect(team.getByText('Bruno Longo')).toHaveCount(0);
  await page.goBack();

  await away.filter({ hasText: 'Senza progetto' }).click();
  await expect(page).toHaveURL('/app/progetti-team?tab=team&stato=in+trasferta&progetto=0');
  await expect(team.getByText('Carla Villa').first()).toBeInViewport();
  await expect(team.getByText('Ada Neri')).toHaveCount(0);
  await page.goBack();

  const found = '/app/progetti-team?cerca=Diga%20di%20Ridracoli%20%26%20opere';
  for (const panel of ['Inizi e fini nei prossimi 14 giorni', 'Speso e proiezione per progetto']) {
    await lines(panel).filter({ hasText: 'Diga di Ridracoli' }).click();
    await expect(page).toHaveURL(found);
    const projects = page.getByRole('region', { name: 'Tutti i Progetti' });
    await expect(projects.getByText('Diga di Ridracoli & opere').first()).toBeInViewport();
    await expect(projects.getByText('Porto di Livorno')).toHaveCount(0);
    await page.goBack();
  }

  await lines('Fatture scadute o in scadenza').first().click();
  await expect(page).toHaveURL(`/app/pagamenti-fatture?vista=fatture&cerca=${invoiceNumber}`);
  await expect(entryOf(page, 'Diga di Ridracoli').first()).toBeVisible();
  await expect(entryOf(page, 'Porto di Livorno')).toHaveCount(0);
  await page.goBack();

  await lines('Richieste in attesa').filter({ hasText: 'Gela, Revamping' }).click();
  await expect(page).toHaveURL(`/app/nuova-trasferta/richieste/${id}`);
  await page.goBack();
  await lines('Richieste in attesa').filter({ hasText: 'Vedi tutte le richieste' }).click();
  await expect(page).toHaveURL('/app/nuova-trasferta/richieste');
});

test('a line of Home about a sample opens nothing', { tag: '@once' }, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.goto('/app/home');
  for (const panel of [
    'Chi è in trasferta oggi',
    'Inizi e fini nei prossimi 14 giorni',
    'Speso e proiezione per progetto',
  ]) {
    const region = page.getByRole('region', { name: panel });
    await expect(region).toBeVisible();
    await expect(region.getByRole('link')).toHaveCount(0);
  }
  const due = page.getByRole('region', { name: 'Fatture scadute o in scadenza' });
  await expect(due.getByRole('listitem').getByRole('link')).toHaveCount(0);
});

test('an administrator sees on Home what is to be handled, and opens it', async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 500/);
  const customer = await app.make.user();
  const page = await openAs(await app.make.user({ role: 'admin' }));
  const read = Promise.withResolvers<void>();
  let failing = false;
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.route('**/api/dashboard', async (route) => {
    await read.promise;
    if (failing) await route.fulfill({ status: 500, json: {} });
    else await route.fallback();
  });
  const toManage = page.getByRole('region', { name: 'Da gestire' });
  const opens = (name: string) => toManage.getByRole('link', { name, exact: true });
  const counts = async () => {
    await expect(opens('Richieste nuove')).toBeVisible();
    const tiles = await tilesOf(toManage.locator('dl > div'));
    return tiles.map(([label, figure]) => [label, Number(figure)]);
  };

  await page.goto('/app/home');
  // What follows does not move when the counts arrive.
  await expect(toManage).toBeVisible();
  const before = await toManage.boundingBox();
  read.resolve();
  const [sent, inProgress, undelivered] = await counts();
  expect((await toManage.boundingBox())?.height).toBeCloseTo(before?.height ?? 0, 0);
  expect(asked.filter((path) => path.startsWith('/api/admin/'))).toEqual([]);
  await expectAccessible(page);
  await expectToFit(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectContrast(page);
  await page.emulateMedia({ colorScheme: null });

  await app.make.tripRequest(customer, { city: 'Gela' });
  await app.make.tripRequest(customer, { city: 'Melfi', state: 'In lavorazione' });
  await app.make.tripRequest(customer, { city: 'Pisticci', state: 'Confermata' });
  const mail = await app.make.undeliveredMail();
  await opens('In lavorazione').click();
  await expect(page).toHaveURL('/app/gestione-richieste?stato=In+lavorazione');
  await expect(page.getByRole('link', { name: 'Melfi' }).first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Gela', exact: true })).toHaveCount(0);

  await page.goBack();
  const oneMore = [sent, inProgress, undelivered].map((one) => [one?.[0], Number(one?.[1]) + 1]);
  await expect.poll(counts).toEqual(oneMore);
  await opens('Richieste nuove').focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/app/gestione-richieste?stato=Inviata');
  await expect(page.getByRole('link', { name: 'Gela' }).first()).toBeVisible();
  await page.goBack();
  await opens('Email non consegnate').click();
  await expect(page.getByRole('button', { name: `Invia di nuovo: ${mail.subject}` }).first()).toBeVisible();

  failing = true;
  await page.goto('/app/home');
  const retry = page.getByRole('alert').getByRole('button', { name: 'Riprova' });
  await expect(retry).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Scorciatoie' })).toBeVisible();
  failing = false;
  await retry.click();
  expect(await counts()).toEqual(oneMore);
});

test("a customer's Home asks for nothing of the provider's", { tag: '@once' }, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/app/home');
  await expect(page.getByRole('heading', { name: 'Speso e proiezione per progetto' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Da gestire' })).toHaveCount(0);
  expect(asked).toContain('/api/dashboard');
  expect(asked.filter((path) => path.startsWith('/api/admin/'))).toEqual([]);
});

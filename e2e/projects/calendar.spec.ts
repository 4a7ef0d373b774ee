import type { Locator } from '@playwright/test';
import { addDays, formatDate, startOfMonth, todayInRome } from '#contract/dates.ts';
import { openNewProject, PROJECTS_PATH } from '../support/projects.ts';
import { expect, test } from '../support/test.ts';

test('the calendar opens with the focus on today, even before its code is loaded, or on the first possible day, and turns with the keys of a date picker', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.goto(PROJECTS_PATH);
  await page.getByRole('button', { name: 'Nuovo Progetto' }).click();
  const dialog = page.getByRole('dialog', { name: 'Crea Nuovo Progetto' });
  const calendar = page.getByRole('dialog', { name: 'Seleziona data' });
  for (const label of ['Data Inizio', 'Data Fine']) {
    const pick = dialog.getByRole('button', { name: `Seleziona data: ${label}` });
    await pick.press('Enter');
    await expect(calendar.locator('[aria-current="date"]')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('textbox', { name: label })).toHaveValue(formatDate(todayInRome()));
    await expect(pick).toBeFocused();
  }
  const later = formatDate(addDays(todayInRome(), 45));
  await dialog.getByRole('textbox', { name: 'Data Inizio' }).fill(later);
  await expect(dialog.getByRole('textbox', { name: 'Data Fine' })).toHaveAccessibleDescription(
    'Se non la indichi: il giorno di inizio',
  );
  await dialog.getByRole('button', { name: 'Seleziona data: Data Fine' }).press('Enter');
  await expect(calendar.locator('[data-autofocus]')).toBeFocused();
  // Before the first possible day it stays there.
  for (const key of ['PageDown', 'PageUp', 'PageUp']) await page.keyboard.press(key);
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('textbox', { name: 'Data Fine' })).toHaveValue(later);
  await dialog.getByRole('textbox', { name: 'Data Fine' }).fill('31/01/2199');
  await dialog.getByRole('button', { name: 'Seleziona data: Data Fine' }).press('Enter');
  await expect(calendar.locator('[data-autofocus]')).toBeFocused();
  await page.keyboard.press('PageDown');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('textbox', { name: 'Data Fine' })).toHaveValue('28/02/2199');

  await dialog.getByRole('button', { name: 'Seleziona data: Data Fine' }).press('Enter');
  const day = (name: string) => calendar.getByRole('button', { name, exact: true });
  await expect(day('giovedì 28 febbraio 2199')).toBeFocused();
  await expect(calendar.getByRole('button', { pressed: true })).toHaveText('28');
  for (const [key, name] of [
    ['ArrowRight', 'venerdì 1 marzo 2199'],
    ['ArrowRight', 'sabato 2 marzo 2199'],
    ['ArrowDown', 'sabato 9 marzo 2199'],
    ['ArrowUp', 'sabato 2 marzo 2199'],
    ['ArrowLeft', 'venerdì 1 marzo 2199'],
    ['ArrowLeft', 'giovedì 28 febbraio 2199'],
    ['ArrowDown', 'giovedì 7 marzo 2199'],
    ['ArrowUp', 'giovedì 28 febbraio 2199'],
    ['Home', 'lunedì 25 febbraio 2199'],
    ['End', 'domenica 3 marzo 2199'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(day(name)).toBeFocused();
  }
  // Of two months that fast keys go through, the first is not rendered before the second key is answered.
  const month = calendar.getByRole('button', { name: /^\p{L}+ \d{4}$/u });
  const atOnce = await month.evaluate((element) => {
    for (const _ of ['first', 'second']) {
      const key = { key: 'PageDown', bubbles: true, cancelable: true };
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', key));
    }
    return element.textContent;
  });
  expect(atOnce).toBe('marzo 2199');
  await expect(day('venerdì 3 maggio 2199')).toBeFocused();
  for (const _ of ['first', 'second']) await page.keyboard.press('PageUp');
  await expect(day('domenica 3 marzo 2199')).toBeFocused();
  const said = calendar.getByRole('status');
  await expect(said).toBeEmpty();
  await calendar.getByRole('button', { name: 'Mese successivo' }).click();
  await expect(said).toHaveText('aprile 2199');
  // The second press follows before the first has turned the page.
  await calendar.getByRole('button', { name: 'Mese successivo' }).dblclick();
  await expect(said).toHaveText('giugno 2199');
  await page.keyboard.press('Escape');

  // The focus stays in the calendar where the pressed button is disabled or replaced.
  await dialog.getByRole('textbox', { name: 'Data Fine' }).fill(later);
  await dialog.getByRole('button', { name: 'Seleziona data: Data Fine' }).press('Enter');
  await expect(calendar.locator('[data-autofocus]')).toBeFocused();
  const first = (await month.textContent()) ?? '';
  await calendar.getByRole('button', { name: 'Mese successivo' }).press('Enter');
  await calendar.getByRole('button', { name: 'Mese precedente' }).press('Enter');
  await expect(calendar.getByRole('button', { name: 'Mese precedente' })).toBeDisabled();
  await expect(month).toHaveText(first);
  await expect(month).toBeFocused();
  await page.keyboard.press('Enter');
  const year = calendar.getByRole('button', { name: /^\d{4}$/ });
  await expect(year).toBeFocused();
  await calendar.getByRole('button', { name: 'Anno successivo' }).press('Enter');
  await calendar.getByRole('button', { name: /^mag/ }).press('Enter');
  await expect(month).toHaveText(/^maggio/);
  await expect(month).toBeFocused();
  const tenth = calendar.getByRole('button', { name: / 10 maggio / });
  await tenth.press('y');
  await expect(tenth).toBeFocused();
  await page.keyboard.press('Control+ArrowDown');
  await expect(calendar.locator('[data-day]:focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(calendar).toHaveCount(0);
  await expect(dialog.getByRole('textbox', { name: 'Data Fine' })).toHaveValue(later);
});

test('a day that is chosen is shown after the press is, and is in a form submitted at once', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  const dialog = await openNewProject(page);
  await dialog.getByLabel('Nome Progetto').fill('Diga di Ridracoli');
  await dialog.getByLabel('Località').fill('Bagno di Romagna');
  const end = dialog.getByRole('textbox', { name: 'Data Fine' });
  await dialog.getByRole('button', { name: 'Seleziona data: Data Fine' }).click();
  const calendar = page.getByRole('dialog', { name: 'Seleziona data' });
  await expect(calendar.locator('[aria-current="date"]')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  const tomorrow = addDays(todayInRome(), 1);
  await expect(calendar.locator(`[data-day="${tomorrow}"]`)).toBeFocused();
  const shown = await end.evaluate(async (field: HTMLInputElement) => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.click();
    // Until React has rendered what the press itself changes.
    await null;
    field.form?.querySelector<HTMLElement>('[type=submit]')?.click();
    return field.value;
  });
  expect(shown).toBe('');
  await expect(page.getByText('Progetto creato con successo!')).toBeVisible();
  const row = page.getByRole('row', { name: 'Diga di Ridracoli' });
  await expect(row).toContainText(formatDate(tomorrow));
});

test('results of the calendar and of the employee picker are announced', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  const atPriolo = await app.make.project(user, { location: 'Priolo' });
  for (let made = 1; made <= 30; made += 1)
    await app.make.employee(
      user,
      { name: `Persona ${String(made).padStart(2, '0')}` },
      made === 7 ? atPriolo : undefined,
    );
  const expectedTwice = await app.make.employee(user, { name: 'Zita Zoli' });
  for (const name of ['Diga', 'Ponte']) {
    const startDate = startOfMonth(todayInRome(), 7);
    await app.make.assign(user, await app.make.project(user, { name, startDate }), expectedTwice);
  }
  const page = await openAs(user);
  await page.goto(`${PROJECTS_PATH}?tab=team`);
  const calendar = page.getByRole('region', { name: 'Calendario trasferte' });
  await calendar.getByRole('button', { name: 'Mostra altre' }).press('Enter');
  await expect(calendar.getByRole('rowheader', { name: /Persona 26/ })).toBeFocused();
  // The table is for screen readers alone: the chart shows where the focus is.
  const chart = calendar.locator('[aria-hidden]');
  await expect(chart.getByText('Persona 26')).toBeInViewport();
  const marked = chart.locator('[data-focused=true]');
  await expect(marked).toHaveText(/^Persona 26/);
  await expect(marked).toHaveCSS('outline-style', 'solid');
  await page.keyboard.press('Tab');
  await expect(marked).toHaveCount(0);

  /** The live regions that are there now: one that appears together with its text is often not announced. */
  const standing = async (scope: Locator) => {
    await scope.getByRole('status').evaluateAll((all) => {
      for (const status of all) status.dataset.stood = '';
    });
    return scope.locator('[role=status][data-stood]');
  };
  const told = await standing(calendar);
  const search = calendar.getByRole('search').getByRole('searchbox', { name: 'Cerca nel calendario' });
  await search.fill('nessuno così');
  await expect(told.filter({ hasText: 'Nessun risultato in questo periodo.' })).toBeVisible();
  await search.fill('persona 05');
  await expect(told.filter({ hasText: '1 risultato' })).toHaveCount(1);
  // The place of a project finds its people.
  await search.fill('priolo');
  await expect(calendar.getByRole('rowheader')).toHaveText(/^Persona 07/);
  await search.fill('nessuno così');
  const period = told.filter({ hasText: 'Chi è dove' });
  const before = await period.innerText();
  const finding = told.filter({ hasText: 'negli stessi giorni' });
  const found = 'Oggi sono in trasferta 31 persone. Nessuno è atteso in due posti negli stessi giorni.';
  await expect(finding).toHaveText(found);
  const { promise: arrived, resolve: letGo } = Promise.withResolvers<void>();
  await page.route('**/api/projects/timeline?**', (route) => arrived.then(() => route.fallback()));
  await calendar.getByRole('button', { name: 'Periodo successivo' }).click();
  await expect(period).not.toHaveText(before);
  // While a period loads, nothing is said about it, and the result of the previous one is gone.
  await expect(calendar.getByText(found)).toBeHidden();
  await expect(calendar.locator('[aria-hidden]').getByText('Persona 26')).toBeHidden();
  await expect(calendar.getByRole('row')).toHaveCount(0);
  await expect(finding).toBeVisible();
  letGo();
  await expect(finding).toHaveText('Zita Zoli è su più progetti negli stessi giorni.');

  const team = page.getByRole('region', { name: 'Team Completo' });
  await expect(team.getByText('25 di 31')).toBeVisible();
  const toldOfTeam = await standing(team);
  await team.getByRole('searchbox').fill('persona 05');
  await expect(toldOfTeam.filter({ hasText: '1 risultato' })).toHaveCount(1);

  const dialog = await openNewProject(page);
  await expect(dialog.getByRole('checkbox', { name: /^Persona 01/ })).toBeVisible();
  const toldThere = await standing(dialog);
  await dialog.getByLabel('Cerca per nome, ruolo o progetto').fill('nessuno così');
  await expect(toldThere.filter({ hasText: 'Nessun dipendente corrisponde alla ricerca.' })).toHaveCount(1);
  await dialog.getByLabel('Cerca per nome, ruolo o progetto').fill('persona 05');
  await expect(toldThere.filter({ hasText: '1 risultato' })).toHaveCount(1);
  await expect(dialog.getByRole('group', { name: 'Dipendenti', exact: true })).toHaveAccessibleDescription(
    /Freccia su e freccia giù/,
  );
});

test('the calendar shows its months at once, and keeps them in place when figures and people arrive', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user();
  await app.make.assign(user, await app.make.project(user), await app.make.employee(user));
  const page = await openAs(user);
  const [figures, people] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route('**/api/projects/stats', (route) => figures.promise.then(() => route.fallback()));
  await page.route('**/api/projects/timeline?**', (route) => people.promise.then(() => route.fallback()));
  await page.goto(`${PROJECTS_PATH}?tab=team`);
  const calendar = page.getByRole('region', { name: 'Calendario trasferte' });
  const months = calendar.getByText(/^(gen|feb|mar|apr|mag|giu|lug|ago|set|ott|nov|dic)/);
  const places = () => months.evaluateAll((all) => all.map((month) => month.getBoundingClientRect().top));
  // The lines of letters end at fractions of a pixel.
  const nearby = (tops: number[]) => tops.map((top) => expect.closeTo(top, 0));
  await expect(months).toHaveCount(6);
  await expect(calendar.locator('[aria-busy=true]')).toHaveCount(1);
  // These windows ask for less motion.
  await expect(calendar.locator('[aria-busy=true]')).toHaveCSS('animation-name', 'none');
  const before = await places();
  figures.resolve();
  await expect(page.getByText('in 1 progetto')).toBeVisible();
  expect(await places()).toEqual(nearby(before));
  people.resolve();
  await expect(calendar.locator('[aria-busy=true]')).toHaveCount(0);
  expect(await places()).toEqual(nearby(before));
});

test('the lengths of the calendar stand on one line, also on a large phone', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  await app.make.employee(user, { name: 'Mario Rossi' }, await app.make.project(user));
  const page = await openAs(user);
  await page.setViewportSize({ width: 600, height: 900 });
  await page.goto(`${PROJECTS_PATH}?tab=team`);
  const lengths = page.getByRole('radiogroup', { name: 'Mesi mostrati' });
  const [first, last] = [lengths.getByText('3 mesi'), lengths.getByText('12 mesi')];
  await expect(last).toBeVisible();
  expect((await last.boundingBox())?.y).toBe((await first.boundingBox())?.y);
});

test('a name without spaces does not reach out of the calendar of a phone', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const word = 'Sanbartolomeo'.repeat(4);
  const user = await app.make.user();
  await app.make.employee(user, {}, await app.make.project(user, { name: word, location: word }));
  const page = await openAs(user);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${PROJECTS_PATH}?tab=team`);
  const calendar = page.getByRole('region', { name: 'Calendario trasferte' });
  await calendar.getByText('Progetti', { exact: true }).click();
  const label = calendar.getByTitle(`${word}, ${word}`, { exact: true });
  await expect(label).toBeVisible();
  const [inner, outer] = await Promise.all([label.boundingBox(), calendar.boundingBox()]);
  if (!inner || !outer) throw new Error('visible above');
  expect(inner.x + inner.width).toBeLessThan(outer.x + outer.width);
});

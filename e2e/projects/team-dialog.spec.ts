import type { Locator, Page, Route } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import type { RunningApp } from '../support/app.ts';
import { LONGEST } from '../support/extremes.ts';
import { expectToFit, expectWholeWords } from '../support/layout.ts';
import { PROJECTS_PATH } from '../support/projects.ts';
import { expect, test } from '../support/test.ts';

/** A customer with one project, in whose team is one person. */
async function customerWithTeam(app: RunningApp) {
  const user = await app.make.user();
  const project = await app.make.project(user, { name: 'Diga di Ridracoli', location: 'Bagno di Romagna' });
  await app.make.employee(user, { name: 'Mario Rossi', role: 'Tecnico', status: 'in trasferta' }, project);
  return user;
}

test('the card of a team member opens after 700 ms of pointing and closes 300 ms after', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const page = await openAs(await customerWithTeam(app));
  await page.clock.install();
  await page.goto(PROJECTS_PATH);
  await page.getByRole('button', { name: '1 persona' }).first().click();
  const team = page.getByRole('dialog', { name: 'Team Diga di Ridracoli' });
  const person = team.getByText('Mario Rossi');
  await person.waitFor();
  await page.clock.pauseAt(Date.now() + 3_600_000);
  const card = page.getByRole('term').filter({ hasText: 'Località' }).locator('..');
  await person.hover();
  await page.clock.runFor(699);
  await expect(card).toBeHidden();
  await page.clock.runFor(1);
  await expect(card).toBeVisible();
  await expect(card).toHaveText(
    /^Progetto\s*Diga di Ridracoli\s*Ruolo\s*Tecnico\s*Località\s*Bagno di Romagna\s*Stato\s*in trasferta$/,
  );
  await page.mouse.move(0, 0);
  await page.clock.runFor(299);
  await expect(card).toBeVisible();
  await page.clock.runFor(1);
  await expect(card).toBeHidden();
  // It covers those below: Esc takes it away, and leaves the dialog to the next press.
  await person.hover();
  await page.clock.runFor(700);
  await expect(card).toBeVisible();
  await page.keyboard.press('Escape');
  await page.clock.runFor(300);
  await expect(card).toBeHidden();
  await expect(team).toBeVisible();
  await page.keyboard.press('Escape');
  await page.clock.runFor(300);
  await expect(team).toBeHidden();
});

test('on a touch screen with a mouse no card of a team member opens, and Esc closes the team', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const page = await openAs(await customerWithTeam(app));
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  await page.clock.install();
  await page.goto(PROJECTS_PATH);
  expect(await page.evaluate("matchMedia('(hover: none)').matches")).toBe(true);
  await page.getByRole('button', { name: '1 persona' }).first().click();
  const team = page.getByRole('dialog', { name: 'Team Diga di Ridracoli' });
  const person = team.getByText('Mario Rossi');
  await person.waitFor();
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await person.hover();
  await page.clock.runFor(1_000);
  await expect(page.getByRole('term').filter({ hasText: 'Località' })).toHaveCount(0);
  await page.clock.resume();
  await page.keyboard.press('Escape');
  await expect(team).toBeHidden();
  await devtools.detach();
});

test('the form that a team leads to keeps the focus when the team closes after it', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const page = await openAs(await customerWithTeam(app));
  await page.goto(PROJECTS_PATH);
  await page.getByRole('button', { name: 'team di Diga di Ridracoli' }).first().click();
  const team = page.getByRole('dialog', { name: 'Team Diga di Ridracoli', includeHidden: true });
  await expect(team.locator(':focus')).toBeVisible();
  // As on a slow phone, what waits for a frame comes one by one.
  await page.evaluate(() => {
    const nextFrame = requestAnimationFrame;
    let last = Promise.resolve();
    window.requestAnimationFrame = (work) => {
      last = last.then(() => new Promise((done) => setTimeout(done, 100)));
      void last.then(() => nextFrame(work));
      return 0;
    };
    const outside: string[] = [];
    addEventListener('focusin', ({ target }) => {
      if (!(target instanceof Element) || target.closest('[role=dialog]')) return;
      if (document.querySelector('.mantine-Modal-content')) outside.push(target.outerHTML);
    });
    Object.assign(window, { outside });
  });
  await team.getByRole('button', { name: 'Aggiungi o togli persone' }).click();
  await expect(
    page.getByRole('dialog', { name: 'Modifica Diga di Ridracoli' }).locator(':focus'),
  ).toBeVisible();
  await expect(team).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'team di Diga di Ridracoli' }).first()).toBeFocused();
  expect(await page.evaluate('outside'), 'focused below the form').toEqual([]);
});

test('a long name in a team wraps only between words on a phone', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  const project = await app.make.project(user, { name: 'Diga' });
  await app.make.employee(user, { name: LONGEST.person, role: 'Capocantiere' }, project);
  const page = await openAs(user);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(PROJECTS_PATH);
  await page.getByRole('button', { name: '1 persona' }).first().click();
  const name = page.getByRole('dialog', { name: 'Team Diga' }).getByText(LONGEST.person);
  await expect(name).toBeVisible();
  await expectWholeWords(name);
});

test('a name without spaces stays on the screen of a phone', { tag: '@once' }, async ({ app, openAs }) => {
  const user = await app.make.user();
  const word = 'w'.repeat(60);
  const project = await app.make.project(user, { name: `${word}p`, location: `${word}l` });
  await app.make.employee(user, { name: `${word}n`, role: 'Capocantiere' }, project);
  const page = await openAs(user);
  await page.setViewportSize({ width: 360, height: 740 });
  const expectOnScreen = async (text: Locator) => {
    await expect(text).toBeVisible();
    const right = await text.evaluate((element) => {
      const words = document.createRange();
      words.selectNodeContents(element);
      return words.getBoundingClientRect().right;
    });
    expect(right, `right edge of ${text}`).toBeLessThanOrEqual(360);
  };
  await page.goto(PROJECTS_PATH);
  await page.getByRole('button', { name: '1 persona' }).first().click();
  await expectOnScreen(page.getByRole('dialog').locator('[data-name]'));
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Nuovo Progetto' }).click();
  await expectOnScreen(page.getByRole('dialog').getByText(`${word}n - Capocantiere`));
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Team' }).click();
  await page.getByRole('button', { name: `Dettagli di ${word}n` }).click();
  await expectOnScreen(page.getByRole('listitem').filter({ hasText: 'assegnazione' }).locator('strong'));
  await expectToFit(page);
});

test('on a phone the selectors of a team stand beside the names', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  const project = await app.make.project(user, { name: 'Diga' });
  await app.make.employee(user, { name: 'Antonio Russo', role: 'Capocantiere' }, project);
  const page = await openAs(user);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(PROJECTS_PATH);
  await page.getByRole('button', { name: '1 persona' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Team Diga' });
  const role = dialog.getByText('Capocantiere');
  const selector = dialog.getByLabel('Stato di Antonio Russo');
  // From the foot of the role to the top of the selector.
  const below = async () => {
    const [words, field] = await Promise.all([role.boundingBox(), selector.boundingBox()]);
    return field && words && field.y - (words.y + words.height);
  };
  await expect.poll(below).toBeLessThan(0);
});

test('a location of one long word fits in the team dialog and in the card of a member', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user();
  const place = 'Llanfair'.repeat(15);
  const project = await app.make.project(user, { name: 'Diga', location: place });
  await app.make.employee(user, { name: 'Mario Rossi' }, project);
  const page = await openAs(user);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(PROJECTS_PATH);
  await page.getByRole('button', { name: 'team di Diga' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Team Diga' });
  await dialog.getByText('Mario Rossi').hover();
  const card = page
    .getByRole('term')
    .filter({ hasText: 'Località' })
    .locator('../..')
    .filter({ hasText: 'Ruolo' });
  await card.waitFor();
  for (const frame of [dialog, card]) {
    const room = await frame.getByText(place).evaluate(
      (words, around) => {
        const written = document.createRange();
        written.selectNodeContents(words);
        return around ? around.getBoundingClientRect().right - written.getBoundingClientRect().right : 0;
      },
      await frame.elementHandle(),
    );
    expect(room).toBeGreaterThanOrEqual(0);
  }
});

test('a status can be changed in the team of a completed project', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  const project = await app.make.project(user, { name: 'Diga chiusa', status: 'Completato' });
  await app.make.employee(user, { name: 'Mario Rossi', status: 'in trasferta' }, project);
  const page = await openAs(user);
  await page.goto(PROJECTS_PATH);
  await page.getByRole('button', { name: '1 persona' }).click();
  const status = page.getByRole('dialog', { name: 'Team Diga chiusa' }).getByLabel('Stato di Mario Rossi');
  await status.focus();
  await status.selectOption('Rientrato');
  await expect(page.getByText('Stato dipendente aggiornato')).toBeVisible();
  await expect(status).toHaveValue('Rientrato');
  await expect(status).toBeFocused();
});

test('a whole crew comes home, or leaves, in one press', { tag: '@once' }, async ({ app, openAs }) => {
  const user = await app.make.user();
  const project = await app.make.project(user, { name: 'Diga' });
  for (const name of ['Ada Neri', 'Bea Neri'])
    await app.make.employee(user, { name, status: 'in trasferta' }, project);
  await app.make.employee(user, { name: 'Ugo Bassi', status: 'disponibile' }, project);
  const page = await openAs(user);
  await page.goto(PROJECTS_PATH);
  await page.getByRole('button', { name: 'Segna come completato: Diga' }).first().click();
  await expect(page.getByText('Diga. 2 persone risultano ancora in trasferta.')).toBeVisible();

  await page.getByRole('button', { name: '3 persone: team di Diga' }).click();
  const team = page.getByRole('dialog', { name: 'Team Diga' });
  const statuses = (around: Page | Locator) =>
    around
      .getByRole('combobox', { name: /^Stato di/ })
      .evaluateAll((selects) => selects.map((select) => (select as HTMLSelectElement).value));
  // Nobody leaves for a completed project.
  await expect(team.getByRole('button', { name: 'Segna come in trasferta' })).toHaveCount(0);
  await team.getByRole('button', { name: 'Segna come rientrati (2)' }).click();
  const question = page.getByRole('dialog', { name: 'Segnare 2 dipendenti come rientrati?' });
  await expect(question).toContainText('Lo stato diventa «Rientrato» nel team di Diga');
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Segna come rientrati' }).click();
  await expect(page.getByText('2 dipendenti aggiornati')).toBeVisible();
  await expect(question).toBeHidden();
  await expect.poll(() => statuses(team)).toEqual(['Rientrato', 'Rientrato', 'disponibile']);
  // The button is gone, since it concerns nobody any more.
  await expect(team.getByRole('heading', { name: 'Team Diga' })).toBeFocused();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Riapri progetto: Diga' }).click();
  const table = page.getByRole('table', { name: 'Tutti i progetti' });
  await table.getByRole('button', { name: 'Dettagli di Diga' }).click();
  await table.getByRole('button', { name: 'Segna come in trasferta (3)' }).click();
  await page
    .getByRole('dialog', { name: 'Segnare 3 dipendenti come in trasferta?' })
    .getByRole('button', { name: 'Segna come in trasferta' })
    .click();
  await expect(table.getByRole('button', { name: 'Segna come rientrati (3)' })).toBeVisible();
  await expect.poll(() => statuses(table)).toEqual(['in trasferta', 'in trasferta', 'in trasferta']);
  await expect(table.getByRole('group', { name: 'Stato del team di Diga' })).toBeFocused();

  for (const name of ['Ada Neri', 'Bea Neri'])
    await table.getByLabel(`Stato di ${name}`).selectOption('Rientrato');
  await table.getByRole('button', { name: 'Segna come rientrato (1)' }).click();
  await expect(
    page
      .getByRole('dialog', { name: 'Segnare 1 dipendente come rientrato?' })
      .getByRole('button', { name: 'Segna come rientrato', exact: true }),
  ).toBeVisible();
});

test('after two failed changes of a status the value of the server is shown', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 500/);
  const user = await app.make.user();
  const project = await app.make.project(user, { name: 'Diga' });
  await app.make.employee(user, { name: 'Mario Rossi', status: 'in trasferta' }, project);
  const page = await openAs(user);
  await page.goto(PROJECTS_PATH);
  await page.getByRole('button', { name: '1 persona' }).first().click();
  const status = page.getByRole('dialog', { name: 'Team Diga' }).getByLabel('Stato di Mario Rossi');
  const held: Route[] = [];
  await page.route('**/api/employees/*/status', (route) => {
    held.push(route);
  });
  // Reads are held back until the end.
  const read = Promise.withResolvers<void>();
  await page.route(/\/api\/(projects|employees)\?/, (route) => read.promise.then(() => route.fallback()));
  await status.selectOption('Rientrato');
  await status.selectOption('in trasferta');
  const told = page.getByRole('alert').filter({ hasText: "Errore durante l'aggiornamento dello stato" });
  // The second is sent once the first is answered, so that they are stored in this order.
  for (const sent of [1, 2]) {
    await expect.poll(() => held.length).toBe(sent);
    await held.at(-1)?.fulfill({ status: 500 });
    await expect(told).toBeVisible();
    await expect(status).toHaveValue('in trasferta');
    if (sent === 1) await told.getByRole('button').click();
  }
  read.resolve();
  await expect(status).toHaveValue('in trasferta');
});

test('a team is printed whole, without the page below it', { tag: '@once' }, async ({ app, openAs }) => {
  const user = await app.make.user();
  const project = await app.make.project(user);
  for (let number = 1; number <= 30; number += 1) await app.make.employee(user, {}, project);
  const page = await openAs(user);
  await page.goto(PROJECTS_PATH);
  await page.getByRole('button', { name: '30 persone' }).first().click();
  const team = page.getByRole('dialog');
  await expect(team.getByRole('listitem')).toHaveCount(30);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('heading', { level: 1 })).toBeHidden();
  expect(await team.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0);
  const height = (await team.boundingBox())?.height ?? 0;
  expect(await page.locator('html').evaluate(({ scrollHeight }) => scrollHeight)).toBeGreaterThanOrEqual(
    height,
  );
  await page.emulateMedia({ media: null });
  await expect(page.getByRole('heading', { level: 1, includeHidden: true })).toBeVisible();
});

test('a large team loads more members and focuses the first new one', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  const project = await app.make.project(user, { name: 'Diga' });
  for (let made = 1; made <= 32; made += 1)
    await app.make.employee(user, { name: `Persona ${String(made).padStart(2, '0')}` }, project);
  const page = await openAs(user);
  await page.goto(PROJECTS_PATH);
  await page.getByRole('button', { name: '32 persone' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Team Diga' });
  await expect(dialog.getByText('30 di 32')).toBeVisible();
  await dialog.getByRole('button', { name: 'Mostra altri' }).click();
  await expect(dialog.getByText('Persona 31', { exact: true })).toBeFocused();
  await expect(dialog.getByRole('listitem')).toHaveCount(32);
});

test('a failed change of a status is undone', { tag: '@once' }, async ({ app, openAs, problems }) => {
  problems.expect(/status of 500/);
  const user = await app.make.user();
  await app.make.employee(user, { name: 'Ugo Bassi', status: 'in trasferta' });
  const page = await openAs(user);
  await page.route('**/api/employees/*/status', (route) => route.fulfill({ status: 500, json: {} }));
  await page.goto(`${PROJECTS_PATH}?tab=team`);
  const status = page.getByLabel('Stato di Ugo Bassi');
  await status.selectOption('Rientrato');
  await expect(page.getByText("Errore durante l'aggiornamento dello stato")).toBeVisible();
  await expect(status).toHaveValue('in trasferta');
});

test('failed changes of two statuses are undone independently', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 500/);
  const user = await app.make.user();
  for (const name of ['Ada Neri', 'Bice Neri'])
    await app.make.employee(user, { name, status: 'in trasferta' });
  const page = await openAs(user);
  await page.goto(`${PROJECTS_PATH}?tab=team`);
  const ada = page.getByLabel('Stato di Ada Neri');
  const bice = page.getByLabel('Stato di Bice Neri');
  await expect(ada).toHaveValue('in trasferta');
  const held: Route[] = [];
  // The lists are never answered: their data would overwrite what was undone.
  await page.route(/\/api\/employees[/?]/, (route) => {
    if (route.request().method() === 'PUT') held.push(route);
  });
  for (const [index, status] of [ada, bice].entries()) {
    await status.selectOption('Rientrato');
    await expect.poll(() => held.length).toBe(index + 1);
  }
  await held[0]?.fulfill({ status: 500, json: {} });
  await expect(ada).toHaveValue('in trasferta');
  await expect(bice).toHaveValue('Rientrato');
  await held[1]?.fulfill({ status: 500, json: {} });
  await expect(bice).toHaveValue('in trasferta');
  await expect(ada).toHaveValue('in trasferta');
});

test('the details of a project follow the frame that shows that they open', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  const project = await app.make.project(user, { name: 'Diga' });
  await app.make.employee(user, { name: 'Ada Neri' }, project);
  const page = await openAs(user);
  await page.goto(PROJECTS_PATH);
  const expander = page.getByRole('button', { name: 'Dettagli di Diga' });
  const shown = await expander.evaluate(async (button) => {
    if (button instanceof HTMLElement) button.click();
    // Until React has rendered what the press itself changes.
    await null;
    return [button.getAttribute('aria-expanded'), button.getAttribute('aria-controls')];
  });
  expect(shown).toEqual(['true', null]);
  const team = page.getByRole('list', { name: 'Team di Diga' });
  await expect(team).toContainText('Ada Neri');
  await expect(expander).toHaveAttribute('aria-controls', /./);
  await expander.click();
  await expect(team).toHaveCount(0);
  await expect(expander).not.toHaveAttribute('aria-controls');
});

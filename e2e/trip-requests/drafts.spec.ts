import type { Page } from '@playwright/test';
import { addDays, formatDate, todayInRome } from '#contract/dates.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { answerOnce } from '../support/answer-once.ts';
import { expectToFit } from '../support/layout.ts';
import { PROJECTS_PATH } from '../support/projects.ts';
import { expect, test } from '../support/test.ts';
import { fillToTheEnd, textboxOf, WIZARD_PATH } from '../support/trip-requests.ts';

/** Waits until both tabs see the same local storage: the browser syncs it with a delay. */
async function expectSameDrafts(one: Page, other: Page): Promise<void> {
  const kept = (page: Page) => page.evaluate(() => Object.entries(localStorage).sort());
  await expect(async () => expect(await kept(one)).toEqual(await kept(other))).toPass();
}

test('a duplicate does not silently replace a draft from another tab', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  const request = await app.make.tripRequest(user, { city: 'Olbia' });
  const page = await openAs(user);
  await page.goto(`${WIZARD_PATH}/richieste/${request.id}`);
  await expect(page.getByRole('button', { name: 'Duplica' })).toBeVisible();
  const tab = await page.context().newPage();
  await tab.goto(WIZARD_PATH);
  await textboxOf(tab, 'Città').fill('Tempio Pausania');
  await expectSameDrafts(tab, page);
  await page.bringToFront();
  await page.getByRole('button', { name: 'Duplica' }).click();
  await page.getByRole('dialog', { name: 'Sostituire la richiesta non inviata?' }).waitFor();
  await page.getByRole('button', { name: 'Annulla', exact: true }).click();
  await tab.reload();
  await expect(textboxOf(tab, 'Città')).toHaveValue('Tempio Pausania');
});

test('a duplicate asked for again while the form is still loading asks nothing', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  const request = await app.make.tripRequest(user, { city: 'Olbia' });
  const page = await openAs(user);
  await page.goto(`${WIZARD_PATH}/richieste/${request.id}`);
  const duplicate = page.getByRole('button', { name: 'Duplica' });
  await expect(duplicate).toBeVisible();
  const { promise: loaded, resolve: load } = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', (route) => loaded.then(() => route.continue()));
  await duplicate.click();
  await expect(duplicate).toHaveAttribute('aria-busy', 'true');
  await duplicate.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  load();
  await expect(page.getByText('Hai duplicato la richiesta per Olbia.')).toBeVisible();
});

test('a project leads to a request for its people, to its invoices, and a request to its project', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user();
  const startDate = addDays(todayInRome(), 9);
  const project = await app.make.project(user, { name: 'Diga di Ravedis', location: 'Barcis', startDate });
  for (let people = 0; people < 2; people += 1) await app.make.employee(user, {}, project);
  const page = await openAs(user);
  const openTeam = async () => {
    await page.goto(PROJECTS_PATH);
    await page.getByRole('button', { name: '2 persone: team di Diga di Ravedis' }).first().click();
    return page.getByRole('dialog', { name: 'Team Diga di Ravedis' });
  };
  const team = await openTeam();
  const start = page.getByRole('button', { name: 'Chiedi una trasferta: Diga di Ravedis' });
  await expect(start).toBeEnabled();
  await expectAccessible(page);
  await expectToFit(page);
  await start.click();
  await expect(page.getByText('Hai ripreso i dati del progetto Diga di Ravedis.')).toBeVisible();
  await expect(textboxOf(page, 'Città')).toHaveValue('Barcis');
  await expect(page.getByRole('combobox', { name: 'Nome del Progetto' })).toHaveValue('Diga di Ravedis');
  await expect(textboxOf(page, 'Data di Inizio')).toHaveValue(formatDate(startDate));
  await expect(textboxOf(page, 'Numero di Persone')).toHaveValue('2');
  await textboxOf(page, 'Città').fill('Montereale');

  await openTeam();
  await start.click();
  const question = page.getByRole('dialog', { name: 'Sostituire la richiesta non inviata?' });
  await expect(question).toContainText('partendo da questo progetto, quella andrà persa');
  await question.getByRole('button', { name: 'Annulla', exact: true }).click();
  await team.getByRole('link', { name: 'Fatture: Diga di Ravedis' }).click();
  await expect(page).toHaveURL(`/app/pagamenti-fatture?vista=fatture&progetto=${project.id}`);

  const { id } = await app.make.tripRequest(user, { projectId: project.id, projectName: 'Diga' });
  await openTeam();
  await team.getByRole('link', { name: 'Richieste: Diga di Ravedis' }).click();
  await expect(page).toHaveURL(`${WIZARD_PATH}/richieste?progetto=${project.id}`);
  await page.goto(`${WIZARD_PATH}/richieste/${id}`);
  await expect(page.getByText('Diga (ora Diga di Ravedis)')).toBeVisible();
  await page.getByRole('link', { name: 'Diga', exact: true }).click();
  await expect(page).toHaveURL(`${PROJECTS_PATH}?cerca=Diga%20di%20Ravedis`);
  await expect(page.getByRole('row', { name: 'Diga di Ravedis' })).toBeInViewport();
});

test('a draft sent in one tab is not sent again in another', { tag: '@once' }, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.goto(WIZARD_PATH);
  await fillToTheEnd(page, 'Siniscola');
  const tab = await page.context().newPage();
  await tab.goto(WIZARD_PATH);
  await expect(textboxOf(tab, 'Numero di Telefono')).toHaveValue('+39 333 1234567');
  const seen: string[] = [];
  for (const each of [page, tab]) {
    await each.bringToFront();
    await answerOnce(each, 'trip-requests', async (route) => {
      const response = await route.fetch();
      seen.push((await response.json()).id);
      await route.fulfill({ response });
    });
    await each.getByRole('button', { name: 'Invia Richiesta' }).click();
    await expect(each.getByText('Richiesta Inviata').first()).toBeVisible();
  }
  expect(seen[1]).toBe(seen[0]);
});

test('writing and sending in one tab does not lose the draft of another', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const page = await openAs(await app.make.user());
  const tab = await page.context().newPage();
  for (const each of [page, tab]) {
    await each.goto(WIZARD_PATH);
    await expect(textboxOf(each, 'Città')).toHaveValue('');
  }
  await textboxOf(tab, 'Città').fill('Tempio Pausania');
  const turnTo = async (each: Page) => {
    await expectSameDrafts(page, tab);
    await each.bringToFront();
  };
  const send = async (city: string) => {
    await turnTo(page);
    await page.getByRole('button', { name: 'Invia Richiesta' }).click();
    await expect(page.getByText('Richiesta Inviata').first()).toBeVisible();
    await app.mailbox.received(`Nuova Richiesta Trasferta - ${city}`);
    await turnTo(tab);
  };
  await turnTo(page);
  await fillToTheEnd(page, 'Arzachena');
  await send('Arzachena');
  await tab.getByRole('link', { name: 'Le tue richieste' }).click();
  await tab
    .getByRole('dialog', { name: 'Uscire senza salvare?' })
    .getByRole('button', { name: 'Resta qui' })
    .click();
  // The next change is stored again.
  await textboxOf(tab, 'Posizione Esatta del Sito di Lavoro').fill('Cava');
  await tab.getByRole('link', { name: 'Le tue richieste' }).click();
  await expect(tab.getByRole('heading', { level: 1, name: 'Le tue richieste' })).toBeVisible();
  await tab.goBack();
  await expect(textboxOf(tab, 'Città')).toHaveValue('Tempio Pausania');

  await turnTo(page);
  await page.goto(WIZARD_PATH);
  await fillToTheEnd(page, 'Palau');
  await turnTo(tab);
  await textboxOf(tab, 'Ragione della Trasferta').fill('Scavo');
  await send('Palau');
  await tab.reload();
  await expect(textboxOf(tab, 'Città')).toHaveValue('Tempio Pausania');
  await expect(textboxOf(tab, 'Ragione della Trasferta')).toHaveValue('Scavo');

  // A restored draft that another tab replaced also asks before leaving, even if unchanged.
  await turnTo(page);
  await page.goto(WIZARD_PATH);
  await textboxOf(page, 'Città').fill('Olbia');
  await turnTo(tab);
  await tab.getByRole('link', { name: 'Le tue richieste' }).click();
  await expect(tab.getByRole('dialog', { name: 'Uscire senza salvare?' })).toBeVisible();
});

import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { answerOnce } from '../support/answer-once.ts';
import { LONGEST } from '../support/extremes.ts';
import { expectWholeWords } from '../support/layout.ts';
import { openNewProject, PROJECTS_PATH } from '../support/projects.ts';
import { expect, test } from '../support/test.ts';

test('when two tabs edit one project, the later one is shown both versions', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 409/);
  const user = await app.make.user();
  await app.make.project(user, { name: 'Ponte' });
  const [first, second] = await Promise.all([openAs(user), openAs(user)]);
  for (const page of [first, second]) {
    await page.bringToFront();
    await page.goto(PROJECTS_PATH);
    await page.getByRole('button', { name: 'Modifica Ponte' }).first().click();
  }
  const save = async (page: Page, name: string) => {
    await page.bringToFront();
    await page.getByLabel('Nome Progetto').fill(name);
    await page.getByRole('button', { name: 'Salva modifiche' }).click();
  };
  await save(first, 'Ponte Nord');
  await expect(first.getByText('Progetto aggiornato')).toBeVisible();
  await save(second, 'Ponte Sud');
  const notice = second.getByRole('note').filter({ hasText: 'Qualcuno ha modificato questi dati' });
  await expect(notice.getByRole('row', { name: 'Nome' })).toContainText('Ponte Sud');
  await expect(notice.getByRole('row', { name: 'Nome' })).toContainText('Ponte Nord');
  await expectAccessible(second);
  await notice.getByRole('button', { name: 'Salva la mia versione' }).click();
  await expect(second.getByText('Progetto aggiornato')).toBeVisible();
  await expect(second.getByRole('list', { name: 'Progetti attivi' })).toContainText('Ponte Sud');
});

test('on a phone the two versions of a project are shown with whole words, from the top', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 409/);
  const user = await app.make.user();
  const project = await app.make.project(user, { name: 'Ponte' });
  await app.make.employee(user, { name: LONGEST.person }, project);
  const page = await openAs(user);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(PROJECTS_PATH);
  await page.getByRole('button', { name: 'Modifica Ponte' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Modifica Ponte' });
  await dialog.getByLabel('Proiezione Spesa Totale (€)').fill('1.212.480,50');
  const data = { name: 'Ponte', location: LONGEST.project, projectedTotal: 1_312_480.5, version: 1 };
  expect((await page.request.patch(`/api/projects/${project.id}`, { data })).ok()).toBe(true);
  await dialog.getByRole('button', { name: 'Salva modifiche' }).click();
  const notice = dialog.getByRole('note', { name: /^Qualcuno ha modificato questi dati/ });
  await expect(notice).toBeVisible();
  await expectWholeWords(notice);
  await expect(notice.getByText('Qualcuno ha modificato')).toBeInViewport({ ratio: 1 });
  await expect(notice.getByRole('cell', { name: '0 persone', exact: true })).toBeVisible();
});

test('the two versions of an employee are shown under the names of the fields', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 409/);
  const user = await app.make.user();
  const { id } = await app.make.employee(user, { name: 'Zita Gatti' });
  const page = await openAs(user);
  await page.goto('/app/progetti-team?tab=team');
  await page.getByRole('button', { name: 'Modifica Zita Gatti' }).click();
  const dialog = page.getByRole('dialog', { name: 'Modifica Zita Gatti' });
  await dialog.getByLabel('Nome e cognome').fill('Zita Gatto');
  const data = { name: 'Zita Gotti', role: 'Tecnico', version: 1 };
  expect((await page.request.patch(`/api/employees/${id}`, { data })).ok()).toBe(true);
  await dialog.getByRole('button', { name: 'Salva modifiche' }).click();
  const notice = dialog.getByRole('note', { name: /^Qualcuno ha modificato questi dati/ });
  await expect(notice.getByRole('row', { name: 'Nome e cognome' })).toContainText('Zita Gotti');
});

test('an edit whose answer was lost can be saved again, without a conflict with itself', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  for (const problem of [/ERR_FAILED/, /status of 409/]) problems.expect(problem);
  const user = await app.make.user();
  const project = await app.make.project(user, { name: 'Ponte' });
  const ada = await app.make.employee(user, { name: 'Ada Neri' });
  const page = await openAs(user);
  for (const record of [`projects/${project.id}`, `employees/${ada.id}`])
    await answerOnce(page, record, async (route) => {
      await route.fetch();
      await route.abort();
    });
  await page.goto(PROJECTS_PATH);
  await page.getByRole('button', { name: 'Modifica Ponte' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Modifica Ponte' });
  // What is saved of each field differs from what is typed.
  await dialog.getByLabel('Nome Progetto').fill('Ponte Nord ');
  await dialog.getByRole('textbox', { name: 'Data Fine' }).fill('');
  await dialog.getByLabel('Proiezione Spesa Totale (€)').fill('');
  await dialog.getByRole('checkbox', { name: 'Ada Neri - Tecnico' }).check();
  await dialog.getByRole('button', { name: 'Aggiungi dipendente' }).click();
  const member = dialog.getByRole('group', { name: 'Nuovo dipendente 1' });
  await member.getByLabel('Nome', { exact: true }).fill('Bea');
  await member.getByLabel('Cognome').fill('Rossi');
  await member.getByLabel('Ruolo').selectOption('Tecnico');
  await dialog.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Connessione assente o instabile');
  await dialog.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(page.getByText('Progetto aggiornato')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('list', { name: 'Progetti attivi' })).toContainText('Ponte Nord');

  await page.getByRole('tab', { name: 'Team' }).click();
  await page.getByRole('button', { name: 'Modifica Ada Neri' }).click();
  const person = page.getByRole('dialog', { name: 'Modifica Ada Neri' });
  await person.getByLabel('Email').fill('Ada.Neri@Impresa.it');
  await person.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(person.getByRole('alert')).toContainText('Connessione assente o instabile');
  await person.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(page.getByText('Dipendente aggiornato')).toBeVisible();
  await expect(person).toHaveCount(0);
});

test('an employee deleted meanwhile leaves the team of a draft and of a version saved after a conflict', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  for (const problem of [/status of 409/, /status of 422/]) problems.expect(problem);
  const user = await app.make.user();
  const staying = await app.make.employee(user, { name: 'Ada Neri' });
  const leaving = await app.make.employee(user, { name: 'Ida Fiori' });
  const page = await openAs(user);
  const remove = (id: number) =>
    page.evaluate((one) => fetch(`/api/employees/${one}`, { method: 'DELETE' }).then(({ ok }) => ok), id);
  const dialog = await openNewProject(page);
  await dialog.getByLabel('Nome Progetto').fill('Diga');
  await dialog.getByLabel('Località').fill('Avise');
  await dialog.getByRole('checkbox', { name: 'Ada Neri - Tecnico' }).check();
  await dialog.getByRole('checkbox', { name: 'Ida Fiori - Tecnico' }).check();
  expect(await remove(leaving.id)).toBe(true);
  await page.reload();
  await page.getByRole('button', { name: 'Nuovo Progetto' }).click();
  await expect(dialog.getByText('2 scelti')).toBeVisible();
  await dialog.getByRole('checkbox', { name: 'Mostra solo chi è scelto' }).check();
  await expect(dialog.getByRole('checkbox', { name: 'Ada Neri - Tecnico' })).toBeChecked();
  await dialog.getByRole('button', { name: 'Crea Progetto' }).click();
  const said = 'Uno dei dipendenti scelti non esiste più: lo abbiamo tolto dal team.';
  await expect(dialog.getByRole('alert').filter({ hasText: said })).toBeVisible();
  await expect(dialog.getByText('1 scelto')).toBeVisible();
  await dialog.getByRole('button', { name: 'Crea Progetto' }).click();
  await expect(page.getByText('Progetto creato con successo!')).toBeVisible();

  // The same when "my version" is saved after a conflict.
  await page.getByRole('button', { name: 'Modifica Diga' }).first().click();
  const edit = page.getByRole('dialog', { name: 'Modifica Diga' });
  await expect(edit.getByRole('checkbox', { name: 'Ada Neri - Tecnico' })).toBeChecked();
  expect(await remove(staying.id)).toBe(true);
  await edit.getByLabel('Nome Progetto').fill('Diga alta');
  await edit.getByRole('button', { name: 'Salva modifiche' }).click();
  await edit.getByRole('button', { name: 'Salva la mia versione' }).click();
  await expect(edit.getByRole('alert').filter({ hasText: said })).toBeVisible();
  await edit.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(page.getByText('Progetto aggiornato')).toBeVisible();
});

import type { Request, Route } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { PICTURE } from '../support/accounts.ts';
import { answerOnce } from '../support/answer-once.ts';
import { expectToFit } from '../support/layout.ts';
import { expect, test } from '../support/test.ts';

test('an administrator finds, creates, edits and suspends users', async ({ app, openAs, problems }) => {
  const before = {
    fullName: `Zoè Trovàbile ${test.info().project.name}`,
    companyName: 'Ragione Vecchia S.r.l.',
  };
  const target = await app.make.user(before);
  const page = await openAs(await app.make.user({ role: 'admin' }));
  // Faked: the database has no user without a name or an address.
  let faked = false;
  const nobody = async (route: Route) => {
    if (faked) return route.fallback();
    faked = true;
    const answer = await route.fetch();
    const { items } = await answer.json();
    const [user] = items;
    const json = {
      items: [{ ...user, fullName: '', email: '', companyName: null }],
      total: 1234,
      nextCursor: null,
    };
    await route.fulfill({ response: answer, json });
  };
  await page.route(/\/api\/users(\?|$)/, nobody);
  await page.goto('/app/user-management');
  await expect(page.getByText('Totale utenti: 1.234', { exact: true })).toBeVisible();
  await expect(page.getByText('N/A', { exact: true })).toHaveCount(2);
  await expect(page.getByText('—', { exact: true })).toHaveCount(1);
  const search = page.getByRole('search').getByRole('searchbox', { name: 'Cerca utenti' });
  await search.fill(`zoe trovabile ${test.info().project.name}`);
  await expect(page.getByText(target.email)).toBeVisible();
  await expect(page.getByText('1 di 1')).toBeVisible();
  await expect(page.getByText('Email da confermare')).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page);
  await page.reload();
  await expect(search).toHaveValue(/^zoe trovabile/);
  await expect(page.getByText('1 di 1')).toBeVisible();
  const actions = page.getByRole('button', { name: `Azioni per ${target.fullName}` });
  const { promise: pressed, resolve: isPressed } = Promise.withResolvers<void>();
  await answerOnce(page, `users/${target.id}/recoveries`, (route) => pressed.then(() => route.fallback()));
  await actions.click();
  await page.getByRole('menuitem', { name: /collegamento/ }).click();
  await expect(actions).toBeDisabled();
  isPressed();
  await expect(page.getByText(`Collegamento inviato a ${target.email}.`)).toBeVisible();
  await actions.click();
  await page.getByRole('menuitem', { name: 'Sospendi' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sospendi' }).click();
  await expect(page.getByText('Sospeso', { exact: true })).toBeVisible();

  await actions.click();
  await expect(page.getByRole('menuitem', { name: 'Elimina' })).toBeVisible();
  // A suspended account gets no mail.
  await expect(page.getByRole('menuitem', { name: /collegamento/ })).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('menuitem', { name: 'Modifica' }).click();
  const names = page.getByRole('dialog', { name: 'Modifica utente' });
  await names.getByLabel('Nome completo').fill('');
  await names.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(names.getByText('Inserisci il nome completo')).toBeVisible();
  await names.getByLabel('Nome completo').fill(target.fullName);
  await names.getByLabel('Azienda').fill('Ragione Nuova S.r.l.');
  await expectAccessible(page);
  const edited = page.waitForRequest((request) => request.method() === 'PATCH');
  await names.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(page.getByText(`Dati di ${target.fullName} aggiornati`)).toBeVisible();
  // Unchanged fields are not sent: they would overwrite what the owner saved meanwhile.
  expect((await edited).postDataJSON()).toEqual({ companyName: 'Ragione Nuova S.r.l.', from: before });
  await expect(page.getByText('Ragione Nuova S.r.l.')).toBeVisible();

  await page.getByRole('button', { name: 'Nuovo Utente' }).click();
  await page.getByRole('button', { name: 'Crea utente' }).click();
  await expect(page.getByText('Compila tutti i campi obbligatori.')).toHaveCount(3);
  const password = page.getByRole('textbox', { name: 'Password' });
  await expect(password).toHaveAttribute('aria-invalid', 'true');
  await expect(password).toHaveAccessibleDescription(/Comunicala tu a questa persona/);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email').fill(`nuovo.${test.info().project.name}@example.com`);
  await dialog.getByLabel(/^Password/).fill('segreta');
  await dialog.getByLabel('Nome completo').fill('Nuovo\0 Arrivato');
  problems.expect(/status of 400/);
  await page.getByRole('button', { name: 'Crea utente' }).click();
  await expect(dialog.getByText('Contiene un carattere invisibile')).toBeVisible();
  await expect(dialog.getByLabel('Nome completo')).toBeFocused();
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  await dialog.getByLabel('Nome completo').fill('Nuovo Arrivato');
  await expectAccessible(page);
  // The user is created, but the answer does not arrive whole.
  await answerOnce(page, 'users', async (route) => {
    await route.fetch();
    await route.fulfill({ status: 201 });
  });
  await page.getByRole('button', { name: 'Crea utente' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Connessione assente o instabile');
  const sent: string[] = [];
  const note = (request: Request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
  page.on('request', note);
  // Two clicks before the button is disabled send one request.
  await page.getByRole('button', { name: 'Crea utente' }).evaluate((button: HTMLElement) => {
    button.click();
    button.click();
  });
  await expect(page.getByText('Utente Nuovo Arrivato creato con successo')).toBeVisible();
  await expect(
    page.getByText(
      'Se vuoi che scelga la sua password: Azioni, «Invia il collegamento per una nuova password».',
    ),
  ).toBeVisible();
  page.off('request', note);
  expect(sent.filter((request) => request === 'POST /api/users')).toHaveLength(1);
});

test('when two administrators rename one user, the later one is shown both versions', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 409/);
  const target = await app.make.user({ fullName: 'Irma Contesa', companyName: null });
  const elsewhere = await openAs(await app.make.user({ role: 'admin' }));
  const page = await openAs(await app.make.user({ role: 'admin' }));
  const rename = async (fullName: string) => {
    const data = { fullName };
    expect((await elsewhere.request.patch(`/api/users/${target.id}`, { data })).ok()).toBe(true);
  };
  await page.goto(`/app/user-management?cerca=${target.email}`);
  await page.getByRole('button', { name: 'Azioni per Irma Contesa' }).click();
  await page.getByRole('menuitem', { name: 'Modifica' }).click();
  const dialog = page.getByRole('dialog', { name: 'Modifica utente' });
  const name = dialog.getByLabel('Nome completo');
  const save = dialog.getByRole('button', { name: 'Salva modifiche', exact: true });
  await name.fill('Irma Mia');
  await rename('Irma Loro');
  await save.click();
  await expect(dialog.getByRole('row', { name: 'Nome completo Irma Mia Irma Loro' })).toBeVisible();
  await expect(dialog.getByRole('row')).toHaveCount(2);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Usa la versione salvata' }).click();
  await expect(name).toHaveValue('Irma Loro');

  await name.fill('Irma Mia');
  await rename('Irma Altrui');
  await save.click();
  await dialog.getByRole('button', { name: 'Salva la mia versione' }).click();
  await expect(page.getByText('Dati di Irma Mia aggiornati')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Azioni per Irma Mia' })).toBeVisible();
});

test('a user who changes a name that an administrator changed meanwhile is shown both versions', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 409/);
  const user = await app.make.user({ fullName: 'Irma Rinominata', companyName: null });
  const elsewhere = await openAs(await app.make.user({ role: 'admin' }));
  const page = await openAs(user);
  const rename = async (fullName: string) => {
    const data = { fullName };
    expect((await elsewhere.request.patch(`/api/users/${user.id}`, { data })).ok()).toBe(true);
  };
  await page.goto('/app/profile');
  const name = page.getByLabel('Nome completo');
  const save = page.getByRole('button', { name: 'Salva modifiche' });
  await name.fill('Irma Mia');
  await rename('Irma Loro');
  await save.click();
  await expect(page.getByRole('row', { name: 'Nome completo Irma Mia Irma Loro' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Usa la versione salvata' }).click();
  await expect(name).toHaveValue('Irma Loro');
  await expect(name).toBeFocused();

  await name.fill('Irma Mia');
  await rename('Irma Altrui');
  // The account is read again meanwhile, which must not hide that the name has changed.
  await page.locator('input[type="file"]').setInputFiles({
    name: 'volto.png',
    mimeType: 'image/png',
    buffer: PICTURE,
  });
  await expect(page.getByText('Irma Altrui', { exact: true })).toBeVisible();
  await expect(name).toHaveValue('Irma Mia');
  await save.click();
  await expect(page.getByRole('row', { name: 'Nome completo Irma Mia Irma Altrui' })).toBeVisible();
  await page.getByRole('button', { name: 'Salva la mia versione' }).click();
  await expect(page.getByRole('row')).toHaveCount(0);
  await expect(page.getByText('Irma Mia', { exact: true })).toBeVisible();
  await expect(save).toBeFocused();

  // The own change is what the next one starts from.
  await name.fill('Irma Seconda');
  await save.click();
  await expect(page.getByText('Irma Seconda', { exact: true })).toBeVisible();
});

test('deleting a user who is already gone updates the list and says so', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 404/);
  const target = await app.make.user({ fullName: 'Ugo Sparito' });
  const admin = await app.make.user({ role: 'admin' });
  const [page, other] = [await openAs(admin), await openAs(admin)];
  for (const tab of [page, other]) {
    await tab.bringToFront();
    await tab.goto('/app/user-management');
    await tab.getByPlaceholder('Cerca utenti...').fill('ugo sparito');
    // Until then the row may move away under the pointer.
    await expect(tab.getByText('1 di 1')).toBeVisible();
    await tab.getByRole('button', { name: `Azioni per ${target.fullName}` }).click();
    await tab.getByRole('menuitem', { name: 'Elimina' }).click();
    await tab.getByRole('dialog').getByRole('button', { name: 'Elimina', exact: true }).waitFor();
    await expect(tab.getByRole('dialog')).toContainText('i progetti senza fatture');
  }
  for (const tab of [other, page]) {
    await tab.bringToFront();
    await tab.getByRole('dialog').getByRole('button', { name: 'Elimina', exact: true }).click();
    await expect(tab.getByRole('dialog')).toBeHidden();
    await expect(
      tab.getByRole('status').filter({ hasText: 'Nessun utente corrisponde alla ricerca' }),
    ).toBeVisible();
  }
  await expect(page.getByText('Non esiste più: la pagina è aggiornata.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Gestione Utenti' })).toBeFocused();
});

test('after an action on a user who is already gone, the focus is on the next one', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 404/);
  await app.make.user({ fullName: 'Ada Svanita' });
  const target = await app.make.user({ fullName: 'Bea Svanita' });
  const page = await openAs(await app.make.user({ role: 'admin' }));
  await page.goto('/app/user-management?cerca=svanita');
  const actions = page.getByRole('button', { name: 'Azioni per Bea Svanita' });
  await actions.click();
  expect((await page.request.delete(`/api/users/${target.id}`)).ok()).toBe(true);
  await page.getByRole('menuitem', { name: /collegamento/ }).click();
  await expect(page.getByText('Elemento non trovato')).toBeVisible();
  await expect(actions).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Azioni per Ada Svanita' })).toBeFocused();
});

test('an administrator sees their own new name in the list of users, and who registered meanwhile', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user({ role: 'admin', fullName: 'Prima Denominazione' }));
  const list = page.getByRole('main');
  const choose = async (item: string) => {
    await page.getByRole('button', { name: /^Account di/ }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await page.goto('/app/user-management');
  await expect(list.getByText('Prima Denominazione')).toBeVisible();
  await choose('Il mio profilo');
  await page.getByLabel('Nome completo').fill('Seconda Denominazione');
  await page.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(page.getByText('Profilo aggiornato con successo')).toBeVisible();
  await choose('Gestione Utenti');
  await expect(list.getByText('Seconda Denominazione')).toBeVisible();
  await expect(list.getByText('Prima Denominazione')).toHaveCount(0);

  // Nothing here tells that somebody has registered.
  await choose('Il mio profilo');
  await app.make.user({ fullName: 'Terza Denominazione' });
  await choose('Gestione Utenti');
  await expect(list.getByText('Terza Denominazione')).toBeVisible();
});

test('users of one name are told apart by their addresses', { tag: '@once' }, async ({ app, openAs }) => {
  const fullName = 'Mario Omonimo';
  const [one, other] = [
    await app.make.user({ fullName }),
    await app.make.user({ fullName, emailVerified: true }),
  ];
  const alone = await app.make.user({ fullName: 'Mario Omonimo Unico' });
  const page = await openAs(await app.make.user({ role: 'admin' }));
  await page.goto('/app/user-management?cerca=omonimo');
  for (const { email } of [one, other])
    await expect(page.getByRole('button', { name: `Azioni per ${fullName} (${email})` })).toBeVisible();
  await expect(page.getByRole('button', { name: `Azioni per ${alone.fullName}`, exact: true })).toBeVisible();
  for (const action of ['Rendi amministratore', 'Sospendi']) {
    await page.getByRole('button', { name: `Azioni per ${fullName} (${other.email})` }).click();
    await page.getByRole('menuitem', { name: action }).click();
    await expect(page.getByRole('dialog')).toContainText(`${fullName} (${other.email})`);
    await page.getByRole('dialog').getByRole('button', { name: 'Annulla' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
});

test('before an address is confirmed, the menu says that its user cannot become administrator', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const target = await app.make.user({ fullName: 'Ivo Ignoto' });
  const page = await openAs(await app.make.user({ role: 'admin' }));
  await page.goto(`/app/user-management?cerca=${target.email}`);
  await page.getByRole('button', { name: 'Azioni per Ivo Ignoto' }).click();
  const promote = page.getByRole('menuitem', { name: 'Rendi amministratore' });
  await expect(promote).toHaveAccessibleName(/Prima deve confermare il suo indirizzo email$/);
  await expect(promote).toBeDisabled();
  await expectAccessible(page);
  // It is reached by key, so that its reason is heard, and does nothing.
  await page.keyboard.press('ArrowDown');
  await expect(promote).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(promote).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('user management is closed to customers', { tag: '@once' }, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.goto('/app/user-management');
  await expect(page).toHaveURL(/\/app\/home$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('Accesso non autorizzato')).toBeVisible();
});

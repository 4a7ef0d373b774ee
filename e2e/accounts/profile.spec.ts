import { utimes, writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { ERRORS, tooManyRequestsText } from '#contract/errors.ts';
import { PICTURE as PICTURE_LIMITS, PROFILE_TEXTS } from '#contract/profile.ts';
import type { TestUser } from '#server/testing/factories.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { mailed, PICTURE } from '../support/accounts.ts';
import { answerOnce } from '../support/answer-once.ts';
import { expectToFit } from '../support/layout.ts';
import { submitLogin } from '../support/login.ts';
import { expect, test } from '../support/test.ts';

async function goToLastStepOfDeletion(page: Page, user: TestUser) {
  await page.goto('/app/profile');
  await page.getByRole('button', { name: 'Elimina account' }).click();
  await page.getByLabel('La tua password').fill(user.password);
  await page.getByLabel('La tua password').press('Enter');
}

test('the second step of account deletion gets the focus', { tag: '@once' }, async ({ app, openAs }) => {
  const user = await app.make.user();
  const page = await openAs(user);
  await goToLastStepOfDeletion(page, user);
  const announcement = page.getByText('Stai per eliminare l’account');
  await expect(announcement).toBeFocused();
  // What scrolls does not cut off the ring around it.
  const { ring, room } = await announcement.evaluate((element) => {
    const { outlineWidth, outlineOffset } = getComputedStyle(element);
    const edge = element.closest('.mantine-Modal-body')?.getBoundingClientRect().top ?? 0;
    return {
      ring: Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset),
      room: element.getBoundingClientRect().top - edge,
    };
  });
  expect(ring).toBeGreaterThan(0);
  expect(room).toBeGreaterThanOrEqual(ring);
});

test('a password refused only when the account is to be deleted is told above the question', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 422/);
  const user = await app.make.user();
  const page = await openAs(user);
  await goToLastStepOfDeletion(page, user);
  // As if it had been changed since the first step: the second has no field for it.
  await answerOnce(page, 'me', (route) => route.continue({ postData: { password: 'quella di prima' } }));
  const dialog = page.getByRole('dialog', { name: 'Elimina account' });
  await dialog.getByRole('button', { name: 'Elimina definitivamente' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(ERRORS.wrong_password.message);
});

test('the initials in place of a picture are not read before the name', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const page = await openAs(await app.make.user({ fullName: 'Rita Moro' }));
  await page.goto('/app/profile');
  const account = page.getByRole('region', { name: 'Account' });
  await expect(account.getByText('RM', { exact: true })).toBeVisible();
  await expect(account).toMatchAriaSnapshot(`
    - region "Account":
      - /children: equal
      - paragraph: Rita Moro
      - text: Utente
      - term: Username
      - definition
      - term: Data di registrazione
      - definition
      - term: Ultimo accesso
      - definition
      - term: Email
      - definition
      - button
  `);
});

test('the profile can be edited, except for the email', async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.goto('/app/profile');
  await expect(page.getByLabel('Email', { exact: true })).not.toBeEditable();
  await page.getByLabel('Nome completo').fill('');
  await page.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(page.getByText('Inserisci il tuo nome completo')).toBeVisible();
  await expect(page.getByLabel('Nome completo')).toBeFocused();
  await page.getByLabel('Nome completo').fill('Nome Nuovo');
  await page.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(page.getByText('Profilo aggiornato con successo')).toBeVisible();
  const password = page.getByLabel(/^Password attuale/);
  await password.focus();
  await expect(password).toHaveCSS('outline-style', 'solid');
});

test('saving the profile sends only the changed fields', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user({ companyName: 'Montaggi Rosi S.r.l.' });
  const page = await openAs(user);
  await page.goto('/app/profile');
  const sent: unknown[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'PATCH') return;
    // Besides the names that the change started from.
    const { from: _, ...fields } = request.postDataJSON();
    sent.push(fields);
  });
  const save = async (field: string, value: string) => {
    await page.getByLabel(field).fill(value);
    const answered = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
    await page.getByRole('button', { name: 'Salva modifiche' }).click();
    await answered;
  };
  await save('Nome completo', 'Anna Verdi');
  await expect(page.getByText('Profilo aggiornato con successo')).toBeVisible();
  await save('Azienda', 'Montaggi Rossi S.r.l.');
  await expect
    .poll(() => sent)
    .toEqual([{ fullName: 'Anna Verdi' }, { companyName: 'Montaggi Rossi S.r.l.' }]);
});

test('after saving, the profile shows changes made elsewhere and keeps what was typed during the save', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user({ companyName: 'Carpenteria Rosi S.r.l.' });
  const page = await openAs(user);
  await page.goto('/app/profile');
  await page.getByLabel('Nome completo').fill('Anna Verdi');
  await app.make.sql("update profiles set company_name = 'Montaggi Rossi S.r.l.' where id = $1", [user.id]);
  const picture = page.getByLabel('URL immagine profilo');
  await expect(picture).toHaveAttribute('autocomplete', 'photo');
  await answerOnce(page, 'me', async (route) => {
    await picture.fill('https://example.com/anna.png');
    await route.continue();
  });
  await page.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(page.getByText('Profilo aggiornato con successo')).toBeVisible();
  await expect(page.getByLabel('Azienda')).toHaveValue('Montaggi Rossi S.r.l.');
  await expect(page.getByLabel('Nome completo')).toHaveValue('Anna Verdi');
  await expect(picture).toHaveValue('https://example.com/anna.png');
});

test('a server that never answers is reported as a missing connection, and the input stays', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.clock.install();
  await page.goto('/app/profile');
  await page.getByLabel('Nome completo').fill('Anna Verdi');
  const arrived = Promise.withResolvers<void>();
  await answerOnce(page, 'me', async () => arrived.resolve());
  const save = page.getByRole('button', { name: 'Salva modifiche' });
  await save.click();
  await arrived.promise;
  await page.clock.fastForward(45_000);
  await expect(page.getByRole('alert').filter({ hasText: 'Connessione assente o instabile' })).toBeVisible();
  await expect(page.getByLabel('Nome completo')).toHaveValue('Anna Verdi');
  await save.click();
  await expect(page.getByText('Profilo aggiornato con successo')).toBeVisible();
});

test('an account without a password explains how to log in and offers a link to set one', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user();
  await app.make.sql('delete from accounts where user_id = $1', [user.id]);
  const page = await openAs(user);
  await page.goto('/app/profile');
  await expect(page.getByText('Non hai una password: entri con un codice via email.')).toBeVisible();
  await expect(page.getByText(/Metodi di accesso/)).toHaveCount(0);
  await expect(page.getByLabel(/^Password attuale/)).toHaveCount(0);
  const left = Promise.withResolvers<void>();
  await answerOnce(page, 'auth/recoveries', (route) => left.promise.then(() => route.fallback()));
  await page.getByRole('button', { name: 'Invia il collegamento' }).click();
  await page.getByRole('link', { name: 'Supporto 24/7' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Supporto 24/7' })).toBeVisible();
  left.resolve();
  await expect(page.getByText(`Controlla la posta di ${user.email}.`)).toBeVisible();
  await page.goBack();
  // Dialogs that need the password explain how to get one.
  for (const action of ['Attiva la verifica', 'Elimina account']) {
    const opener = page.getByRole('button', { name: action });
    await opener.press('Enter');
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('Per continuare serve una password e non ne hai una')).toBeFocused();
    await expect(dialog.getByLabel('La tua password')).toHaveCount(0);
    await expect(dialog.getByRole('button', { name: 'Invia il collegamento' })).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(opener).toBeFocused();
  }
  const other = await page.context().newPage();
  await other.goto(await mailed(app, user.email, /http\S+#reimposta=\S+/));
  await expect(other.getByRole('heading', { name: 'Scegli una nuova password' })).toBeVisible();
  await other.locator('input[name="password"]').fill('una-nuova');
  await other.getByLabel('Conferma password').fill('una-nuova');
  await other.getByRole('button', { name: 'Salva la password' }).click();
  await expect(other.getByText('Ora puoi accedere con la nuova password.')).toBeVisible();
  await submitLogin(other, { email: user.email, password: 'una-nuova' });
  await expect(other).toHaveURL('/app/home');
  // The page that asked for a password knows it without a reload.
  await page.bringToFront();
  await expect(page.getByLabel(/^Password attuale/)).toBeVisible();
});

test('a refused download of the own data says why', { tag: '@once' }, async ({ app, openAs, problems }) => {
  problems.expect(/status of 429/);
  const page = await openAs(await app.make.user());
  await page.goto('/app/profile');
  await page.route('**/api/me/data/availability', (route) =>
    route.fulfill({
      status: 429,
      json: { error: { code: 'too_many_requests', message: tooManyRequestsText(3600), fields: {} } },
    }),
  );
  await page.getByRole('button', { name: 'Scarica i miei dati' }).click();
  await expect(page.getByText('Troppi tentativi. Riprova tra un’ora.')).toBeVisible();
  await page.unroute('**/api/me/data/availability');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Scarica i miei dati' }).click();
  expect((await download).suggestedFilename()).toMatch(/^i-miei-dati-.*\.zip$/);
});

test('each password has its own button to show it', { tag: '@once' }, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.goto('/app/profile');
  const form = page.getByRole('form', { name: 'Cambio della password' });
  for (const name of ['Mostra la password attuale', 'Mostra la nuova password', 'Mostra la conferma'])
    await expect(form.getByRole('button', { name, exact: true })).toHaveCount(1);
  const field = form.getByLabel(/^Password attuale/);
  const toggle = form.getByRole('button', { name: 'Mostra la password attuale' });
  await expect(field).toHaveAttribute('type', 'password');
  // A press that ends elsewhere does nothing.
  await toggle.hover();
  await page.mouse.down();
  await page.getByRole('heading', { level: 1 }).hover();
  await page.mouse.up();
  await expect(toggle).toHaveAttribute('aria-pressed', 'false');
  await expect(field).toHaveAttribute('type', 'password');
  // An assistive technology may only click.
  await toggle.dispatchEvent('click');
  await expect(toggle).toHaveAttribute('aria-pressed', 'true');
  await expect(field).toHaveAttribute('type', 'text');
  await toggle.press('Enter');
  await expect(field).toHaveAttribute('type', 'password');
});

test('a repeated refusal of a form is told again', { tag: '@once' }, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.goto('/app/profile');
  const form = page.getByRole('form', { name: 'Cambio della password' });
  await form.getByLabel(/^Password attuale/).press('Enter');
  const status = form.getByRole('status');
  await expect(status).toHaveText('Ci sono 2 campi da correggere. Inserisci la tua password attuale');
  // The field had the focus already. The same words as before: a screen reader announces what is added.
  const added = await status.evaluateHandle((region) => {
    const count = { now: 0 };
    new MutationObserver((changes) => {
      count.now += changes.filter((change) => change.addedNodes.length > 0).length;
    }).observe(region, { childList: true, subtree: true });
    return count;
  });
  await form.getByLabel(/^Password attuale/).press('Enter');
  await expect.poll(() => added.evaluate((count) => count.now)).toBe(1);
  await expect(status).toHaveText('Ci sono 2 campi da correggere. Inserisci la tua password attuale');
  // Once a field is corrected, it is true no longer, and nothing is announced.
  await form.getByLabel(/^Password attuale/).fill('corretta');
  await expect(status).toBeEmpty();
  expect(await added.evaluate((count) => count.now)).toBe(1);
});

test('a profile picture that is too large is refused before it is sent', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const page = await openAs(await app.make.user());
  await page.goto('/app/profile');
  const sent: string[] = [];
  page.on('request', (request) => request.url().endsWith('/api/me/picture') && sent.push(request.method()));
  await page.locator('input[type="file"]').setInputFiles({
    name: 'cantiere.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.alloc(PICTURE_LIMITS.maxBytes + 1),
  });
  await expect(page.getByRole('alert').filter({ hasText: 'L’immagine può avere al massimo' })).toBeVisible();
  expect(sent).toEqual([]);
});

test('a profile picture changed while it is being sent has to be chosen again', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/ERR_UPLOAD_FILE_CHANGED/);
  const page = await openAs(await app.make.user());
  await page.goto('/app/profile');
  const path = test.info().outputPath('cantiere.png');
  await writeFile(path, PICTURE);
  // Long ago, because the browser tells a changed file by the second of its time.
  await utimes(path, 1e9, 1e9);
  await answerOnce(page, 'me/picture', async (route) => {
    await writeFile(path, Buffer.concat([PICTURE, PICTURE]));
    await route.continue();
  });
  await page.locator('input[type="file"]').setInputFiles(path);
  await expect(
    page.getByRole('alert').filter({
      hasText:
        'Non è stato possibile leggere il file, forse cambiato o spostato dopo la scelta: sceglilo di nuovo.',
    }),
  ).toBeVisible();
});

test('removing the profile picture is saved at once and leaves no unsaved changes', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const picture = `${app.origin}/foto.svg`;
  const page = await openAs(await app.make.user({ profilePicture: picture }));
  await page.route(picture, (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
  );
  await page.goto('/app/profile');
  await page.getByRole('button', { name: 'Togli la foto' }).click();
  const question = page.getByRole('dialog', { name: 'Togliere la foto?' });
  await question.getByRole('button', { name: 'Annulla' }).click();
  await expect(question).toHaveCount(0);
  await page.getByRole('button', { name: 'Togli la foto' }).click();
  await question.getByRole('button', { name: 'Togli la foto' }).click();
  await expect(page.getByText('Profilo aggiornato con successo')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'I tuoi dati', exact: true })).toBeFocused();
  const file = page.locator('input[type="file"]');
  await file.setInputFiles({ name: 'volto.png', mimeType: 'image/png', buffer: PICTURE });
  await expect(page.getByRole('button', { name: 'Togli la foto' })).toBeVisible();
  // The input is cleared, so the same file can be chosen again.
  await expect(file).toHaveValue('');
  await page.getByRole('link', { name: 'Supporto 24/7' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Supporto 24/7' })).toBeVisible();
});

test('unsaved profile changes are discarded only after confirmation', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user();
  const page = await openAs(user);
  await page.goto('/app/home');
  await page.getByRole('button', { name: /^Account di/ }).click();
  await page.getByRole('menuitem', { name: 'Il mio profilo' }).click();
  await page.getByLabel('Nome completo').fill('Nome a metà');
  const ask = page.getByRole('dialog', { name: 'Uscire senza salvare?' });
  await page.goBack();
  await ask.getByRole('button', { name: 'Resta qui' }).click();
  await expect(ask).toBeHidden();
  await expect(page.getByLabel('Nome completo')).toHaveValue('Nome a metà');
  // Closing the tab shows the browser's own question.
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const browsers = await asked;
  expect(browsers.type()).toBe('beforeunload');
  await browsers.dismiss();
  await expect(page.getByLabel('Nome completo')).toHaveValue('Nome a metà');
  // The back button closes a dialog and stays on the page.
  await page.getByRole('button', { name: 'Attiva la verifica' }).click();
  await expect(page.getByLabel('La tua password')).toBeFocused();
  await page.goBack();
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByRole('link', { name: 'Supporto 24/7' }).click();
  await ask.getByRole('button', { name: 'Resta qui' }).click();
  await expect(ask).toBeHidden();
  page.once('dialog', (browsersAgain) => browsersAgain.accept());
  await page.reload();
  await page.getByLabel('Nome completo').fill('Nome a metà');
  await page.getByRole('link', { name: 'Supporto 24/7' }).click();
  await ask.getByRole('button', { name: 'Esci dalla pagina' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Supporto 24/7' })).toBeFocused();
  await page.goBack();
  await expect(page.getByLabel('Nome completo')).toHaveValue(user.fullName);

  // Saved changes need no confirmation.
  await page.getByLabel('Nome completo').fill('Nome Intero');
  await page.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(page.getByText('Profilo aggiornato con successo')).toBeVisible();

  await page.getByLabel(/^Password attuale/).fill(user.password);
  await page.getByRole('textbox', { name: 'Nuova password', exact: true }).fill(user.password);
  await page.getByLabel('Conferma nuova password').fill(user.password);
  await page.getByRole('button', { name: 'Cambia password' }).click();
  await expect(
    page.getByRole('textbox', { name: 'Nuova password', exact: true }),
  ).toHaveAccessibleDescription(/Scegli una password diversa da quella attuale/);
  await page.getByLabel(/^Password attuale/).fill('');
  await page.getByRole('textbox', { name: 'Nuova password', exact: true }).fill('');
  await page.getByLabel('Conferma nuova password').fill('');
  await page.goBack();
  await expect(page).toHaveURL(/\/app\/home$/);
});

test('a dialog stays open until its request is answered', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 500/);
  const page = await openAs(await app.make.user({ role: 'admin' }));
  await page.goto('/app/home');
  await page.getByRole('button', { name: /^Account di/ }).click();
  await page.getByRole('menuitem', { name: 'Gestione Utenti' }).click();
  await page.getByRole('button', { name: 'Nuovo Utente' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email').fill('attesa@example.com');
  await dialog.getByLabel(/^Password/).fill('segreta');
  await dialog.getByLabel('Nome completo').fill('Nuova Attesa');
  const { promise: tried, resolve: areTried } = Promise.withResolvers<void>();
  await answerOnce(page, 'users', (route) => tried.then(() => route.fulfill({ status: 500, json: {} })));
  const sending = page.waitForRequest('**/api/users');
  await dialog.getByRole('button', { name: 'Crea utente' }).click();
  await sending;
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Chiudi' }).click();
  await page.goBack();
  await expect(dialog.getByLabel('Nome completo')).toHaveValue('Nuova Attesa');
  await expect(dialog).toHaveCount(1);
  areTried();
  await expect(dialog.getByRole('alert')).toContainText("Errore durante la creazione dell'utente");
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Chiudere senza salvare?' });
  await question.getByRole('button', { name: 'Chiudi senza salvare' }).click();
  await expect(dialog).toHaveCount(0);
});

test('the dialog cannot be closed while the account is being deleted', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 500/);
  const user = await app.make.user();
  const page = await openAs(user);
  await page.goto('/app/profile');
  await page.getByRole('button', { name: 'Elimina account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Elimina account' });
  await dialog.getByLabel('La tua password').fill(user.password);
  await dialog.getByRole('button', { name: 'Continua' }).click();
  const remove = dialog.getByRole('button', { name: 'Elimina definitivamente' });
  const { promise: tried, resolve: isTried } = Promise.withResolvers<void>();
  await answerOnce(page, 'me', (route) => tried.then(() => route.fulfill({ status: 500, json: {} })));
  await remove.click();
  await expect(dialog.locator('button[data-loading]')).toBeVisible();
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Chiudi' }).click();
  isTried();
  await expect(dialog.getByRole('alert')).toContainText('Si è verificato un errore imprevisto');
  await remove.click();
  // Said before the code of the public Home is loaded, and only for ten seconds.
  await expect(page.getByText(PROFILE_TEXTS.deleted)).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
});

import { readFile } from 'node:fs/promises';
import { PROFILE_TEXTS } from '#contract/profile.ts';
import { codeOf } from '#server/testing/totp.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { logIn, mailed, markNotices } from '../support/accounts.ts';
import { answerOnce } from '../support/answer-once.ts';
import { expectToFit } from '../support/layout.ts';
import { submitLogin } from '../support/login.ts';
import { expect, test } from '../support/test.ts';

test('two-factor login is set up with an app, asked for at login, and switched off with a recovery code', {
  tag: '@once',
}, async ({ page, app, openAs, problems }) => {
  problems.expect(/status of 422/);
  const user = await app.make.user();
  const profile = await openAs(user);
  await profile.goto('/app/profile');
  await profile.getByRole('button', { name: 'Attiva la verifica' }).click();
  await profile.getByLabel('La tua password').fill(user.password);
  await profile.getByRole('button', { name: 'Continua' }).click();
  await expect(profile.getByRole('img', { name: /Codice QR/ })).toBeVisible();
  await expect(profile.getByText('Inquadra il codice con l’app.')).toBeFocused();
  await expectAccessible(profile);
  const secret = (await profile.getByText(/^[A-Z2-7]{32,}$/).textContent()) ?? '';
  await profile.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = () => profile.evaluate(() => navigator.clipboard.readText());
  await profile.getByRole('button', { name: 'Copia la chiave' }).click();
  await expect(profile.getByText('Chiave copiata')).toBeVisible();
  expect(await copied()).toBe(secret);
  await profile.getByLabel('Codice di 6 cifre').fill(codeOf(secret));
  await profile.getByRole('button', { name: 'Attiva', exact: true }).click();
  const recoveryCodes = profile.getByRole('list', { name: 'Codici di recupero' }).getByRole('listitem');
  await expect(recoveryCodes).toHaveCount(10);
  await expect(profile.getByRole('note').filter({ hasText: 'Conserva questi codici' })).toBeFocused();
  await expect(
    profile.getByRole('status').filter({ hasText: 'Verifica in due passaggi attivata' }),
  ).toBeVisible();
  const recoveryCode = (await recoveryCodes.first().textContent()) ?? '';
  await profile.getByRole('button', { name: 'Copia', exact: true }).click();
  await expect(profile.getByText('Codici copiati')).toBeVisible();
  expect((await copied()).split('\n')).toEqual(await recoveryCodes.allTextContents());
  const saved = profile.waitForEvent('download');
  await profile.getByRole('button', { name: 'Scarica', exact: true }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe('codici-di-recupero.txt');
  const [head, , ...lines] = (await readFile(await file.path(), 'utf8')).trimEnd().split('\n');
  expect(head).toContain(user.email);
  expect(lines).toEqual(await recoveryCodes.allTextContents());
  await profile.getByRole('button', { name: 'Li ho conservati' }).click();
  await expect(profile.getByText('Attiva', { exact: true })).toBeVisible();

  await logIn(page, user.email, user.password);
  await expect(page.getByRole('heading', { name: 'Verifica in due passaggi' })).toBeVisible();
  await expectAccessible(page);
  // The code used for enrolment cannot be used again.
  await page.getByLabel('Codice').fill(codeOf(secret, 1));
  await page.getByRole('button', { name: 'Accedi' }).click();
  await expect(page).toHaveURL(/\/app\/home$/);

  await profile.bringToFront();
  await profile.getByRole('button', { name: 'Disattiva' }).click();
  await expect(profile.getByLabel('La tua password')).toBeFocused();
  await profile.keyboard.type(user.password);
  const code = profile.getByRole('textbox', { name: 'Codice' });
  await code.fill('AAAAA-AAAAA');
  await profile.keyboard.press('Enter');
  await expect(code).toHaveAccessibleDescription(/Il codice non è corretto o è scaduto/);
  await expect(code).toBeFocused();
  await expectAccessible(profile);
  await code.fill(recoveryCode);
  await profile.keyboard.press('Enter');
  await expect(profile.getByText('Non attiva', { exact: true })).toBeVisible();
});

test('a user logs in with a code by mail, with the keyboard alone', {
  tag: '@once',
}, async ({ page, app, problems }) => {
  problems.expect(/status of 422/);
  const user = await app.make.user();
  await page.goto('/login');
  const byCode = page.getByRole('button', { name: 'Ricevi un codice via email' });
  await expect(byCode).toBeEnabled();
  await byCode.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Accedi con un codice' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.keyboard.type(user.email);
  const notices = await markNotices(page);
  await page.keyboard.press('Enter');
  const code = page.getByLabel('Codice di 6 cifre');
  await expect(code).toBeFocused();
  await expect(notices).toContainText(/tra poco riceverai un’email con il codice/);
  await expectAccessible(page);
  await expectToFit(page);
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await expect(code).toHaveAccessibleDescription(/Il codice non è corretto o è scaduto/);
  await expect(code).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(await mailed(app, user.email, /\b\d{6}\b/));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/app\/home$/);
});

test('the recovery codes appear even if the answer that switched the second factor on was lost', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/net::ERR_FAILED/);
  const user = await app.make.user();
  const page = await openAs(user);
  await page.goto('/app/profile');
  await page.getByRole('button', { name: 'Attiva la verifica' }).click();
  await page.getByLabel('La tua password').fill(user.password);
  await page.getByRole('button', { name: 'Continua' }).click();
  const secret = (await page.getByText(/^[A-Z2-7]{32,}$/).textContent()) ?? '';
  await answerOnce(page, 'auth/two-factor/confirmations', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByLabel('Codice di 6 cifre').fill(codeOf(secret));
  await page.getByRole('button', { name: 'Attiva', exact: true }).click();
  const codes = page.getByRole('list', { name: 'Codici di recupero' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);

  // The dialog of a factor that is active by now does not open again after a new login.
  const recoveryCode = (await codes.first().textContent()) ?? '';
  await page.context().clearCookies();
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
  await expect(page).toHaveURL(/\/login$/);
  await submitLogin(page, user);
  await page.getByLabel('Codice').fill(recoveryCode);
  await page.getByRole('button', { name: 'Accedi' }).click();
  // Answered after a dialog would be shown.
  await expect(page.getByText(/Metodi di accesso collegati/)).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('an account with a second factor is deleted with a code, asked for with the consequences', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 422/);
  const user = await app.make.user();
  const page = await openAs(user);
  const { password } = user;
  const enrolled = await page.request.post('/api/auth/two-factor', { data: { password } });
  const { secret, recoveryCodes } = await enrolled.json();
  await page.request.post('/api/auth/two-factor/confirmations', { data: { code: codeOf(secret) } });

  await page.goto('/app/profile');
  await page.getByRole('button', { name: 'Elimina account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Elimina account' });
  // The field has the focus already, so that only the live region says what is wrong with it.
  await dialog.getByLabel('La tua password').press('Enter');
  await expect(dialog.getByRole('status')).toHaveText(
    'C’è 1 campo da correggere. Inserisci la tua password attuale',
  );
  await dialog.getByLabel('La tua password').fill(password);
  await dialog.getByRole('button', { name: 'Continua' }).click();
  await expect(dialog.getByText('Stai per eliminare l’account')).toBeFocused();
  const code = dialog.getByRole('textbox', { name: 'Codice' });
  const remove = dialog.getByRole('button', { name: 'Elimina definitivamente' });
  await expect(remove).toHaveAccessibleDescription(/Non si può annullare\. .*Le fatture restano/);
  await expect(remove).toHaveAccessibleDescription(/progetti senza fatture/);
  await remove.click();
  await expect(code).toHaveAccessibleDescription(/Inserisci il codice/);
  await expect(code).toBeFocused();
  await code.fill('AAAAA-AAAAA');
  await remove.click();
  await expect(code).toHaveAccessibleDescription(/Il codice non è corretto o è scaduto/);
  // Above the form, the same words would be read again.
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  await expectAccessible(page);
  await expectToFit(page);
  await code.fill(recoveryCodes[0]);
  await remove.click();
  await expect(page.getByText(PROFILE_TEXTS.deleted)).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
});

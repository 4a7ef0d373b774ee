import type { Page } from '@playwright/test';
import { DEBOUNCE_MS } from '#client/lib/debounce.ts';
import { addDays, formatDate, todayInRome } from '#contract/dates.ts';
import { provider } from '#provider';
import { expectAccessible } from '../support/accessibility.ts';
import { answerOnce } from '../support/answer-once.ts';
import { expectToFit, expectWholeWords } from '../support/layout.ts';
import { untilNoted } from '../support/reads.ts';
import { expect, test } from '../support/test.ts';
import { textboxOf, WIZARD_PATH } from '../support/trip-requests.ts';

/** Opens the page of the customer's request `id` and the question whether to withdraw it. */
async function askToWithdraw(page: Page, id: number): Promise<void> {
  await page.goto(`${WIZARD_PATH}/richieste/${id}`);
  await page.getByRole('button', { name: 'Annulla richiesta' }).click();
}

test('a request can be withdrawn, and duplicated as a new draft', async ({ app, openAs }) => {
  const user = await app.make.user();
  const request = await app.make.tripRequest(user, { city: 'Porto Torres', people: 7 });
  const page = await openAs(user);
  await askToWithdraw(page, request.id);
  await expectAccessible(page);
  // The reason comes first also for who does not see it.
  await expect(textboxOf(page, 'Motivo (facoltativo)')).toBeFocused();
  await page.keyboard.type('Cantiere rinviato');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Torna indietro' })).toBeFocused();
  await page.getByRole('button', { name: 'Annulla la richiesta' }).click();
  await expect(page.getByText('Cantiere rinviato', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Annulla richiesta' })).toBeHidden();
  const history = page.getByRole('list', { name: 'Cronologia della richiesta' });
  await expect(history.getByRole('listitem').filter({ hasText: 'Cantiere rinviato' })).toHaveCount(1);
  await app.mailbox.received('Richiesta Trasferta annullata - Porto Torres');

  await page.getByRole('button', { name: 'Duplica' }).click();
  await expect(textboxOf(page, 'Città')).toHaveValue('Porto Torres');
  await expect(textboxOf(page, 'Numero di Persone')).toHaveValue('7');
  const duplicated = page.getByText('Hai duplicato la richiesta per Porto Torres.');
  await expect(duplicated).toBeVisible();
  await page.reload();
  await expect(duplicated).toBeVisible();
  await textboxOf(page, 'Città').fill('Alghero');
  await page.reload();
  await expect(page.getByText('Hai ripreso la richiesta che non avevi ancora inviato.')).toBeVisible();
});

test('the notice of a duplicate fits on a phone, whatever the name of the place', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  const { id } = await app.make.tripRequest(user, { city: 'Sanpietroinvincoli'.repeat(4) });
  const page = await openAs(user);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${WIZARD_PATH}/richieste/${id}`);
  await page.getByRole('button', { name: 'Duplica' }).click();
  await expect(page.getByText('Hai duplicato la richiesta per')).toBeVisible();
  await expectToFit(page);
});

test('with letters twice as large a request, its form and the profile keep their words whole', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user();
  const { id } = await app.make.tripRequest(user);
  const page = await openAs(user);
  await page.setViewportSize({ width: 1280, height: 900 });
  for (const path of [`${WIZARD_PATH}/richieste/${id}`, WIZARD_PATH, '/app/profile']) {
    await page.goto(path);
    const titles = page.getByRole('heading', { level: 2 });
    await expect(titles.first()).toBeVisible();
    // Of the page alone, as an extension does it: the window stays as wide for the style sheets as it is.
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    await expectWholeWords(titles);
    await expectToFit(page);
  }
});

test('the page of a request says how it goes on, and leads to support', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  const { id } = await app.make.tripRequest(user, { city: 'Macomer', state: 'Confermata' });
  const page = await openAs(user);
  await page.goto(`${WIZARD_PATH}/richieste/${id}`);
  const progress = page.getByRole('region', { name: 'A che punto è' });
  await expect(progress.getByText('Per cambiare o annullare una trasferta confermata')).toBeVisible();
  await expect(progress.locator(`a[href="tel:${provider.support.phone}"]`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Annulla richiesta' })).toHaveCount(0);
  await expectAccessible(page);
  await expectToFit(page);
  await progress.getByRole('link', { name: 'Scrivi al supporto' }).click();
  const origin = page.getByText('scrivi dalla pagina «Le tue richieste»');
  await expect(origin).toBeVisible();
  await page.reload();
  await expect(origin).toBeVisible();
});

test('a failed withdrawal is reported once, in its dialog', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 500/);
  const user = await app.make.user();
  const { id } = await app.make.tripRequest(user, { city: 'Oristano' });
  const page = await openAs(user);
  await askToWithdraw(page, id);
  await answerOnce(page, `trip-requests/${id}/withdrawal`, (route) =>
    route.fulfill({ status: 500, json: {} }),
  );
  await page.getByRole('button', { name: 'Annulla la richiesta' }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(1);
});

test('a withdrawal that came too late is reported once and closes its dialog', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 409/);
  const user = await app.make.user();
  const { id } = await app.make.tripRequest(user, { city: 'Oristano' });
  const page = await openAs(user);
  await askToWithdraw(page, id);
  const { promise: arrived, resolve: letGo } = Promise.withResolvers<void>();
  const message = 'Questa richiesta non si può più annullare da qui. Chiama il supporto.';
  const error = { code: 'trip_request_not_withdrawable', message };
  await answerOnce(page, `trip-requests/${id}/withdrawal`, (route) =>
    route.fulfill({ status: 409, json: { error } }),
  );
  await page.route(`**/api/trip-requests/${id}`, (route) => arrived.then(() => route.fallback()));
  await page.getByRole('button', { name: 'Annulla la richiesta' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveText(new RegExp(message));
  letGo();
});

test('withdrawing a request that another tab withdrew says so, without advice to call support', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 409/);
  const user = await app.make.user();
  const { id } = await app.make.tripRequest(user, { city: 'Oristano' });
  const page = await openAs(user);
  await askToWithdraw(page, id);
  await app.make.sql("update trip_requests set state = 'Annullata' where id = $1", [id]);
  await page.getByRole('button', { name: 'Annulla la richiesta' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveText(/Questa richiesta è già annullata\./);
});

test('an address without a request says so and links to the list', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of (404|422)/);
  const customer = await app.make.user();
  const sides = [
    { as: customer, list: `${WIZARD_PATH}/richieste`, link: 'Vedi le tue richieste' },
    {
      as: await app.make.user({ role: 'admin' }),
      list: '/app/gestione-richieste',
      link: 'Vedi tutte le richieste',
    },
  ];
  for (const { as, list, link } of sides) {
    const page = await openAs(as);
    for (const address of ['987654321', 'nessuna']) {
      await page.goto(`${list}/${address}`);
      await expect(page.getByRole('status').filter({ hasText: 'Questa richiesta non c’è' })).toBeVisible();
      await expectAccessible(page);
    }
    await page.getByRole('link', { name: link }).click();
    await expect(page).toHaveURL(list);
  }
  // Nor is one that was read before it was deleted shown as if it were still there.
  const { id } = await app.make.tripRequest(customer, { city: 'Ozieri' });
  const page = await openAs(customer);
  await page.goto(`${WIZARD_PATH}/richieste`);
  await page.getByRole('link', { name: /^Apri la richiesta/ }).click();
  await expect(page.getByRole('button', { name: 'Annulla richiesta' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Le tue richieste' })).toBeVisible();
  await app.make.sql('delete from trip_requests where id = $1', [id]);
  await page.goForward();
  await expect(page.getByRole('status').filter({ hasText: 'Questa richiesta non c’è' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Richiesta di trasferta' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Duplica' })).toHaveCount(0);
});

test('the list shows a request in the state just seen on its page', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const customer = await app.make.user();
  const { id } = await app.make.tripRequest(customer, { city: 'Termoli' });
  const page = await openAs(customer);
  await page.goto(`${WIZARD_PATH}/richieste`);
  const row = page.getByRole('row', { name: 'Termoli' });
  await expect(row.getByText('Inviata', { exact: true })).toBeVisible();
  await app.make.sql("update trip_requests set state = 'Proposta inviata' where id = $1", [id]);
  await row.getByRole('link', { name: /^Apri la richiesta/ }).click();
  await expect(page.getByText('Proposta inviata', { exact: true }).first()).toBeVisible();
  await page.getByRole('link', { name: 'Le tue richieste' }).first().click();
  await expect(row.getByText('Proposta inviata', { exact: true })).toBeVisible();
});

test('the ways back to a list of requests keep its search and filter', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const customer = await app.make.user();
  const startDate = todayInRome();
  const repeated = [addDays(startDate, 7), startDate];
  for (const date of repeated.toReversed()) {
    await app.make.tripRequest(customer, { city: 'Brienza', projectName: 'Fermata', startDate: date });
  }
  await app.make.tripRequest(customer, { city: 'Gela' });
  const admin = await app.make.user({ role: 'admin' });
  for (const [as, list, label] of [
    [customer, `${WIZARD_PATH}/richieste`, 'Le tue richieste'],
    [admin, '/app/gestione-richieste', 'Gestione Richieste'],
  ] as const) {
    const page = await openAs(as);
    await page.goto(list);
    await page.getByRole('searchbox').pressSequentially('brienza');
    await page.getByRole('combobox', { name: 'Stato' }).selectOption('Inviata');
    await expect(page).toHaveURL(/[?&]cerca=brienza/);
    await expect(page).toHaveURL(/[?&]stato=Inviata/);
    // A trip that is repeated differs in its dates alone.
    const links = page.getByRole('link', { name: /richiesta per Brienza/ });
    await expect(links).toHaveCount(repeated.length);
    for (const [at, date] of repeated.entries()) {
      await expect(links.nth(at)).toHaveAccessibleName(new RegExp(formatDate(date)));
    }
    await page.getByRole('link', { name: 'Brienza' }).first().click();
    await expect(page).toHaveURL(/richieste\/\d+$/);
    await expect(page.getByRole('heading', { name: 'Trasferta a Brienza' })).toBeVisible();
    const expectFiltered = async () => {
      await expect(page.getByRole('searchbox')).toHaveValue('brienza');
      await expect(page.getByRole('combobox', { name: 'Stato' })).toHaveValue('Inviata');
      await expect(page.getByRole('link', { name: 'Brienza' }).first()).toBeVisible();
      await expect(page.getByRole('link', { name: 'Gela' })).toHaveCount(0);
    };
    await page.goBack();
    await expectFiltered();
    await page.goForward();
    // The link on the request's page leads to the same, also once that was reloaded.
    await page.reload();
    await page.getByRole('main').getByRole('link', { name: label }).click();
    await expectFiltered();
  }
});

test('going back to a list of requests gives the focus to the link that was followed', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const customer = await app.make.user();
  // The first page of the list and a part of the second.
  for (let count = 0; count < 30; count += 1)
    await app.make.tripRequest(customer, { city: `Irsina ${count}` });
  const admin = await app.make.user({ role: 'admin' });
  for (const [as, list] of [
    [customer, `${WIZARD_PATH}/richieste`],
    [admin, '/app/gestione-richieste'],
  ] as const) {
    const page = await openAs(as);
    await page.goto(`${list}?cerca=Irsina`);
    await page.getByRole('button', { name: 'Mostra altre' }).press('Enter');
    await expect(page.getByText('30 di 30')).toBeVisible();
    const place = page.getByRole('link', { name: 'Irsina 2', exact: true });
    const button = page.getByRole('link', { name: /richiesta per Irsina 2[ ,]/ });
    for (const link of [place, button]) {
      await link.press('Enter');
      const title = page.getByRole('heading', { level: 1, name: 'Trasferta a Irsina 2' });
      await expect(title).toBeFocused();
      await page.goBack();
      await expect(link).toBeFocused();
      await expect(link).toBeInViewport();
      await page.goForward();
      await expect(title).toBeFocused();
      await page.goBack();
      await expect(link).toBeFocused();
    }
  }
});

test('a link that is pressed just before the typed search is used is followed', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const customer = await app.make.user();
  await app.make.tripRequest(customer, { city: 'Tito' });
  const page = await openAs(customer);
  // The pause in typing ends in the task that follows the link, before React has rendered that the page is being left.
  await page.addInitScript((pause) => {
    const { setTimeout: start } = window;
    let ended: (() => void) | null = null;
    let pressed = false;
    addEventListener('click', () => (pressed = true), true);
    const endPause = () => {
      if (!pressed) return;
      ended?.();
      ended = null;
    };
    const followed = (task: () => void) => () => {
      task();
      endPause();
    };
    Object.assign(window, {
      setTimeout: (task: () => void, delay?: number) => {
        if (delay === pause) ended = task;
        return start(delay === pause ? () => {} : delay === undefined ? followed(task) : task, delay);
      },
    });
  }, DEBOUNCE_MS);
  await page.goto(`${WIZARD_PATH}/richieste`);
  const link = page.getByRole('link', { name: 'Tito', exact: true });
  await expect(link).toBeVisible();
  const { promise: fetched, resolve: fetchCode } = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', (route) => fetched.then(() => route.continue()));
  await page.getByRole('searchbox').fill('tito');
  await link.click();
  await untilNoted(page);
  fetchCode();
  await expect(page.getByRole('heading', { level: 1, name: 'Trasferta a Tito' })).toBeVisible();
});

test('the requests of a project are listed without those of a place of its name, until the filter is removed', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  const user = await app.make.user();
  const name = `Roma ${'lotto '.repeat(18)}est`;
  const project = await app.make.project(user, { name });
  await app.make.tripRequest(user, { city: name, projectName: 'Sede' });
  await app.make.tripRequest(user, { city: 'Ostia', projectId: project.id, projectName: 'Lotto est' });
  const page = await openAs(user);
  await page.goto(`${WIZARD_PATH}/richieste?progetto=${project.id}`);
  const entries = page.locator('[data-entry]');
  await expect(entries).toHaveCount(1);
  await expect(entries).toContainText('Ostia');
  const filter = page.getByRole('button', { name: `Progetto: ${name}, togli il filtro` });
  await expect(filter).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page);
  await page.setViewportSize({ width: 360, height: 740 });
  const cross = async () => (await filter.locator('svg').boundingBox())?.width;
  await expect.poll(cross, 'beside a long name').toBe(16);
  await expectToFit(page);
  await filter.click();
  await expect(page).toHaveURL(`${WIZARD_PATH}/richieste`);
  await expect(entries).toHaveCount(2);
  await expect(filter).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Le tue richieste' })).toBeFocused();

  const theirs = await app.make.project(await app.make.user(), { name: 'Altrui' });
  problems.expect(/status of 404/);
  await page.goto(`${WIZARD_PATH}/richieste?progetto=${theirs.id}`);
  await expect(page.getByText('Nessuna richiesta per questo progetto').last()).toBeVisible();
  await page.getByRole('button', { name: 'Progetto: non trovato, togli il filtro' }).click();
  await expect(entries).toHaveCount(2);
});

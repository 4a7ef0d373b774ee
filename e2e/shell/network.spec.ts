import type { Page } from '@playwright/test';
import { formatDateTime, withArticle } from '#contract/dates.ts';
import { pdfOf } from '#server/testing/pdf.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { logIn } from '../support/accounts.ts';
import { untilReadableOffline } from '../support/offline.ts';
import { untilNoted } from '../support/reads.ts';
import { roundTripsOf } from '../support/round-trips.ts';
import { expect, test } from '../support/test.ts';

test('no page needs more than two round trips to the API', { tag: '@once' }, async ({ app, openAs }) => {
  const { make } = app;
  const customer = await make.user();
  const project = await make.project(customer);
  await make.assign(customer, project, await make.employee(customer));
  await make.invoice(customer, project);
  const { id } = await make.tripRequest(customer);
  const pages: [Page, string[]][] = [
    [
      await openAs(customer),
      [
        'home',
        'progetti-team',
        'nuova-trasferta',
        'nuova-trasferta/richieste',
        `nuova-trasferta/richieste/${id}`,
        'pagamenti-fatture',
        'profile',
        'support',
        'requirements',
      ],
    ],
    [
      await openAs(await make.user({ role: 'admin' })),
      ['user-management', 'gestione-richieste', `gestione-richieste/${id}`],
    ],
    [await openAs(await make.invoiceAdmin()), ['admin/invoices']],
  ];
  const unexpected = [];
  for (const [page, paths] of pages) {
    await page.bringToFront();
    for (const path of paths) {
      const trips = await roundTripsOf(page, `/app/${path}`);
      // Zero would mean that nothing was measured.
      if (trips < 1 || trips > 2) unexpected.push({ path, trips });
    }
  }
  expect(unexpected).toEqual([]);
});

test('going offline shows a notice, and loaded data stays', { tag: '@once' }, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/app/home');
  await expect(page.getByText('Progetti Attivi')).toBeVisible();
  await untilReadableOffline(page);
  const places = () =>
    page.locator('main :is(h1, h2, a)').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().y));
  const before = await places();
  await page.context().setOffline(true);
  const notice = page.getByRole('status').filter({ hasText: 'Sei offline' });
  await expect(notice).toBeInViewport({ ratio: 1 });
  await expect(page.getByText('Progetti Attivi')).toBeVisible();
  expect(await places(), 'the page does not move').toEqual(before);
  await page.evaluate('scrollTo(0, 300)');
  await expect(notice).toBeInViewport({ ratio: 1 });
  // What is come to by key is not under it.
  await page.locator('main a').last().focus();
  const [link, foot] = await Promise.all([page.locator('main a').last().boundingBox(), notice.boundingBox()]);
  expect((link?.y ?? 0) + (link?.height ?? 0)).toBeLessThanOrEqual(foot?.y ?? 0);
  // Enlarged to four times its size, the page has more than half of the window.
  await page.setViewportSize({ width: 320, height: 256 });
  const bar = (await page.getByRole('banner').boundingBox())?.height ?? 0;
  expect(bar + ((await notice.boundingBox())?.height ?? 256)).toBeLessThan(128);
  await page.context().setOffline(false);
  await expect(page.getByText(/Sei offline/)).toHaveCount(0);
});

test.describe('a hovered link', () => {
  /** Imports the code of a page as the router does. Out: whether the browser has it. */
  const hasCode = (page: Page, file: string) =>
    page.evaluate(
      (file) =>
        import(file).then(
          () => true,
          () => false,
        ),
      file,
    );

  /** Opens the form of a new trip. Out: the link to the support page, and the file of that page's code. */
  async function openForm(page: Page) {
    await page.goto('/app/nuova-trasferta');
    const city = page.getByLabel('Città');
    await city.fill('Ravenna');
    await untilReadableOffline(page);
    // Every navigation of the document, noted as it begins; gone once the document is left.
    await page.evaluate(() => {
      const left: string[] = [];
      Object.assign(window, { left });
      navigation.addEventListener('navigate', ({ navigationType }) => left.push(navigationType));
    });
    const file = await page.evaluate(
      () => Reflect.get(window, '__reactRouterManifest').routes['app/support/page'].module,
    );
    return { city, link: page.getByRole('link', { name: 'Supporto 24/7' }).first(), file: String(file) };
  }

  test('loads the code of its page, which then opens without it', { tag: '@once' }, async ({
    app,
    openAs,
  }) => {
    const page = await openAs(await app.make.user());
    const { link, file } = await openForm(page);
    const code = page.waitForResponse(`**${file}`);
    await link.hover();
    await code;
    expect(await hasCode(page, file)).toBe(true);
    await page.route('**/assets/*.js', (route) => route.fulfill({ status: 404 }));
    await link.click();
    await expect(page.getByRole('heading', { level: 1, name: 'Supporto 24/7' })).toBeVisible();
    // The page that opens notes in its own entry of the history where one came from.
    await expect.poll(() => page.evaluate(() => Reflect.get(window, 'left'))).toEqual(['push', 'replace']);
  });

  for (const intent of ['hover', 'focus'] as const) {
    test(`keeps the page when a version was deployed meanwhile (${intent})`, { tag: '@once' }, async ({
      app,
      openAs,
      problems,
    }) => {
      problems.expect(/status of 404/);
      const page = await openAs(await app.make.user());
      const { city, link, file } = await openForm(page);
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await page.route('**/assets/*.js', (route) => route.fulfill({ status: 404 }));
      const code = page.waitForResponse(`**${file}`);
      await link[intent]();
      await code;
      expect(await hasCode(page, file)).toBe(false);
      // The first request of a reload asks who is signed in.
      await untilNoted(page);
      expect(asked).not.toContain('/api/auth/session');
      expect(await page.evaluate(() => Reflect.get(window, 'left'))).toEqual([]);
      await expect(city).toHaveValue('Ravenna');
    });
  }
});

test('going to an address while another page is loading stays at that address', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const page = await openAs(await app.make.user());
  await page.goto('/app/home');
  await expect(page.getByText('Progetti Attivi')).toBeVisible();
  await untilReadableOffline(page);
  // The code of the other page never arrives.
  const asked = page.waitForRequest('**/assets/*.js');
  await page.route('**/assets/*.js', () => {});
  await page.getByRole('link', { name: 'Supporto 24/7' }).first().click();
  await asked;
  await page.unrouteAll();
  await page.goto('/app/profile');
  await expect(page.getByRole('heading', { level: 1, name: 'Il tuo profilo' })).toBeVisible();
  await expect(page.getByText(/Metodi di accesso collegati/)).toBeVisible();
  await expect(page).toHaveURL('/app/profile');
});

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' });

  /** The keys of the answers stored on the device for offline reading. */
  const keptKeys = (page: Page) =>
    page.evaluate(
      () =>
        new Promise<unknown[][]>((resolve) => {
          const opening = indexedDB.open('trasvia-offline');
          opening.onupgradeneeded = () => opening.result.createObjectStore('answers');
          opening.onsuccess = () => {
            const reading = opening.result.transaction('answers').objectStore('answers').getAll();
            reading.onsuccess = () => {
              opening.result.close();
              resolve(reading.result.map(({ queryKey }) => queryKey));
            };
          };
        }),
    );

  /** The kinds of the stored answers. */
  const kept = async (page: Page) =>
    (await keptKeys(page)).map((key) => key.slice(0, 2).join(' ')).toSorted();

  /** Makes the stored answers whose key begins with `name` read at the instant `at`. */
  const readAt = (page: Page, name: string, at: Date) =>
    page.evaluate(
      ([name, at]) =>
        new Promise<void>((resolve) => {
          const opening = indexedDB.open('trasvia-offline');
          opening.onsuccess = () => {
            const writing = opening.result.transaction('answers', 'readwrite');
            writing.objectStore('answers').openCursor().onsuccess = ({ target }) => {
              const { result: cursor } = target as IDBRequest<IDBCursorWithValue | null>;
              if (!cursor) return;
              const { value } = cursor;
              if (value.queryKey[0] === name) cursor.update({ ...value, at });
              cursor.continue();
            };
            writing.oncomplete = () => {
              opening.result.close();
              resolve();
            };
          };
        }),
      [name, at.getTime()] as const,
    );

  /** Makes the stored answers ones that a tab of another version has stored. */
  const ofAnotherVersion = (page: Page) =>
    page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const opening = indexedDB.open('trasvia-offline');
          opening.onsuccess = () => {
            const writing = opening.result.transaction('answers', 'readwrite');
            const answers = writing.objectStore('answers');
            answers.openCursor().onsuccess = ({ target }) => {
              const { result: cursor } = target as IDBRequest<IDBCursorWithValue | null>;
              if (!cursor) return;
              answers.put(cursor.value, String(cursor.key).replace(/^\S+ /, '! '));
              cursor.delete();
              cursor.continue();
            };
            writing.oncomplete = () => {
              opening.result.close();
              resolve();
            };
          };
        }),
    );

  /**
   * Tells `page` that it is offline: Chromium tells only pages that were open when the network went away.
   * @returns a function that undoes it; until then documents that the page loads may be told so again, online or not
   */
  async function tellOffline(page: Page): Promise<() => Promise<void>> {
    const session = await page.context().newCDPSession(page);
    await session.send('Network.overrideNetworkState', {
      offline: true,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
    return () => session.detach();
  }

  test('the application opens with the last data read, until logout', {
    tag: '@once',
  }, async ({ app, openAs, problems }) => {
    problems.expect(/ERR_INTERNET_DISCONNECTED/);
    const user = await app.make.user();
    const project = await app.make.project(user, { name: 'Diga di Ridracoli' });
    await app.make.invoice(user, project, { euro: 1250 });
    const page = await openAs(user);
    await page.goto('/app/home');
    await page.getByRole('link', { name: 'Progetti e Team' }).first().click();
    await expect(page.getByRole('row', { name: /Diga di Ridracoli/ })).toBeVisible();
    await expect.poll(() => kept(page)).toEqual(['dashboard', 'me', 'projects list', 'projects list']);
    const scope = await page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
    expect(new URL(scope).pathname).toBe('/app');

    // The data shown may be much older than the last check of the session.
    const longAgo = new Date(Date.now() - 72 * 60 * 60_000);
    await readAt(page, 'projects', longAgo);
    await page.context().setOffline(true);
    await page.reload();
    const forgetOffline = await tellOffline(page);
    await expect(
      page.getByText(
        `Sei offline: vedi gli ultimi dati caricati, fino ${withArticle('al', formatDateTime(longAgo))}`,
      ),
    ).toBeVisible();
    await expect(page.getByRole('row', { name: /Diga di Ridracoli/ })).toBeVisible();
    await expectAccessible(page);
    const tab = await page.context().newPage();
    // Without the retry every twenty seconds: only the return of the connection can make this tab read again.
    await tab.addInitScript(() => Object.assign(window, { setInterval: () => 0 }));
    await tab.goto('/app');
    await tellOffline(tab);
    await expect(tab).toHaveURL('/app/home');
    await expect(tab.getByText('Progetti Attivi')).toBeVisible();
    await expect(tab.getByText('1.250,00').first()).toBeVisible();
    // Never read on this device: the page says so.
    await tab.getByRole('link', { name: 'Pagamenti e Fatture' }).first().click();
    await expect(tab.getByText(/Connessione assente o instabile/)).toBeVisible();

    await page.context().setOffline(false);
    await expect(tab.getByText(/Sei offline/)).toHaveCount(0);
    await expect(tab.getByRole('heading', { name: 'Fatture Recenti' })).toBeVisible();
    await tab.close();
    await forgetOffline();

    // A tab of another version that is open beside this one keeps its own answers.
    await ofAnotherVersion(page);
    await page.reload();
    await expect.poll(async () => (await kept(page)).filter((kind) => kind === 'me')).toEqual(['me', 'me']);

    // A page that reads nothing, so that no answer is pending at logout.
    await page.goto('/app/support');
    await expect(page.getByText(/Sei offline/)).toHaveCount(0);
    await page.getByRole('button', { name: /^Account di/ }).click();
    // Nothing stays while the code of the public home is on its way, which may never arrive.
    const arrived = Promise.withResolvers<void>();
    await page.context().route(/\/assets\/.*\.js$/, (route) => arrived.promise.then(() => route.fallback()));
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await expect.poll(() => kept(page)).toEqual([]);
    await expect(page).toHaveURL('/app/support');
    arrived.resolve();
    await expect(page).toHaveURL('/');
    await page.context().setOffline(true);
    await page.goto('/app/home');
    await expect(page.getByRole('heading', { name: 'Trasvia non risponde' })).toBeVisible();
  });

  for (const remembered of [true, false]) {
    const shown = remembered ? 'shows' : 'does not show';
    test(`a browser opened again ${shown} what a session read that was ${remembered ? '' : 'not '}to be remembered`, {
      tag: '@once',
    }, async ({ app, borrow, problems }) => {
      problems.expect(/ERR_INTERNET_DISCONNECTED/);
      const user = await app.make.user();
      const page = await borrow();
      await logIn(page, user.email, user.password, remembered);
      await expect(page).toHaveURL('/app/home');
      await page.reload();
      await expect.poll(() => kept(page)).toEqual(['dashboard', 'me']);
      await page.evaluate(async () => void (await navigator.serviceWorker.ready));

      await page.context().setOffline(true);
      await page.reload();
      await expect(page.getByText('Progetti Attivi')).toBeVisible();
      // What a closed browser forgets.
      const cookies = await page.context().cookies();
      for (const { name } of cookies.filter(({ expires }) => expires === -1))
        await page.context().clearCookies({ name });
      await page.reload();
      if (remembered) await expect(page.getByText('Progetti Attivi')).toBeVisible();
      else await expect(page.getByRole('heading', { name: 'Trasvia non risponde' })).toBeVisible();
      expect(await kept(page)).toEqual(remembered ? ['dashboard', 'me'] : []);
    });
  }

  test('a new version takes over only at the request of a page of that version, when no other is open', {
    tag: '@once',
  }, async ({ app, openAs }) => {
    const page = await openAs(await app.make.user());
    await page.addInitScript(() => {
      const { register } = ServiceWorkerContainer.prototype;
      ServiceWorkerContainer.prototype.register = function (...asked) {
        Object.assign(window, { hasRegistered: true });
        return register.apply(this, asked);
      };
    });
    const untilRegistered = () =>
      expect.poll(() => page.evaluate(() => Reflect.get(window, 'hasRegistered'))).toBe(true);
    await page.goto('/app/home');
    await untilRegistered();
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    // Only a page that was loaded through the worker uses it.
    await page.reload();
    await untilRegistered();

    /** Deploys another worker, as the browser finds it while pages are open. `isOfPage`: the page is of its version. */
    const deploy = (name: string, isOfPage: boolean) =>
      page.evaluate(
        async ([name, isOfPage]) => {
          const manifest = Reflect.get(window, '__reactRouterManifest');
          manifest.url = isOfPage
            ? `/assets/manifest-${manifest.version}.js`
            : '/assets/manifest-00000000.js';
          await navigator.serviceWorker.register(`/service-worker.js?${name}`, { scope: '/app' });
        },
        [name, isOfPage] as const,
      );
    const workers = () =>
      page.evaluate(async () => {
        const registration = await navigator.serviceWorker.getRegistration('/app');
        const nameOf = (worker?: ServiceWorker | null) => worker && new URL(worker.scriptURL).search;
        return { active: nameOf(registration?.active), waiting: nameOf(registration?.waiting) };
      });
    await deploy('newer', false);
    await expect.poll(workers).toEqual({ active: '', waiting: '?newer' });

    const other = await page.context().newPage();
    // This page registers no worker.
    await other.addInitScript(() =>
      Object.defineProperty(navigator, 'connection', {
        value: Object.assign(new EventTarget(), { saveData: true }),
      }),
    );
    await other.goto('/app/support');
    await deploy('beside-another-page', true);
    await expect.poll(workers).toEqual({ active: '', waiting: '?beside-another-page' });

    await other.close();
    await deploy('alone', true);
    await expect.poll(workers).toEqual({ active: '?alone', waiting: null });
  });

  test('the device stores at most sixty answers, and neither PDFs nor histories of invoices', {
    tag: '@once',
  }, async ({ app, openAs }) => {
    const customer = await app.make.user();
    const project = await app.make.project(customer, { name: 'Darsena di Ravenna' });
    const { invoiceNumber: number } = await app.make.invoice(customer, project);
    const desk = await openAs(await app.make.invoiceAdmin());
    await desk.goto('/app/admin/invoices');
    await desk.getByRole('searchbox', { name: 'Cerca' }).fill(number);
    await expect(desk.getByText('1 fattura', { exact: true })).toBeVisible();
    const lists = Array<string>(2).fill('admin-invoices list');
    await expect.poll(() => kept(desk)).toEqual([...lists, 'me']);

    await desk.getByRole('button', { name: `Carica PDF della fattura ${number}` }).click();
    const uploading = desk.getByRole('dialog', { name: 'Carica PDF' });
    await uploading
      .locator('input[type="file"]')
      .setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from(pdfOf(200)) });
    await expect(uploading.getByText('a.pdf')).toBeVisible();
    await uploading.getByRole('button', { name: 'Carica PDF' }).click();
    await desk.getByRole('button', { name: `Anteprima di a.pdf, PDF della fattura ${number}` }).click();
    const dialog = desk.getByRole('dialog');
    await expect(dialog.getByRole('button', { name: 'Scarica PDF' })).toBeEnabled();
    await dialog.getByRole('button', { name: 'Chiudi' }).click();
    await desk.getByRole('button', { name: `Azioni sulla fattura ${number}` }).click();
    await desk.getByRole('menuitem', { name: 'Cronologia' }).click();
    await expect(dialog.getByText('PDF caricato')).toBeVisible();
    await dialog.getByRole('button', { name: 'Chiudi' }).click();
    await desk.getByRole('searchbox', { name: 'Cerca' }).fill('ravenna');
    await expect.poll(() => kept(desk)).toEqual(['admin-invoices list', ...lists, 'me']);

    // As many as an hour of searching would leave.
    await desk.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const opening = indexedDB.open('trasvia-offline');
          opening.onsuccess = () => {
            const writing = opening.result.transaction('answers', 'readwrite');
            const answers = writing.objectStore('answers');
            const keys = answers.getAllKeys();
            const reading = answers.getAll();
            reading.onsuccess = () => {
              const [version] = String(keys.result[0]).split(' ');
              const list = reading.result.find(({ queryKey }) => queryKey[1] === 'list');
              for (let index = 0; index < 56; index += 1)
                answers.put({ ...list, at: list.at - index }, `${version} ${index}`);
            };
            writing.oncomplete = () => {
              opening.result.close();
              resolve();
            };
          };
        }),
    );
    expect(await kept(desk)).toHaveLength(60);
    await desk.getByRole('searchbox', { name: 'Cerca' }).fill('darsena');
    await expect.poll(async () => JSON.stringify(await keptKeys(desk))).toContain('darsena');
    await expect.poll(() => kept(desk)).toEqual([...Array<string>(59).fill('admin-invoices list'), 'me']);
  });
});

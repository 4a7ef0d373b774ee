import type { Page } from '@playwright/test';
import { publicPaths } from '#client/site/paths.ts';
import { CONTACT_LIMITS } from '#contract/contact-limits.ts';
import { CONTACT_FAILED_PATH } from '#contract/contact-requests.ts';
import { MAX_EMAIL_LENGTH } from '#contract/lengths.ts';
import { criticalCssKb } from '../scripts/critical-css.ts';
import { expectAccessible, expectContrast } from './support/accessibility.ts';
import { answerOnce } from './support/answer-once.ts';
import type { RunningApp } from './support/app.ts';
import { expectToFit, expectWholeWords } from './support/layout.ts';
import { setLetterSize } from './support/letters.ts';
import { shiftOf, watchShifts } from './support/shifts.ts';
import { openStallingLine } from './support/stalling-line.ts';
import { expect, test } from './support/test.ts';
import { untilHydrated, wake } from './support/wake.ts';

const widths = [360, 768, 1440] as const;
const phone = { width: 360, height: 740 } as const;

/** Checks every rule in the light scheme, and in the dark one only what differs: the colours. */
async function expectAccessibleInBothSchemes(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectContrast(page);
}

async function expectToReadWellAtEveryWidth(page: Page): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await expectToFit(page);
    await expectAccessibleInBothSchemes(page);
  }
}

/** The schema.org types of each page; a page that is not listed has none. */
const structuredData: Record<string, readonly string[]> = {
  '/': ['Organization', 'FAQPage'],
  '/pricing': ['FAQPage'],
};

for (const path of publicPaths) {
  test(`${path} fits every width, is accessible in both schemes, and has its metadata`, {
    tag: '@once',
  }, async ({ page, request }) => {
    const response = await page.goto(path);
    expect(response?.status()).toBe(200);
    expect(criticalCssKb((await response?.text()) ?? '')).toBeLessThanOrEqual(20);
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    await expectToReadWellAtEveryWidth(page);

    await expect(page.locator('html')).toHaveAttribute('lang', 'it');
    await expect(page).toHaveTitle(/ · Trasvia$/);
    await expect(page.locator('meta[name="description"]')).toHaveAttribute('content', /.{50,170}/);
    const canonical = await page.locator('link[rel="canonical"]').getAttribute('href');
    expect(new URL(canonical ?? '').pathname).toBe(path);
    const image = await page.locator('meta[property="og:image"]').getAttribute('content');
    expect((await request.get(new URL(image ?? '').pathname)).headers()['content-type']).toBe('image/png');
    const blocks = await page.locator('script[type="application/ld+json"]').allTextContents();
    expect(blocks.map((block) => JSON.parse(block))).toMatchObject(
      (structuredData[path] ?? []).map((type) => ({ '@context': 'https://schema.org', '@type': type })),
    );
  });
}

/** The font families loaded from the server, without the fallbacks of the device. */
function facesOf(page: Page): Promise<unknown> {
  return page.evaluate(`[...document.fonts]
    .filter(({ status, family }) => status === 'loaded' && !family.endsWith('Fallback'))
    .map(({ family }) => family)`);
}

/** Waits until `page` has fetched the file whose address contains `name`. Playwright does not hear of the end of every request. */
async function untilFetched(page: Page, name: string): Promise<void> {
  const isFetched = (part: string) =>
    performance
      .getEntriesByType('resource')
      .some((entry) => entry.name.includes(part) && Reflect.get(entry, 'responseStatus') === 200);
  await expect.poll(() => page.evaluate(isFetched, name), `${name} is fetched`).toBe(true);
}

test('headings and text use the fonts of the brand', { tag: '@once' }, async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 900 });
  await page.goto('/');
  await expect
    .poll(() => facesOf(page))
    .toEqual(expect.arrayContaining(['Bricolage Grotesque', 'Inter Variable']));
});

test('on a phone headings use the font of the brand at once, text from the second page on', {
  tag: '@once',
}, async ({ page }) => {
  await page.setViewportSize(phone);
  await page.goto('/');
  await expect.poll(() => facesOf(page)).toEqual(['Bricolage Grotesque']);
  await untilFetched(page, 'inter-western');
  await page.getByRole('link', { name: 'Richiedi una trasferta' }).first().click();
  await expect(page).toHaveURL('/contacts');
  await expect
    .poll(() => facesOf(page))
    .toEqual(expect.arrayContaining(['Bricolage Grotesque', 'Inter Variable']));
});

for (const width of [360, 1440]) {
  test(`no layout shift while a page loads, ${width} px wide`, { tag: '@once' }, async ({ browser, app }) => {
    for (const path of publicPaths) {
      // A visitor with an empty cache.
      const context = await browser.newContext({ baseURL: app.origin, viewport: { width, height: 800 } });
      const page = await context.newPage();
      await watchShifts(page);
      await page.goto(path);
      for (const face of ['bricolage-grotesque-italian', 'inter-western']) await untilFetched(page, face);
      expect.soft(await shiftOf(page), path).toBe(0);
      await context.close();
    }
  });
}

for (const [path, mark, would] of [
  ['/pricing', '</nav>', 'the menu would move when the buttons beside it arrive'],
  ['/pricing', '2.220,00', 'the title and the columns would move when the rest of the invoice arrives'],
  ['/company', '</h1>', 'the title would move when what is beside it arrives'],
] as const) {
  test(`no layout shift on a connection that stalls after ${mark}: ${would}`, { tag: '@once' }, async ({
    page,
    app,
    problems,
  }) => {
    const line = await openStallingLine(mark, app.origin);
    problems.expect(new RegExp(`request to another origin: ${line.origin}/.+`));
    try {
      await watchShifts(page);
      await page.goto(`${line.origin}${path}`);
      expect(await shiftOf(page)).toBe(0);
    } finally {
      await line.stop();
    }
  });
}

test('the examples keep their lines: a detail below its service, the stamp beside its title', {
  tag: '@once',
}, async ({ page }) => {
  await page.goto('/');
  for (const width of [768, 900, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    const [short, long] = await Promise.all(
      ['Cena in struttura', 'Pranzo al sacco 12 al giorno'].map(
        async (name) => (await page.getByRole('rowheader', { name }).boundingBox())?.height,
      ),
    );
    expect(long, `height of the longest service, ${width} px`).toBe(short);
  }
  await page.goto('/pricing');
  const invoice = page.getByRole('figure').filter({ hasText: 'Fattura periodica' });
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    const [title, stamp] = await Promise.all(
      ['Fattura periodica', 'Esempio'].map((text) => invoice.getByText(text, { exact: true }).boundingBox()),
    );
    expect(stamp?.y, `top of the stamp, ${width} px`).toBeLessThan((title?.y ?? 0) + (title?.height ?? 0));
    await expect(invoice.getByRole('cell', { name: '30 × 74,00' })).toBeVisible();
  }
});

test('an unknown path shows "not found" and a link to Home', { tag: '@once' }, async ({ page, problems }) => {
  problems.expect(/status of 404/);
  const response = await page.goto('/percorso-che-non-esiste');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toHaveAttribute('lang', 'en');
  await expectAccessible(page);
  await expectToFit(page);
  await page.getByRole('link', { name: 'Torna alla Home', exact: true }).click();
  await expect(page).toHaveURL('/');
});

test('the privacy page states how long the server keeps each kind of data', {
  tag: '@once',
}, async ({ page }) => {
  await page.goto('/privacy');
  for (const [what, long] of [
    ['Richieste dal modulo dei contatti', 'Un anno'],
    ['Messaggi all’assistenza', '2 anni'],
    ['Registri di sicurezza', '2 anni'],
    ['Copie delle email inviate', '180 giorni'],
    ['Fatture', 'Dieci anni, come impone la legge, se non le elimini prima'],
  ] as const) {
    await expect(page.getByRole('row', { name: `${what} ${long}` })).toBeVisible();
  }
});

test('the cookie page mentions drafts kept after logout, and external pictures', {
  tag: '@once',
}, async ({ page }) => {
  await page.goto('/cookies');
  const drafts = page.getByRole('row').filter({ hasText: 'Travel requirements' });
  await expect(drafts).toContainText('restano anche dopo l’uscita dall’account');
  await expect(page.getByRole('row', { name: 'Cookie di sessione' })).toContainText('al massimo 90');
  await expect(page.getByRole('row', { name: 'Posizione nelle pagine' })).toBeVisible();
  await expect(page.getByRole('row', { name: 'Segni di ricarica' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('nelle pagine pubbliche, nessuna risorsa di terzi');
  await expect(page.getByRole('heading', { name: 'Immagini del profilo' })).toBeVisible();
});

test('the sitemap lists every page and robots.txt points to it', { tag: '@once' }, async ({ request }) => {
  const robots = await (await request.get('/robots.txt')).text();
  expect(robots).toMatch(/^Sitemap: https?:\/\/.+\/sitemap\.xml$/m);
  // Without a final $ a rule is a prefix, and would also block files of the site that begin like it.
  const closed = [...robots.matchAll(/^Disallow: (\S+)$/gm)].map(([, rule = '']) => rule);
  expect(closed).toEqual(['/app$', '/app/', '/api$', '/api/']);
  const siteMap = await (await request.get('/sitemap.xml')).text();
  const listed = [...siteMap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname);
  expect(listed).toEqual([...publicPaths]);
});

test('pages are compressed, revalidated each time, and hold no script', {
  tag: '@once',
}, async ({ request }) => {
  for (const path of publicPaths) {
    const response = await request.get(path, { headers: { 'Accept-Encoding': 'br' } });
    expect(response.headers()).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'no-cache',
      'content-security-policy': expect.stringContaining("script-src 'self';"),
    });
    const html = await response.text();
    const inline = [...html.matchAll(/<script(?![^>]*application\/ld\+json)[^>]*>[^<]/g)];
    expect([path, inline]).toEqual([path, []]);
    const [, script = ''] = /<script src="([^"]+)" data-start/.exec(html) ?? [];
    const asset = await request.get(script, { headers: { 'Accept-Encoding': 'br' } });
    expect(asset.headers()).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
    });
  }
});

test('the service worker is revalidated each time, and limited to its folder and origin', {
  tag: '@once',
}, async ({ request }) => {
  const response = await request.get('/service-worker.js');
  const headers = response.headers();
  expect(headers['content-type']).toContain('text/javascript');
  expect(headers['cache-control']).toBe('no-cache');
  expect(headers['content-security-policy']).toContain("script-src 'self';");
  expect(headers['service-worker-allowed']).toBeUndefined();
  const files = [...(await response.text()).matchAll(/url:[`"']([^`"']+)[`"']/g)].map(([, url = '']) => url);
  expect(files).toContain('/app');
  expect(files.filter((file) => !/^\/(assets\/|app$)/.test(file))).toEqual([]);
  const answers = await Promise.all(files.map((file) => request.head(file)));
  expect(answers.filter((answer) => !answer.ok()).map((answer) => answer.url())).toEqual([]);
});

test('the header marks the current page and hides the login on the login page', { tag: '@once' }, async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/solutions');
  const links = page.getByRole('navigation', { name: 'Principale' });
  await expect(links.getByRole('link', { name: 'Soluzioni' })).toHaveAttribute('aria-current', 'page');
  await expect(links.locator('[aria-current]')).toHaveCount(1);
  await expect(page.getByRole('banner').getByRole('link', { name: 'Accedi' })).toBeVisible();
  await page.goto('/login');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Accedi' })).toHaveCount(0);
});

test('Home, prices and company have their sections and link to the contact page', {
  tag: '@once',
}, async ({ page }) => {
  const heads = (level: 1 | 2 | 3) => page.getByRole('main').getByRole('heading', { level });
  const waysOn = page.getByRole('main').locator('a[href="/contacts"]');

  await page.goto('/');
  await expect(waysOn.first()).toHaveText(/^Richiedi una trasferta/);
  await expect(heads(2)).toHaveText([
    'Come funziona',
    'Trattiamo noi, gestiamo noi',
    'Otto servizi, solo quelli che servono',
    'Per chi lavora dove serve, non dove abita',
    'Una trasferta in tre passi',
    'Alle due di notte risponde una persona',
    'Domande frequenti',
    'Dove va la prossima squadra?',
  ]);

  await page.goto('/pricing');
  await expect(heads(1)).toHaveText('Piani su misura per ogni trasferta');
  await expect(waysOn.first()).toHaveText(/^Richiedi una trasferta/);
  await expect(
    heads(3).filter({ hasText: /^(Nessun costo di|Risparmio garantito|Assistenza 24)/ }),
  ).toHaveText([
    'Nessun costo di attivazione',
    'Nessun costo di piattaforma',
    'Risparmio garantito',
    'Assistenza 24/7',
  ]);
  await expect(heads(2).filter({ hasText: 'Pacchetto Completo Personalizzato' })).toBeVisible();
  const inclusions = page.getByRole('list').filter({ hasText: 'Fatturazione centralizzata' });
  await expect(inclusions.getByRole('listitem')).toHaveCount(6);
  await expect(page.locator('details[name="faq-pricing"]')).toHaveCount(5);

  await page.goto('/company');
  await expect(heads(1)).toHaveText('Cosa facciamo');
  await expect(heads(2)).toHaveText(['Il nostro obiettivo', 'La nostra storia', 'Lavora con noi']);
  await expect(heads(3)).toHaveText([
    'Sicurezza',
    'Sostenibilità',
    'Supporto all’eccellenza',
    'Innovazione',
    'Unisciti al team',
    'Professionisti del business travel',
    'Diventa partner',
  ]);
  await expect(waysOn).toHaveCount(4);
});

test('once hydrated, a link changes the page without a reload and moves the focus to it', {
  tag: '@once',
}, async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/');
  await wake(page);
  // The drawing of the hero is inline in a loaded page, and a file in one rendered by the router.
  const [written, file] = [page.locator('svg.crane-and-bed'), page.locator('main img[src*="crane-and-bed"]')];
  await expect(written).toBeVisible();
  await page.locator('html').evaluate((html) => html.setAttribute('data-same-document', ''));
  await page.getByRole('navigation', { name: 'Principale' }).getByRole('link', { name: 'Prezzi' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Piani su misura per ogni trasferta');
  await expect(page.locator('html')).toHaveAttribute('data-same-document');
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page.locator('link[rel="canonical"]')).toHaveCount(1);
  await expect(page.locator('link[rel="canonical"]')).toHaveAttribute('href', /\/pricing$/);
  await expectAccessible(page);
  await page.goBack();
  await expect(file).toBeVisible();
  await expect(written).toHaveCount(0);
});

test.describe('the menu of a phone', () => {
  test.use({ viewport: phone });

  test('is accessible when open in both schemes', { tag: '@once' }, async ({ page }) => {
    await page.goto('/company');
    await page.getByRole('button', { name: 'Apri il menu' }).click();
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await expect(menu.getByRole('link', { name: 'Chi Siamo' })).toHaveAttribute('aria-current', 'page');
    await expectAccessibleInBothSchemes(page);
    await expectToFit(page);
  });

  test('is there below 768 px', { tag: '@once' }, async ({ page }) => {
    const opener = page.getByRole('button', { name: 'Apri il menu' });
    const links = page.getByRole('navigation', { name: 'Principale' });
    await page.setViewportSize({ width: 767, height: 740 });
    await page.goto('/');
    await expect(opener).toBeVisible();
    await expect(links).toBeHidden();
    await page.setViewportSize({ width: 768, height: 740 });
    await expect(links).toBeVisible();
    await expect(opener).toBeHidden();
  });

  test('keeps the focus inside, closes with Esc and returns the focus', { tag: '@once' }, async ({
    page,
  }) => {
    await page.goto('/');
    const open = page.getByRole('button', { name: 'Apri il menu' });
    await open.focus();
    await page.keyboard.press('Enter');
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await expect(menu).toBeVisible();
    const stops = await menu.getByRole('link').or(menu.getByRole('button')).count();
    for (let press = 0; press <= stops; press++) {
      await page.keyboard.press('Tab');
      // After the last stop the focus goes to the browser's own controls (the body is active), never to the page behind.
      const kept = await page.evaluate(
        "document.activeElement === document.body || document.querySelector('dialog').contains(document.activeElement)",
      );
      expect(kept).toBe(true);
    }
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(open).toBeFocused();
  });

  test('stays in sight with large letters', { tag: '@once' }, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto('/');
    await page.addStyleTag({ content: 'html { font-size: 150%; }' });
    const { x = 0, width = 0 } =
      (await page.getByRole('button', { name: 'Apri il menu' }).boundingBox()) ?? {};
    expect(x + width, 'right edge of its button').toBeLessThanOrEqual(360);
  });

  test('leads to a page and closes', { tag: '@once' }, async ({ page }) => {
    await page.goto('/');
    await page.getByRole('button', { name: 'Apri il menu' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Contatti' }).click();
    await expect(page).toHaveURL('/contacts');
    await expect(page.getByRole('dialog')).toBeHidden();
    // A link to the current page closes it, too.
    await page.getByRole('button', { name: 'Apri il menu' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Richiedi una trasferta' }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(page).toHaveURL('/contacts');
  });
});

test('a public page is no wider than a phone with large letters', { tag: '@once' }, async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  for (const path of publicPaths) {
    await page.goto(path);
    await page.addStyleTag({ content: 'html { font-size: 150%; }' });
    expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(360);
  }
});

test('a public page is no wider than a phone with letters twice as large', { tag: '@once' }, async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await setLetterSize(page, 32);
  for (const path of publicPaths) {
    await page.goto(path);
    await expect(page.locator('html')).toHaveCSS('font-size', '32px');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(360);
    await expectWholeWords(page.getByRole('heading', { level: 1 }));
  }
  await page.goto('/login');
  await page.getByRole('button', { name: 'Accedi', exact: true }).click();
  await expect(page.getByText('Inserisci email/username e password', { exact: false })).toBeVisible();
  expect(await page.evaluate('document.documentElement.scrollWidth'), 'refused login').toBe(360);
});

test('questions are numbered from 01 to 05 and one is open at a time', { tag: '@once' }, async ({ page }) => {
  for (const path of ['/', '/pricing']) {
    await page.goto(path);
    const questions = page.locator('details');
    await expect(questions).toHaveCount(5);
    await expect(questions.first()).toContainText('01');
    await expect(questions.last()).toContainText('05');
    await questions.nth(1).locator('summary').click();
    await expect(questions.nth(1)).toHaveAttribute('open');
    await questions.nth(3).locator('summary').click();
    await expect(questions.nth(3)).toHaveAttribute('open');
    await expect(page.locator('details[open]')).toHaveCount(1);
    await expectAccessible(page);
  }
});

test('a printed page shows the answers that are closed on the screen', { tag: '@once' }, async ({ page }) => {
  await page.goto('/pricing');
  const answers = page.locator('details p');
  await expect(answers.first()).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  await expect(answers).toHaveCount(5);
  for (const answer of await answers.all()) await expect(answer).toBeVisible();
});

test('on paper the bars of the example week are printed, and no drawing made for a dark band', {
  tag: '@once',
}, async ({ page }) => {
  await page.goto('/');
  const drawings = [page.locator('svg.crane-and-bed'), page.locator('main img[src*="phone-at-night"]')];
  for (const drawing of drawings) await expect(drawing).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  // Browsers leave out backgrounds, of which a bar consists, unless the page says that they matter.
  const bar = page
    .getByRole('row', { name: /^Camere/ })
    .locator('td > span')
    .first();
  await expect(bar).toHaveCSS('print-color-adjust', 'exact');
  for (const drawing of drawings) await expect(drawing).toBeHidden();
});

test('drawings in light lines keep their dark ground where light colours are forced', {
  tag: '@once',
}, async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'light' });
  await page.goto('/');
  const hero = page.locator('svg.crane-and-bed');
  await expect(hero.locator('..')).toHaveCSS('background-color', 'rgb(10, 67, 80)');
  const night = page.locator('main img[src*="phone-at-night"]');
  await expect(night).toHaveCSS('background-color', 'rgb(6, 44, 53)');
});

test('a printed title is on the same sheet as what it is about', { tag: '@once' }, async ({ page }) => {
  await page.goto('/pricing');
  await page.emulateMedia({ media: 'print' });
  const title = page.getByRole('heading', { name: 'Domande sui prezzi' });
  await expect(title.locator('..')).toHaveCSS('break-after', 'avoid');
  // In a grid browsers would part them all the same.
  await expect(title.locator('../..')).toHaveCSS('display', 'block');
});

async function fill(page: Page, surname: string): Promise<void> {
  await page.getByLabel('Nome', { exact: true }).fill('Anna');
  await page.getByLabel('Cognome').fill(surname);
  await page.getByLabel('Azienda').fill('Montaggi Padani');
  await page.getByLabel('Telefono', { exact: true }).first().fill('+39 333 1234567');
  await page.getByLabel('Messaggio').fill('Dodici operai a Ravenna, tre settimane.');
}

/** Waits until exactly one message of this sender has reached the provider (spec §7). */
async function expectMail(app: RunningApp, surname: string): Promise<void> {
  await expect
    .poll(async () => (await app.mailbox.messages()).filter(({ text }) => text?.includes(surname)).length)
    .toBe(1);
}

test.describe('the contact form', () => {
  test('shows what is missing next to each field', { tag: '@once' }, async ({ page }) => {
    await page.goto('/contacts');
    await wake(page);
    await page.getByLabel('Indirizzo email').fill('anna@');
    await page.getByRole('button', { name: 'Invia richiesta' }).click();
    const name = page.getByLabel('Nome', { exact: true });
    await expect(name).toBeFocused();
    await expect(name).toHaveAccessibleDescription('Il nome è obbligatorio');
    await expect(page.getByLabel('Cognome')).toHaveAccessibleDescription('Il cognome è obbligatorio');
    await expect(page.getByRole('textbox', { name: 'Telefono' })).toHaveAccessibleDescription(
      'Il numero di telefono è obbligatorio',
    );
    await expect(page.getByLabel('Indirizzo email')).toHaveAccessibleDescription(
      'Indirizzo email non valido',
    );
    await expect(page.getByText('Ci sono 4 campi da correggere.').first()).toBeVisible();
    await expectToReadWellAtEveryWidth(page);
    // The field has the focus already, so that its message is announced, each time anew.
    const said = page.getByRole('status').filter({ hasText: 'da correggere' });
    for (let time = 1; time <= 2; time++) {
      const before = await said.locator('span').elementHandle();
      await name.press('Enter');
      await expect.poll(() => before?.evaluate((node) => node.isConnected)).toBe(false);
      await expect(said).toHaveText('Ci sono 4 campi da correggere. Il nome è obbligatorio');
    }
    // Nothing is announced while the fields are corrected, and nothing is left that is true no longer.
    await name.fill('Anna');
    await expect(page.getByText('Il nome è obbligatorio', { exact: true })).toHaveCount(0);
    await expect(page.getByText('Ci sono 3 campi da correggere.')).toBeVisible();
    await expect(said).toHaveCount(0);
  });

  test('sends the request to the provider and says so', { tag: '@once' }, async ({ page, app }) => {
    await page.goto('/contacts');
    await wake(page);
    // More than is accepted cannot be written.
    for (const [name, limit] of Object.entries({ ...CONTACT_LIMITS, email: MAX_EMAIL_LENGTH }))
      await expect(page.locator(`[name=${name}]`)).toHaveJSProperty('maxLength', limit);
    await fill(page, 'Zanetti');
    await page.getByRole('button', { name: 'Invia richiesta' }).click();
    const notice = page.getByRole('status').filter({ hasText: 'Messaggio Inviato' });
    await expect(notice).toContainText(
      'La tua richiesta è stata inviata con successo. Ti contatteremo al più presto.',
    );
    await expect(page.getByLabel('Cognome')).toHaveValue('');
    await expectAccessible(page);
    await expectMail(app, 'Zanetti');
  });

  test('takes back what was said about the form that the browser posted', { tag: '@once' }, async ({
    page,
  }) => {
    await page.goto(CONTACT_FAILED_PATH);
    await wake(page);
    await expect(page.getByText('riprova più tardi')).toBeVisible();
    await fill(page, 'Quarenghi');
    await page.getByRole('button', { name: 'Invia richiesta' }).click();
    await expect(page.getByText('Messaggio Inviato').last()).toBeVisible();
    await expect(page.getByText('riprova più tardi')).toHaveCount(0);
  });

  test('keeps its input when sending fails and after a reload', { tag: '@once' }, async ({
    page,
    problems,
  }) => {
    problems.expect(/Failed to load resource/);
    await page.goto('/contacts');
    await wake(page);
    await fill(page, 'Ferraris');
    await page.route('**/api/contact-requests', (route) => route.abort());
    await page.getByRole('button', { name: 'Invia richiesta' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'Errore' })).toContainText(
      "Si è verificato un errore durante l'invio del messaggio. Per favore, riprova più tardi.",
    );
    await expect(page.getByLabel('Cognome')).toHaveValue('Ferraris');
    await page.reload();
    await wake(page);
    await expect(page.getByLabel('Cognome')).toHaveValue('Ferraris');
    await expect(page.getByLabel('Messaggio')).toHaveValue('Dodici operai a Ravenna, tre settimane.');

    // A choice made before hydration is kept.
    await page.reload();
    const phoned = page.getByRole('radio', { name: 'Telefono' });
    await phoned.evaluate((radio: HTMLInputElement) => radio.click());
    await wake(page);
    await expect(page.getByLabel('Messaggio')).toHaveValue('Dodici operai a Ravenna, tre settimane.');
    await expect(phoned).toBeChecked();
  });

  test('leaves nothing in a tab in which an account is left, as the cookie page says', {
    tag: '@once',
  }, async ({ app, openAs }) => {
    const page = await openAs(await app.make.user());
    await page.goto('/contacts');
    await wake(page);
    await fill(page, 'Gallo');
    await page.goto('/app/support');
    const kept = () => page.evaluate('JSON.stringify(sessionStorage)');
    expect(await kept()).toContain('Gallo');
    await page.getByRole('button', { name: /^Account di/ }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await expect(page).toHaveURL('/');
    await expect.poll(kept).not.toContain('Gallo');
  });

  test('says that its code is missing after a deployment, and keeps its input over the reload', {
    tag: '@once',
  }, async ({ page, problems }) => {
    problems.expect(/status of 404/);
    await page.goto('/contacts');
    await wake(page);
    await page.route('**/assets/*.js', (route) => route.fulfill({ status: 404 }));
    await fill(page, 'Morandi');
    await page.getByRole('button', { name: 'Invia richiesta' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'ricarica la pagina' })).toBeVisible();
    await page.unroute('**/assets/*.js');
    await page.reload();
    await wake(page);
    await page.getByRole('button', { name: 'Invia richiesta' }).click();
    await expect(page.getByText('Messaggio Inviato').last()).toBeVisible();
  });

  test('shows that it is sending and cannot be sent twice', { tag: '@once' }, async ({ page }) => {
    await page.goto('/contacts');
    await wake(page);
    await fill(page, 'Bassani');
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let sent = 0;
    await page.route('**/api/contact-requests', async (route) => {
      sent += 1;
      await held;
      await route.fulfill({ status: 201 });
    });
    await page.getByRole('button', { name: 'Invia richiesta' }).press('Enter');
    const sending = page.getByRole('button', { name: 'Invio in corso...' });
    await expect(sending).toBeDisabled();
    await expect(sending).toBeFocused();
    await page.keyboard.press('Enter');
    // Text typed while sending was not sent, so it stays.
    await page.getByLabel('Messaggio').fill('E due impiegati.');
    release();
    await expect(page.getByRole('button', { name: 'Invia richiesta' })).toBeEnabled();
    await expect(page.getByText('Messaggio Inviato').last()).toBeVisible();
    expect(sent).toBe(1);
    await expect(page.getByLabel('Messaggio')).toHaveValue('E due impiegati.');
    await page.reload();
    await wake(page);
    await expect(page.getByLabel('Messaggio')).toHaveValue('E due impiegati.');
  });

  test('is stored and mailed once when retried after a lost answer and a reload', {
    tag: '@once',
  }, async ({ page, app, problems }) => {
    problems.expect(/Failed to load resource/);
    await page.goto('/contacts');
    await wake(page);
    await fill(page, 'Tommasi');
    const keys: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') keys.push(request.headers()['idempotency-key']);
    });
    await answerOnce(page, 'contact-requests', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('button', { name: 'Invia richiesta' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'Errore' })).toBeVisible();
    await page.reload();
    await wake(page);
    await page.getByRole('button', { name: 'Invia richiesta' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Messaggio Inviato' })).toBeVisible();
    expect(keys).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), keys[0]]);
    await expectMail(app, 'Tommasi');
  });
});

test('menu, questions and contact form work with the keyboard alone', { tag: '@once' }, async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Vai al contenuto' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(
    page.getByRole('main').getByRole('link', { name: 'Richiedi una trasferta' }).first(),
  ).toBeFocused();

  await untilHydrated(page);
  const main = page.getByRole('main');
  await main.getByRole('link', { name: 'Come funziona' }).focus();
  // Twice, for the second time leaves the address as it is.
  for (const time of ['first', 'second']) {
    await page.keyboard.press('Enter');
    await expect(page.locator('#come-funziona'), `the part of the page, ${time} time`).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(main.getByRole('link', { name: /^Edilizia/ })).toBeFocused();
    await main.getByRole('link', { name: 'Come funziona' }).focus();
  }
  await main.getByRole('link', { name: /^Oil & Gas/ }).focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('#oil-gas')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(main.getByRole('link', { name: 'Richiedi una trasferta' }).last()).toBeFocused();
  await page.goBack();
  // The page takes the focus once it is shown.
  await expect(page.locator('#come-funziona')).toBeFocused();

  const question = page.locator('summary').first();
  await question.focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('details').first()).toHaveAttribute('open');
  await page.keyboard.press('Tab');
  await expect(page.locator('summary').nth(1)).toBeFocused();
  await page.keyboard.press('Space');
  await expect(page.locator('details[open]')).toHaveCount(1);

  const contacts = page
    .getByRole('navigation', { name: 'Principale' })
    .getByRole('link', { name: 'Contatti' });
  await untilHydrated(page);
  await contacts.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/contacts');
  // The new page takes the focus, after its address and its form are there.
  await expect(page.getByRole('main')).toBeFocused();
  await page.getByLabel('Nome', { exact: true }).focus();
  await page.keyboard.type('Anna');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Colli');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('02 1234567');
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Indirizzo email')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'Telefono' })).toBeChecked();
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Messaggio')).toBeFocused();
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('every page is complete', { tag: '@once' }, async ({ page }) => {
    for (const path of publicPaths) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByRole('contentinfo')).toContainText('Milano');
    }
  });

  test('the login says that it needs JavaScript', { tag: '@once' }, async ({ page }) => {
    await page.goto('/login');
    // Located by element: `getByText` skips text in a noscript.
    const notice = page.locator('main noscript p');
    await expect(notice).toContainText('Per accedere serve JavaScript');
    await expect(notice).toBeVisible();
    await expectToFit(page);
    // Nothing is sent, so the page with its words stays.
    await page.getByLabel('Email o username').fill('anna');
    await page.getByRole('button', { name: 'Accedi', exact: true }).click();
    await expect(page.getByLabel('Email o username')).toHaveValue('anna');
    await page.goto('/accessibility');
    await expect(page.getByText('per entrare nell’area riservata serve JavaScript')).toBeVisible();
  });

  test('the menu opens and its links work, and a question opens', { tag: '@once' }, async ({ page }) => {
    await page.setViewportSize(phone);
    await page.goto('/');
    await page.locator('summary').first().click();
    await expect(page.locator('details').first()).toHaveAttribute('open');
    await page.getByRole('button', { name: 'Apri il menu' }).click();
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Prezzi' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Piani su misura per ogni trasferta');
  });

  test('the contact form is posted by the browser and confirmed', { tag: '@once' }, async ({ page, app }) => {
    await page.goto('/contacts');
    await fill(page, 'Olivieri');
    await page.getByRole('button', { name: 'Invia richiesta' }).click();
    await expect(page.getByText('Messaggio Inviato')).toBeVisible();
    await expectMail(app, 'Olivieri');
  });

  test('a rejected contact form says so, and going back finds its input', {
    tag: '@once',
  }, async ({ page }) => {
    await page.goto('/contacts');
    await fill(page, '   ');
    await page.getByRole('button', { name: 'Invia richiesta' }).click();
    await expect(page.getByText('Controlla nome, cognome, telefono')).toBeVisible();
    await expect(page.getByText('riprova più tardi')).toBeHidden();
    await page.goBack();
    await expect(page.getByLabel('Messaggio')).toHaveValue('Dodici operai a Ravenna, tre settimane.');
  });
});

import { addDays, formatDate, todayInRome } from '#contract/dates.ts';
import { REQUIREMENTS_TEXTS } from '#contract/requirements.ts';
import { expectAccessible } from './support/accessibility.ts';
import { answerOnce } from './support/answer-once.ts';
import { expectTitleUncovered, expectToFit } from './support/layout.ts';
import { submitLogin } from './support/login.ts';
import { openMenu } from './support/menu.ts';
import { expect, test } from './support/test.ts';

const start = addDays(todayInRome(), 21);
const end = addDays(start, 8);
const beforeStart = addDays(start, -1);

test('requirements are entered, reviewed, sent and mailed', async ({ app, openAs, isMobile }) => {
  const page = await openAs(await app.make.user({ companyName: null }));
  await page.goto('/app/nuova-trasferta');
  await page.getByRole('link', { name: 'Travel requirements' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Travel requirements' })).toBeVisible();

  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('textbox', { name: 'Destination' })).toBeFocused();
  await expect(page.getByText('Enter a destination')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: '3 fields need your attention.' })).toHaveCount(1);
  await page.getByRole('textbox', { name: 'Destination' }).fill('Rotterdam');
  await page.getByLabel('Trip purpose').selectOption('site-visit');
  await page.getByRole('textbox', { name: 'Start date' }).fill(formatDate(start));
  await page.getByRole('textbox', { name: 'End date' }).fill(formatDate(beforeStart));
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('The end date cannot precede the start date')).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page);
  // The calendar is in the language of the form, which it is outside of.
  const calendar = page.locator('[lang=en]').and(page.getByRole('dialog', { name: 'Choose a date' }));
  // The keys begin at the first day that can be picked, not at the wrong one.
  for (const [typed, begin] of [
    [beforeStart, start],
    [end, end],
  ] as const) {
    await page.getByRole('textbox', { name: 'End date' }).fill(formatDate(typed));
    await page.getByRole('button', { name: 'Choose a date: End date' }).click();
    await expect(calendar.locator(`[data-day="${begin}"]`)).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(calendar).toHaveCount(0);
  }
  const budget = page.getByRole('textbox', { name: 'Budget per night (USD)' });
  await budget.fill('');
  await budget.pressSequentially('85.50');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Enter a whole number')).toBeVisible();
  await budget.fill('');
  await budget.pressSequentially('1,200,000');
  await expect(budget).toHaveValue('$1,200,000');
  await budget.fill('');
  await budget.pressSequentially('1,200');
  await expect(budget).toHaveValue('$1,200');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'Accommodation' })).toBeFocused();
  await page.getByRole('button', { name: 'Back' }).click();
  await budget.fill('85');
  await page.getByRole('button', { name: 'Continue' }).click();

  await expect(page.getByRole('heading', { name: 'Accommodation' })).toBeFocused();
  await page.getByRole('tab', { name: 'Twin' }).click();
  await page.getByRole('radio', { name: '3+ beds' }).check();
  // It is not accepted blank.
  await expect(page.getByRole('textbox', { name: 'Max distance (km)' })).toHaveAttribute(
    'aria-required',
    'true',
  );
  const wifi = page.getByRole('checkbox', { name: 'Wi-Fi' });
  if (isMobile) {
    // The row is 44 px high, for a thumb, and its box 28.
    await wifi.scrollIntoViewIfNeeded();
    const { x = 0, y = 0 } = (await wifi.boundingBox()) ?? {};
    await page.touchscreen.tap(x + 14, y - 6);
  } else {
    await wifi.check();
  }
  await expect(wifi).toBeChecked();
  // axe measures what the sticky bar leaves of a target, which depends on how far the page is scrolled.
  await page.evaluate('scrollTo(0, 0)');
  await expectAccessible(page);
  await expectToFit(page);
  await page.getByRole('button', { name: 'Continue' }).click();

  await expect(page.getByRole('heading', { name: 'Special Needs' })).toBeFocused();
  const additional = page.getByRole('textbox', { name: 'Additional requirements' });
  // The focus is in the field already, so what Enter does is told in the status below the list.
  const told = (words: string) => expect(page.getByRole('status').filter({ hasText: words })).toHaveCount(1);
  await additional.press('Enter');
  await expect(page.getByText('Write a requirement first', { exact: true })).toBeVisible();
  await told('Not added. Write a requirement first');
  await additional.fill('Drying room');
  await additional.press('Enter');
  await told('Added: Drying room');
  await additional.fill(' drying ROOM ');
  await additional.press('Enter');
  await expect(page.getByText('This requirement is already in the list', { exact: true })).toBeVisible();
  await told('Not added. This requirement is already in the list');
  await additional.fill('Desk');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await told('Added: Desk');
  await page.getByRole('button', { name: 'Remove Desk' }).click();
  await told('Removed: Desk');
  await expectAccessible(page);
  await expectToFit(page);
  // Text that was typed but not added is not lost.
  await additional.fill('drying room');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('This requirement is already in the list', { exact: true })).toBeVisible();
  await expect(additional).toBeFocused();
  await additional.fill('Late check-in');
  await page.getByRole('button', { name: 'Continue' }).click();

  // Back and forward move through the steps, even after a reload.
  const review = page.getByRole('heading', { name: 'Review' });
  await expect(review).toBeFocused();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Special Needs' })).toBeFocused();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Accommodation' })).toBeFocused();
  await page.reload();
  await expect(page.getByRole('radio', { name: '3+ beds' })).toBeChecked();
  await page.goForward();
  await expect(page.getByRole('button', { name: 'Remove Late check-in' })).toBeVisible();
  await page.goForward();
  await expect(review).toBeFocused();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('heading', { name: 'Special Needs' })).toBeFocused();
  await page.goForward();
  await expect(review).toBeFocused();

  await expect(page.getByText('Twin, 3+ beds')).toBeVisible();
  await expect(page.getByText('Drying room')).toBeVisible();
  await expect(page.getByText('Desk')).toBeHidden();
  await expect(page.getByText(/Availability is not guaranteed/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(
    page.locator('[lang=en]').getByText('Travel requirements submitted successfully!'),
  ).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Trip Details' })).toBeFocused();
  await expectTitleUncovered(page);
  const mail = await app.mailbox.received('Travel Requirements - Rotterdam');
  expect(mail.text).toContain('- Additional requirements: Drying room\n  Late check-in\n');

  // History entries of the sent form show nothing, and "back" in the new form skips them.
  await page.goBack();
  await page.getByRole('textbox', { name: 'Destination' }).fill('Antwerp');
  await page.getByRole('textbox', { name: 'Start date' }).fill(formatDate(start));
  await page.getByRole('textbox', { name: 'End date' }).fill(formatDate(end));
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'Accommodation' })).toBeFocused();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('heading', { name: 'Trip Details' })).toBeFocused();
});

test('unsent requirements are said to be restored, and can be started over', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const page = await openAs(await app.make.user());
  await page.goto('/app/requirements');
  await page.getByRole('textbox', { name: 'Destination' }).fill('Rotterdam');
  await page.reload();
  await expect(page.getByText('You are continuing requirements you have not sent yet.')).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page);
  await page.getByRole('button', { name: 'Start over' }).click();
  const question = page.locator('[lang=en]').getByRole('dialog', { name: 'Start over?' });
  await expect(question.getByRole('button', { name: 'Chiudi' })).toHaveAttribute('lang', 'it');
  await question.getByRole('button', { name: 'Start over' }).click();
  await expect(page.getByRole('textbox', { name: 'Destination' })).toHaveValue('');
  await expect(page.getByRole('heading', { name: 'Trip Details' })).toBeFocused();
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Destination' })).toHaveValue('');
  await expect(page.getByRole('button', { name: 'Start over' })).toHaveCount(0);

  // In its own language where support is told of it, too.
  await (await openMenu(page)).getByRole('link', { name: 'Supporto 24/7' }).click();
  await expect(page.getByText('scrivi dalla pagina').locator('[lang=en]')).toHaveText('Travel requirements');
});

test('"back" in requirements started over does not lead on to a step of those before', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.goto('/app/requirements');
  const at = (title: string) => expect(page.getByRole('heading', { name: title, level: 2 })).toBeFocused();
  const fillDetails = async (destination: string) => {
    await page.getByRole('textbox', { name: 'Destination' }).fill(destination);
    await page.getByRole('textbox', { name: 'Start date' }).fill(formatDate(start));
    await page.getByRole('textbox', { name: 'End date' }).fill(formatDate(end));
  };
  await fillDetails('Rotterdam');
  for (const title of ['Accommodation', 'Special Needs']) {
    await page.getByRole('button', { name: 'Continue' }).click();
    await at(title);
  }
  await page.reload();
  await page.getByRole('button', { name: 'Start over' }).click();
  const question = page.getByRole('dialog', { name: 'Start over?' });
  await question.getByRole('button', { name: 'Start over' }).click();
  await at('Trip Details');
  await fillDetails('Antwerp');
  await page.goBack();
  await expect.poll(() => page.evaluate(() => history.state.usr.wizard.step)).toBe(0);
  await expect(page.getByRole('textbox', { name: 'Destination' })).toHaveValue('Antwerp');
  // Its own steps are still there after a reload.
  await page.getByRole('button', { name: 'Continue' }).click();
  await at('Accommodation');
  await page.reload();
  await expect(page.getByText('Step 2 of 4')).toBeVisible();
  await page.goBack();
  await at('Trip Details');
});

test('an invalid field of an earlier step is shown and marked', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  const user = await app.make.user();
  const page = await openAs(user);
  await page.goto('/app/requirements');
  const next = page.getByRole('button', { name: 'Continue' });
  await page.getByRole('textbox', { name: 'Destination' }).fill('Rotterdam');
  await page.getByRole('textbox', { name: 'Start date' }).fill(formatDate(start));
  await page.getByRole('textbox', { name: 'End date' }).fill(formatDate(end));
  const goToReview = async () => {
    for (const title of ['Accommodation', 'Special Needs', 'Review']) {
      await next.click();
      await expect(page.getByRole('heading', { name: title, level: 2 })).toBeFocused();
    }
  };
  await goToReview();

  // Errors are in the language of the form.
  problems.expect(/status of 429/);
  await answerOnce(page, 'requirements', (route) =>
    route.fulfill({
      status: 429,
      json: {
        error: { code: 'too_many_requests', message: REQUIREMENTS_TEXTS.tooMany(700), requestId: 'test' },
      },
    }),
  );
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'please try again in 12 minutes.' })).toBeVisible();
  problems.expect(/status of 500/);
  await answerOnce(page, 'requirements', (route) =>
    route.fulfill({
      status: 500,
      json: {
        error: { code: 'internal', message: 'Si è verificato un errore imprevisto.', requestId: 'test' },
      },
    }),
  );
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(
    page.getByRole('alert').filter({ hasText: 'Your requirements could not be sent.' }),
  ).toBeVisible();

  // The login, to which an ended session leads, is in Italian.
  problems.expect(/status of 401/);
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('alert')).toHaveText(/^Sessione scaduta/);
  await submitLogin(page, user);

  // The server rejects a field.
  problems.expect(/status of 422/);
  await answerOnce(page, 'requirements', (route) =>
    route.fulfill({
      status: 422,
      json: {
        error: {
          code: 'invalid_input',
          message: 'Controlla i campi evidenziati.',
          fields: { destination: 'We cannot go there' },
          requestId: 'test',
        },
      },
    }),
  );
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('We cannot go there')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Destination' })).toBeFocused();
  await expectAccessible(page);

  // A stored draft no longer meets the rules.
  await goToReview();
  await expect(page.getByText('Rotterdam')).toBeVisible();
  await page.evaluate(
    ([kept, changed]) => {
      for (const [key, text] of Object.entries(localStorage)) {
        if (key.endsWith(':requirements')) localStorage.setItem(key, text.replace(kept, changed));
      }
    },
    [end, beforeStart] as const,
  );
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Trip Details' })).toBeVisible();
  await expect(page.getByText('The end date cannot precede the start date')).toBeVisible();
});

test('requirements whose answer was lost before midnight are sent once, though their start has passed', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  const user = await app.make.user();
  const page = await openAs(user);
  await page.goto('/app/requirements');
  // Tomorrow, which cannot be over before it is sent for the first time.
  const day = formatDate(addDays(todayInRome(), 1));
  await page.getByRole('textbox', { name: 'Destination' }).fill('Anversa');
  await page.getByRole('textbox', { name: 'Start date' }).fill(day);
  await page.getByRole('textbox', { name: 'End date' }).fill(day);
  for (const title of ['Accommodation', 'Special Needs', 'Review']) {
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('heading', { name: title, level: 2 })).toBeFocused();
  }
  problems.expect(/ERR_FAILED/);
  let lost = true;
  await page.route('**/api/requirements', async (route) => {
    if (!lost) return route.fallback();
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(
    page.getByRole('alert').filter({ hasText: 'Your requirements could not be sent.' }),
  ).toBeVisible();

  lost = false;
  await page.clock.setSystemTime(Date.now() + 2 * 86_400_000);
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('Travel requirements submitted successfully!')).toBeVisible();
  const { rows } = await app.make.sql('select from requirements where user_id = $1', [user.id]);
  expect(rows).toHaveLength(1);
});

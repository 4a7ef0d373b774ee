import type { Page } from '@playwright/test';
import { addDays, formatDate, todayInRome } from '#contract/dates.ts';
import { answerWrites, type Screen } from '../support/screen.ts';

const path = '/app/requirements';
const start = addDays(todayInRome(), 21);

async function toStep(page: Page, step: number): Promise<void> {
  await page.getByRole('textbox', { name: 'Destination' }).fill('Rotterdam');
  await page.getByRole('textbox', { name: 'Start date' }).fill(formatDate(start));
  await page.getByRole('textbox', { name: 'End date' }).fill(formatDate(addDays(start, 8)));
  for (let current = 1; current < step; current += 1) {
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText(`Step ${current + 1} of 4`).waitFor();
  }
}

async function send(page: Page): Promise<void> {
  await toStep(page, 4);
  await page.getByRole('button', { name: 'Submit' }).click();
}

const steps = [1, 2, 3, 4].map(
  (step): Screen => ({
    name: `requirements-${step}`,
    path,
    as: 'customer',
    prepare: (page) => toStep(page, step),
  }),
);

export const screens: readonly Screen[] = [
  ...steps,
  {
    name: 'requirements-wrong',
    path,
    as: 'customer',
    prepare: (page) => page.getByRole('button', { name: 'Continue' }).click(),
  },
  {
    name: 'requirements-restored',
    path,
    as: 'customer',
    prepare: async (page) => {
      await toStep(page, 2);
      await page.reload();
      await page.getByRole('button', { name: 'Start over' }).waitFor();
    },
  },
  {
    name: 'requirements-failed',
    path,
    as: 'customer',
    arrange: answerWrites('requirements', { status: 500 }),
    async prepare(page) {
      await send(page);
      await page.getByRole('alert').first().waitFor();
    },
  },
  {
    name: 'requirements-sent',
    path,
    as: 'customer',
    arrange: answerWrites('requirements', { status: 201 }),
    async prepare(page) {
      await send(page);
      await page.getByText('Travel requirements submitted successfully!').waitFor();
    },
  },
];

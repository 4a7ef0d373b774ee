import type { Page } from '@playwright/test';
import { addDays, formatDate, todayInRome } from '#contract/dates.ts';

/** Address of the form for a new request. */
export const WIZARD_PATH = '/app/nuova-trasferta';

/** First day of the requested stay. */
export const FIRST_DAY = addDays(todayInRome(), 30);

/** Last day of the requested stay. */
export const LAST_DAY = addDays(FIRST_DAY, 18);

/** A text field by its label. */
export const textboxOf = (page: Page, name: string) => page.getByRole('textbox', { name });

/** Continues with the next step of the form. */
export const continueToNextStep = (page: Page) => page.getByRole('button', { name: 'Continua' }).click();

/** Fills in what the first step requires. */
export async function fillBasics(page: Page, city: string): Promise<void> {
  await textboxOf(page, 'Città').fill(city);
  await textboxOf(page, 'Posizione Esatta del Sito di Lavoro').fill('Portineria 2');
  await textboxOf(page, 'Data di Inizio').fill(formatDate(FIRST_DAY));
  await textboxOf(page, 'Data di Fine').fill(formatDate(LAST_DAY));
  await page.getByRole('combobox', { name: 'Nome del Progetto' }).fill('Fermata invernale');
  await textboxOf(page, 'Ragione della Trasferta').fill('Manutenzione');
  await textboxOf(page, 'Numero di Persone').fill('12');
}

/** Fills in what all steps require, up to the last one, which sends the request. */
export async function fillToTheEnd(page: Page, city: string): Promise<void> {
  await fillBasics(page, city);
  for (const step of [2, 3, 4]) {
    await continueToNextStep(page);
    await page.getByText(`Step ${step} di 4`).waitFor();
  }
  await textboxOf(page, 'Numero di Telefono').fill('+39 333 1234567');
}

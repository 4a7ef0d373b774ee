import { readFile } from 'node:fs/promises';
import type { Download, Page, Route } from '@playwright/test';

/** A PDF to upload, for `setInputFiles`. */
export const pdfUpload = (name: string, content: Uint8Array) => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from(content),
});

/** The content of a downloaded file. */
export async function bytesOf(download: Download): Promise<Uint8Array> {
  return new Uint8Array(await readFile(await download.path()));
}

/** A table row, or its card on a phone. */
export const entryOf = (page: Page, text: string) =>
  page.getByRole('row', { name: text }).or(page.getByRole('listitem').filter({ hasText: text }));

/** Types into a field of the open dialog that chooses from a list, and chooses an option. */
export async function chooseOption(
  page: Page,
  label: string,
  typed: string,
  option: RegExp | string,
): Promise<void> {
  const field = page.getByRole('dialog').getByRole('combobox', { name: label });
  await field.click();
  await field.fill(typed);
  await page.getByRole('option', { name: option }).click();
}

/** For `page.route`: the server answers with a failure. */
export const answerWithFailure = (route: Route) => route.fulfill({ status: 500, json: {} });

import type { Page } from '@playwright/test';
import { openMenu } from '../support/menu.ts';
import { answerWrites, leaveUnanswered, type Screen } from '../support/screen.ts';

const path = '/app/support';
const reference = 'SUP-7K2M9Q';

async function send(page: Page): Promise<void> {
  await page
    .getByLabel('Come possiamo aiutarti?')
    .fill('Il furgone è fermo a Melfi, la squadra ha le camere a Potenza.');
  await page.getByRole('button', { name: 'Invia al supporto' }).click();
}

export const screens: readonly Screen[] = [
  { name: 'support', path, as: 'customer' },
  {
    name: 'support-wrong',
    path,
    as: 'customer',
    prepare: (page) => page.getByRole('button', { name: 'Invia al supporto' }).click(),
  },
  {
    name: 'support-sent',
    path,
    as: 'customer',
    arrange: answerWrites('support-requests', { status: 201, json: { reference } }),
    async prepare(page) {
      await send(page);
      await page.getByText(reference).waitFor();
    },
  },
  {
    name: 'support-sending',
    path,
    as: 'customer',
    arrange: leaveUnanswered('support-requests'),
    async prepare(page) {
      await send(page);
      for (const name of ['Home', 'Supporto 24/7']) {
        await (await openMenu(page)).getByRole('link', { name }).click();
        await page.getByRole('heading', { level: 1, name }).waitFor();
      }
      await page.getByText('Stiamo inviando il tuo messaggio…').waitFor();
    },
  },
  {
    name: 'support-failed',
    path,
    as: 'customer',
    arrange: answerWrites('support-requests', { status: 500 }),
    async prepare(page) {
      await send(page);
      await page.getByRole('form').getByRole('alert').waitFor();
    },
  },
];

import type { Locator } from '@playwright/test';
import { expect, test } from '../support/test.ts';

test('of a double click the second does not press what the first has uncovered', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const customer = await app.make.user();
  const { invoiceNumber } = await app.make.invoice(customer, await app.make.project(customer));
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.goto(`/app/admin/invoices?cerca=${invoiceNumber}`);
  const { mouse } = desk;
  const press = async (clickCount: number) => {
    await mouse.down({ clickCount });
    await mouse.up({ clickCount });
  };
  await desk.getByRole('button', { name: `Azioni sulla fattura ${invoiceNumber}` }).click();
  await desk.getByRole('menuitem', { name: 'Elimina' }).hover();
  await press(1);
  const question = desk.getByRole('dialog').filter({ hasText: invoiceNumber });
  await expect(question.locator(':focus')).toBeVisible();
  await expect(desk.getByRole('menu')).toHaveCount(0);
  // Beside the question, which a press there would close.
  await press(2);
  await question.getByRole('button', { name: 'Annulla' }).click();
  await expect(question).toHaveCount(0);
});

test('of two presses that come before a button is shown as busy, only the first counts', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 404/);
  const customer = await app.make.user();
  const project = await app.make.project(customer, { name: 'Diga di Ridracoli' });
  const { invoiceNumber } = await app.make.invoice(customer, project);
  const page = await openAs(customer);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
  const pressTwice = async (button: Locator, request: string, done: Locator) => {
    await button.evaluate((element: HTMLElement) => {
      element.click();
      element.click();
    });
    await expect(done).toBeVisible();
    expect(sent.filter((one) => one === request)).toHaveLength(1);
  };
  await page.goto('/app/progetti-team');
  await pressTwice(
    page.getByRole('button', { name: 'Segna come completato: Diga di Ridracoli' }).first(),
    `PUT /api/projects/${project.id}/status`,
    page.getByText('Progetto completato'),
  );
  await page.goto('/app/pagamenti-fatture?vista=fatture');
  await pressTwice(
    page.getByRole('button', { name: `Scarica il PDF della fattura ${invoiceNumber}` }),
    `GET /api/invoices/${invoiceNumber}/file`,
    page.getByText('Nessun file disponibile'),
  );
  await page.goto('/app/profile');
  await pressTwice(
    page.getByRole('button', { name: 'Invia l’email di conferma' }),
    'POST /api/auth/email-verifications',
    page.getByText('Email inviata'),
  );
});

test('where less motion is asked for, a button that waits has its sign in the middle', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.goto('/app/support');
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  await page.route('**/api/support-requests', (route) => answered.then(() => route.continue()));
  await page.getByLabel('Come possiamo aiutarti?').fill('Il furgone è fermo a Melfi.');
  const send = page.getByRole('button', { name: 'Invia al supporto' });
  await send.click();
  const sign = send.locator('.mantine-Button-loader');
  await expect(sign).toBeVisible();
  const [around, inside] = [await send.boundingBox(), await sign.boundingBox()];
  const middle = (box: typeof around) =>
    box && [box.x + box.width / 2, box.y + box.height / 2].map(Math.round);
  expect(middle(inside)).toEqual(middle(around));
  answer();
  await expect(page.getByText('Messaggio Inviato').first()).toBeVisible();
});

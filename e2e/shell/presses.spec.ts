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

import { answerOnce } from './support/answer-once.ts';
import { expect, test } from './support/test.ts';

test('a message to support that fails does not stand below the confirmation of the one before', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 500/);
  const page = await openAs(await app.make.user());
  await page.goto('/app/support');
  const message = page.getByLabel('Come possiamo aiutarti?');
  const send = page.getByRole('button', { name: 'Invia al supporto' });
  const confirmation = page.getByRole('note').filter({ hasText: 'Messaggio Inviato' });
  await message.fill('Il furgone è fermo a Melfi.');
  await send.click();
  await expect(confirmation).toBeFocused();
  // Its number is there while the next one is written.
  await message.fill('Il furgone è ripartito.');
  await expect(confirmation).toBeVisible();
  await answerOnce(page, 'support-requests', (route) => route.fulfill({ status: 500, json: {} }));
  await send.click();
  await expect(page.getByRole('form').getByRole('alert')).toBeVisible();
  await expect(confirmation).toHaveCount(0);
  await expect(message).toHaveValue('Il furgone è ripartito.');
  await send.click();
  await expect(confirmation).toBeFocused();
});

test('a channel to support that opens another tab says so', { tag: '@once' }, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.goto('/app/support');
  const channels = page.getByRole('main').getByRole('listitem').getByRole('link');
  await expect(channels).toHaveCount(3);
  for (const channel of await channels.all()) {
    const opensAnother = (await channel.getAttribute('target')) === '_blank';
    const told = expect(channel);
    await (opensAnother ? told : told.not).toHaveAccessibleName(/si apre in un’altra scheda/);
  }
});

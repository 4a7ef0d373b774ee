import { reportBodies } from '#server/mail/report.ts';
import { expectToFit } from '../support/layout.ts';
import { expect, test } from '../support/test.ts';

test('a mail with a long address is not wider than a phone', { tag: '@once' }, async ({ page }) => {
  const email = 'massimiliano.bartolomeo.della.gherardesca@impresa-generale-costruzioni.example';
  const url =
    'https://capitolati.example/cantieri/manutenzione_straordinaria_della_centrale_termoelettrica.pdf';
  const { html } = reportBodies({
    title: 'Nuova Richiesta Trasferta - Civitavecchia',
    sections: [
      { title: 'Contatti', content: [['Email', email]] },
      { title: 'Altre richieste', content: `Il capitolato: ${url}` },
    ],
    footer: 'Inviato il 27/11/2026',
  });
  await page.setViewportSize({ width: 360, height: 740 });
  // The policy of a page of the product would forbid the styles of the mail.
  await page.goto('about:blank');
  await page.setContent(html);
  await expect(page.getByRole('cell', { name: email })).toBeVisible();
  await expectToFit(page);
});

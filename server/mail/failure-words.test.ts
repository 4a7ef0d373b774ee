import { expect, it } from 'vitest';
import { failureWords, refusalWords } from './failure-words.ts';

const failure = (message: string, about: { code?: string; name?: string }) =>
  Object.assign(new Error(message), about);

it.each([
  [
    failure('connect ECONNREFUSED', { code: 'ESOCKET' }),
    'Il server di posta non risponde (connect ECONNREFUSED)',
  ],
  [failure('aborted', { name: 'TimeoutError' }), 'Il server di posta non risponde (aborted)'],
  [failure('535 no', { code: 'EAUTH' }), 'Il server di posta non accetta le credenziali (535 no)'],
  [failure('550 no', { code: 'EENVELOPE' }), 'Il server di posta rifiuta mittente o destinatari (550 no)'],
  [failure('mail endpoint answered 500', {}), 'La consegna non è riuscita (mail endpoint answered 500)'],
  ['not an error', 'La consegna non è riuscita'],
])('says in Italian why mail was not sent: %s', (error, words) => {
  expect(failureWords(error)).toBe(words);
});

it('keeps to what the column of reasons is meant for', () => {
  expect(failureWords(new Error('x'.repeat(2_000)))).toHaveLength(500);
});

it('names those who were refused', () => {
  expect(refusalWords(['a@example.com', 'b@example.com'])).toBe(
    'Il server di posta rifiuta a@example.com, b@example.com',
  );
});

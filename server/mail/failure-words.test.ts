import { expect, it } from 'vitest';
import { deliveryFailure, refusal } from './failure-words.ts';

const failure = (message: string, about: { code?: string; name?: string }) =>
  Object.assign(new Error(message), about);

it.each([
  [failure('connect (no)', { code: 'ESOCKET' }), 'Il server di posta non risponde', 'connect (no)'],
  [failure('aborted', { name: 'TimeoutError' }), 'Il server di posta non risponde', 'aborted'],
  [failure('535 no', { code: 'EAUTH' }), 'Il server di posta non accetta le credenziali', '535 no'],
  [failure('550 no', { code: 'EENVELOPE' }), 'Il server di posta rifiuta mittente o destinatari', '550 no'],
  [failure('endpoint answered 500', {}), 'La consegna non è riuscita', 'endpoint answered 500'],
  ['not an error', 'La consegna non è riuscita', null],
])('says in Italian why mail was not sent: %s', (error, lastError, lastErrorDetails) => {
  expect(deliveryFailure(error)).toEqual({ lastError, lastErrorDetails });
});

it('truncates the details of a long answer', () => {
  expect(deliveryFailure(new Error('x'.repeat(2_000))).lastErrorDetails).toHaveLength(500);
});

it('names the refused recipients', () => {
  expect(refusal(['a@example.com', 'b@example.com'])).toEqual({
    lastError: 'Il server di posta rifiuta a@example.com, b@example.com',
    lastErrorDetails: null,
  });
});

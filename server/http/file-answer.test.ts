import { afterAll, expect, vi } from 'vitest';
import { errorBodySchema } from '#contract/error-body.ts';
import { freePort } from '#server/db/postmaster.ts';
import { testWith } from '#server/testing/test.ts';
import { contentDisposition } from './file-answer.ts';

vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
vi.stubEnv('AWS_MAX_ATTEMPTS', '1');
afterAll(() => vi.unstubAllEnvs());

const test = testWith({ FILES_URL: `s3://bucket?endpoint=http://127.0.0.1:${await freePort()}` });

test('an unavailable file store is reported as such, not as an unavailable database', async ({ server }) => {
  const user = await server.make.user();
  const project = await server.make.project(user);
  const { invoiceNumber } = await server.make.invoice(user, project, {
    fileName: 'fattura.pdf',
    fileUrl: `${user.id}/fattura.pdf`,
  });
  const visitor = await server.as(user);
  const download = await visitor.request(`/api/invoices/${invoiceNumber}/file`);
  expect(download.headers.get('Retry-After')).toBe('5');
  const { code, message } = errorBodySchema.parse(await download.json()).error;
  expect([download.status, code, message]).toEqual([
    503,
    'files_unavailable',
    'I file non sono disponibili in questo momento. Riprova tra poco.',
  ]);
});

test.for([
  ['è "uno".pdf', `filename="e _uno_.pdf"; filename*=UTF-8''%C3%A8%20%22uno%22.pdf`],
  ["100% l'a\\b(c)*.pdf", `filename="100_ l'a_b(c)*.pdf"; filename*=UTF-8''100%25%20l%27a%5Cb%28c%29%2A.pdf`],
  ['図面', `filename="file"; filename*=UTF-8''%E5%9B%B3%E9%9D%A2`],
] as const)('a file named %s is sent under that name, and in ASCII for old programs', ([name, names]) => {
  expect(contentDisposition('inline', name)).toBe(`inline; ${names}`);
});

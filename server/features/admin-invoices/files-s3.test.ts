import { afterAll, vi } from 'vitest';
import { invoiceFileTest, testInvoiceFiles } from '#server/testing/invoice-files.ts';
import { startS3Server } from '#server/testing/s3-server.ts';

vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
const s3 = await startS3Server();
afterAll(() => {
  vi.unstubAllEnvs();
  return s3.stop();
});

testInvoiceFiles(invoiceFileTest({ FILES_URL: s3.url }));

import type { Pool } from 'pg';
import type { Jobs } from '#server/jobs/boss.ts';
import type { Auth } from './auth.ts';
import { type AccountMail, type AccountMailKind, findRecipient } from './mail.ts';

/**
 * Sends what was asked for over the queue, so that whoever asks waits the same time whether or not an account has that
 * address, and no accepted wish is lost. Suspended accounts are sent nothing.
 */
export async function startAccountMailWorker(
  pool: Pool,
  jobs: Jobs,
  auth: Auth,
  mail: AccountMail,
): Promise<void> {
  await jobs.work<{ kind: AccountMailKind; email: string }>('accountMail', async ({ kind, email }) => {
    const account = await findRecipient(pool, email);
    if (!account || account.banned) return;
    if (kind === 'recovery') {
      await auth.api.requestPasswordReset({ body: { email } });
    } else if (kind === 'verification') {
      if (!account.emailVerified) await auth.api.sendVerificationEmail({ body: { email } });
    } else if (account.twoFactorEnabled && account.emailVerified) {
      await mail.codeRefused(account);
    } else {
      await auth.api.sendVerificationOTP({ body: { email, type: 'email-verification' } });
    }
  });
}

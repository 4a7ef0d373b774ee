import type { Pool } from 'pg';
import type { Jobs } from '#server/jobs/boss.ts';
import type { AccountMailKind } from '#server/mail/account-kinds.ts';
import type { Auth } from './auth.ts';
import { makeConfirmationToken, makeRecoveryToken } from './links.ts';
import { type AccountMail, findRecipient } from './mail.ts';

/**
 * Sends account mail through the queue, so that a requester waits the same time whether or not an account has the
 * address, and no accepted request is lost. The library's own sending is not used: it hides failures, and the job would
 * not be retried. Suspended accounts are sent nothing.
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
      await mail.recovery(account, await makeRecoveryToken(auth, account.id));
    } else if (kind === 'verification') {
      if (!account.emailVerified) await mail.verification(account, await makeConfirmationToken(auth, email));
    } else if (account.twoFactorEnabled && account.emailVerified) {
      await mail.codeRefused(account);
    } else {
      const code = await auth.api.createVerificationOTP({ body: { email, type: 'email-verification' } });
      await mail.code(account, code);
    }
  });
}

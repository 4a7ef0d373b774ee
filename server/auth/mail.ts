import { and, eq, isNull } from 'drizzle-orm';
import type { Pool } from 'pg';
import { provider } from '#provider';
import { profiles } from '#server/db/schema.ts';
import { readAs, SYSTEM, transaction } from '#server/db/scope.ts';
import type { Jobs } from '#server/jobs/boss.ts';
import { ACCOUNT_MAIL, ACCOUNT_MAIL_MINUTES, type AccountMailKind } from '#server/mail/account-kinds.ts';
import { queueMail } from '#server/mail/queue.ts';
import { type Report, reportBodies } from '#server/mail/report.ts';
import type { UserId } from './actor.ts';

type Recipient = { id: UserId; email: string; name: string; emailVerified: boolean };

/** What differs between the messages; `intro` goes on after the greeting. */
type Letter = Pick<Report, 'title' | 'code' | 'link' | 'note'> & { intro: string };

/** The messages about an account, each queued on its own; none for an account that was erased meanwhile. */
export type AccountMail = {
  recovery(to: Recipient, token: string): Promise<void>;
  verification(to: Recipient, token: string): Promise<void>;
  code(to: Account, code: string): Promise<void>;
  /** For a requested code, if a second factor protects the account and its address is confirmed. */
  codeRefused(to: Recipient): Promise<void>;
};

/** @param publicUrl origin of the links, which carry their token in the fragment, so that no server or proxy logs it */
export function accountMail(pool: Pool, jobs: Jobs, publicUrl: string): AccountMail {
  const send = (kind: AccountMailKind, to: Recipient, { intro, ...letter }: Letter) =>
    transaction(pool, SYSTEM, async (tx) => {
      // Locked, because a concurrent erasure would miss the message queued here.
      const [account] = await tx
        .select({ id: profiles.id })
        .from(profiles)
        .where(and(eq(profiles.id, to.id), isNull(profiles.deletedAt)))
        .for('key share');
      if (!account) return;
      // Until the address is proven, the name may have been written by a stranger who registered it.
      const greeting = to.emailVerified ? `Ciao ${to.name},` : 'Ciao,';
      await queueMail(tx, jobs, {
        kind: `${ACCOUNT_MAIL}${kind}`,
        userId: to.id,
        recipients: [to.email],
        fromName: provider.name,
        replyTo: provider.support.email,
        subject: `${letter.title} · ${provider.name}`,
        ...reportBodies({
          ...letter,
          intro: `${greeting}\n\n${intro}`,
          sections: [],
          footer: `Il team di ${provider.name}`,
        }),
      });
    });
  return {
    // Requested by the account's owner, with or without a password, or sent by an administrator.
    recovery: (to, token) =>
      send('recovery', to, {
        title: 'Scegli una nuova password',
        intro: 'con questo collegamento scegli una nuova password per il tuo account.',
        link: { label: 'Scegli la nuova password', url: `${publicUrl}/login#reimposta=${token}` },
        note: `Il collegamento vale una volta sola, per ${ACCOUNT_MAIL_MINUTES.recovery} minuti. Se non te lo aspettavi, ignora questo messaggio: non cambia nulla.`,
      }),
    verification: (to, token) =>
      send('verification', to, {
        title: 'Conferma il tuo indirizzo email',
        intro: 'per confermare che questo indirizzo è tuo accedi, poi apri il collegamento.',
        link: { label: 'Conferma l’indirizzo', url: `${publicUrl}/login#conferma=${token}` },
        note: `Il collegamento vale ${ACCOUNT_MAIL_MINUTES.verification / 60} ore. Se non hai un account ${provider.name}, ignora questo messaggio.`,
      }),
    code: (to, code) =>
      send('code', to, {
        title: 'Il tuo codice di accesso',
        intro: 'questo è il codice per accedere.',
        code,
        note: [
          `Vale ${ACCOUNT_MAIL_MINUTES.code} minuti, una volta sola. Non darlo a nessuno: noi non te lo chiederemo mai.`,
          ...(to.emailVerified
            ? []
            : [
                'Se lo usi, confermi che l’indirizzo è tuo. La password scelta con la registrazione smette di valere: ne scegli una nuova dal tuo profilo.',
              ]),
        ].join('\n\n'),
      }),
    codeRefused: (to) =>
      send('code', to, {
        title: 'Accesso con codice non disponibile',
        intro:
          'qualcuno ha chiesto un codice per entrare nel tuo account. Hai attivato la verifica in due passaggi: per accedere servono la password e il codice della tua app, non un codice via email.',
        note: 'Se non sei stato tu, non devi fare nulla.',
      }),
  };
}

/** A recipient, with what decides which mail the account gets. */
type Account = Recipient & { banned: boolean; twoFactorEnabled: boolean };

/** The account with this address; null when there is none. */
export async function findRecipient(pool: Pool, email: string): Promise<Account | null> {
  const [row] = await readAs(pool, SYSTEM).select().from(profiles).where(eq(profiles.email, email));
  return row ? { ...row, name: row.fullName } : null;
}

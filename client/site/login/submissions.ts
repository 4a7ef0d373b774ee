/*
 * What the forms of the login screen send, by which rules, and what follows. Fetched at the first sign that a form is used
 * (`use-login-form.ts`): rules, API client and query client weigh as much as a third of the page without them.
 */
import { ApiError, answer, api } from '#client/lib/api.ts';
import { makingOnce } from '#client/lib/idempotency.ts';
import { queryClient } from '#client/lib/query-client.ts';
import { dropCopy, landingOf, meQuery, takeReturnTo } from '#client/lib/session.ts';
import { announceSession } from '#client/lib/session-channel.ts';
import {
  ACCOUNT_NOTICES,
  addressSchema,
  codeLoginSchema,
  LOGIN_HEADINGS,
  loginSchema,
  type Me,
  passwordResetSchema,
  registrationSchema,
  withConfirmation,
} from '#contract/accounts.ts';
import { challengeSchema } from '#contract/two-factor.ts';
import { z } from '#contract/validation.ts';
import type { Message } from './banner.tsx';

export { ApiError, LOGIN_HEADINGS };

/** What a form sends. */
export type Submission<Schema extends z.ZodType, Result> = {
  schema: Schema;
  /** Rejects with ApiError. */
  send: (values: z.output<Schema>) => Promise<Result>;
};

function submission<Schema extends z.ZodType, Result>(
  schema: Schema,
  send: (values: z.output<Schema>) => Promise<Result>,
): Submission<Schema, Result> {
  return { schema, send };
}

export const passwordLogin = submission(loginSchema, (json) => answer(api.auth.login.$post({ json })));

export const registration = submission(
  withConfirmation(registrationSchema.extend({ confirmation: z.string() })),
  makingOnce((header, json) => answer(api.auth.registrations.$post({ header, json }))),
);

export const recovery = submission(addressSchema, async (json) => {
  await answer(api.auth.recoveries.$post({ json }));
  return { email: json.email, notice: ACCOUNT_NOTICES.recoveryRequested };
});

export const reset = submission(
  withConfirmation(passwordResetSchema.extend({ confirmation: z.string() })),
  async (json) => {
    await answer(api.auth['password-resets'].$post({ json }));
    return ACCOUNT_NOTICES.passwordReset;
  },
);

export const code = submission(addressSchema, async (json) => {
  await answer(api.auth.codes.$post({ json }));
  return { email: json.email, notice: ACCOUNT_NOTICES.codeRequested };
});

export const codeLogin = submission(codeLoginSchema, (json) =>
  answer(api.auth['code-logins'].$post({ json })),
);

export const challenge = submission(challengeSchema, (json) =>
  answer(api.auth['two-factor'].challenges.$post({ json })),
);

const NO_SESSION_HELP =
  'Il browser non ha conservato la sessione: controlla che i cookie di questo sito siano permessi, poi riprova.';

/** The signed-in account, or null; asked afresh. */
function whoIsSignedIn(): Promise<Me | null> {
  return queryClient.fetchQuery({ ...meQuery, staleTime: 0 });
}

/** Where whoever is signed in goes from here; null for nobody. */
export async function wayIn(): Promise<string | null> {
  const me = await whoIsSignedIn();
  return me && (takeReturnTo() ?? landingOf(me));
}

/** The token of a confirmation mail that was opened before its account was signed in. */
let unconfirmed: string | null = null;

/**
 * Enters the account that was just logged in to, and confirms its address where that was waited for.
 * @returns where it goes from here, and what is told of the address
 * @throws ApiError no_session when the browser did not keep what the server gave it
 */
export async function enter(): Promise<{ path: string; said: string | undefined }> {
  dropCopy();
  const path = await wayIn();
  if (path === null) throw new ApiError({ status: 401, code: 'no_session', message: NO_SESSION_HELP });
  announceSession('signed-in');
  // However that goes, the account is entered.
  const confirmed = unconfirmed === null ? null : await confirmAddress(unconfirmed).catch(() => null);
  return { path, said: confirmed?.message.message };
}

/**
 * Confirms an address by the token of its mail; where nobody is signed in, with the login that follows.
 * @returns what is told of it, and whether somebody is signed in here
 */
export async function confirmAddress(token: string): Promise<{ message: Message; signedIn: boolean }> {
  try {
    await answer(api.auth['email-verifications'].confirmations.$post({ json: { token } }));
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'internal') throw error;
    unconfirmed = error.code === 'link_needs_login' ? token : null;
    return { message: { kind: 'failure', message: error.message }, signedIn: false };
  }
  unconfirmed = null;
  return {
    message: { kind: 'success', message: ACCOUNT_NOTICES.addressConfirmed },
    signedIn: (await whoIsSignedIn().catch(() => null)) !== null,
  };
}

/*
 * Schemas and requests of the login screen's forms, and what follows a login. Fetched at the first sign that a form is
 * used (`use-login-form.ts`), because schemas, API client and query client weigh a third as much as the rest of the
 * page.
 */
import { ApiError, answer, api } from '#client/lib/api.ts';
import { isRefused } from '#client/lib/failures.ts';
import { creatingOnce } from '#client/lib/idempotency.ts';
import { queryClient } from '#client/lib/query-client.ts';
import { dropCopy, landingOf, meQuery, takeReturnTo } from '#client/lib/session.ts';
import { announceSession } from '#client/lib/session-channel.ts';
import { toast } from '#client/lib/toast.ts';
import { RECOVERY_TEXTS } from '#contract/account-texts.ts';
import {
  ACCOUNT_NOTICES,
  addressSchema,
  codeLoginSchema,
  LOGIN_HEADINGS,
  LOGIN_TEXTS,
  loginSchema,
  type Me,
  passwordResetSchema,
  REGISTRATION_TEXTS,
  registrationSchema,
  withConfirmation,
} from '#contract/accounts.ts';
import { challengeSchema } from '#contract/two-factor.ts';
import { z } from '#contract/validation.ts';
import type { Message } from './banner.tsx';

export { ApiError };

/** How a form's input is validated and sent. */
export type Submission<Schema extends z.ZodType, Result> = {
  schema: Schema;
  /** Rejects with ApiError. */
  send: (values: z.output<Schema>) => Promise<Result>;
  /** Text for a server failure without its own text. */
  failed: string;
  /** Text for a failure without a response of the server. */
  unexpected: string;
  /** Heading above the text of a failure (spec §8), by its code. */
  headings: Readonly<Record<string, string>>;
};

/** What a form that leads back to the login leaves there: a message, and the address given, if any. */
export type Finished = { notice: string; email?: string };

function submission<Schema extends z.ZodType, Result>(
  schema: Schema,
  send: (values: z.output<Schema>) => Promise<Result>,
  {
    failed = LOGIN_TEXTS.failed,
    unexpected = failed,
    headings = {},
  }: Partial<Omit<Submission<Schema, Result>, 'schema' | 'send'>> = {},
): Submission<Schema, Result> {
  return { schema, send, failed, unexpected, headings: { ...LOGIN_HEADINGS, ...headings } };
}

export const passwordLogin = submission(loginSchema, (json) => answer(api.auth.login.$post({ json })));

const registrationForm = withConfirmation(registrationSchema.extend({ confirmation: z.string() }));
const register = creatingOnce((header, json: z.output<typeof registrationForm>) =>
  answer(api.auth.registrations.$post({ header, json })),
);

export const registration = submission(
  registrationForm,
  async (json) => {
    await register(json);
    toast({ title: REGISTRATION_TEXTS.success });
    return { email: json.email, notice: REGISTRATION_TEXTS.done };
  },
  {
    failed: REGISTRATION_TEXTS.failed,
    unexpected: REGISTRATION_TEXTS.unexpected,
    headings: { internal: REGISTRATION_TEXTS.notDone },
  },
);

/** Requests a mail to an address. @param notice what to say once it is on its way */
function mailRequest(request: (json: z.output<typeof addressSchema>) => Promise<unknown>, notice: string) {
  return submission(
    addressSchema,
    async (json) => {
      await request(json);
      return { email: json.email, notice };
    },
    RECOVERY_TEXTS,
  );
}

export const recovery = mailRequest(
  (json) => answer(api.auth.recoveries.$post({ json })),
  ACCOUNT_NOTICES.recoveryRequested,
);

export const code = mailRequest(
  (json) => answer(api.auth.codes.$post({ json })),
  ACCOUNT_NOTICES.codeRequested,
);

/** The token of a reset whose response was lost: the reset may have used it up. */
let unheardReset: string | null = null;

export const reset = submission(
  withConfirmation(passwordResetSchema.extend({ confirmation: z.string() })),
  async (json) => {
    try {
      await answer(api.auth['password-resets'].$post({ json }));
    } catch (error) {
      if (!isRefused(error)) unheardReset = json.token;
      if (!(error instanceof ApiError && error.code === 'invalid_link' && unheardReset === json.token))
        throw error;
      const { status, code } = error;
      throw new ApiError({ status, code, message: ACCOUNT_NOTICES.perhapsReset });
    }
    return { notice: ACCOUNT_NOTICES.passwordReset };
  },
  RECOVERY_TEXTS,
);

export const codeLogin = submission(codeLoginSchema, (json) =>
  answer(api.auth['code-logins'].$post({ json })),
);

export const challenge = submission(challengeSchema, (json) =>
  answer(api.auth['two-factor'].challenges.$post({ json })),
);

const NO_SESSION_HELP =
  'Il browser non ha conservato la sessione: controlla che i cookie di questo sito siano permessi, poi riprova.';

/** The signed-in account or null, always fetched anew. */
function whoIsSignedIn(): Promise<Me | null> {
  return queryClient.fetchQuery({ ...meQuery, staleTime: 0 });
}

/** The token of a confirmation mail that was opened before its account signed in. */
let unconfirmed: string | null = null;

/**
 * Finds where the signed-in account starts, and confirms its address if that was waiting for a login, here or in another
 * tab.
 * @returns the path to open and the result of a confirmation; null when nobody is signed in
 */
async function enter(): Promise<{ path: string; confirmed: Message | undefined } | null> {
  const me = await whoIsSignedIn();
  if (!me) return null;
  // The login succeeds even if the confirmation fails.
  const confirmed = unconfirmed === null ? null : await confirm(unconfirmed).catch(() => null);
  return { path: takeReturnTo(me.id) ?? landingOf(me), confirmed: confirmed?.message };
}

/** The path to open for the account that is already signed in; null when nobody is. */
export async function findStartPath(): Promise<string | null> {
  const entered = await enter();
  if (entered?.confirmed) {
    const { message, kind } = entered.confirmed;
    toast({ title: message, kind: kind === 'failure' ? 'error' : 'success' });
  }
  return entered?.path ?? null;
}

/**
 * Completes a login in the browser, and shows a toast about it and about a confirmation that was waiting for it.
 * @returns the path to open
 * @throws ApiError no_session when the browser did not store the session cookie
 */
export async function finishLogin(): Promise<string> {
  dropCopy();
  const entered = await enter();
  if (!entered) throw new ApiError({ status: 401, code: 'no_session', message: NO_SESSION_HELP });
  announceSession('signed-in');
  toast({ title: LOGIN_TEXTS.success, message: entered.confirmed?.message });
  return entered.path;
}

/**
 * Confirms an address with the token of its mail; if nobody is signed in, after the next login.
 * @returns the message to show, and whether somebody is signed in here
 */
async function confirm(token: string): Promise<{ message: Message; signedIn: boolean }> {
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

/**
 * Confirms an address with the token of its mail; if nobody is signed in, after the next login.
 * @returns the message to show in the login; null when somebody is signed in, to whom a toast was shown
 */
export async function confirmAddress(token: string): Promise<Message | null> {
  const { message, signedIn } = await confirm(token);
  if (!signedIn) return message;
  toast({ title: message.message });
  return null;
}

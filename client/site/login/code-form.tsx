import { useState } from 'react';
import { Checkbox, TextField } from '#client/ui/field.tsx';
import { LOGIN_TEXTS, RECOVERY_TEXTS } from '#contract/account-texts.ts';
import { StepForm } from './step-form.tsx';
import { loadSubmissions, useLoginForm } from './use-login-form.ts';

type Props = { onLoggedIn: () => Promise<void>; onCancel: () => void };

/** Login with a one-time code by e-mail: asks for the address, then for the code. */
export function CodeForm(props: Props) {
  const [email, setEmail] = useState<string | null>(null);
  return email === null ? (
    <AddressStep onSent={setEmail} onCancel={props.onCancel} />
  ) : (
    <CodeStep email={email} {...props} />
  );
}

function AddressStep({ onSent, onCancel }: { onSent: (email: string) => void; onCancel: () => void }) {
  const form = useLoginForm({
    submission: async () => (await loadSubmissions()).code,
    read: (data) => Object.fromEntries(data),
    done: onSent,
    failed: LOGIN_TEXTS.failed,
  });
  return (
    <StepForm form={form} label="Accesso con codice" submitLabel="Invia il codice" onCancel={onCancel}>
      <TextField
        label="Email"
        name="email"
        type="email"
        required
        autoComplete="username"
        error={form.error('email')}
      />
    </StepForm>
  );
}

function CodeStep({ email, onLoggedIn, onCancel }: Props & { email: string }) {
  const form = useLoginForm({
    submission: async () => (await loadSubmissions()).codeLogin,
    read: (data) => ({ email, code: data.get('code'), remember: data.has('remember') }),
    done: onLoggedIn,
    failed: LOGIN_TEXTS.failed,
    headings: { no_session: LOGIN_TEXTS.noSession },
  });
  return (
    <StepForm
      form={form}
      label="Accesso con codice"
      success={RECOVERY_TEXTS.codeRequested}
      submitLabel="Accedi"
      onCancel={onCancel}
    >
      <TextField
        label="Codice di 6 cifre"
        name="code"
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={12}
        error={form.error('code')}
      />
      <Checkbox name="remember" label="Ricordami per 30 giorni" />
    </StepForm>
  );
}

import { useEffect, useState } from 'react';
import { Checkbox, TextField } from '#client/ui/field.tsx';
import { LOGIN_TEXTS, RECOVERY_TEXTS } from '#contract/account-texts.ts';
import { AddressForm } from './address-form.tsx';
import { StepForm, type StepProps } from './step-form.tsx';
import { loadSubmissions, useLoginForm } from './use-login-form.ts';

type Props = StepProps & { onLoggedIn: () => Promise<void> };

const LABEL = 'Accesso con codice';

/** Login with a one-time code by e-mail: asks for the address, then for the code. */
export function CodeForm(props: Props) {
  const [email, setEmail] = useState<string | null>(null);
  return email === null ? (
    <AddressForm mail="code" label={LABEL} submitLabel="Invia il codice" onSent={setEmail} {...props} />
  ) : (
    <CodeStep email={email} {...props} />
  );
}

/** The button that had the focus is gone with the step before. */
function focused(field: HTMLElement | null) {
  field?.focus();
}

function CodeStep({ email, tell, onLoggedIn, onCancel }: Props & { email: string }) {
  const form = useLoginForm({
    tell,
    submission: async () => (await loadSubmissions()).codeLogin,
    read: (data) => ({ email, code: data.get('code'), remember: data.has('remember') }),
    done: onLoggedIn,
    failed: LOGIN_TEXTS.failed,
    headings: { no_session: LOGIN_TEXTS.noSession },
  });
  // Told after the field has the focus, so that its name does not interrupt it.
  useEffect(() => tell({ kind: 'success', message: RECOVERY_TEXTS.codeRequested }), [tell]);
  return (
    <StepForm form={form} label={LABEL} submitLabel="Accedi" onCancel={onCancel}>
      <TextField
        ref={focused}
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

import { useEffect, useState } from 'react';
import { TextField } from '#client/ui/field.tsx';
import { AddressForm, type SentMail } from './address-form.tsx';
import { RememberField } from './remember-field.tsx';
import { StepForm, type StepProps } from './step-form.tsx';
import { loadSubmissions, useLoginForm } from './use-login-form.tsx';

type Props = StepProps & { onLoggedIn: () => Promise<void> };

const LABEL = 'Accesso con codice';

/** Login with a one-time code by e-mail: asks for the address, then for the code. */
export function CodeForm(props: Props) {
  const [sent, setSent] = useState<SentMail | null>(null);
  return sent === null ? (
    <AddressForm mail="code" label={LABEL} submitLabel="Invia il codice" onSent={setSent} {...props} />
  ) : (
    <CodeStep {...sent} {...props} />
  );
}

/** The focused button was removed with the previous step. */
function focused(field: HTMLElement | null) {
  field?.focus();
}

function CodeStep({ email, notice, tell, onLoggedIn, onCancel }: Props & SentMail) {
  const form = useLoginForm({
    tell,
    submission: async () => (await loadSubmissions()).codeLogin,
    read: (data) => ({ email, code: data.get('code'), remember: data.has('remember') }),
    done: onLoggedIn,
  });
  // Announced after the field has the focus, so that the field's name does not interrupt it.
  useEffect(() => tell({ kind: 'success', message: notice }), [tell, notice]);
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
      <RememberField />
    </StepForm>
  );
}

import { TextField } from '#client/ui/field.tsx';
import { StepForm, type StepProps } from './step-form.tsx';
import { loadSubmissions, useLoginForm } from './use-login-form.tsx';

/** The second step of a login protected by an authenticator app. */
export function TwoFactorForm({
  tell,
  onLoggedIn,
  onCancel,
}: StepProps & { onLoggedIn: () => Promise<void> }) {
  const form = useLoginForm({
    tell,
    submission: async () => (await loadSubmissions()).challenge,
    read: (data) => Object.fromEntries(data),
    done: onLoggedIn,
  });
  return (
    <StepForm form={form} label="Verifica in due passaggi" submitLabel="Accedi" onCancel={onCancel}>
      <TextField
        label="Codice"
        name="code"
        required
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={20}
        help="Le 6 cifre dell’app. Se non hai il telefono, scrivi uno dei codici di recupero."
        error={form.error('code')}
      />
    </StepForm>
  );
}

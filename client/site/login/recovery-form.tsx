import { TextField } from '#client/ui/field.tsx';
import { LOGIN_TEXTS, RECOVERY_TEXTS } from '#contract/account-texts.ts';
import { NewPasswordFields } from './new-password-fields.tsx';
import { StepForm } from './step-form.tsx';
import { loadSubmissions, useLoginForm } from './use-login-form.ts';

/** Asks for the mail with the link to a new password. */
export function RecoveryForm({
  onDone,
  onCancel,
}: {
  onDone: (notice: string) => void;
  onCancel: () => void;
}) {
  const form = useLoginForm({
    submission: async () => (await loadSubmissions()).recovery,
    read: (data) => Object.fromEntries(data),
    done: () => onDone(RECOVERY_TEXTS.requested),
    failed: LOGIN_TEXTS.failed,
  });
  return (
    <StepForm
      form={form}
      label="Recupero della password"
      submitLabel="Invia il collegamento"
      onCancel={onCancel}
    >
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

/** Chooses a new password by the link of the mail. */
export function ResetForm({
  token,
  onDone,
  onCancel,
}: {
  token: string;
  onDone: (notice: string) => void;
  onCancel: () => void;
}) {
  const form = useLoginForm({
    submission: async () => (await loadSubmissions()).reset,
    read: (data) => ({ token, ...Object.fromEntries(data) }),
    done: () => onDone(RECOVERY_TEXTS.done),
    failed: LOGIN_TEXTS.failed,
  });
  return (
    <StepForm form={form} label="Nuova password" submitLabel="Salva la password" onCancel={onCancel}>
      <NewPasswordFields form={form} label="Nuova password" />
    </StepForm>
  );
}

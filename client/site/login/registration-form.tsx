import { TextField } from '#client/ui/field.tsx';
import { MAX_EMAIL_LENGTH, MAX_NAME_LENGTH } from '#contract/lengths.ts';
import { NewPasswordFields } from './new-password-fields.tsx';
import { StepForm, type StepProps } from './step-form.tsx';
import type { Finished } from './submissions.ts';
import { loadSubmissions, useLoginForm } from './use-login-form.tsx';

/** Registration inside the login screen (spec §2, §5). */
export function RegistrationForm({
  tell,
  onDone,
  onCancel,
}: StepProps & { onDone: (done: Finished) => void }) {
  const form = useLoginForm({
    tell,
    submission: async () => (await loadSubmissions()).registration,
    read: (data) => Object.fromEntries(data),
    done: onDone,
  });
  return (
    <StepForm form={form} label="Registrazione" submitLabel="Registrati" onCancel={onCancel}>
      <TextField
        label="Nome completo"
        name="fullName"
        required
        autoComplete="name"
        maxLength={MAX_NAME_LENGTH}
        error={form.error('fullName')}
      />
      <TextField
        label="Nome azienda"
        name="companyName"
        autoComplete="organization"
        maxLength={MAX_NAME_LENGTH}
        error={form.error('companyName')}
      />
      <TextField
        label="Email"
        name="email"
        type="email"
        required
        autoComplete="username"
        maxLength={MAX_EMAIL_LENGTH}
        error={form.error('email')}
      />
      <NewPasswordFields form={form} label="Password" />
    </StepForm>
  );
}

import { NewPasswordFields } from './new-password-fields.tsx';
import { StepForm, type StepProps } from './step-form.tsx';
import type { Finished } from './submissions.ts';
import { loadSubmissions, useLoginForm } from './use-login-form.tsx';

/** Sets a new password with the link from the mail. */
export function ResetForm({
  token,
  tell,
  onDone,
  onCancel,
}: StepProps & { token: string; onDone: (done: Finished) => void }) {
  const form = useLoginForm({
    tell,
    submission: async () => (await loadSubmissions()).reset,
    read: (data) => ({ token, ...Object.fromEntries(data) }),
    done: onDone,
  });
  return (
    <StepForm form={form} label="Nuova password" submitLabel="Salva la password" onCancel={onCancel}>
      <NewPasswordFields form={form} label="Nuova password" />
    </StepForm>
  );
}

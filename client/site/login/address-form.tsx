import { TextField } from '#client/ui/field.tsx';
import { StepForm, type StepProps } from './step-form.tsx';
import { loadSubmissions, useLoginForm } from './use-login-form.tsx';

/** The recipient, and the notice to show. */
export type SentMail = { email: string; notice: string };

/**
 * Asks for an e-mail address and requests a mail to it.
 * @param mail its content: a one-time code, or the link for a new password
 */
export function AddressForm({
  mail,
  label,
  submitLabel,
  onSent,
  tell,
  onCancel,
}: StepProps & {
  mail: 'code' | 'recovery';
  label: string;
  submitLabel: string;
  onSent: (sent: SentMail) => void;
}) {
  const form = useLoginForm({
    tell,
    submission: async () => (await loadSubmissions())[mail],
    read: (data) => Object.fromEntries(data),
    done: onSent,
  });
  return (
    <StepForm form={form} label={label} submitLabel={submitLabel} onCancel={onCancel}>
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

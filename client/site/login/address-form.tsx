import { TextField } from '#client/ui/field.tsx';
import { RECOVERY_TEXTS } from '#contract/account-texts.ts';
import { StepForm, type StepProps } from './step-form.tsx';
import { loadSubmissions, useLoginForm } from './use-login-form.ts';

/** To whom, and what is told of it. */
export type SentMail = { email: string; notice: string };

/**
 * Asks for an address and has a mail sent to it.
 * @param mail what it brings: a one-time code, or the link to a new password
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
    failed: RECOVERY_TEXTS.failed,
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

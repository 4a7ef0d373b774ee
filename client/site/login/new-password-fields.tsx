import { PasswordField } from '#client/ui/field.tsx';
import { PASSWORD_LENGTH } from '#contract/account-texts.ts';
import type { LoginForm } from './use-login-form.tsx';

/** A new password and its repetition. */
export function NewPasswordFields({ form, label }: { form: LoginForm; label: string }) {
  return (
    <>
      <PasswordField
        label={label}
        name="password"
        required
        autoComplete="new-password"
        maxLength={PASSWORD_LENGTH.max}
        help={`Almeno ${PASSWORD_LENGTH.min} caratteri.`}
        error={form.error('password')}
      />
      <PasswordField
        label="Conferma password"
        named="conferma"
        name="confirmation"
        required
        autoComplete="new-password"
        maxLength={PASSWORD_LENGTH.max}
        error={form.error('confirmation')}
      />
    </>
  );
}

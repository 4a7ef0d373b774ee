import type { ReactNode } from 'react';
import { Button } from '#client/ui/button.tsx';
import type { ShowMessage } from './banner.tsx';
import styles from './login.module.css';
import type { LoginForm } from './use-login-form.tsx';

/** The props common to these forms. */
export type StepProps = { tell: ShowMessage; onCancel: () => void };

/** A form of the login screen that follows the password form and leads back to it. */
export function StepForm({
  form,
  label,
  submitLabel,
  onCancel,
  children,
}: {
  form: LoginForm;
  label: string;
  submitLabel: string;
  onCancel: () => void;
  children: ReactNode;
}) {
  return (
    <form {...form.props} className={styles.form} aria-label={label}>
      {children}
      <div className={styles.buttons}>
        <Button variant="outline" onClick={onCancel} disabled={form.busy}>
          Annulla
        </Button>
        <Button type="submit" variant="primary" busy={form.busy}>
          {form.busy ? 'Elaborazione...' : submitLabel}
        </Button>
      </div>
    </form>
  );
}

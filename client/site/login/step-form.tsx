import type { ReactNode } from 'react';
import { Button } from '#client/ui/button.tsx';
import type { Tell } from './banner.tsx';
import styles from './login.module.css';
import type { LoginForm } from './use-login-form.ts';

/** What every such form is given. */
export type StepProps = { tell: Tell; onCancel: () => void };

/** A form of the login screen that leads on from the password form, or back to it. */
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

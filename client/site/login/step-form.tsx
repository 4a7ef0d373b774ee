import type { ReactNode } from 'react';
import { Button } from '#client/ui/button.tsx';
import { Banner } from './banner.tsx';
import styles from './login.module.css';
import type { LoginForm } from './use-login-form.ts';

/** A form of the login screen that leads on from the password form, or back to it. */
export function StepForm({
  form,
  label,
  success = null,
  submitLabel,
  onCancel,
  children,
}: {
  form: LoginForm;
  label: string;
  /** What the step before has brought about. */
  success?: string | null;
  submitLabel: string;
  onCancel: () => void;
  children: ReactNode;
}) {
  return (
    <form {...form.props} className={styles.form} aria-label={label}>
      <Banner failure={form.banner} success={success} />
      {children}
      <div className={styles.buttons}>
        <Button variant="outline" onClick={onCancel} disabled={form.busy}>
          Annulla
        </Button>
        <Button type="submit" variant="primary" disabled={form.busy}>
          {form.busy ? 'Elaborazione...' : submitLabel}
        </Button>
      </div>
    </form>
  );
}

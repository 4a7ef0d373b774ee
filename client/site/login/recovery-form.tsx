import { Button } from '#client/ui/button.tsx';
import { PasswordField, TextField } from '#client/ui/field.tsx';
import { LOGIN_TEXTS, PASSWORD_LENGTH, RECOVERY_TEXTS } from '#contract/account-texts.ts';
import { Banner } from './banner.tsx';
import styles from './login.module.css';
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
    <form {...form.props} className={styles.form} aria-label="Recupero della password">
      <Banner failure={form.banner} />
      <TextField
        label="Email"
        name="email"
        type="email"
        required
        autoComplete="username"
        error={form.error('email')}
      />
      <div className={styles.buttons}>
        <Button variant="outline" onClick={onCancel} disabled={form.busy}>
          Annulla
        </Button>
        <Button type="submit" variant="primary" disabled={form.busy}>
          {form.busy ? 'Elaborazione...' : 'Invia il collegamento'}
        </Button>
      </div>
    </form>
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
    <form {...form.props} className={styles.form} aria-label="Nuova password">
      <Banner failure={form.banner} />
      <PasswordField
        label="Nuova password"
        name="password"
        required
        autoComplete="new-password"
        maxLength={PASSWORD_LENGTH.max}
        help={`Almeno ${PASSWORD_LENGTH.min} caratteri.`}
        error={form.error('password')}
      />
      <PasswordField
        label="Conferma password"
        name="confirmation"
        required
        autoComplete="new-password"
        maxLength={PASSWORD_LENGTH.max}
        error={form.error('confirmation')}
      />
      <div className={styles.buttons}>
        <Button variant="outline" onClick={onCancel} disabled={form.busy}>
          Annulla
        </Button>
        <Button type="submit" variant="primary" disabled={form.busy}>
          {form.busy ? 'Elaborazione...' : 'Salva la password'}
        </Button>
      </div>
    </form>
  );
}

import { Button } from '#client/ui/button.tsx';
import { PasswordField, TextField } from '#client/ui/field.tsx';
import { PASSWORD_LENGTH, REGISTRATION_TEXTS } from '#contract/account-texts.ts';
import { Banner } from './banner.tsx';
import styles from './login.module.css';
import { loadSubmissions, useLoginForm } from './use-login-form.ts';

/** Registration inside the login screen (spec §2, §5). */
export function RegistrationForm({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const form = useLoginForm({
    submission: async () => (await loadSubmissions()).registration,
    read: (data) => Object.fromEntries(data),
    done: onDone,
    failed: REGISTRATION_TEXTS.failed,
    unexpected: REGISTRATION_TEXTS.unexpected,
    headings: { internal: REGISTRATION_TEXTS.notDone },
  });
  return (
    <form {...form.props} className={styles.form} aria-label="Registrazione">
      <Banner failure={form.banner} />
      <TextField
        label="Nome completo"
        name="fullName"
        required
        autoComplete="name"
        maxLength={120}
        error={form.error('fullName')}
      />
      <TextField
        label="Nome azienda"
        name="companyName"
        autoComplete="organization"
        maxLength={120}
        error={form.error('companyName')}
      />
      <TextField
        label="Email"
        name="email"
        type="email"
        required
        autoComplete="username"
        maxLength={254}
        error={form.error('email')}
      />
      <PasswordField
        label="Password"
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
          {form.busy ? 'Elaborazione...' : 'Registrati'}
        </Button>
      </div>
    </form>
  );
}

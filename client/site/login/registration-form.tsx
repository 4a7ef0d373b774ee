import { answer, api } from '#client/lib/api.ts';
import { Button } from '#client/ui/button.tsx';
import { PasswordField, TextField } from '#client/ui/field.tsx';
import { PASSWORD_LENGTH, REGISTRATION_TEXTS, registrationSchema } from '#contract/accounts.ts';
import { z } from '#contract/validation.ts';
import { Banner } from './banner.tsx';
import styles from './login.module.css';
import { useLoginForm } from './use-login-form.ts';

/** The registration with its password typed twice: the last thing that is looked at (spec §5). */
const formSchema = registrationSchema
  .extend({ confirmation: z.string() })
  .refine(({ password, confirmation }) => password === confirmation, {
    path: ['confirmation'],
    error: REGISTRATION_TEXTS.confirmation,
  })
  .transform(({ confirmation: _, ...registration }) => registration);

/** Registration inside the login screen (spec §2, §5). */
export function RegistrationForm({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const form = useLoginForm({
    schema: formSchema,
    read: (data) => Object.fromEntries(data),
    async send(json) {
      await answer(api.auth.registrations.$post({ json }));
      onDone();
    },
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

import { useState } from 'react';
import { Button } from '#client/ui/button.tsx';
import { Checkbox, TextField } from '#client/ui/field.tsx';
import { LOGIN_TEXTS, RECOVERY_TEXTS } from '#contract/account-texts.ts';
import { Banner } from './banner.tsx';
import styles from './login.module.css';
import { loadSubmissions, useLoginForm } from './use-login-form.ts';

type Props = { onLoggedIn: () => Promise<void>; onCancel: () => void };

/** Login with a one-time code by e-mail: asks for the address, then for the code. */
export function CodeForm(props: Props) {
  const [email, setEmail] = useState<string | null>(null);
  return email === null ? (
    <AddressStep onSent={setEmail} onCancel={props.onCancel} />
  ) : (
    <CodeStep email={email} {...props} />
  );
}

function AddressStep({ onSent, onCancel }: { onSent: (email: string) => void; onCancel: () => void }) {
  const form = useLoginForm({
    submission: async () => (await loadSubmissions()).code,
    read: (data) => Object.fromEntries(data),
    done: onSent,
    failed: LOGIN_TEXTS.failed,
  });
  return (
    <form {...form.props} className={styles.form} aria-label="Accesso con codice">
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
          {form.busy ? 'Elaborazione...' : 'Invia il codice'}
        </Button>
      </div>
    </form>
  );
}

function CodeStep({ email, onLoggedIn, onCancel }: Props & { email: string }) {
  const form = useLoginForm({
    submission: async () => (await loadSubmissions()).codeLogin,
    read: (data) => ({ email, code: data.get('code'), remember: data.has('remember') }),
    done: onLoggedIn,
    failed: LOGIN_TEXTS.failed,
    headings: { no_session: LOGIN_TEXTS.noSession },
  });
  return (
    <form {...form.props} className={styles.form} aria-label="Accesso con codice">
      <Banner failure={form.banner} success={RECOVERY_TEXTS.codeRequested} />
      <TextField
        label="Codice di 6 cifre"
        name="code"
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={12}
        error={form.error('code')}
      />
      <Checkbox name="remember" label="Ricordami per 30 giorni" />
      <div className={styles.buttons}>
        <Button variant="outline" onClick={onCancel} disabled={form.busy}>
          Annulla
        </Button>
        <Button type="submit" variant="primary" disabled={form.busy}>
          {form.busy ? 'Elaborazione...' : 'Accedi'}
        </Button>
      </div>
    </form>
  );
}

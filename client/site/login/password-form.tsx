import { useHydrated } from '#client/lib/hydration.ts';
import { Button } from '#client/ui/button.tsx';
import { PasswordField, TextField } from '#client/ui/field.tsx';
import type { ShowMessage } from './banner.tsx';
import styles from './login.module.css';
import { RememberField } from './remember-field.tsx';
import { loadSubmissions, useLoginForm } from './use-login-form.tsx';

type Props = {
  /** What 'Email o username' starts with. */
  address: string | undefined;
  tell: ShowMessage;
  onLoggedIn: () => Promise<void>;
  onSecondFactor: () => void;
  /** The handler of a press that leads to another form. */
  leadTo: (form: 'code' | 'recovery' | 'registration') => () => void;
};

/** Login with e-mail or username and password (spec §2, §5). */
export function PasswordForm({ address, tell, onLoggedIn, onSecondFactor, leadTo }: Props) {
  const awake = useHydrated();
  const form = useLoginForm({
    tell,
    submission: async () => (await loadSubmissions()).passwordLogin,
    read: (data) => ({
      identifier: data.get('identifier'),
      password: data.get('password'),
      remember: data.has('remember'),
    }),
    async done({ twoFactor }) {
      if (twoFactor) onSecondFactor();
      else await onLoggedIn();
    },
    messages: 'banner',
  });
  /** Another form would lose its place, and what is typed into it, when the answer arrives. */
  const waiting = !awake || form.busy;
  return (
    <>
      <form {...form.props} className={styles.form} aria-label="Accesso">
        <TextField
          label="Email o username"
          name="identifier"
          defaultValue={address}
          required
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          invalid={form.invalid('identifier')}
        />
        <PasswordField
          label="Password"
          name="password"
          required
          autoComplete="current-password"
          invalid={form.invalid('password')}
        />
        <div className={styles.row}>
          <RememberField />
          <button type="button" className={styles.link} onClick={leadTo('recovery')} disabled={waiting}>
            Password dimenticata?
          </button>
        </div>
        <Button type="submit" variant="primary" busy={form.busy}>
          {form.busy ? 'Elaborazione...' : 'Accedi'}
        </Button>
      </form>
      <div className={styles.others}>
        <Button variant="outline" onClick={leadTo('code')} disabled={waiting}>
          Ricevi un codice via email
        </Button>
        <p>
          Non hai un account?{' '}
          <button type="button" className={styles.link} onClick={leadTo('registration')} disabled={waiting}>
            Registrati
          </button>
        </p>
      </div>
    </>
  );
}

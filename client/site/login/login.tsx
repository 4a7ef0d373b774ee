import { type ReactNode, useState } from 'react';
import { Link, type MetaArgs, useNavigate } from 'react-router';
import { afterPaint } from '#client/lib/after-paint.ts';
import { provider } from '#provider';
import { pageMeta } from '../meta.ts';
import { AddressForm } from './address-form.tsx';
import { Banner } from './banner.tsx';
import { CodeForm } from './code-form.tsx';
import styles from './login.module.css';
import { PasswordForm } from './password-form.tsx';
import { RegistrationForm } from './registration-form.tsx';
import { ResetForm } from './reset-form.tsx';
import type { Finished } from './submissions.ts';
import { TwoFactorForm } from './two-factor-form.tsx';
import { useArrival } from './use-arrival.ts';
import { loadSubmissions } from './use-login-form.tsx';
import { addressed, HEADS, type Mode, useShownForm } from './use-shown-form.ts';

export function meta({ location }: MetaArgs) {
  const mode = addressed(location.search);
  return pageMeta({
    path: '/login',
    title: mode === 'login' ? 'Accedi' : HEADS[mode].title,
    description: `Accedi all’area riservata di ${provider.name}: progetti, squadra, trasferte e fatture.`,
  });
}

/** A drawing beside the forms, and who helps with them. */
function Assistance() {
  return (
    <aside className={styles.aside} aria-label="Assistenza">
      <p className={styles.asideTitle}>La strada più corta fra il cantiere e il letto.</p>
      <svg className={styles.route} viewBox="0 0 480 300" aria-hidden="true">
        <path className={styles.road} d="M30 60H300C380 60 380 170 300 170H210C140 170 140 262 210 262H396" />
        <path
          className={styles.dashes}
          d="M30 60H300C380 60 380 170 300 170H210C140 170 140 262 210 262H396"
        />
        <circle className={styles.from} cx="30" cy="60" r="22" />
        <path
          className={styles.bed}
          d="M424 212V284M424 258H496V284M496 258V248C496 238 490 232 480 232H446"
        />
      </svg>
      <p className={styles.asideText}>
        Problemi di accesso? <Link to="/contacts">Scrivici</Link>: l’assistenza è umana, 24/7.
      </p>
    </aside>
  );
}

/**
 * The login screen (spec §2): login, registration, and the alternatives to a password. It does not load Mantine: fields
 * and buttons come from `client/ui`.
 */
export default function Login() {
  const navigate = useNavigate();
  const shown = useShownForm();
  const { mode, tell, show } = shown;
  const resetToken = useArrival(shown);
  /** The address just given in another form, which the login does not ask for again. */
  const [address, setAddress] = useState<string>();

  /** Responds to a press before the next form is rendered. */
  const leadTo = (next: Mode) => () => afterPaint(() => show(next));

  function backToLogin({ notice, email }: Finished) {
    setAddress(email);
    show('login', notice);
  }

  /**
   * Opens the application, whose code may be still to load.
   * @throws ApiError no_session when the browser did not store the session cookie
   */
  async function enter() {
    await navigate(await (await loadSubmissions()).finishLogin(), { replace: true });
  }

  const { title, lead } = HEADS[mode];
  const step = { tell, onCancel: leadTo('login') };
  const forms: Record<Mode, () => ReactNode> = {
    login: () => (
      <PasswordForm
        address={address}
        tell={tell}
        onLoggedIn={enter}
        onSecondFactor={() => shown.showInPlace('twoFactor')}
        leadTo={leadTo}
      />
    ),
    registration: () => <RegistrationForm onDone={backToLogin} {...step} />,
    recovery: () => (
      <AddressForm
        mail="recovery"
        label="Recupero della password"
        submitLabel="Invia il collegamento"
        onSent={backToLogin}
        {...step}
      />
    ),
    reset: () => <ResetForm token={resetToken} onDone={backToLogin} {...step} />,
    code: () => <CodeForm onLoggedIn={enter} {...step} />,
    twoFactor: () => <TwoFactorForm onLoggedIn={enter} {...step} />,
  };
  return (
    <div className={styles.page}>
      <div className={styles.panel}>
        <div className={styles.head}>
          <h1 className={styles.title} ref={shown.heading} tabIndex={-1}>
            {title}
          </h1>
          <p className={styles.lead}>{lead}</p>
        </div>
        <noscript>
          <p className={styles.failure}>Per accedere serve JavaScript: attivalo e ricarica la pagina.</p>
        </noscript>
        <Banner told={shown.told} />
        {forms[mode]()}
      </div>
      <Assistance />
    </div>
  );
}

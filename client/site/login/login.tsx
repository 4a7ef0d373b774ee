import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { Link, type MetaArgs, useLocation, useNavigate } from 'react-router';
import { afterPaint } from '#client/lib/after-paint.ts';
import { useHydrated } from '#client/lib/hydration.ts';
import { onSessionElsewhere } from '#client/lib/session-channel.ts';
import { isSomebodySignedIn } from '#client/lib/signed-in.ts';
import { RECOVERY_TEXTS } from '#contract/account-texts.ts';
import { provider } from '#provider';
import { pageMeta } from '../meta.ts';
import { AddressForm } from './address-form.tsx';
import { Banner, type Message } from './banner.tsx';
import { CodeForm } from './code-form.tsx';
import styles from './login.module.css';
import { PasswordForm } from './password-form.tsx';
import { RegistrationForm } from './registration-form.tsx';
import { ResetForm } from './reset-form.tsx';
import type { Finished } from './submissions.ts';
import { TwoFactorForm } from './two-factor-form.tsx';
import { loadSubmissions } from './use-login-form.tsx';

export function meta({ location }: MetaArgs) {
  const mode = addressed(location.search);
  return pageMeta({
    path: '/login',
    title: mode === 'login' ? 'Accedi' : HEADS[mode].title,
    description: `Accedi all’area riservata di ${provider.name}: progetti, squadra, trasferte e fatture.`,
  });
}

type Mode = 'login' | 'registration' | 'recovery' | 'code' | 'reset' | 'twoFactor';

const PARAMETER = 'modulo';

/** The form named by a URL's query; the login by default. */
function addressed(search: string): Mode {
  const named = new URLSearchParams(search).get(PARAMETER);
  return (Object.keys(HEADS) as Mode[]).find((mode) => HEADS[mode].name === named) ?? 'login';
}

/** What is above each form, and its name in a URL's query. A form without a name needs state of this page. */
const HEADS: Record<Mode, { name?: string; title: string; lead: string }> = {
  login: {
    title: `Bentornato in ${provider.name}`,
    lead: 'Progetti, squadra, trasferte e fatture: tutto dove l’avevi lasciato.',
  },
  registration: {
    name: 'registrazione',
    title: 'Crea il tuo account',
    lead: 'Bastano un minuto e l’email con cui lavori.',
  },
  recovery: {
    name: 'recupero',
    title: 'Password dimenticata?',
    lead: 'Scrivi l’email del tuo account: ti mandiamo un collegamento, valido un’ora, per sceglierne una nuova.',
  },
  reset: {
    title: 'Scegli una nuova password',
    lead: 'Quando la salvi, l’account viene disconnesso da tutti i dispositivi.',
  },
  code: {
    name: 'codice',
    title: 'Accedi con un codice',
    lead: 'Te lo mandiamo via email: vale dieci minuti e si usa una volta sola.',
  },
  twoFactor: {
    title: 'Verifica in due passaggi',
    lead: 'Apri l’app di autenticazione sul telefono e scrivi il codice che vedi.',
  },
};

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
 * and buttons come from `client/ui`. Links in mails open it with a fragment (#reimposta=…, #conferma=…).
 */
export default function Login() {
  const navigate = useNavigate();
  const { hash, search } = useLocation();
  // The page is prerendered without a query.
  const chosen = addressed(useHydrated() ? search : '');
  /** A form shown instead of the one named by the URL. */
  const [inPlace, setInPlace] = useState<'reset' | 'twoFactor' | null>(null);
  const mode = inPlace ?? chosen;
  const [told, tell] = useState<Message | null>(null);
  /** Message to show once the next form is visible. */
  const notice = useRef<Message | null>(null);
  const [resetToken, setResetToken] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the ways back and forward lead to the form in the address
  useEffect(() => setInPlace(null), [search]);
  const shown = useRef(mode);
  useEffect(() => {
    if (shown.current === mode) return;
    shown.current = mode;
    heading.current?.focus();
    // After the heading has received the focus, so that its announcement does not interrupt the message.
    tell(notice.current);
    notice.current = null;
  }, [mode]);

  function show(next: Mode, said?: string) {
    setInPlace(null);
    tell(null);
    notice.current = said ? { kind: 'success', message: said } : null;
    const { name } = HEADS[next];
    // Going back from the login must not lead to a form that was completed or cancelled.
    navigate(name ? `/login?${PARAMETER}=${name}` : '/login', { replace: !name });
  }
  /** Responds to a press before the next form is rendered. */
  const leadTo = (next: Mode) => () => afterPaint(() => show(next));
  /** The address just given in another form, which the login does not ask for again. */
  const [address, setAddress] = useState<string>();
  function backToLogin({ notice: said, email }: Finished) {
    setAddress(email);
    show('login', said);
  }

  /**
   * Confirms an address with the link of its mail, and reports the result: in the application if signed in, otherwise
   * here.
   */
  const confirmAddress = useCallback(
    async (token: string) => {
      try {
        const message = await (await loadSubmissions()).confirmAddress(token);
        if (message) tell(message);
        else navigate('/app/profile', { replace: true });
      } catch {
        tell({ kind: 'failure', message: RECOVERY_TEXTS.failed });
      }
    },
    [navigate],
  );

  /** Leaves the login if somebody is already signed in. For a visitor nothing more is fetched. */
  const moveOn = useCallback(async () => {
    try {
      const path = (await isSomebodySignedIn()) && (await (await loadSubmissions()).findStartPath());
      if (path) navigate(path, { replace: true });
    } catch {
      // Without a response the form stays; submitting it will show the error.
    }
  }, [navigate]);

  const opened = useRef(false);
  useEffect(() => {
    const { reimposta, conferma } = Object.fromEntries(new URLSearchParams(hash.slice(1)));
    if (reimposta || conferma) {
      opened.current = true;
      // The token works once: remove it from the address bar and the history.
      navigate('/login', { replace: true });
    }
    if (reimposta) {
      setResetToken(reimposta);
      setInPlace('reset');
    }
    if (conferma) void confirmAddress(conferma);
    // A link of a mail is followed also by somebody who is signed in.
    if (opened.current) return;
    opened.current = true;
    void moveOn();
  }, [hash, navigate, confirmAddress, moveOn]);

  useEffect(
    () =>
      onSessionElsewhere((event) => {
        // A link for a new password works once, and what is typed for it is nowhere else.
        if (event === 'signed-in' && inPlace !== 'reset') void moveOn();
      }),
    [moveOn, inPlace],
  );

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
        onSecondFactor={() => setInPlace('twoFactor')}
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
          <h1 className={styles.title} ref={heading} tabIndex={-1}>
            {title}
          </h1>
          <p className={styles.lead}>{lead}</p>
        </div>
        <noscript>
          <p className={styles.failure}>Per accedere serve JavaScript: attivalo e ricarica la pagina.</p>
        </noscript>
        <Banner told={told} />
        {forms[mode]()}
      </div>
      <Assistance />
    </div>
  );
}

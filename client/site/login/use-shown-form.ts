import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useHydrated } from '#client/lib/hydration.ts';
import { provider } from '#provider';
import type { Message } from './banner.tsx';

/** The forms of the login screen. */
export type Mode = 'login' | 'registration' | 'recovery' | 'code' | 'reset' | 'twoFactor';

/** The query parameter that names a form. */
const PARAMETER = 'modulo';

/** The form named by a URL's query; the login by default. */
export function addressed(search: string): Mode {
  const named = new URLSearchParams(search).get(PARAMETER);
  return (Object.keys(HEADS) as Mode[]).find((mode) => HEADS[mode].name === named) ?? 'login';
}

/** What is above each form, and its name in a URL's query. A form without a name needs state of this page. */
export const HEADS: Record<Mode, { name?: string; title: string; lead: string }> = {
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

/** Which form is shown, its heading, and the message above it. The back button leads to the form before. */
export function useShownForm() {
  const navigate = useNavigate();
  const { search } = useLocation();
  // The page is prerendered without a query.
  const chosen = addressed(useHydrated() ? search : '');
  /** A form shown instead of the one named by the URL. */
  const [inPlace, showInPlace] = useState<'reset' | 'twoFactor' | null>(null);
  const mode = inPlace ?? chosen;
  const [told, tell] = useState<Message | null>(null);
  /** Message to show once the next form is visible. */
  const notice = useRef<Message | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the ways back and forward lead to the form in the address
  useEffect(() => showInPlace(null), [search]);
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
    showInPlace(null);
    tell(null);
    notice.current = said ? { kind: 'success', message: said } : null;
    const { name } = HEADS[next];
    // Going back from the login must not lead to a form that was completed or cancelled.
    navigate(name ? `/login?${PARAMETER}=${name}` : '/login', { replace: !name });
  }

  return { mode, heading, told, tell, show, showInPlace };
}

import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { onSessionElsewhere } from '#client/lib/session-channel.ts';
import { isSomebodySignedIn } from '#client/lib/signed-in.ts';
import { RECOVERY_TEXTS } from '#contract/account-texts.ts';
import { loadSubmissions } from './use-login-form.tsx';
import type { useShownForm } from './use-shown-form.ts';

/**
 * Follows the link of a mail (#reimposta=…, #conferma=…), or leads on who is already signed in, here or in another tab.
 * @returns the token of a link for a new password
 */
export function useArrival({
  mode,
  tell,
  showInPlace,
}: Pick<ReturnType<typeof useShownForm>, 'mode' | 'tell' | 'showInPlace'>): string {
  const navigate = useNavigate();
  const { hash } = useLocation();
  const [resetToken, setResetToken] = useState('');

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
    [navigate, tell],
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
      showInPlace('reset');
    }
    if (conferma) void confirmAddress(conferma);
    // A link of a mail is followed also by somebody who is signed in.
    if (opened.current) return;
    opened.current = true;
    void moveOn();
  }, [hash, navigate, confirmAddress, moveOn, showInPlace]);

  useEffect(
    () =>
      onSessionElsewhere((event) => {
        // A link for a new password works once, and what is typed for it is nowhere else.
        if (event === 'signed-in' && mode !== 'reset') void moveOn();
      }),
    [moveOn, mode],
  );

  return resetToken;
}

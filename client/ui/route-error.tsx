import { type ReactNode, useEffect, useState } from 'react';
import { isRouteErrorResponse, useRouteError } from 'react-router';
import { copyText } from '#client/lib/clipboard.ts';
import { provider } from '#provider';
import styles from './route-error.module.css';

function messageOf(error: unknown): string {
  if (isRouteErrorResponse(error)) return `${error.status} ${error.statusText}`;
  return error instanceof Error ? error.message : String(error);
}

/** The id of this error in the server's log; reports the error first when the server cannot know of it. */
function useRequestId(error: unknown): string | null {
  const known =
    error instanceof Error && 'requestId' in error && typeof error.requestId === 'string'
      ? error.requestId
      : null;
  const [reported, setReported] = useState<string | null>(null);
  useEffect(() => {
    if (known !== null) return;
    let current = true;
    // Loaded on demand, because public pages share this component and otherwise make no API requests.
    import('#client/lib/api.ts')
      .then(({ reportError }) => reportError(error))
      .then((id) => current && setReported(id))
      .catch(() => {});
    return () => {
      current = false;
    };
  }, [error, known]);
  return known ?? reported;
}

function CopyCode({ code }: { code: string }) {
  const [copied, setCopied] = useState<boolean | null>(null);
  const copy = async () => setCopied(await copyText(code));
  return (
    <>
      <button type="button" onClick={copy}>
        Copia il codice
      </button>
      <span aria-live="polite">
        {copied === true && 'Codice copiato.'}
        {copied === false && 'Copia non riuscita: tocca il codice per selezionarlo.'}
      </span>
    </>
  );
}

/**
 * Shown when a route fails to render (spec §8): heading and message, the number to quote to support, and two ways to
 * continue. It needs neither Mantine nor data, so that it always renders.
 * @param home the way home
 */
export function RouteError({ home }: { home: ReactNode }) {
  const error = useRouteError();
  const requestId = useRequestId(error);
  return (
    <section className={styles.error} role="alert">
      <title>{`Errore · ${provider.name}`}</title>
      <h1 className={styles.title} lang="en">
        Unexpected Application Error!
      </h1>
      <p>Questa pagina non si è aperta per un errore del programma. I tuoi dati sono al sicuro.</p>
      <pre className={styles.message}>{messageOf(error)}</pre>
      {requestId && (
        <div className={styles.id}>
          <p>
            Codice da comunicare al supporto: <code>{requestId}</code>
          </p>
          <CopyCode code={requestId} />
        </div>
      )}
      <p className={styles.actions}>
        <button type="button" onClick={() => location.reload()}>
          Ricarica la pagina
        </button>
        {home}
      </p>
    </section>
  );
}

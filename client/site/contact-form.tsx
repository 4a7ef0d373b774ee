import { type FormEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import { loadInBackground, NOT_LOADED } from '#client/lib/background-code.ts';
import { firstMessages } from '#client/lib/form-errors.ts';
import type { Attempt } from '#client/lib/idempotency.ts';
import { toast } from '#client/lib/toast.ts';
import { Button } from '#client/ui/button.tsx';
import { RadioGroup, TextArea, TextField } from '#client/ui/field.tsx';
import { focusFirstWrong, wrongFields } from '#client/ui/wrong-fields.ts';
import { CONTACT_LIMITS } from '#contract/contact-limits.ts';
import { MAX_EMAIL_LENGTH } from '#contract/lengths.ts';
import { clearDraft, restoreDraft, saveDraft } from './contact-draft.ts';
import styles from './contact-form.module.css';
import { contactTexts } from './contact-texts.ts';

/** Values of the fields, by name. */
type Values = Readonly<Record<string, unknown>>;

const valuesOf = (form: HTMLFormElement): Values => Object.fromEntries(new FormData(form));

/** Messages of invalid fields, by name. */
type Errors = Readonly<Record<string, string>>;

const preferences = [
  { value: 'email', label: 'Email' },
  { value: 'telefono', label: 'Telefono' },
] as const;

/** Schema and API client, fetched on the first submission, because most visitors only read. */
const loadSending = () =>
  Promise.all([
    import('#contract/contact-requests.ts'),
    import('#client/lib/api.ts'),
    import('#client/lib/idempotency.ts'),
  ]);

/**
 * Validates the form as the server does, and sends it.
 * @param before the previous attempt
 * @param attempting called with this attempt just before it is sent
 * @returns the message of each invalid field; empty when the request was stored
 * @throws when it could not be sent
 */
async function send(
  [{ contactRequestSchema }, { ApiError, sendContactRequest }, { attemptOf }]: Awaited<
    ReturnType<typeof loadSending>
  >,
  values: Values,
  before: Attempt | null,
  attempting: (attempt: Attempt) => void,
): Promise<Errors> {
  const parsed = contactRequestSchema.safeParse(values);
  if (!parsed.success) return firstMessages(parsed);
  const { website: _, ...content } = parsed.data;
  const attempt = attemptOf(content, before);
  attempting(attempt);
  try {
    await sendContactRequest(parsed.data, attempt);
    return {};
  } catch (failure) {
    if (failure instanceof ApiError && Object.keys(failure.fields).length > 0) return failure.fields;
    throw failure;
  }
}

/** A form being filled in and sent by this page, instead of being posted by the browser. */
function useContactForm() {
  const form = useRef<HTMLFormElement>(null);
  const attempt = useRef<Attempt | null>(null);
  const [awake, setAwake] = useState(false);
  const [sending, setSending] = useState(false);
  const [submitted, setSubmitted] = useState(false);
  const [errors, setErrors] = useState<Errors>({});
  const [said, setSaid] = useState<{ at: number; words: string } | null>(null);

  useEffect(() => {
    if (form.current) attempt.current = restoreDraft(form.current);
    setAwake(true);
  }, []);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (sending) return;
    const target = event.currentTarget;
    const sent = valuesOf(target);
    setSending(true);
    setSubmitted(true);
    const code = await loadInBackground(loadSending);
    if (code === null) {
      toast({ ...NOT_LOADED, kind: 'error' });
      return setSending(false);
    }
    try {
      const found = await send(code, sent, attempt.current, (current) => {
        attempt.current = current;
        saveDraft(target, current);
      });
      // Rendered synchronously, so that the first invalid field can be focused.
      flushSync(() => {
        setErrors(found);
        setSaid(null);
      });
      const count = Object.keys(found).length;
      if (count > 0) {
        const message = focusFirstWrong(target);
        setSaid({ at: Date.now(), words: `${wrongFields(count)} ${message}`.trim() });
      } else {
        attempt.current = null;
        // Input typed during the submission was not sent, so it is kept.
        if (JSON.stringify(valuesOf(target)) === JSON.stringify(sent)) {
          target.reset();
          clearDraft();
        } else saveDraft(target, null);
        toast({ ...contactTexts.sent, kind: 'success' });
      }
    } catch {
      toast({ ...contactTexts.failed, kind: 'error' });
    } finally {
      setSending(false);
    }
  }

  function change(event: FormEvent<HTMLFormElement>) {
    saveDraft(event.currentTarget, attempt.current);
    const { target } = event;
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) {
      setErrors(({ [target.name]: _, ...others }) => others);
      if (target.name in errors) setSaid(null);
    }
  }

  return {
    /** For the form; the browser validates until this page can. */
    props: { ref: form, noValidate: awake, 'aria-busy': sending, onSubmit: submit, onInput: change },
    sending,
    /** Whether it has been submitted since the page was opened. */
    submitted,
    errors,
    /** What to announce, once per submission. */
    said,
  };
}

/** The answers to a form that the browser posted, one of which the fragment of the URL shows. */
function PostedAnswers() {
  return (
    <>
      <div id="inviato" className={styles.sent} role="status">
        <strong>{contactTexts.sent.title}</strong>
        <p>{contactTexts.sent.message}</p>
      </div>
      <div id="non-inviato" className={styles.notSent}>
        <strong>{contactTexts.failed.title}</strong>
        <p>{contactTexts.failed.message} Tornando indietro ritrovi quello che hai scritto.</p>
      </div>
      <div id="da-correggere" className={styles.notSent}>
        <strong>{contactTexts.failed.title}</strong>
        <p>{contactTexts.refused}</p>
      </div>
    </>
  );
}

function Fields({ errors }: { errors: Errors }) {
  return (
    <>
      <div className={styles.pair}>
        <TextField
          label="Nome"
          name="nome"
          required
          maxLength={CONTACT_LIMITS.nome}
          autoComplete="given-name"
          error={errors.nome}
        />
        <TextField
          label="Cognome"
          name="cognome"
          required
          maxLength={CONTACT_LIMITS.cognome}
          autoComplete="family-name"
          error={errors.cognome}
        />
      </div>
      <TextField
        label="Azienda"
        name="azienda"
        maxLength={CONTACT_LIMITS.azienda}
        autoComplete="organization"
        error={errors.azienda}
      />
      <div className={styles.pair}>
        <TextField
          label="Telefono"
          name="telefono"
          type="tel"
          required
          maxLength={CONTACT_LIMITS.telefono}
          autoComplete="tel"
          error={errors.telefono}
        />
        <TextField
          label="Indirizzo email"
          name="email"
          type="email"
          maxLength={MAX_EMAIL_LENGTH}
          autoComplete="email"
          error={errors.email}
        />
      </div>
      <RadioGroup
        legend="Come preferisci essere ricontattato?"
        name="preferenzaContatto"
        options={preferences}
        defaultValue="email"
        help="Se scegli l’email, scrivi qui sopra il tuo indirizzo: senza, ti telefoniamo."
      />
      <TextArea
        label="Messaggio"
        name="messaggio"
        maxLength={CONTACT_LIMITS.messaggio}
        error={errors.messaggio}
      />
      <div className={styles.trap} aria-hidden="true">
        <label>
          Sito web
          <input name="website" type="text" tabIndex={-1} autoComplete="off" />
        </label>
      </div>
    </>
  );
}

/**
 * The contact form (spec §2, §3, §5). Without JavaScript, or before hydration, the browser posts it directly, and the
 * URL fragment after the redirect shows the confirmation, what to correct, or the failure.
 */
export function ContactForm() {
  const { props, sending, submitted, errors, said } = useContactForm();
  const wrong = Object.keys(errors).length;
  return (
    <form className={styles.form} method="post" action="/api/contact-requests" {...props}>
      {/* Outdated by the next one. */}
      {!submitted && <PostedAnswers />}
      <Fields errors={errors} />
      <p className={styles.privacy}>
        Usiamo questi dati solo per risponderti: leggi l’<Link to="/privacy">informativa sulla privacy</Link>.
      </p>
      <div className={styles.submit}>
        <Button type="submit" busy={sending}>
          {sending ? contactTexts.sending : contactTexts.submit}
        </Button>
        <p className={styles.summary}>{wrong > 0 && wrongFields(wrong)}</p>
        {/* Announced once per submission, not at each correction; a new element, so that it is also if it says the same. */}
        <span className="visually-hidden" role="status">
          {said && <span key={said.at}>{said.words}</span>}
        </span>
      </div>
    </form>
  );
}

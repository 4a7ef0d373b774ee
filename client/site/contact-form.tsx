import { Link } from 'react-router';
import { Button } from '#client/ui/button.tsx';
import { RadioGroup, TextArea, TextField } from '#client/ui/field.tsx';
import { CONTACT_LIMITS, CONTACT_TEXTS } from '#contract/contact-requests.ts';
import styles from './contact-form.module.css';

const preferences = [
  { value: 'email', label: 'Email' },
  { value: 'telefono', label: 'Telefono' },
] as const;

/** The contact form (spec §2, §3, §5). Without JavaScript it is posted by the browser as it is. */
export function ContactForm() {
  return (
    <form className={styles.form} method="post" action="/api/contact-requests">
      {/* Shown by its fragment, where a form posted without JavaScript lands. */}
      <div id="inviato" className={styles.sent} role="status">
        <strong>{CONTACT_TEXTS.sent.title}</strong>
        <p>{CONTACT_TEXTS.sent.message}</p>
      </div>
      <div className={styles.pair}>
        <TextField
          label="Nome"
          name="nome"
          required
          maxLength={CONTACT_LIMITS.nome}
          autoComplete="given-name"
        />
        <TextField
          label="Cognome"
          name="cognome"
          required
          maxLength={CONTACT_LIMITS.cognome}
          autoComplete="family-name"
        />
      </div>
      <TextField
        label="Azienda"
        name="azienda"
        maxLength={CONTACT_LIMITS.azienda}
        autoComplete="organization"
      />
      <TextField
        label="Telefono"
        name="telefono"
        type="tel"
        required
        maxLength={CONTACT_LIMITS.telefono}
        autoComplete="tel"
      />
      <RadioGroup
        legend="Come preferisci essere ricontattato?"
        name="preferenzaContatto"
        options={preferences}
        defaultValue="email"
        help="Se scegli l’email, scrivi il tuo indirizzo nel messaggio."
      />
      <TextArea label="Messaggio" name="messaggio" maxLength={CONTACT_LIMITS.messaggio} />
      <div className={styles.trap} aria-hidden="true">
        <label>
          Sito web
          <input name="website" type="text" tabIndex={-1} autoComplete="off" />
        </label>
      </div>
      <p className={styles.privacy}>
        Usiamo questi dati solo per risponderti: leggi l’<Link to="/privacy">informativa sulla privacy</Link>.
      </p>
      <Button type="submit">{CONTACT_TEXTS.submit}</Button>
    </form>
  );
}

import { Link } from 'react-router';
import { provider } from '#provider';
import { ContactForm } from './contact-form.tsx';
import styles from './contacts.module.css';
import { pageMeta } from './meta.ts';

export function meta() {
  return pageMeta({
    path: '/contacts',
    title: 'Contatti: richiedi una trasferta',
    description:
      'Scrivici dove va la squadra, quando e in quante persone: ti ricontattiamo con le soluzioni e i loro costi.',
  });
}

const usefulDetails = [
  'Città e indirizzo del luogo di lavoro',
  'Data di inizio e di fine, anche indicative',
  'Quante persone, e se condividono la camera',
  'Pasti, lavanderia, parcheggio: quello che serve',
] as const;

export default function Contacts() {
  return (
    <div className={styles.page}>
      <div className={styles.intro}>
        <h1 className={styles.title}>Raccontaci la trasferta</h1>
        <p className={styles.lead}>
          Una persona legge la richiesta e ti ricontatta con le soluzioni e i loro costi. Conviene scrivere
          almeno 2&#x2060;–&#x2060;3&nbsp;settimane prima della partenza.
        </p>
      </div>
      <div className={styles.form}>
        <ContactForm />
      </div>
      <div className={styles.more}>
        <div className={styles.block}>
          <h2 className={styles.label}>Preferisci scrivere un’email?</h2>
          <a className={styles.mail} href={`mailto:${provider.contactEmail}`}>
            {provider.contactEmail}
          </a>
        </div>
        <div className={styles.block}>
          <h2 className={styles.label}>Ci aiuta sapere</h2>
          <ul className={styles.details}>
            {usefulDetails.map((detail) => (
              <li key={detail}>{detail}</li>
            ))}
          </ul>
        </div>
        <p className={styles.note}>
          Sei già cliente? <Link to="/login">Accedi</Link> e usa la richiesta guidata in quattro passaggi.
        </p>
      </div>
    </div>
  );
}

import styles from './trip-steps.module.css';

const steps = [
  {
    title: 'Nuova richiesta di trasferta',
    text: 'Luogo di lavoro, date, persone, esigenze. Dall’area riservata si compila in quattro passaggi; se non hai ancora un accesso basta il modulo dei contatti.',
  },
  {
    title: 'Portafoglio di soluzioni con i costi',
    text: 'Ricevi le soluzioni disponibili, ognuna con quello che comprende e quanto costa. Scegli tu.',
  },
  {
    title: 'Monitoraggio e assistenza 24/7',
    text: 'Segui progetti, persone, spesa e fatture in un solo posto. Per tutto il resto c’è una persona al telefono, giorno e notte.',
  },
] as const;

/** The three steps of spec §1, shown as stops along a road. */
export function TripSteps() {
  return (
    <ol className={styles.road}>
      {steps.map(({ title, text }, index) => (
        <li key={title} className={styles.stop}>
          <span className={styles.marker} aria-hidden="true">
            {index + 1}
          </span>
          <h3 className={styles.title}>{title}</h3>
          <p className={styles.text}>{text}</p>
        </li>
      ))}
    </ol>
  );
}

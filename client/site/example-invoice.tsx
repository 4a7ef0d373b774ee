import styles from './example-invoice.module.css';

// Amounts in euro, already formatted: this is an illustration, not a calculation.
const lines = [
  { text: 'Hotel, 6 camere doppie per 5 notti', detail: '30 × 74,00', amount: '2.220,00' },
  { text: 'Cene', detail: '60 × 16,00', amount: '960,00' },
  { text: 'Pranzi al sacco', detail: '60 × 9,00', amount: '540,00' },
  { text: 'Lavanderia abiti da lavoro', detail: '12 × 8,00', amount: '96,00' },
  { text: 'Parcheggio, 2 furgoni per 5 notti', detail: '10 × 6,00', amount: '60,00' },
  { text: 'Costi di attivazione', detail: '', amount: '0,00' },
  { text: 'Costi di piattaforma', detail: '', amount: '0,00' },
] as const;

/** An example of a periodic invoice, marked as such, with invented amounts. */
export function ExampleInvoice() {
  return (
    <figure className={styles.sheet}>
      <div className={styles.head}>
        <div>
          <p className={styles.title}>Fattura periodica</p>
          <p className={styles.soft}>La settimana di 12 operai, una riga per servizio</p>
        </div>
        <span className={styles.stamp}>Esempio</span>
      </div>
      <table className={styles.table}>
        <caption className="visually-hidden">Righe di una fattura di esempio</caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Servizio</th>
            <th scope="col">Quantità per prezzo</th>
            <th scope="col">Importo</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ text, detail, amount }) => (
            <tr key={text}>
              <th scope="row">{text}</th>
              <td className={styles.detail}>{detail}</td>
              <td className={styles.amount}>€&nbsp;{amount}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Totale, IVA esclusa</th>
            <td className={styles.detail} />
            <td className={styles.amount}>€&nbsp;3.876,00</td>
          </tr>
        </tfoot>
      </table>
      <figcaption className={styles.note}>
        Importi di fantasia: servono a mostrare la forma, non i prezzi.
      </figcaption>
    </figure>
  );
}

import styles from './example-week.module.css';

const days = [
  { short: 'L', full: 'lunedì' },
  { short: 'M', full: 'martedì' },
  { short: 'M', full: 'mercoledì' },
  { short: 'G', full: 'giovedì' },
  { short: 'V', full: 'venerdì' },
  { short: 'S', full: 'sabato' },
  { short: 'D', full: 'domenica' },
] as const;

// First and last day of each stretch with the service, counted from Monday (0).
const rows = [
  { service: 'Camere', detail: '6 doppie', stretches: [[0, 4]] },
  { service: 'Colazione', detail: 'dalle 5.30', stretches: [[1, 5]] },
  { service: 'Pranzo al sacco', detail: '12 al giorno', stretches: [[0, 4]] },
  { service: 'Cena', detail: 'in struttura', stretches: [[0, 4]] },
  { service: 'Parcheggio', detail: '2 furgoni', stretches: [[0, 4]] },
  { service: 'Lavanderia', detail: 'abiti da lavoro', stretches: [[2, 2]] },
  { service: 'Cambio biancheria', detail: 'una volta', stretches: [[3, 3]] },
  { service: 'Assistenza', detail: 'telefono e WhatsApp', stretches: [[0, 6]] },
] as const satisfies readonly {
  service: string;
  detail: string;
  stretches: readonly (readonly [number, number])[];
}[];

function isGiven(stretches: readonly (readonly [number, number])[], day: number) {
  return stretches.some(([first, last]) => first <= day && day <= last);
}

/** An example, marked as such: the services of a week for twelve workers in a plant, day by day. */
export function ExampleWeek() {
  return (
    <figure className={styles.figure}>
      <table className={styles.table}>
        <caption className={styles.caption}>
          <span className={styles.stamp}>Esempio</span> Una settimana tipo: 12 operai, 6 camere doppie
        </caption>
        <thead>
          <tr>
            <th scope="col">Servizio</th>
            {days.map(({ short, full }) => (
              <th key={full} scope="col" aria-label={full}>
                <span className={styles.short}>{short}</span>
                <span className={styles.full}>{full.slice(0, 3)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ service, detail, stretches }) => (
            <tr key={service}>
              <th scope="row">
                {service} <span className={styles.detail}>{detail}</span>
              </th>
              {days.map(({ full }, day) => {
                const given = isGiven(stretches, day);
                const first = given && !isGiven(stretches, day - 1);
                const last = given && !isGiven(stretches, day + 1);
                return (
                  <td key={full}>
                    {given && (
                      <span
                        className={styles.bar}
                        data-first={first || undefined}
                        data-last={last || undefined}
                      >
                        <span className="visually-hidden">sì</span>
                      </span>
                    )}
                    {!given && <span className="visually-hidden">no</span>}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <figcaption className={styles.note}>
        Arrivo il lunedì, rientro il sabato dopo colazione. Il pacchetto vero si compone sulla tua richiesta.
      </figcaption>
    </figure>
  );
}

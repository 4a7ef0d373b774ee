import { IconArrowRight, IconCheck } from '@tabler/icons-react';
import { ButtonLink } from '#client/ui/button.tsx';
import { Closing } from './closing.tsx';
import { ExampleInvoice } from './example-invoice.tsx';
import { Faq, faqJsonLd, type Question } from './faq.tsx';
import { pageMeta } from './meta.ts';
import { PageHead } from './page-head.tsx';
import styles from './pricing.module.css';
import section from './section.module.css';

const benefits = [
  {
    figure: '€\u00a00',
    title: 'Nessun costo di attivazione',
    text: 'Si comincia dalla prima richiesta, senza contratti d’ingresso.',
  },
  {
    figure: '€\u00a00',
    title: 'Nessun costo di piattaforma',
    text: 'L’area riservata è compresa: progetti, squadra, fatture.',
  },
  {
    figure: (
      <svg className={styles.arrow} viewBox="0 0 12 12" aria-hidden="true">
        <path d="M1 1 10.5 10.5M11 2.5V11H2.5" />
      </svg>
    ),
    title: 'Risparmio garantito',
    text: 'La nostra è una piccola quota del pacchetto completo e non erode il tuo risparmio.',
  },
  {
    figure: '24/7',
    title: 'Assistenza 24/7',
    text: 'Compresa per tutta la trasferta, di notte e nei festivi.',
  },
] as const;

const inclusions = [
  'Prenotazione di hotel e appartamenti',
  'Fatturazione centralizzata',
  'Servizi pasti',
  'Servizi extra personalizzati',
  'Assistenza umana 24/7',
  'Gestione completa della trasferta',
] as const;

const questions: readonly Question[] = [
  {
    question: 'Quanto costa usare il servizio?',
    answer:
      'Niente per attivarlo e niente per usare la piattaforma. Paghi il pacchetto che scegli: dentro c’è una nostra piccola quota, che non erode il risparmio ottenuto con le tariffe negoziate.',
  },
  {
    question: 'Perché non c’è un listino?',
    answer:
      'Perché il prezzo dipende da luogo, periodo, numero di persone, durata e servizi. Per ogni richiesta ricevi un portafoglio di soluzioni, ognuna con il suo costo, e decidi sapendo quanto spendi.',
  },
  {
    question: 'Ci sono costi nascosti?',
    answer:
      'No. Quello che è compreso è scritto nella soluzione che scegli. Se durante la trasferta chiedi un servizio in più, ne conosci il costo prima di confermarlo.',
  },
  {
    question: 'Come e quando si paga?',
    answer:
      'Con un’unica fattura periodica che raccoglie alloggi, pasti e servizi. Nell’area riservata vedi le fatture pagate, quelle da pagare e le loro scadenze.',
  },
  {
    question: 'Devo prenotare un numero minimo di notti o di persone?',
    answer:
      'No. Il pacchetto rende di più con i gruppi e i soggiorni lunghi, ma si può richiedere anche per poche notti o per una sola persona.',
  },
];

export function meta() {
  return pageMeta({
    path: '/pricing',
    title: 'Prezzi: piani su misura per ogni trasferta',
    description:
      'Nessun costo di attivazione, nessun costo di piattaforma: paghi il pacchetto che scegli. Che cosa comprende e come si legge la fattura.',
    jsonLd: [faqJsonLd(questions)],
  });
}

export default function Pricing() {
  return (
    <>
      <PageHead
        title="Piani su misura per ogni trasferta"
        lead="Non vendiamo abbonamenti. Trattiamo le tariffe, ti mostriamo il costo di ogni soluzione e tu paghi solo il pacchetto che scegli."
        aside={<ExampleInvoice />}
      >
        <ButtonLink to="/contacts">
          Richiedi una trasferta <IconArrowRight size={20} stroke={2} aria-hidden="true" />
        </ButtonLink>
      </PageHead>

      <section className={`${section.section} ${styles.benefitsBand}`}>
        <div className={section.inner}>
          <h2 className="visually-hidden">I vantaggi</h2>
          <ul className={styles.benefits}>
            {benefits.map(({ figure, title, text }) => (
              <li key={title}>
                <span className={styles.figure} aria-hidden="true">
                  {figure}
                </span>
                <h3 className={styles.benefitTitle}>{title}</h3>
                <p className={styles.soft}>{text}</p>
              </li>
            ))}
          </ul>
        </div>
      </section>

      <section className={`${section.section} ${styles.packageBand}`}>
        <div className={section.inner}>
          <div className={styles.package}>
            <div className={styles.packageText}>
              <h2>Pacchetto Completo Personalizzato</h2>
              <p className={styles.packageLead}>
                Un solo piano, perché ogni trasferta è diversa. Il prezzo è quello della soluzione che scegli.
              </p>
              <ButtonLink to="/contacts">Richiedi il tuo pacchetto</ButtonLink>
            </div>
            <ul className={styles.inclusions}>
              {inclusions.map((inclusion) => (
                <li key={inclusion} className={styles.inclusion}>
                  <IconCheck size={24} stroke={2.5} aria-hidden="true" />
                  {inclusion}
                </li>
              ))}
            </ul>
          </div>
        </div>
      </section>

      <section className={section.section}>
        <div className={`${section.inner} ${section.split}`}>
          <div className={section.head}>
            <h2>Domande sui prezzi</h2>
          </div>
          <Faq name="faq-pricing" questions={questions} />
        </div>
      </section>

      <Closing
        title="Vediamo quanto costa la tua?"
        text="Mandaci luogo, date e numero di persone: ricevi le soluzioni con i costi, senza impegno."
      />
    </>
  );
}

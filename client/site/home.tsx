import {
  IconArrowDown,
  IconArrowRight,
  IconBed,
  IconBucketDroplet,
  IconHeadset,
  IconParking,
  IconToolsKitchen2,
  IconTruck,
  IconWashMachine,
  IconWifi,
} from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useHydrated } from '#client/lib/hydration.ts';
import { ButtonLink } from '#client/ui/button.tsx';
import { provider } from '#provider';
import { Closing } from './closing.tsx';
import { ExampleWeek } from './example-week.tsx';
import { Faq, faqJsonLd, type Question } from './faq.tsx';
import styles from './home.module.css';
import { organizationJsonLd, pageMeta } from './meta.ts';
import craneAndBedFile from './scenes/crane-and-bed.svg';
import craneAndBed from './scenes/crane-and-bed.svg?raw';
import phoneAtNight from './scenes/phone-at-night.svg';
import section from './section.module.css';
import { TripSteps } from './trip-steps.tsx';

const facts = [
  { figure: '€\u00a00', text: 'costi di attivazione' },
  { figure: '€\u00a00', text: 'costi di piattaforma' },
  { figure: '1', text: 'referente, con una sola fattura periodica' },
  { figure: '24/7', text: 'assistenza umana' },
] as const;

const sellingPoints = [
  {
    title: 'Tempo e denaro risparmiati',
    text: 'Le tariffe si trattano prima di partire, per tutto il gruppo. L’ufficio smette di telefonare agli alberghi.',
  },
  {
    title: 'Tutto più semplice',
    text: 'Alloggi, pasti e servizi di più strutture arrivano da un solo interlocutore, in un solo posto.',
  },
  {
    title: 'Soluzioni su misura',
    text: 'Turni, furgoni, durata, abitudini a tavola: il pacchetto nasce dalla tua squadra, non da un listino.',
  },
  {
    title: 'Trasparenza',
    text: 'Nessun costo nascosto e nessun costo di attivazione. Vedi il prezzo di ogni soluzione prima di scegliere.',
  },
] as const;

const management = [
  {
    title: 'Negoziamo le tariffe',
    text: 'Trattiamo con hotel, residence e appartamenti vicini al luogo di lavoro. Per noi teniamo una piccola quota del pacchetto completo, che non erode il tuo risparmio.',
  },
  {
    title: 'Componiamo il pacchetto',
    text: 'Camere, pasti e servizi extra vengono messi insieme sulla tua richiesta e prenotati da noi, struttura per struttura.',
  },
  {
    title: 'Gestiamo fino alla fattura',
    text: 'Cambi di date, arrivi scaglionati, imprevisti: li seguiamo noi. Alla fine del periodo ricevi un’unica fattura.',
  },
] as const;

const services = [
  { icon: IconToolsKitchen2, title: 'Pasti', text: 'Colazione presto, pranzo al sacco, cena a tavola.' },
  {
    icon: IconWifi,
    title: 'Connettività business',
    text: 'Una rete che regge videochiamate e disegni tecnici.',
  },
  {
    icon: IconWashMachine,
    title: 'Lavanderia',
    text: 'Abiti da lavoro ritirati sporchi e riportati puliti.',
  },
  { icon: IconParking, title: 'Parcheggio', text: 'Posto per auto, furgoni e mezzi attrezzati.' },
  {
    icon: IconBucketDroplet,
    title: 'Pulizie',
    text: 'Camere e appartamenti in ordine per tutto il soggiorno.',
  },
  { icon: IconHeadset, title: 'Assistenza 24/7', text: 'Una persona risponde, a qualsiasi ora.' },
  { icon: IconBed, title: 'Cambio biancheria', text: 'Lenzuola e asciugamani con la frequenza che serve.' },
  {
    icon: IconTruck,
    title: 'Supporto logistico',
    text: 'Arrivi, spostamenti e cambi di squadra coordinati.',
  },
] as const;

const sectors = [
  { id: 'edilizia', title: 'Edilizia', text: 'Squadre che cambiano a ogni fase del cantiere.' },
  { id: 'oil-gas', title: 'Oil & Gas', text: 'Turni lunghi, siti isolati, arrivi a ogni ora.' },
  {
    id: 'manutenzione',
    title: 'Manutenzione industriale',
    text: 'Fermate di impianto: molte persone, poche settimane.',
  },
  {
    id: 'impiantistica',
    title: 'Impiantistica',
    text: 'Montaggi e collaudi, spesso più lunghi del previsto.',
  },
] as const;

const questions: readonly Question[] = [
  {
    question: 'Che assistenza ho durante la trasferta?',
    answer:
      'Assistenza umana 24 ore su 24, 7 giorni su 7, per telefono e WhatsApp. Per email rispondiamo entro 2\u00a0ore lavorative. Hai un solo referente per tutte le strutture, dal primo all’ultimo giorno.',
  },
  {
    question: 'Con quanto anticipo conviene prenotare?',
    answer:
      'Almeno 2\u2060–\u20603\u00a0settimane prima della partenza: così c’è il tempo di trattare le tariffe e di trovare posti vicini per tutto il gruppo. Se l’urgenza è maggiore scrivici lo stesso: ti diciamo subito che cosa è possibile.',
  },
  {
    question: 'Come funziona la fatturazione centralizzata?',
    answer:
      'Hotel, appartamenti, pasti e servizi extra confluiscono in un’unica fattura periodica emessa da noi. Non devi raccogliere ricevute da ogni struttura: nell’area riservata trovi le fatture, il loro stato e la spesa di ogni progetto.',
  },
  {
    question: 'Posso modificare una prenotazione già confermata?',
    answer:
      'Sì. Date, numero di persone e servizi possono cambiare anche dopo la conferma: ce lo comunichi e noi ci accordiamo con le strutture. Prima di procedere ti diciamo se la modifica comporta un costo.',
  },
  {
    question: 'Vale anche per trasferte brevi o per una persona sola?',
    answer:
      'Sì. Nasciamo per i gruppi e per i lunghi soggiorni, ma organizziamo allo stesso modo anche poche notti o la trasferta di un singolo tecnico.',
  },
];

export function meta() {
  return pageMeta({
    path: '/',
    title: 'Trasferte di gruppo per imprese',
    description:
      'Alloggi, pasti e servizi per squadre in trasferta: edilizia, oil & gas, manutenzione industriale, impiantistica. Un solo referente, una sola fattura, assistenza 24/7.',
    jsonLd: [organizationJsonLd(), faqJsonLd(questions)],
  });
}

/**
 * The drawing is inlined into the prerendered page, because as a file it would be the largest paint, one round trip
 * after the text. Hydration leaves it untouched, so that the scripts need not contain it; when the router renders the
 * page, it is loaded as a file.
 */
function HeroScene() {
  const [isWritten] = useState(!useHydrated());
  return isWritten ? (
    <div
      className={styles.heroScene}
      aria-hidden="true"
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own drawing, compiled in
      dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? craneAndBed : '' }}
    />
  ) : (
    <img className={styles.heroScene} src={craneAndBedFile} width={640} height={602} alt="" />
  );
}

export default function Home() {
  return (
    <>
      <section className={styles.hero}>
        <div className={styles.heroInner}>
          <div className={styles.heroText}>
            <h1>
              Il cantiere è lontano. <span className={styles.accent}>Il letto no.</span>
            </h1>
            <p className={styles.heroLead}>
              {provider.name} organizza trasferte di gruppo e lunghi soggiorni per imprese edili,
              oil&nbsp;&amp;&nbsp;gas, di manutenzione e di impianti: alloggi, pasti e servizi, con un solo
              referente e una sola fattura.
            </p>
            <div className={section.actions}>
              <ButtonLink to="/contacts">
                Richiedi una trasferta <IconArrowRight size={20} stroke={2} aria-hidden="true" />
              </ButtonLink>
              <ButtonLink to="#come-funziona" variant="onPetrol">
                Come funziona <IconArrowDown size={20} stroke={2} aria-hidden="true" />
              </ButtonLink>
            </div>
          </div>
          <HeroScene />
        </div>
      </section>
      <dl className={styles.facts}>
        {facts.map(({ figure, text }) => (
          <div key={text} className={styles.fact}>
            <dt className={styles.factText}>{text}</dt>
            <dd className={styles.figure}>{figure}</dd>
          </div>
        ))}
      </dl>

      <section id="come-funziona" tabIndex={-1} className={section.section}>
        <div className={section.inner}>
          <div className={section.head}>
            <h2>Come funziona</h2>
            <p className={section.lead}>
              Tu ci dici dove, quando e quante persone. Noi trattiamo le tariffe, prenotiamo e teniamo insieme
              la settimana: quella di dodici operai in uno stabilimento, per esempio, è fatta così.
            </p>
          </div>
          <ExampleWeek />
          <ul className={styles.points}>
            {sellingPoints.map(({ title, text }) => (
              <li key={title}>
                <h3 className={styles.pointTitle}>{title}</h3>
                <p className={styles.soft}>{text}</p>
              </li>
            ))}
          </ul>
        </div>
      </section>

      <section className={`${section.section} ${section.sand}`}>
        <div className={`${section.inner} ${section.split}`}>
          <div className={section.head}>
            <h2>Trattiamo noi, gestiamo noi</h2>
            <p className={section.lead}>
              Negoziazione e gestione in tre punti, dalla prima telefonata alla struttura fino all’ultima riga
              della fattura.
            </p>
          </div>
          <ol className={styles.management}>
            {management.map(({ title, text }, index) => (
              <li key={title} className={styles.managementItem}>
                <span className={styles.managementNumber} aria-hidden="true">
                  {index + 1}
                </span>
                <div>
                  <h3>{title}</h3>
                  <p className={styles.soft}>{text}</p>
                </div>
              </li>
            ))}
          </ol>
        </div>
      </section>

      <section className={section.section}>
        <div className={section.inner}>
          <div className={section.head}>
            <h2>Otto servizi, solo quelli che servono</h2>
            <p className={section.lead}>
              Si aggiungono alla camera quando fai la richiesta, oppure a trasferta iniziata.
            </p>
          </div>
          <ul className={styles.services}>
            {services.map(({ icon: Icon, title, text }) => (
              <li key={title} className={styles.service}>
                <Icon size={30} stroke={1.5} aria-hidden="true" />
                <h3 className={styles.serviceTitle}>{title}</h3>
                <p className={styles.soft}>{text}</p>
              </li>
            ))}
          </ul>
        </div>
      </section>

      <section className={`${section.section} ${section.sand}`}>
        <div className={section.inner}>
          <div className={section.head}>
            <h2>Per chi lavora dove serve, non dove abita</h2>
          </div>
          <ul className={styles.sectors}>
            {sectors.map(({ id, title, text }) => (
              <li key={id}>
                <Link to={`/solutions#${id}`} className={styles.sector}>
                  <h3 className={styles.sectorTitle}>{title}</h3>
                  <span className={styles.soft}>{text}</span>
                  <IconArrowRight className={styles.sectorArrow} size={28} stroke={1.5} aria-hidden="true" />
                </Link>
              </li>
            ))}
          </ul>
        </div>
      </section>

      <section className={section.section}>
        <div className={section.inner}>
          <div className={section.head}>
            <h2>Una trasferta in tre passi</h2>
          </div>
          <TripSteps />
        </div>
      </section>

      <section className={`${section.section} ${section.deep}`}>
        <div className={`${section.inner} ${styles.nightInner}`}>
          <div className={section.head}>
            <h2>Alle due di notte risponde una persona</h2>
            <p className={section.lead}>
              Una porta che non si apre, un turno che slitta, due colleghi in più da sistemare. L’assistenza è
              umana e c’è 24 ore su 24, 7 giorni su 7, per telefono e WhatsApp. Per email la risposta arriva
              entro 2&nbsp;ore lavorative.
            </p>
            <div className={section.actions}>
              <ButtonLink to="/contacts" variant="onPetrol">
                Parla con noi
              </ButtonLink>
            </div>
          </div>
          <img className={section.scene} src={phoneAtNight} width={640} height={442} alt="" loading="lazy" />
        </div>
      </section>

      <section className={section.section}>
        <div className={`${section.inner} ${section.split}`}>
          <div className={section.head}>
            <h2>Domande frequenti</h2>
            <p className={section.lead}>
              Manca la tua? <Link to="/contacts">Scrivici</Link>.
            </p>
          </div>
          <Faq name="faq-home" questions={questions} />
        </div>
      </section>

      <Closing
        title="Dove va la prossima squadra?"
        text="Bastano luogo, date e numero di persone. Ti ricontattiamo con le soluzioni e i loro costi."
      />
    </>
  );
}

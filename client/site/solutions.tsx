import { IconArrowRight, IconBed, IconBuilding, IconPlus, IconToolsKitchen2 } from '@tabler/icons-react';
import { ButtonLink } from '#client/ui/button.tsx';
import { Closing } from './closing.tsx';
import { pageMeta } from './meta.ts';
import { PageHead } from './page-head.tsx';
import tableForTwelve from './scenes/table-for-twelve.svg';
import vanAndRoad from './scenes/van-and-road.svg';
import section from './section.module.css';
import styles from './solutions.module.css';

const lodgings = [
  {
    icon: IconBed,
    title: 'Hotel',
    when: 'Da una notte a qualche settimana',
    items: [
      'Camere singole, doppie o suite',
      'Colazione all’ora del turno',
      'Ricevimento e pulizia quotidiana',
    ],
  },
  {
    icon: IconBuilding,
    title: 'Residence e appartamenti',
    when: 'Per i soggiorni lunghi',
    items: [
      'Cucina e spazi comuni per la squadra',
      'Pulizie e cambio biancheria programmati',
      'Più persone, un solo indirizzo',
    ],
  },
  {
    icon: IconToolsKitchen2,
    title: 'Pasti',
    when: 'Colazione, pranzo, cena',
    items: [
      'In struttura o in ristoranti vicini',
      'Pranzo al sacco per chi non si ferma',
      'Diete e allergie dette una volta sola',
    ],
  },
  {
    icon: IconPlus,
    title: 'Servizi extra',
    when: 'Quando servono',
    items: [
      'Lavanderia, pulizie, cambio biancheria',
      'Parcheggio per furgoni e mezzi attrezzati',
      'Connettività business e supporto logistico',
    ],
  },
] as const;

const stays = [
  {
    id: 'edilizia',
    sector: 'Edilizia',
    example: '18 persone per 10 settimane in un cantiere residenziale fuori regione',
    arranged: [
      'Appartamenti da tre posti, a pochi minuti dal cantiere',
      'Pulizie e cambio biancheria ogni settimana',
      'Parcheggio per quattro furgoni',
    ],
    result:
      'I capicantiere cambiano squadra senza chiamare nessuna struttura: i nuovi nomi li comunichiamo noi.',
  },
  {
    id: 'oil-gas',
    sector: 'Oil & Gas',
    example: '8 tecnici per 6 settimane, turni di giorno e di notte, sito lontano dai centri abitati',
    arranged: [
      'Camere singole con oscuranti per chi dorme di giorno',
      'Cena e colazione negli orari di entrambi i turni',
      'Trasferimenti fra struttura e sito',
    ],
    result:
      'Chi smonta alle sei trova la colazione pronta e la camera in silenzio. E qualcuno al telefono anche a quell’ora.',
  },
  {
    id: 'manutenzione',
    sector: 'Manutenzione industriale',
    example: '40 persone per 3 settimane durante la fermata di uno stabilimento',
    arranged: [
      'Tre hotel vicini fra loro, perché uno solo non basta',
      'Pranzi al sacco consegnati per squadra',
      'Lavanderia per gli abiti da lavoro',
    ],
    result: 'Tre strutture, un solo referente: le presenze tornano e la fattura è una.',
  },
  {
    id: 'impiantistica',
    sector: 'Impiantistica',
    example: '5 montatori per 2 settimane, con collaudo che può allungarsi',
    arranged: [
      'Residence con cucina e connettività per i disegni',
      'Date di rientro aperte, concordate in anticipo',
      'Posto auto coperto per il furgone attrezzato',
    ],
    result: 'Se il collaudo slitta, si resta nelle stesse camere: l’accordo lo aveva già previsto.',
  },
] as const;

export function meta() {
  return pageMeta({
    path: '/solutions',
    title: 'Soluzioni per squadre in trasferta',
    description:
      'Hotel, residence e appartamenti, pasti e servizi extra per edilizia, oil & gas, manutenzione industriale e impiantistica, con un esempio di soggiorno per ogni settore.',
  });
}

export default function Solutions() {
  return (
    <>
      <PageHead
        title="Soluzioni che partono dal turno"
        lead="Prima guardiamo dove si lavora, a che ora si smonta e quanti furgoni ci sono. Poi scegliamo le strutture, trattiamo le tariffe e componiamo il pacchetto."
        aside={<img className={section.scene} src={vanAndRoad} width={640} height={394} alt="" />}
      >
        <ButtonLink to="/contacts">
          Richiedi una trasferta <IconArrowRight size={20} stroke={2} aria-hidden="true" />
        </ButtonLink>
      </PageHead>

      <section className={section.section}>
        <div className={section.inner}>
          <div className={section.head}>
            <h2>Di che cosa è fatto un pacchetto</h2>
          </div>
          <ul className={styles.lodgings}>
            {lodgings.map(({ icon: Icon, title, when, items }) => (
              <li key={title} className={styles.lodging}>
                <Icon size={32} stroke={1.5} aria-hidden="true" />
                <div>
                  <h3>{title}</h3>
                  <p className={styles.when}>{when}</p>
                </div>
                <ul className={styles.items}>
                  {items.map((item) => (
                    <li key={item}>{item}</li>
                  ))}
                </ul>
              </li>
            ))}
          </ul>
        </div>
      </section>

      <section className={`${section.section} ${section.sand}`}>
        <div className={`${section.inner} ${styles.table}`}>
          <div className={section.head}>
            <h2>Dodici a tavola, un conto solo</h2>
            <p className={section.lead}>
              I pasti sono metà del morale di una squadra. Li concordiamo con la struttura o con un ristorante
              vicino: orari, porzioni, diete. Gli operai si siedono, mangiano e vanno; il conto finisce nella
              fattura periodica.
            </p>
          </div>
          <img
            className={section.scene}
            src={tableForTwelve}
            width={640}
            height={384}
            alt=""
            loading="lazy"
          />
        </div>
      </section>

      <section className={section.section}>
        <div className={section.inner}>
          <div className={section.head}>
            <h2>Un soggiorno per settore</h2>
            <p className={section.lead}>
              Quattro esempi, per capire come ragioniamo. Il tuo si costruisce sulla tua richiesta.
            </p>
          </div>
          <div className={styles.stays}>
            {stays.map(({ id, sector, example, arranged, result }) => (
              <article key={id} id={id} tabIndex={-1} className={styles.stay}>
                <div>
                  <h3 className={styles.sector}>{sector}</h3>
                  <p className={styles.example}>
                    <span className={styles.stamp}>Esempio</span> {example}
                  </p>
                </div>
                <div>
                  <h4 className={styles.label}>Che cosa organizziamo</h4>
                  <ul className={styles.items}>
                    {arranged.map((item) => (
                      <li key={item}>{item}</li>
                    ))}
                  </ul>
                </div>
                <div>
                  <h4 className={styles.label}>Che cosa ottieni</h4>
                  <p>{result}</p>
                </div>
              </article>
            ))}
          </div>
        </div>
      </section>

      <Closing
        title="La tua squadra non è in elenco?"
        text="Raccontaci il lavoro: luogo, durata, persone. Le soluzioni le cerchiamo noi."
      />
    </>
  );
}

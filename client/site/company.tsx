import { IconArrowRight, IconBulb, IconLeaf, IconMedal, IconShieldCheck } from '@tabler/icons-react';
import { ButtonLink } from '#client/ui/button.tsx';
import { provider } from '#provider';
import styles from './company.module.css';
import { pageMeta } from './meta.ts';
import { PageHead } from './page-head.tsx';
import section from './section.module.css';

const values = [
  {
    icon: IconShieldCheck,
    title: 'Sicurezza',
    text: 'Chi riposa bene lavora con più attenzione. Scegliamo strutture adatte a chi si alza presto e torna stanco.',
  },
  {
    icon: IconLeaf,
    title: 'Sostenibilità',
    text: 'Alloggi vicini al luogo di lavoro vogliono dire meno chilometri, meno carburante e più sonno.',
  },
  {
    icon: IconMedal,
    title: 'Supporto all’eccellenza',
    text: 'La tua impresa è brava a costruire e a riparare. Togliamo dal tavolo tutto quello che la distrae.',
  },
  {
    icon: IconBulb,
    title: 'Innovazione',
    text: 'Progetti, persone, spesa e fatture in un’unica area riservata, leggibile anche dal telefono in cantiere.',
  },
] as const;

const openings = [
  {
    title: 'Unisciti al team',
    text: 'Ti piace risolvere problemi prima che qualcuno li noti? Raccontaci chi sei e che cosa sai fare.',
    action: 'Candidati',
  },
  {
    title: 'Professionisti del business travel',
    text: 'Conosci strutture, tariffe e gruppi? Mettiamo insieme la tua esperienza e le nostre richieste.',
    action: 'Parliamone',
  },
  {
    title: 'Diventa partner',
    text: 'Gestisci un hotel, un residence, un ristorante o una lavanderia vicino a zone industriali? Facci sapere dove.',
    action: 'Proponi la tua struttura',
  },
] as const;

export function meta() {
  return pageMeta({
    path: '/company',
    title: 'Chi siamo',
    description:
      'Che cosa facciamo per le imprese che mandano squadre in trasferta, che cosa ci guida e come lavorare con noi.',
  });
}

export default function Company() {
  return (
    <>
      <PageHead
        title="Cosa facciamo"
        lead={`${provider.name} organizza le trasferte di gruppo delle imprese italiane: trattiamo con le strutture, prenotiamo alloggi e pasti, seguiamo la squadra sul posto e mettiamo tutto in una sola fattura.`}
      >
        <ButtonLink to="/contacts">
          Parla con noi <IconArrowRight size={20} stroke={2} aria-hidden="true" />
        </ButtonLink>
      </PageHead>

      <section className={section.section}>
        <div className={section.inner}>
          <div className={section.head}>
            <h2>Il nostro obiettivo</h2>
            <p className={section.lead}>
              Che la trasferta sia la parte più tranquilla del lavoro: per chi parte, per chi coordina e per
              chi paga.
            </p>
          </div>
          <ul className={styles.values}>
            {values.map(({ icon: Icon, title, text }) => (
              <li key={title} className={styles.value}>
                <Icon size={34} stroke={1.5} aria-hidden="true" />
                <h3>{title}</h3>
                <p className={styles.soft}>{text}</p>
              </li>
            ))}
          </ul>
        </div>
      </section>

      <section className={`${section.section} ${section.petrol}`}>
        <div className={`${section.inner} ${section.split}`}>
          <div className={section.head}>
            <h2>La nostra storia</h2>
          </div>
          <div className={styles.story}>
            <p className={styles.opening}>
              Comincia con un foglio di calcolo che tutti gli uffici conoscono.
            </p>
            <p>
              Una colonna per gli operai, una per gli alberghi, una per le telefonate da rifare. Le conferme
              arrivano su dieci caselle diverse, le ricevute in una busta, i conti a fine mese. Intanto la
              squadra è già in viaggio.
            </p>
            <p>
              {provider.name} nasce per sostituire quel foglio con una persona e uno strumento: una persona
              che tratta e risponde a ogni ora, uno strumento in cui progetti, squadra, spesa e fatture stanno
              insieme. Lo facciamo da {provider.address.city}, per chi costruisce, estrae, ripara e installa
              dove serve.
            </p>
          </div>
        </div>
      </section>

      <section className={section.section}>
        <div className={section.inner}>
          <div className={section.head}>
            <h2>Lavora con noi</h2>
          </div>
          <ul className={styles.openings}>
            {openings.map(({ title, text, action }) => (
              <li key={title} className={styles.opportunity}>
                <h3>{title}</h3>
                <p className={styles.soft}>{text}</p>
                <ButtonLink to="/contacts" variant="outline" aria-label={`${action}: ${title}`}>
                  {action}
                </ButtonLink>
              </li>
            ))}
          </ul>
        </div>
      </section>
    </>
  );
}

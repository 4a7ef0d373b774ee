import { Link } from 'react-router';
import { KEPT_DAYS, type KeptTable } from '#contract/retention.ts';
import { provider } from '#provider';
import { pageMeta } from './meta.ts';
import { PageHead } from './page-head.tsx';
import prose from './prose.module.css';
import section from './section.module.css';

const KEPT_NAMES: Record<KeptTable, string> = {
  contact_requests: 'Richieste dal modulo dei contatti',
  support_requests: 'Messaggi all’assistenza',
  requirements: 'Esigenze di viaggio (Travel requirements)',
  mail_messages: 'Copie delle email inviate',
  audit_events: 'Registri di sicurezza',
};

/** A number of days in words, in years where they are whole. */
function period(days: number): string {
  const years = days / 365;
  if (!Number.isInteger(years)) return `${days} giorni`;
  return years === 1 ? 'Un anno' : `${years} anni`;
}

const kept = [
  ...Object.entries(KEPT_DAYS).map(([table, days]) => ({
    what: KEPT_NAMES[table as KeptTable],
    long: period(days),
  })),
  { what: 'Sessioni', long: 'Fino all’uscita o alla scadenza, e un giorno in più' },
  {
    what: 'Account, progetti, squadra e richieste di trasferta',
    long: 'Fino alla loro eliminazione o a quella dell’account; i progetti con fatture, quanto queste',
  },
  { what: 'Fatture', long: 'Dieci anni, come impone la legge, se non le elimini prima' },
];

export function meta() {
  return pageMeta({
    path: '/privacy',
    title: 'Informativa sulla privacy',
    description: 'Quali dati personali trattiamo, perché, per quanto tempo e come esercitare i tuoi diritti.',
  });
}

export default function Privacy() {
  const { street, postalCode, city } = provider.address;
  const mail = <a href={`mailto:${provider.privacyEmail}`}>{provider.privacyEmail}</a>;
  return (
    <>
      <PageHead
        title="Privacy"
        lead="Come trattiamo i dati personali, ai sensi degli articoli 13 e 14 del Regolamento (UE) 2016/679 (GDPR)."
      />
      <section className={section.section}>
        <div className={section.inner}>
          <div className={prose.prose}>
            <h2>Titolare del trattamento</h2>
            <p>
              {provider.legalName}, {street}, {postalCode} {city}. Per ogni domanda sui tuoi dati scrivi a{' '}
              {mail}.
            </p>

            <h2>Quali dati e perché</h2>
            <ul>
              <li>
                <strong>Modulo dei contatti</strong>: nome, cognome, azienda, telefono, email, preferenza di
                contatto e messaggio, per risponderti. Base giuridica: misure precontrattuali richieste da te
                (art. 6.1.b).
              </li>
              <li>
                <strong>Account</strong>: nome, username, email, azienda e immagine del profilo, per farti
                accedere all’area riservata. La password è conservata solo in forma cifrata non reversibile.
                Base giuridica: esecuzione del contratto (art. 6.1.b).
              </li>
              <li>
                <strong>Sessioni</strong>: per ogni accesso l’ora, l’indirizzo di rete e il browser, per
                tenerti dentro l’area riservata e mostrarti da quali dispositivi è aperta. Base giuridica:
                esecuzione del contratto (art. 6.1.b).
              </li>
              <li>
                <strong>Messaggi all’assistenza</strong>: che cosa ci scrivi, chi scrive e da quale pagina,
                per aiutarti. Base giuridica: esecuzione del contratto (art. 6.1.b).
              </li>
              <li>
                <strong>Copie delle email</strong> che il servizio ti invia, o che ci invia per te, per
                recapitarle e sapere che cosa è stato spedito. Base giuridica: esecuzione del contratto (art.
                6.1.b).
              </li>
              <li>
                <strong>Progetti, squadra e richieste di trasferta</strong>: i dati che la tua azienda
                inserisce sulle persone in trasferta (nome, ruolo, reparto, email, telefono, stato,
                assegnazioni) e sulle loro esigenze, per organizzare i soggiorni. La tua azienda ne è
                titolare; noi li trattiamo per suo conto.
              </li>
              <li>
                <strong>Fatture</strong>: per gli obblighi contabili e fiscali. Base giuridica: obbligo di
                legge (art. 6.1.c).
              </li>
              <li>
                <strong>Registri di sicurezza</strong>: accessi riusciti e negati, cambi di password e di
                ruolo, con l’ora e l’indirizzo di rete, per proteggere gli account. Base giuridica: legittimo
                interesse (art. 6.1.f).
              </li>
            </ul>

            <h2>A chi li comunichiamo</h2>
            <p>
              Alle strutture che ospitano le persone in trasferta e ai fornitori dei servizi richiesti, nei
              limiti di quanto serve; ai fornitori tecnici che ospitano il servizio e recapitano le email;
              alle autorità quando la legge lo impone. Non vendiamo dati e non li usiamo per pubblicità di
              terzi.
            </p>

            <h2>Per quanto tempo</h2>
            <table className={prose.table}>
              <thead>
                <tr>
                  <th scope="col">Che cosa</th>
                  <th scope="col">Per quanto tempo</th>
                </tr>
              </thead>
              <tbody>
                {kept.map(({ what, long }) => (
                  <tr key={what}>
                    <th scope="row">{what}</th>
                    <td data-label="Per quanto tempo">{long}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            <p>
              Quello che viene cancellato resta nelle copie di sicurezza fino alla loro scadenza, e non viene
              più usato.
            </p>

            <h2>I tuoi diritti</h2>
            <p>
              Se hai un account, dal tuo profilo puoi correggere nome, azienda e immagine, scaricare una copia
              completa dei tuoi dati ed eliminare l’account, senza chiedere a nessuno: le fatture restano, le
              persone della squadra diventano anonime. Per tutto il resto (correggere l’indirizzo email o lo
              username, accedere ai dati, limitarne l’uso, opporti al trattamento) scrivi a {mail}. Puoi anche
              presentare reclamo al Garante per la protezione dei dati personali.
            </p>

            <h2>Cookie</h2>
            <p>
              Usiamo solo strumenti tecnici: sono elencati nella pagina dei <Link to="/cookies">cookie</Link>.
            </p>
          </div>
        </div>
      </section>
    </>
  );
}

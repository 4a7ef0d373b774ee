import { Link } from 'react-router';
import { provider } from '#provider';
import { pageMeta } from './meta.ts';
import { PageHead } from './page-head.tsx';
import prose from './prose.module.css';
import section from './section.module.css';

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
                <strong>Account</strong>: nome, email, azienda e immagine del profilo, per farti accedere
                all’area riservata. La password è conservata solo in forma cifrata non reversibile. Base
                giuridica: esecuzione del contratto (art. 6.1.b).
              </li>
              <li>
                <strong>Progetti, squadra e richieste di trasferta</strong>: i dati che la tua azienda
                inserisce sulle persone in trasferta (nome, ruolo, stato) e sulle loro esigenze, per
                organizzare i soggiorni. La tua azienda ne è titolare; noi li trattiamo per suo conto.
              </li>
              <li>
                <strong>Fatture</strong>: per gli obblighi contabili e fiscali. Base giuridica: obbligo di
                legge (art. 6.1.c).
              </li>
              <li>
                <strong>Registri tecnici e di sicurezza</strong>: accessi riusciti e negati, cambi di password
                e di ruolo, con l’ora e l’indirizzo di rete, per proteggere gli account. Base giuridica:
                legittimo interesse (art. 6.1.f).
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
            <p>
              Le richieste di contatto per il tempo necessario a risponderti e a gestire il rapporto che ne
              nasce; account, progetti e richieste finché dura il rapporto con la tua azienda; le fatture per
              il tempo imposto dalla legge.
            </p>

            <h2>I tuoi diritti</h2>
            <p>
              Se hai un account, dal tuo profilo puoi correggere i dati, scaricarne una copia completa ed
              eliminare l’account, senza chiedere a nessuno: le fatture restano, le persone della squadra
              diventano anonime. Per tutto il resto (accedere ai dati, limitarne l’uso, opporti al
              trattamento) scrivi a {mail}. Puoi anche presentare reclamo al Garante per la protezione dei
              dati personali.
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

import { pageMeta } from './meta.ts';
import { PageHead } from './page-head.tsx';
import prose from './prose.module.css';
import section from './section.module.css';

const stored = [
  {
    what: 'Cookie di sessione',
    why: 'Ti tiene dentro l’area riservata',
    until:
      'Chiusura del browser o un giorno senza uso; se scegli di essere ricordato, 30 giorni dall’ultimo uso e al massimo 90',
  },
  {
    what: 'Cookie della verifica in due passaggi',
    why: 'Tiene in sospeso l’accesso finché non scrivi il codice',
    until: '10 minuti',
  },
  { what: 'Cookie del menu laterale', why: 'Ricorda se il menu è aperto o chiuso', until: '7 giorni' },
  {
    what: 'Bozze dei moduli',
    why: 'Conservano quello che hai scritto se l’invio non riesce o ricarichi la pagina',
    until: 'Invio, uscita dall’account o chiusura della scheda',
  },
  {
    what: 'Bozze della richiesta di trasferta e dei Travel requirements',
    why: 'Ti fanno compilare in più giorni un modulo lungo; contengono quello che hai scritto, anche su esigenze alimentari e di accessibilità',
    until: 'Invio: restano anche dopo l’uscita dall’account',
  },
  {
    what: 'Ultimi dati letti',
    why: 'Ti fanno consultare elenchi e importi anche senza rete',
    until: 'Uscita dall’account, chiusura del browser se non scegli di essere ricordato, o 7 giorni',
  },
  {
    what: 'Cookie degli ultimi dati letti',
    why: 'Riconosce se il browser è stato chiuso, per non mostrarli a chi lo apre dopo di te',
    until: 'Chiusura del browser',
  },
  {
    what: 'File dell’applicazione',
    why: 'Aprono l’area riservata anche senza rete; non contengono dati tuoi',
    until: 'Versione successiva',
  },
  {
    what: 'Pagina richiesta',
    why: 'Ti riporta dopo l’accesso dove volevi andare',
    until: 'Accesso o chiusura della scheda',
  },
  {
    what: 'Posizione nelle pagine',
    why: 'Ti riporta al punto in cui eri quando torni indietro o ricarichi',
    until: 'Chiusura della scheda',
  },
  {
    what: 'Segni di ricarica',
    why: 'Dopo un aggiornamento del sito, fanno ricaricare la pagina una volta sola e ti portano dove stavi andando',
    until: 'Chiusura della scheda',
  },
  {
    what: 'Ultima richiesta di trasferta',
    why: 'Conserva nel browser l’ultima richiesta compilata',
    until: 'Finché non la cancelli',
  },
] as const;

export function meta() {
  return pageMeta({
    path: '/cookies',
    title: 'Informativa sui cookie',
    description:
      'Solo cookie tecnici, nessun tracciamento: che cosa resta nel tuo browser, perché e per quanto tempo.',
  });
}

export default function Cookies() {
  return (
    <>
      <PageHead
        title="Cookie"
        lead="Solo strumenti tecnici, necessari a far funzionare il servizio. Nessun tracciamento, nessuna pubblicità e, nelle pagine pubbliche, nessuna risorsa di terzi: per questo non ti mostriamo un banner."
      />
      <section className={section.section}>
        <div className={section.inner}>
          <div className={prose.prose}>
            <h2>Che cosa resta nel tuo browser</h2>
            <table className={prose.table}>
              <thead>
                <tr>
                  <th scope="col">Che cosa</th>
                  <th scope="col">Perché</th>
                  <th scope="col">Fino a quando</th>
                </tr>
              </thead>
              <tbody>
                {stored.map(({ what, why, until }) => (
                  <tr key={what}>
                    <th scope="row">{what}</th>
                    <td data-label="Perché">{why}</td>
                    <td data-label="Fino a quando">{until}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            <h2>Come rimuoverli</h2>
            <p>
              Dalle impostazioni del browser puoi cancellare cookie e dati dei siti in ogni momento. Le pagine
              pubbliche continuano a funzionare; per l’area riservata dovrai accedere di nuovo. Su un computer
              condiviso fallo quando esci, se hai scritto o inviato una richiesta di trasferta o lasciato a
              metà i Travel requirements.
            </p>
            <h2>Immagini del profilo</h2>
            <p>
              Nell’area riservata c’è un caso in cui il browser si rivolge ad altri: chi ha un account può
              scegliere come immagine del profilo l’indirizzo di un altro sito. Il browser di chi la vede la
              chiede a quel sito, che ne conosce così l’indirizzo di rete. Un’immagine caricata qui resta qui.
            </p>
          </div>
        </div>
      </section>
    </>
  );
}

import { provider } from '#provider';
import { pageMeta } from './meta.ts';
import { PageHead } from './page-head.tsx';
import prose from './prose.module.css';
import section from './section.module.css';

export function meta() {
  return pageMeta({
    path: '/accessibility',
    title: 'Dichiarazione di accessibilità',
    description: 'Come rendiamo accessibili il sito e l’area riservata, e come segnalare un ostacolo.',
  });
}

export default function Accessibility() {
  const mail = (
    <a href={`mailto:${provider.privacyEmail}?subject=Accessibilit%C3%A0`}>{provider.privacyEmail}</a>
  );
  return (
    <>
      <PageHead
        title="Accessibilità"
        lead="Questo sito deve poter essere usato da chiunque: con la tastiera, con un lettore di schermo, in piena luce o di notte, con un telefono vecchio."
      />
      <section className={section.section}>
        <div className={section.inner}>
          <div className={prose.prose}>
            <h2>A che cosa ci atteniamo</h2>
            <p>
              L’obiettivo è la conformità alle linee guida WCAG 2.2, livello AA, che comprende quanto la norma
              EN 301 549 chiede alle pagine web.
            </p>

            <h2>Che cosa facciamo</h2>
            <ul>
              <li>
                Ogni pagina pubblica si legge anche senza JavaScript; per entrare nell’area riservata serve
                JavaScript.
              </li>
              <li>Tutto si raggiunge da tastiera, con il focus sempre visibile.</li>
              <li>I contrasti sono calcolati per ogni testo, nello schema chiaro e in quello scuro.</li>
              <li>Gli errori dei moduli stanno accanto al campo e vengono annunciati.</li>
              <li>Le animazioni sono brevi e rispettano la preferenza di movimento ridotto.</li>
            </ul>

            <h2>Come lo verifichiamo</h2>
            <p>
              Controlli automatici su ogni pagina, a quattro larghezze e in entrambi gli schemi di colore,
              insieme a percorsi compiuti con la sola tastiera. I controlli automatici non trovano tutto: le
              segnalazioni contano.
            </p>

            <h2>Segnala un ostacolo</h2>
            <p>
              Scrivi a {mail} indicando la pagina e che cosa non sei riuscito a fare. Se ti serve
              un’informazione contenuta in una pagina che non riesci a usare, te la mandiamo in un’altra
              forma.
            </p>
          </div>
        </div>
      </section>
    </>
  );
}

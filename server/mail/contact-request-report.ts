import type { ContactRequest } from '#contract/contact-requests.ts';
import { formatDateTime, withArticle } from '#contract/dates.ts';
import type { Report } from './report.ts';

/** The provider's message about a contact request (spec §7). */
export function contactRequestReport(request: ContactRequest, sentAt: Date): Report {
  return {
    title: 'Nuova richiesta di contatto',
    sections: [
      {
        title: 'Contatto',
        content: [
          ['Nome', request.nome],
          ['Cognome', request.cognome],
          ['Azienda', request.azienda ?? 'non indicata'],
          ['Telefono', request.telefono],
          ...(request.email ? [['Email', request.email] as const] : []),
          ['Preferenza di contatto', request.preferenzaContatto],
        ],
      },
      ...(request.messaggio ? [{ title: 'Messaggio', content: request.messaggio }] : []),
    ],
    footer: `Richiesta inviata ${withArticle('il', formatDateTime(sentAt))}`,
  };
}

import { formatDateTime } from '#contract/dates.ts';
import { type Requirements, requirementsLines } from '#contract/requirements.ts';
import type { Report } from './report.ts';
import { type Requester, requesterLines } from './requester.ts';

/** The provider's message from the requirements wizard, in the wizard's language. */
export function requirementsReport(requirements: Requirements, requester: Requester, sentAt: Date): Report {
  return {
    lang: 'en',
    title: 'Travel requirements',
    sections: [
      ...requirementsLines(requirements).map(({ title, lines }) => ({ title, content: lines })),
      {
        title: 'Contact',
        content: [
          ...requesterLines(requester, { name: 'Customer', company: 'Company' }),
          ['Email', requester.email],
        ],
      },
    ],
    footer: `Sent on ${formatDateTime(sentAt)}`,
  };
}

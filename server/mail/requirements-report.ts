import { formatDateTime } from '#contract/dates.ts';
import { type Requirements, requirementsLines } from '#contract/requirements.ts';
import type { Report } from './report.ts';
import type { Requester } from './trip-request-report.ts';

/** The provider's message from the requirements wizard, in the wizard's language. */
export function requirementsReport(
  requirements: Requirements,
  requester: Requester & { email: string },
  sentAt: Date,
): Report {
  return {
    lang: 'en',
    title: 'Travel requirements',
    sections: [
      ...requirementsLines(requirements).map(({ title, lines }) => ({ title, content: lines })),
      {
        title: 'Contact',
        content: [
          ['Customer', requester.fullName],
          ...(requester.companyName ? [['Company', requester.companyName] as const] : []),
          ['Email', requester.email],
        ],
      },
    ],
    footer: `Sent on ${formatDateTime(sentAt)}`,
  };
}

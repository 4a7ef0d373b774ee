import { useDraft } from '#client/lib/drafts.ts';
import type { WizardDraft } from '#client/ui/wizard.tsx';
import { type Requirements, requirementsSchema } from '#contract/requirements.ts';

/** The wizard's fields as they stand in the form: figures and dates may not be any yet. */
export type FormValues = Omit<
  Requirements,
  'startDate' | 'endDate' | 'travelers' | 'budgetPerNight' | 'maxDistanceKm'
> & {
  startDate: string;
  endDate: string;
  travelers: number | string;
  budgetPerNight: number | string;
  maxDistanceKm: number | string;
};

const empty: FormValues = {
  destination: '',
  purpose: 'business',
  startDate: '',
  endDate: '',
  travelers: 1,
  budgetPerNight: 0,
  accommodation: 'hotel',
  roomType: 'single',
  beds: '1',
  amenities: [],
  location: 'downtown',
  maxDistanceKm: 5,
  accessibility: [],
  dietary: [],
  additional: [],
  notes: '',
};

/** The requirements of the signed-in customer that are not sent yet, kept in the browser. */
export function useRequirementsDraft() {
  return useDraft<WizardDraft<FormValues>>(
    'requirements',
    { values: empty, step: 0, attempt: null },
    { lasting: true },
  );
}

/** Messages of the wrong fields, field → message. */
export function errorsOf(values: FormValues): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const issue of requirementsSchema.safeParse(values).error?.issues ?? []) {
    errors[String(issue.path[0] ?? '')] ??= issue.message;
  }
  return errors;
}

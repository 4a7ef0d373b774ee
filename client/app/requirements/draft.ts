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
  /** An additional requirement that is being typed, not in the list yet. */
  addition: string;
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
  addition: '',
  notes: '',
};

/**
 * The requirements of the signed-in customer that are not sent yet, kept in the browser.
 * @param anew begins with an empty form, also where another tab keeps one
 */
export function useRequirementsDraft(anew: boolean) {
  const draft = useDraft<WizardDraft<FormValues>>(
    'requirements',
    { values: empty, step: 0, attempt: null },
    { lasting: true, anew },
  );
  const { values } = draft;
  // One that was kept before a field was added has it empty.
  return { ...draft, values: { ...values, values: { ...empty, ...values.values } } };
}

/** The values with what was typed to be added, and not added, in the list. */
export function withAddition<Values extends Pick<FormValues, 'additional' | 'addition'>>(
  values: Values,
): Values {
  const { additional, addition } = values;
  const added = addition.trim() === '' ? additional : [...additional, addition.trim()];
  return { ...values, additional: added, addition: '' };
}

/** What is sent, before it is judged. */
export function inputOf(values: FormValues) {
  const { addition: _, ...input } = withAddition(values);
  return input;
}

/** Messages of the wrong fields, field → message. */
export function errorsOf(values: FormValues): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const issue of requirementsSchema.safeParse(inputOf(values)).error?.issues ?? []) {
    errors[String(issue.path[0] ?? '')] ??= issue.message;
  }
  return errors;
}

import { useDraft } from '#client/lib/drafts.ts';
import type { WizardDraft } from '#client/ui/wizard.tsx';
import { isCalendarDate } from '#contract/dates.ts';
import { type Requirements, requirementsSchema, startProblem } from '#contract/requirements.ts';

/** The wizard's form values; numbers and dates may still be incomplete text. */
export type FormValues = Omit<
  Requirements,
  'startDate' | 'endDate' | 'travelers' | 'budgetPerNight' | 'maxDistanceKm'
> & {
  startDate: string;
  endDate: string;
  travelers: number | string;
  budgetPerNight: number | string;
  maxDistanceKm: number | string;
  /** An additional requirement being typed, not yet in the list. */
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
 * The signed-in customer's unsent requirements, kept in the browser.
 * @param anew starts with an empty form, even if another tab keeps a draft
 */
export function useRequirementsDraft(anew: boolean) {
  const draft = useDraft<WizardDraft<FormValues>>(
    'requirements',
    { values: empty, step: 0, attempt: null },
    { lasting: true, anew },
  );
  const { values } = draft;
  // A draft saved before a field was added has that field empty.
  return { ...draft, values: { ...values, values: { ...empty, ...values.values } } };
}

/** The values with the additional requirement being typed added to the list. */
export function withAddition<Values extends Pick<FormValues, 'additional' | 'addition'>>(
  values: Values,
): Values {
  const { additional, addition } = values;
  const added = addition.trim() === '' ? additional : [...additional, addition.trim()];
  return { ...values, additional: added, addition: '' };
}

/** The values to submit, before validation. */
export function inputOf(values: FormValues) {
  const { addition: _, ...input } = withAddition(values);
  return input;
}

/** Messages of the invalid fields, field → message. */
export function errorsOf(values: FormValues): Record<string, string> {
  const errors: Record<string, string> = {};
  const { startDate } = values;
  const passed = isCalendarDate(startDate) ? startProblem(startDate) : null;
  if (passed !== null) errors.startDate = passed;
  for (const issue of requirementsSchema.safeParse(inputOf(values)).error?.issues ?? []) {
    errors[String(issue.path[0] ?? '')] ??= issue.message;
  }
  return errors;
}

import type { Difference } from '#client/lib/edit-conflict.ts';
import type { AccountNames } from '#contract/accounts.ts';

/** The values of a form for the names of an account. */
export type NameValues = { fullName: string; companyName: string };

/** The values of a form that shows these names. */
export function nameValuesOf({ fullName, companyName }: AccountNames): NameValues {
  return { fullName, companyName: companyName ?? '' };
}

/** The fields of such a form, compared with the saved names. */
export function nameDifferences(mine: NameValues, saved: AccountNames): Difference[] {
  const theirs = nameValuesOf(saved);
  return [
    { field: 'Nome completo', mine: mine.fullName, saved: theirs.fullName },
    { field: 'Azienda', mine: mine.companyName, saved: theirs.companyName },
  ];
}

/**
 * The values of a form that differ from those it began with. The others are not sent, so that what somebody else has saved in
 * them meanwhile stays.
 */
export function changedFields<Values extends object>(initial: Values, values: Values): Partial<Values> {
  const isChanged = ([field, value]: [string, unknown]) => value !== initial[field as keyof Values];
  return Object.fromEntries(Object.entries(values).filter(isChanged)) as Partial<Values>;
}

/**
 * The values of a form that differ from its initial ones. Only these are sent, so that others' changes to the remaining
 * fields are kept.
 */
export function changedFields<Values extends object>(initial: Values, values: Values): Partial<Values> {
  const isChanged = ([field, value]: [string, unknown]) => value !== initial[field as keyof Values];
  return Object.fromEntries(Object.entries(values).filter(isChanged)) as Partial<Values>;
}

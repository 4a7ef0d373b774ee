/**
 * What of a form's values differs from those it began with: what is left out stays as somebody else may have saved it since.
 */
export function changedFields<Values extends object>(initial: Values, values: Values): Partial<Values> {
  const isChanged = ([field, value]: [string, unknown]) => value !== initial[field as keyof Values];
  return Object.fromEntries(Object.entries(values).filter(isChanged)) as Partial<Values>;
}

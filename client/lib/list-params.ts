type Value = string | number | null | undefined;
type Text<One> = One extends number ? string : One extends null ? undefined : One;

/** The filters of a list as query parameters, without the empty ones. */
export function paramsOf<Values extends { [Name in keyof Values]: Value }>(
  values: Values,
): { [Name in keyof Values]: Text<Values[Name]> } {
  return Object.fromEntries(
    Object.entries<Value>(values).flatMap(([name, value]) =>
      value === undefined || value === null || value === '' ? [] : [[name, String(value)]],
    ),
  ) as { [Name in keyof Values]: Text<Values[Name]> };
}

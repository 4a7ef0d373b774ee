type Result = { error?: { issues: { path: PropertyKey[]; message: string }[] } };

/** Form names of fields that are named differently in the input: input → form. */
export type FormNames = Readonly<Record<string, string>>;

/** The first message of each invalid field of a validation result, as @mantine/form expects them. */
export function firstMessages(result: Result, names: FormNames = {}): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { path, message } of result.error?.issues ?? []) {
    const field = path.map(String).join('.');
    errors[names[field] ?? field] ??= message;
  }
  return errors;
}

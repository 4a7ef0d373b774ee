type Result = { success: boolean; error?: { issues: { path: PropertyKey[]; message: string }[] } };

/**
 * The first message of each wrong field of a judged input, as @mantine/form wants them.
 * @param names names of the form's fields that are called otherwise in the input: input → form
 */
export function errorsOf(result: Result, names: Record<string, string> = {}): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { path, message } of result.error?.issues ?? []) {
    const field = path.map(String).join('.');
    errors[names[field] ?? field] ??= message;
  }
  return errors;
}

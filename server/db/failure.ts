/** The SQLSTATE and constraint behind a failed query, or null when the error does not come from the database. */
export function databaseFailure(error: unknown): { code: string; constraint: string | undefined } | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string' && /^[0-9A-Z]{5}$/.test(cause.code)) {
      const constraint =
        'constraint' in cause && typeof cause.constraint === 'string' ? cause.constraint : undefined;
      return { code: cause.code, constraint };
    }
  }
  return null;
}

import { isGone, isRefused } from './failures.ts';

/**
 * Wraps `remove` so that it can be repeated: when it is not known whether a removal was carried out, because its response
 * was lost or the server failed, and the same one then finds nothing left, it has succeeded.
 * @param keyOf identifies what is removed
 * @returns like `remove`; resolves to undefined for such a repetition
 */
export function removingOnce<Subject, Result>(
  remove: (subject: Subject) => Promise<Result>,
  keyOf: (subject: Subject) => unknown = (subject) => subject,
): (subject: Subject) => Promise<Result | undefined> {
  const uncertain = new Set<unknown>();
  return async (subject) => {
    const key = keyOf(subject);
    try {
      const result = await remove(subject);
      uncertain.delete(key);
      return result;
    } catch (error) {
      if (isGone(error) && uncertain.delete(key)) return undefined;
      if (!isRefused(error)) uncertain.add(key);
      throw error;
    }
  };
}

/**
 * For `onSettled` of a write: asks again for what it may have changed. A success lasts until that is there, so that nothing
 * old is shown after it. A failure is told at once, however long a server in trouble takes to be read.
 */
export function thenRead(read: () => Promise<unknown>) {
  return (_answer: unknown, failure: Error | null): Promise<unknown> | undefined => {
    const answers = read();
    return failure ? undefined : answers;
  };
}

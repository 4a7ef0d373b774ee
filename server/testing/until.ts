import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits until `condition` holds and returns its value; a condition that throws or is falsy does not hold yet.
 *
 * @param seconds after which the wait fails
 * @throws the condition's last error, or one that names `what` was awaited
 */
export async function until<Value>(
  what: string,
  condition: () => Value | Promise<Value>,
  seconds = 60,
): Promise<NonNullable<Value>> {
  const deadline = performance.now() + seconds * 1000;
  let lastError: unknown;
  do {
    try {
      const value = await condition();
      if (value) {
        return value;
      }
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    await pause(20);
  } while (performance.now() < deadline);
  throw lastError ?? new Error(`Waited ${seconds} s in vain for ${what}`);
}

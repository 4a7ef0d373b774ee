import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: NodeJS.GCFunction = runInNewContext('gc');

/** Bytes between two garbage collections, counted over all files in transfer. */
const BYTES = 4 * 1024 * 1024;

let passed = 0;

/**
 * Called for each transferred piece of a file. A piece is a buffer outside V8's heap, and V8 by itself would collect
 * only after 64 MB of unused ones; a collection of the young generation takes a millisecond or two.
 */
export function countTransferred(bytes: number): void {
  passed += bytes;
  if (passed < BYTES) return;
  passed = 0;
  collect({ type: 'minor' });
}

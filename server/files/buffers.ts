import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: NodeJS.GCFunction = runInNewContext('gc');

/** Between two collections, over all files that are on their way. */
const BYTES = 4 * 1024 * 1024;

let passed = 0;

/**
 * Told of each piece of a file that comes or goes. A piece is a buffer of its own outside of V8's heap, and V8, left alone,
 * waits until there are 64 MB of them that nobody needs any more: a collection of the young ones takes a millisecond or two.
 */
export function passPiece(bytes: number): void {
  passed += bytes;
  if (passed < BYTES) return;
  passed = 0;
  collect({ type: 'minor' });
}

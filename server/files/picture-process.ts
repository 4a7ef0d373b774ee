/**
 * Decodes one picture in a process of its own (`server/files/picture.ts`). Native code cannot be interrupted, neither by a
 * timer nor by the end of a thread, and a file of 5 MB can keep it busy for twenty minutes, with the frames of an AVIF or the
 * scans of a JPEG. A process can be killed.
 */
import { constants, setPriority } from 'node:os';
import { type PictureRefusal, RefusedPicture, squareOf } from './picture-decoder.ts';

/** A file to be made a square WebP with sides of `side` pixels, in at most `seconds` of a processor. */
export type PictureTask = { bytes: Uint8Array; side: number; seconds: number };

export type PictureOutcome = { square: Uint8Array } | { refused: PictureRefusal };

const CHECK_MS = 100;

// Requests come first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

// The server has its answer, or is gone.
process.once('disconnect', end);

process.once('message', async (task: PictureTask) => {
  setInterval(() => {
    const { user, system } = process.cpuUsage();
    if (user + system > task.seconds * 1_000_000) end();
  }, CHECK_MS);
  process.send?.(await outcomeOf(task));
});

/** An exit would wait for the native code. */
function end(): void {
  process.kill(process.pid, 'SIGKILL');
}

async function outcomeOf({ bytes, side }: PictureTask): Promise<PictureOutcome> {
  try {
    return { square: await squareOf(Buffer.from(bytes), side) };
  } catch (error) {
    if (error instanceof RefusedPicture) return { refused: error.code };
    throw error;
  }
}

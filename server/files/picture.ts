import { fork } from 'node:child_process';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import pLimit from 'p-limit';
import { PICTURE } from '#contract/profile.ts';
import { fieldError } from '#server/errors.ts';
import type { PictureOutcome, PictureTask } from './picture-process.ts';

const PICTURE_PROCESS = join(import.meta.dirname, `picture-process${extname(import.meta.filename)}`);

/** A small file can decode to hundreds of megabytes, so the server decodes one picture at a time. */
const inTurn = pLimit(1);

/** Seconds of a processor that a picture may take: ten times what the largest takes on a small machine. */
const MOST_SECONDS = 20;

/**
 * Turns a picture into a square WebP without metadata, in a process of its own.
 * @throws AppError image_type when it is not a picture, or takes more than `seconds` of a processor; image_too_large when
 * it has more pixels than its format may
 */
export function toSquare(file: AsyncIterable<Uint8Array>, seconds = MOST_SECONDS): Promise<Buffer> {
  return inTurn(async () => {
    const bytes = await buffer(Readable.from(file));
    const outcome = await decode({ bytes, side: PICTURE.side, seconds });
    if ('refused' in outcome) throw fieldError(outcome.refused, 'file');
    return Buffer.from(outcome.square);
  });
}

async function decode(task: PictureTask): Promise<PictureOutcome> {
  // Of the server it has neither the secrets nor the flags.
  const child = fork(PICTURE_PROCESS, { serialization: 'advanced', env: {}, execArgv: [] });
  try {
    // It ends by itself, without an answer, when the picture takes too long.
    const ended = once(child, 'exit').then((): PictureOutcome => ({ refused: 'image_type' }));
    const answered = once(child, 'message').then(([outcome]): PictureOutcome => outcome);
    child.send(task);
    return await Promise.race([answered, ended]);
  } finally {
    if (child.connected) child.disconnect();
  }
}

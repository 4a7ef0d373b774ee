/** Told that `done` of `total` parts of some long work are done. */
export type OnProgress = (what: string, done: number, total: number) => void;

const WIDTH = 20;

/**
 * Does `work` for each of `parts`, one after the other, and tells how far it is. After a failure nothing is left to do
 * either, and its message does not follow a bar.
 */
export async function inParts<Part>(
  what: string,
  parts: readonly Part[],
  onProgress: OnProgress,
  work: (part: Part) => Promise<void>,
): Promise<void> {
  try {
    for (const [done, part] of parts.entries()) {
      onProgress(what, done, parts.length);
      await work(part);
    }
  } finally {
    onProgress(what, parts.length, parts.length);
  }
}

/**
 * Shows progress as a bar, with the seconds since the work began, in a line that disappears when all is done. The line of
 * a command that is interrupted stays, and ends. Without a terminal it shows nothing, so that the log of a nightly command
 * holds its result alone.
 */
export function progressBar(
  terminal: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr,
): OnProgress {
  const started = performance.now();
  const endLine = () => terminal.write('\n');
  return (what, done, total) => {
    if (!terminal.isTTY) return;
    const filled = Math.floor((done / total) * WIDTH);
    const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(6);
    const line = `[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${seconds} s  ${what} (${done} of ${total})`;
    terminal.write(`\r\u001b[K${done < total ? line : ''}`);
    process.off('exit', endLine);
    if (done < total) process.once('exit', endLine);
  };
}

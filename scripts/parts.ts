import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';

/** One command of a larger run, with the name it is reported under. */
export type Part = { name: string; command: readonly [program: string, ...args: string[]] };

export type PartResult = { name: string; ok: boolean; seconds: number };

const root = join(import.meta.dirname, '..');

/** The environment of a child process in which the project's own programs, its Node included, come first. */
export function projectEnvironment(extra: Record<string, string> = {}): NodeJS.ProcessEnv {
  const path = [join(root, 'node_modules/.bin'), process.env.PATH ?? ''].join(delimiter);
  return { ...process.env, PATH: path, ...extra };
}

/**
 * Runs the parts side by side, one per processor, and prints one line for each as it ends, followed by its whole
 * output when it failed. Every part runs to its end, whatever the others do.
 */
export async function runParts(parts: readonly Part[]): Promise<PartResult[]> {
  const waiting = [...parts];
  const results: PartResult[] = [];
  const worker = async () => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      results.push(await runPart(part));
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), parts.length) }, worker));
  return results;
}

async function runPart({ name, command: [program, ...args] }: Part): Promise<PartResult> {
  const started = performance.now();
  const { code, output } = await capture(program, args);
  const seconds = (performance.now() - started) / 1000;
  const ok = code === 0;
  console.log(`${ok ? '✓' : '✗'} ${name} (${seconds.toFixed(1)} s)`);
  if (!ok) {
    console.log(output.trimEnd());
  }
  return { name, ok, seconds };
}

function capture(program: string, args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: root,
      env: projectEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString('utf8') }));
  });
}

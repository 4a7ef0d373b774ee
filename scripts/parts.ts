import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';

/** One command of a larger run, with its name in the report. */
export type Part = { name: string; command: readonly [program: string, ...args: string[]] };

const root = join(import.meta.dirname, '..');

/** The number of tests or parts that passed, and the names of those that failed or were skipped. */
export type Tally = { passed: number; failures: string[]; skipped?: string[] };

/**
 * Runs the parts in parallel, one per processor, and prints one line for each when it ends, followed by its whole output if
 * it failed. A failure does not stop the other parts.
 */
export async function runParts(parts: readonly Part[]): Promise<Tally> {
  const waiting = [...parts];
  const tally: Tally = { passed: 0, failures: [] };
  const worker = async () => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      if (await runPart(part)) tally.passed += 1;
      else tally.failures.push(part.name);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return tally;
}

async function runPart({ name, command: [program, ...args] }: Part): Promise<boolean> {
  const started = performance.now();
  const chunks: Buffer[] = [];
  const child = start(program, args, ['ignore', 'pipe', 'pipe']);
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ok = (await exitCode(child)) === 0;
  console.log(`${ok ? '✓' : '✗'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  if (!ok) {
    console.log(Buffer.concat(chunks).toString('utf8').trimEnd());
  }
  return ok;
}

/** Runs one program of the project with its output visible and no input. @returns its exit code */
export function runProgram(
  program: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<number> {
  return exitCode(start(program, args, ['ignore', 'inherit', 'inherit'], environment));
}

function start(
  program: string,
  args: readonly string[],
  stdio: ('ignore' | 'pipe' | 'inherit')[],
  environment: Record<string, string> = {},
) {
  // The project's programs, including its Node, come before those of the system.
  const path = [join(root, 'node_modules/.bin'), process.env.PATH ?? ''].join(delimiter);
  return spawn(program, args, { cwd: root, env: { ...process.env, PATH: path, ...environment }, stdio });
}

function exitCode(child: ReturnType<typeof start>): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/**
 * `npm run check`: all static checks. The slowest parts come first, so that the processors are busy to the end.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { type Part, runParts } from './parts.ts';

/**
 * One checker thread for each compilation: more would compute the same types again, and the compilations already run in
 * parallel. What is unchanged since the last run is not checked again.
 */
function compile(side: 'client' | 'server' | 'worker'): string {
  return `tsc -p tsconfig.${side}.json --checkers 1 --incremental --tsBuildInfoFile node_modules/.cache/${side}.tsbuildinfo`;
}

const root = join(import.meta.dirname, '..');
const folders = ['bench', 'client', 'contract', 'e2e', 'scripts', 'server'];

export const checkParts: readonly Part[] = [
  { name: 'client types', command: ['sh', '-c', `react-router typegen && ${compile('client')}`] },
  { name: 'server types', command: ['sh', '-c', compile('server')] },
  { name: 'service worker types', command: ['sh', '-c', compile('worker')] },
  { name: 'unused code', command: ['knip', '--no-progress'] },
  {
    name: 'import rules',
    // Folders and files by name: expanding a pattern would walk through files that the build is writing.
    command: ['depcruise', '--no-progress', ...folders, ...globSync('*.ts', { cwd: root })],
  },
  { name: 'format and lint', command: ['biome', 'ci', '--colors=off', '--error-on-warnings', '.'] },
  { name: 'structure', command: ['node', 'scripts/check-structure.ts'] },
];

if (import.meta.main) {
  const { passed, failures } = await runParts(checkParts);
  console.log(`${passed} passed, ${failures.length} failed`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

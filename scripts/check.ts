/**
 * `npm run check`: everything that can be said about the code without running it. The slowest parts come first, so
 * that the processors are busy to the end.
 */
import { type Part, runParts } from './parts.ts';

export const checkParts: readonly Part[] = [
  {
    name: 'client types',
    command: ['sh', '-c', 'react-router typegen && tsc -p tsconfig.client.json'],
  },
  { name: 'server types', command: ['tsc', '-p', 'tsconfig.server.json'] },
  { name: 'unused code', command: ['knip', '--no-progress'] },
  {
    name: 'import rules',
    command: [
      'depcruise',
      '--no-progress',
      '{client,contract,server,scripts,e2e,bench}/**/*.{ts,tsx}',
      '*.ts',
    ],
  },
  { name: 'format and lint', command: ['biome', 'ci', '--colors=off', '--error-on-warnings', '.'] },
  { name: 'structure', command: ['node', 'scripts/check-structure.ts'] },
];

if (import.meta.main) {
  const { passed, failed } = await runParts(checkParts);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

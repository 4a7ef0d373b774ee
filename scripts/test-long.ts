/**
 * `npm run test:faults`, `npm run test:fuzz`, `npm run test:scale-out`: the long form of a test whose short form is part of
 * `npm test`. The results are printed at the end.
 */
import { runProgram } from './parts.ts';

const [name = ''] = process.argv.slice(2);
process.exitCode = await runProgram(
  'vitest',
  ['run', '--project', 'server', `server/testing/${name}.test.ts`],
  {
    TRASVIA_LONG_TESTS: 'on',
    NO_COLOR: '1',
  },
);

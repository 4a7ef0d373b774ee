/**
 * `npm run doctor`: checks the installation, whether the application runs or not, and says what to do. It changes nothing;
 * the exit code is 1 if there are errors.
 */
import { parseArgs } from 'node:util';
import { readEnv } from '#server/env.ts';
import { examine, type Finding } from '#server/operations/doctor.ts';
import { runCommand, withDatabaseAsItIs } from './operator-database.ts';

const MARKS: Record<Finding['state'], string> = { ok: '✓', warning: '!', error: '✗' };

await runCommand(async () => {
  // It has no arguments: refuses any.
  parseArgs();
  const env = readEnv(process.env);
  await withDatabaseAsItIs(env, async (databaseUrl) => {
    const findings = await examine(env, databaseUrl);
    for (const { subject, state, found, advice } of findings) {
      console.log(`${MARKS[state]} ${subject}: ${found}`);
      if (advice) console.log(`    → ${advice}`);
    }
    const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length;
    console.log(`${count('ok')} ok, ${count('warning')} warnings, ${count('error')} errors`);
    if (count('error') > 0) process.exitCode = 1;
  });
});

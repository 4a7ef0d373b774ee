/**
 * `npm run doctor`: checks the installation, whether the application runs or not, and says what to do. It changes nothing;
 * the exit code is 1 if something is wrong.
 */
import { readEnv } from '#server/env.ts';
import { examine, type Finding } from '#server/operations/doctor.ts';
import { runCommand, withDatabaseAsItIs } from './operator-database.ts';

const MARKS: Record<Finding['state'], string> = { sound: '✓', doubtful: '?', wrong: '✗' };

await runCommand(async () => {
  const env = readEnv(process.env);
  await withDatabaseAsItIs(env, async (databaseUrl) => {
    const findings = await examine(env, databaseUrl);
    for (const { subject, state, found, advice } of findings) {
      console.log(`${MARKS[state]} ${subject}: ${found}`);
      if (advice) console.log(`    → ${advice}`);
    }
    const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length;
    console.log(`${count('sound')} sound, ${count('doubtful')} doubtful, ${count('wrong')} wrong`);
    if (count('wrong') > 0) process.exitCode = 1;
  });
});

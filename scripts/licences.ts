/**
 * `npm run licences`: the licences of the packages that run in production, with the number of packages of each. It fails for a
 * licence that is not on the list below, because the product is distributed.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { runCommand } from './operator-database.ts';

/**
 * Accepted licences: permissive ones, and those of fonts and data. MPL is for a build tool of the client, used unchanged; LGPL
 * for libvips, which `sharp` loads as a separate library.
 */
const AGREED =
  /^(MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|OFL-1\.1|PostgreSQL|Unlicense|CC0-1\.0|CC-BY-4\.0|Python-2\.0|LGPL-3\.0-or-later|MPL-2\.0|WTFPL|Zlib)$/;

/** Packages without a licence in their package.json, identified from the licence text. */
const READ: Record<string, string> = { 'node_modules/png-js': 'MIT' };

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      license: z.string().optional(),
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
    }),
  ),
});

/** `A OR B` needs one of them, `A AND B` both. */
const isAgreed = (licence: string): boolean =>
  licence
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((part) => AGREED.test(part)));

await runCommand(async () => {
  // It has no arguments: refuses any.
  parseArgs();
  const lock = lockSchema.parse(
    JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8')),
  );
  const shipped = Object.entries(lock.packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
    .map(([path, { license }]) => ({ path, licence: license ?? READ[path] ?? 'none stated' }));
  const byLicence = Map.groupBy(shipped, ({ licence }) => licence);
  for (const [licence, packages] of [...byLicence].sort(([, one], [, other]) => other.length - one.length)) {
    console.log(`${licence}: ${packages.length}`);
  }
  const others = shipped.filter(({ licence }) => !isAgreed(licence));
  for (const { path, licence } of others) console.error(`${path}: ${licence}`);
  console.log(`${shipped.length} packages, ${others.length} to review`);
  process.exitCode = others.length === 0 ? 0 : 1;
});

/**
 * `node scripts/check-structure.ts`: checks the layout of the tree and what the documents claim about it. Dependency-cruiser
 * checks imports and Biome style; this checks what they cannot.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { errorCode } from '#server/data-dir.ts';

/** The tree to check: its root folder, and its files as relative paths with slashes. */
export type Tree = { root: string; files: readonly string[] };

/** Allowed folders, each explained in the README's map (`checkMap`). A new one is a decision, documented there. */
const topFolders = ['.ci', 'bench', 'client', 'contract', 'docs', 'e2e', 'scripts', 'server'];
const serverFolders = [
  'auth',
  'db',
  'demo',
  'features',
  'files',
  'http',
  'jobs',
  'mail',
  'operations',
  'testing',
];
const serverFiles = [
  'app.ts',
  'data-dir.ts',
  'env.ts',
  'errors.ts',
  'load.ts',
  'main.ts',
  'process.ts',
  'root.ts',
  'serve.ts',
  'services.ts',
  'start-error.ts',
  'worker.ts',
  'workers.ts',
];
const clientFolders = ['app', 'lib', 'site', 'ui'];

/** The only file names of `server/features/<noun>/`, besides `*.test.ts`. */
const featureFiles = ['routes.ts', 'queries.ts', 'commands.ts', 'policy.ts'];

const sourceFile = /\.(ts|tsx|js|css|sql)$/;

/**
 * Words for unfinished work, and test modifiers that skip part of the suite or want it to fail; no pattern matches itself.
 * A test that some machines cannot run calls `skip` from its context and is named in scripts/test.ts.
 */
const unfinished = [
  /\b(TO[D]O|FIX[M]E|X{3})\b/,
  /\bfor now\b/i,
  /\bplaceholder implementation\b/i,
  /\.(only|skip|skipIf|runIf|todo|fixme|fails?)(\.(concurrent|each|for|sequential))*[(`]/,
];

/** Folders that exist on one person's machine only. */
const machinePath = /(?<![\w.~/-])\/(?:home|Users|root|mnt|work|workspace)\/[\w.-]/;
const registryHost = /\bregistry\.[\w-]+\.\w+|\b(?:registry|_authToken)\s*=/i;

/** Reading the environment and making requests have one place each; the rule does not cover tooling and tests. */
const readsEnvironment = /\bprocess\.env\b|\bimport\b.*\benv\b.*'node:process'/;
const environmentReaders =
  /^(server\/env\.ts$|server\/testing\/|scripts\/|bench\/|e2e\/|[\w.-]+\.config\.[jt]s$)/;
const makesRequest = /\b(fetch|sendBeacon)\(|\bnew (XMLHttpRequest|EventSource|WebSocket)\b/;

type Check = (tree: Tree) => string[];

const checks: readonly Check[] = [
  checkFolders,
  checkMap,
  checkFeatures,
  checkTags,
  checkMigrationNumbers,
  checkNoBarrels,
  checkUnfinished,
  checkSoleReaders,
  checkMachineIndependence,
  checkLockFile,
  checkNamedScripts,
  checkScriptsNamed,
  checkLinks,
  checkNamedFiles,
  checkNamedTests,
  checkProofs,
  checkConfigurationTable,
  checkTestAccounts,
];

/** One line for each violation, starting with the file concerned. Empty if the tree is valid. */
export function checkStructure(tree: Tree): string[] {
  return checks.flatMap((check) => check(tree));
}

function checkFolders({ files }: Tree): string[] {
  return files.flatMap((file) => {
    const [top, second, third] = file.split('/');
    if (top === undefined || second === undefined) {
      return [];
    }
    if (!topFolders.includes(top)) {
      return [`${file}: the top-level folder "${top}" is not part of the layout`];
    }
    if (top === 'server') {
      const known = third === undefined ? [...serverFiles, ...serverFiles.map(testOf)] : serverFolders;
      return known.includes(second) ? [] : [`${file}: "server/${second}" is not part of the layout`];
    }
    if (top === 'client' && third !== undefined && !clientFolders.includes(second)) {
      return [`${file}: "client/${second}" is not part of the layout`];
    }
    if (top === 'contract' && third !== undefined) {
      return [`${file}: contract/ has one file per noun and no folders`];
    }
    return [];
  });
}

/** The README's map names every folder, those of the server one level deeper. */
function checkMap(tree: Tree): string[] {
  const map = findLines(tree, 'README.md', [/^ *[\w.<>/-]+\/( |$)/]).flatMap(({ text }) =>
    text.match(/[\w.-]+(?=\/)/g),
  );
  const folders = [...topFolders, ...serverFolders];
  const there = new Set(tree.files.flatMap((file) => file.split('/').slice(0, -1)));
  return folders
    .filter((folder) => there.has(folder) && !map.includes(folder))
    .map((folder) => `README.md: the map does not explain ${folder}/`);
}

function testOf(file: string): string {
  return file.replace(/\.ts$/, '.test.ts');
}

function checkFeatures({ files }: Tree): string[] {
  const inFeatures = files.filter((file) => file.startsWith('server/features/'));
  const strangers = inFeatures
    .filter((file) => {
      const [noun, name, ...deeper] = file.split('/').slice(2);
      const known = name !== undefined && (featureFiles.includes(name) || name.endsWith('.test.ts'));
      return noun === undefined || deeper.length > 0 || !known;
    })
    .map((file) => `${file}: a feature contains ${featureFiles.join(', ')} and *.test.ts only`);
  const nouns = new Set(inFeatures.map((file) => file.split('/')[2]));
  const missing = [...nouns]
    .filter((noun) => !files.includes(`contract/${noun}.ts`))
    .map((noun) => `server/features/${noun}: contract/${noun}.ts is missing`);
  return [...strangers, ...missing];
}

/** A call is found in `/api/docs` under the noun whose folder has its route. */
function checkTags(tree: Tree): string[] {
  return tree.files.flatMap((file) => {
    const [, noun] = /^server\/features\/([^/]+)\/routes\.ts$/.exec(file) ?? [];
    if (noun === undefined) return [];
    return findLines(tree, file, [/\btags(:| =) \[/])
      .filter(({ text }) => !text.includes(`['${noun}']`))
      .map(({ at }) => `${at}: the tag of its routes is '${noun}'`);
  });
}

/** Two branches may each add a migration with the next number: the one merged second must be renumbered. */
function checkMigrationNumbers({ files }: Tree): string[] {
  const migrations = files.filter((file) => /^server\/db\/migrations\/\d+_/.test(file));
  const byNumber = Map.groupBy(migrations, (file) => /\d+(?=_)/.exec(file)?.[0]);
  return [...byNumber.values()].flatMap(([first, ...others]) =>
    others.map((file) => `${file}: has the same number as ${first}`),
  );
}

function checkNoBarrels({ files }: Tree): string[] {
  return files
    .filter((file) => /(^|\/)index\.tsx?$/.test(file))
    .map((file) => `${file}: no barrels: import from the file with the code`);
}

function checkUnfinished(tree: Tree): string[] {
  return tree.files
    .filter((file) => sourceFile.test(file))
    .flatMap((file) =>
      findLines(tree, file, unfinished).map(({ at, text }) => `${at}: unfinished or skipped: ${text}`),
    );
}

/** The files that may make requests: the API client, and one request of pages that must not wait for that client. */
const requesters = new Set(['client/lib/api.ts', 'client/lib/signed-in.ts']);

function checkSoleReaders(tree: Tree): string[] {
  const sources = tree.files.filter((file) => /\.[jt]sx?$/.test(file));
  const environment = sources
    .filter((file) => !environmentReaders.test(file))
    .flatMap((file) => findLines(tree, file, [readsEnvironment]))
    .map(({ at }) => `${at}: only server/env.ts may read the environment`);
  const requests = sources
    .filter((file) => /^(client|contract)\//.test(file) && !requesters.has(file))
    .flatMap((file) => findLines(tree, file, [makesRequest]))
    .map(({ at }) => `${at}: only ${[...requesters].join(' and ')} make requests`);
  return [...environment, ...requests];
}

function checkMachineIndependence(tree: Tree): string[] {
  return tree.files
    .filter((file) => isText(file))
    .flatMap((file) => [
      ...findLines(tree, file, [machinePath]).map(
        ({ at, text }) => `${at}: a machine-specific path: ${text}`,
      ),
      ...findLines(tree, file, [registryHost]).map(({ at, text }) => `${at}: a package registry: ${text}`),
    ]);
}

function checkLockFile(tree: Tree): string[] {
  return findLines(tree, 'package-lock.json', [/"resolved":\s*"/]).map(
    ({ at }) => `${at}: a "resolved" address ties the lock file to one registry`,
  );
}

function checkNamedScripts(tree: Tree): string[] {
  const scripts = Object.keys(readPackage(tree).scripts ?? {});
  return documents(tree).flatMap((file) =>
    findLines(tree, file, [/\bnpm (run [\w:-]+|test\b|start\b)/g]).flatMap(({ at, matches }) =>
      matches
        .map((match) => match.replace(/^npm (run )?/, ''))
        .filter((script) => !scripts.includes(script))
        .map((script) => `${at}: package.json has no script "${script}"`),
    ),
  );
}

/** Every script is named in a document, because nobody would find another. */
function checkScriptsNamed(tree: Tree): string[] {
  const named = documents(tree).flatMap((file) => namesIn(tree, file, /\bnpm (?:run )?([\w:-]+)/g));
  return Object.keys(readPackage(tree).scripts ?? {})
    .filter((script) => !named.includes(script))
    .map((script) => `package.json: no document names the script "${script}"`);
}

function checkLinks(tree: Tree): string[] {
  return documents(tree).flatMap((file) =>
    findLines(tree, file, [/\]\((?!\w+:|#)[^)\s]+\)/g]).flatMap(({ at, matches }) =>
      matches
        .map((match) => match.slice(2, -1).replace(/#.*$/, ''))
        .filter((target) => !existsSync(join(tree.root, normalize(join(dirname(file), target)))))
        .map((target) => `${at}: dead link: ${target}`),
    ),
  );
}

/** Documents that cite files and tests as evidence: what they name must exist. */
const evidence = /^docs\/(asvs|security|privacy|calls)\.md$/;
const namedFile = /`((?:\w[\w.-]*\/)+[\w.-]+\.\w+|\w[\w-]*\.config\.\w+)`/g;
/**
 * A file, followed by the cited tests in quotation marks: `server/a.test.ts` “one”, “another”, or
 * [a.test.ts](../server/a.test.ts) "one", "its beginning…".
 */
const namedTests =
  /(?:`(?<path>[\w./-]+\.ts)`|\[[^\]]*\]\((?<link>[^)\s]+\.ts)\))(?<titles>(?:,?\s(?:“[^”]+”|"[^"]+"))+)/g;

function checkNamedFiles(tree: Tree): string[] {
  return documents(tree)
    .filter((file) => evidence.test(file))
    .flatMap((file) =>
      findLines(tree, file, [namedFile]).flatMap(({ at, matches }) =>
        matches
          .map((match) => match.slice(1, -1))
          .filter((named) => !tree.files.includes(named))
          .map((named) => `${at}: there is no file ${named}`),
      ),
    );
}

function checkNamedTests(tree: Tree): string[] {
  return documents(tree)
    .filter((file) => evidence.test(file))
    .flatMap((file) => {
      const text = readText(tree, file);
      return [...text.matchAll(namedTests)].flatMap(({ groups = {}, index }) => {
        const at = `${file}:${text.slice(0, index).split('\n').length}`;
        const named = groups.path ?? normalize(join(dirname(file), groups.link ?? ''));
        if (!tree.files.includes(named)) return [`${at}: there is no file ${named} to have a test`];
        const source = readText(tree, named);
        return (
          [...(groups.titles ?? '').matchAll(/“([^”]+)”|"([^"]+)"/g)]
            .map(([, curly, straight]) => curly ?? straight ?? '')
            // A shortened title may end in an ellipsis.
            .filter((title) => !source.includes(title.replace(/…$/, '')))
            .map((title) => `${at}: ${named} has no test “${title}”`)
        );
      });
    });
}

/** A test cited without its file would be neither checked nor found. */
function checkProofs(tree: Tree): string[] {
  return findLines(tree, 'docs/calls.md', [/^\|.*"/]).flatMap(({ at, text }) => {
    const [, unproven] = /"([^"]+)"/.exec(text.replace(namedTests, '')) ?? [];
    return unproven === undefined ? [] : [`${at}: the file of the test “${unproven}” is not named`];
  });
}

/** The README's table and server/env.ts name the same variables. */
function checkConfigurationTable(tree: Tree): string[] {
  const read = namesIn(tree, 'server/env.ts', /\bread\('([A-Z_]+)'\)/g);
  const rows = findLines(tree, 'README.md', [/^\| `[A-Z].*/]).map(({ text }) => text.split('|')[1] ?? '');
  const listed = rows.flatMap((row) => [...row.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name));
  const missing = read
    .filter((name) => !listed.includes(name))
    .map((name) => `README.md: ${name} is not explained`);
  const unknown = listed
    .filter((name) => !read.includes(name))
    .map((name) => `README.md: server/env.ts does not read ${name}`);
  return [...new Set([...missing, ...unknown])];
}

/**
 * The journeys of one run share the product, and its administrators find every account: two journeys with a customer of one
 * name pass or fail by which of them ran first.
 */
function checkTestAccounts(tree: Tree): string[] {
  const given = tree.files
    .filter((file) => /^e2e\/.*\.spec\.ts$/.test(file))
    .flatMap((file) => findLines(tree, file, [/\b(?:fullName|companyName): '[^']+'/g]))
    .flatMap(({ at, matches }) => matches.map((match) => ({ at, match })));
  return [...Map.groupBy(given, ({ match }) => match).values()].flatMap(([first, ...others]) =>
    others.map(({ at, match }) => `${at}: the account of ${first?.at} is called the same: ${match}`),
  );
}

function namesIn(tree: Tree, file: string, pattern: RegExp): string[] {
  return findLines(tree, file, [/.*/]).flatMap(({ text }) =>
    [...text.matchAll(pattern)].map(([, name = '']) => name),
  );
}

function documents({ files }: Tree): string[] {
  return files.filter((file) => file.endsWith('.md'));
}

function isText(file: string): boolean {
  return !/\.(png|jpe?g|webp|avif|ico|woff2?|pdf|zip)$/.test(file);
}

function readPackage(tree: Tree): { scripts?: Record<string, string> } {
  return tree.files.includes('package.json') ? JSON.parse(readText(tree, 'package.json')) : {};
}

function readText({ root }: Tree, file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

type Line = { at: string; text: string; matches: string[] };

function findLines(tree: Tree, file: string, patterns: readonly RegExp[]): Line[] {
  if (!tree.files.includes(file)) {
    return [];
  }
  return readText(tree, file)
    .split('\n')
    .flatMap((text, index) => {
      const matches = patterns.flatMap((pattern) => text.match(pattern) ?? []);
      return matches.length === 0 ? [] : [{ at: `${file}:${index + 1}`, text: text.trim(), matches }];
    });
}

/**
 * The files Git tracks or would track, so that a new file is checked before it is committed.
 * @throws if Git is missing, or `root` is not a working copy
 */
export function trackedFiles(root: string): string[] {
  // A container often runs as root on another user's checkout, which Git refuses to read by default.
  const anybodys = ['-c', 'safe.directory=*'];
  const listed = execFileSync(
    'git',
    [...anybodys, 'ls-files', '--cached', '--others', '--exclude-standard', '-z'],
    { cwd: root, encoding: 'utf8' },
  );
  return listed.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
}

function main(): void {
  const root = join(import.meta.dirname, '..');
  let files: string[];
  try {
    files = trackedFiles(root);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    console.error('git is missing: it is needed to list the files to check');
    process.exitCode = 1;
    return;
  }
  const problems = checkStructure({ root, files });
  for (const problem of problems) {
    console.error(problem);
  }
  process.exitCode = problems.length === 0 ? 0 : 1;
}

if (import.meta.main) main();

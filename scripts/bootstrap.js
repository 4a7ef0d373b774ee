/**
 * The first step of every npm script that may run in a fresh checkout. It runs on the system's Node before anything is
 * installed, so it uses plain JavaScript and built-in modules only.
 *
 *   node scripts/bootstrap.js install   `npm ci`, if the packages are missing or behind the lock file
 *   node scripts/bootstrap.js build     `install`, then builds client and server, each if missing or stale
 *   node scripts/bootstrap.js rebuild   `install`, then builds client and server in any case
 *   node scripts/bootstrap.js start     `build`, then runs the server on the Node pinned by the lock file
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(root, 'node_modules/.bin');
const pinnedNode = join(bin, 'node');
const envFile = join(root, 'scripts/env-file.js');
const serverMain = join(root, 'build/node/main.js');

/**
 * The builds: folder, commands and all inputs. The commands must run only through this script, so that every build is
 * stamped.
 */
const builds = [
  {
    name: 'client',
    folder: join(root, 'build/client'),
    announcement: 'Building the client (half a minute)…',
    commands: [
      ['react-router', 'build', '--logLevel', 'warn'],
      ['node', 'scripts/postbuild.ts'],
    ],
    inputs: [
      'client',
      'contract',
      'package-lock.json',
      'postcss.config.js',
      'provider.config.ts',
      'react-router.config.ts',
      'scripts/chunks.ts',
      'scripts/postbuild.ts',
      'scripts/route-manifest.ts',
      'tsconfig.client.json',
      'tsconfig.json',
      'vite.config.ts',
    ],
  },
  {
    name: 'server',
    folder: join(root, 'build/node'),
    announcement: 'Building the server (seconds)…',
    commands: [['node', 'scripts/build-server.ts']],
    inputs: [
      'contract',
      'package-lock.json',
      'package.json',
      'provider.config.ts',
      'scripts/build-server.ts',
      'server',
      'tsconfig.json',
    ],
  },
];

/** A failure that ends the bootstrap with this one line. */
class StepError extends Error {}

/** Installs exactly what the lock file says, unless it is installed. */
async function install() {
  if (isInstalled()) return;
  console.log('Installing packages (a minute or two)…');
  // The system's npm and Node, because those of the checkout are about to be replaced.
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => resolve(folder) !== bin);
  // With NODE_ENV=production npm would leave out the development dependencies, which a start needs to build.
  // Node and PostgreSQL need their install scripts; package.json says which may run.
  // The packages are meant for the installed Node, so warnings about the system's Node are hidden.
  const options = ['--include=dev', '--ignore-scripts=false', '--loglevel=error', '--no-audit', '--no-fund'];
  await run('npm', ['ci', ...options], { PATH: path.join(delimiter) });
  if (!isInstalled()) throw new StepError('npm ci left packages out: remove node_modules and start again');
}

/** Whether npm's record of the installed packages agrees with the lock file. */
function isInstalled() {
  if (!existsSync(pinnedNode)) return false;
  const wanted = packagesIn('package-lock.json');
  const installed = packagesIn('node_modules/.package-lock.json');
  return (
    Object.keys(installed).every((path) => path in wanted) &&
    Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
      const found = installed[path];
      // Optional packages may belong to other platforms.
      if (!found) return path === '' || optional === true;
      return found.version === version && found.integrity === integrity;
    })
  );
}

/** The packages of an npm lock file, by path; none if it does not exist. */
function packagesIn(lockFile) {
  const path = join(root, lockFile);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {};
}

/** Builds client and server, each only if its inputs have changed since its last build. */
async function build() {
  await install();
  for (const part of builds) if (!isBuilt(part)) await make(part);
}

/** Builds client and server. */
async function rebuild() {
  await install();
  for (const part of builds) await make(part);
}

/** The file with the digest of the inputs of the last complete build. */
function stampOf({ name }) {
  return join(root, `build/${name}.sha256`);
}

function isBuilt(part) {
  const stamp = stampOf(part);
  return existsSync(part.folder) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest(part.inputs);
}

async function make(part) {
  console.log(part.announcement);
  const made = digest(part.inputs);
  // An interrupted build leaves an incomplete folder, which must not count as the previous build.
  rmSync(stampOf(part), { force: true });
  const variables = { NODE_ENV: 'production', PATH: [bin, process.env.PATH].join(delimiter) };
  for (const [program, ...args] of part.commands) await run(join(bin, program), args, variables);
  writeFileSync(stampOf(part), made);
}

/** One digest over the names and contents of these files and of all files in these folders. */
function digest(paths) {
  const hash = createHash('sha256');
  for (const name of paths.flatMap(filesIn)) {
    const content = readFileSync(join(root, name));
    hash.update(`${name}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function filesIn(name) {
  const stats = statSync(join(root, name), { throwIfNoEntry: false });
  if (!stats) return [];
  if (!stats.isDirectory()) return [name];
  return readdirSync(join(root, name))
    .sort()
    .flatMap((entry) => filesIn(join(name, entry)));
}

/** Runs the server, in this process if it is the pinned Node, so that signals reach it directly. */
async function start() {
  await build();
  const production = { NODE_ENV: process.env.NODE_ENV ?? 'production' };
  if (realpathSync(process.execPath) !== realpathSync(pinnedNode)) {
    return run(pinnedNode, [...process.execArgv, '--import', envFile, serverMain], production);
  }
  await import(envFile);
  Object.assign(process.env, production);
  await import(serverMain);
}

/**
 * Runs a program to its end; if it fails, this process ends in the same way. Signals are forwarded to the program's whole
 * process group, because npm and shells do not forward them to their children.
 */
function run(program, args, variables) {
  return new Promise((done, fail) => {
    const env = { ...process.env, ...variables };
    const child = spawn(program, args, { cwd: root, stdio: 'inherit', env, detached: true });
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    const forward = (signal) => process.kill(-child.pid, signal);
    for (const signal of signals) process.on(signal, forward);
    child.on('error', (error) => fail(new StepError(`${program} cannot be run (${error.message})`)));
    child.on('exit', (code, signal) => {
      for (const name of signals) process.off(name, forward);
      if (signal) process.kill(process.pid, signal);
      else if (code === 0) done();
      else process.exit(code);
    });
  });
}

const steps = { install, build, rebuild, start };

try {
  process.chdir(root);
  const step = steps[process.argv[2]];
  if (!step) throw new StepError(`usage: node scripts/bootstrap.js ${Object.keys(steps).join('|')}`);
  await step();
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

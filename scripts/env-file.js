/**
 * Reads `.env` of the checkout, if there is one, into the environment; variables already set take precedence. Scripts load it
 * with `--import`: Node's own `--env-file-if-exists` reports a missing file at every run.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('../.env', import.meta.url));
if (existsSync(file)) process.loadEnvFile(file);

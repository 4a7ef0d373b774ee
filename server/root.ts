import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';

/** Absolute path of the installation: the folder of package.json, for both the source and the built server. */
export const ROOT = dirname(findPackageJSON(import.meta.url) ?? '.');

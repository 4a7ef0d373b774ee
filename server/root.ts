import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';

/** Absolute path of the installation: the folder of package.json, whether the server runs from its source or as built. */
export const ROOT = dirname(findPackageJSON(import.meta.url) ?? '.');

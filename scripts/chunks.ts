import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Rolldown } from 'vite';

type Graph = Parameters<Rolldown.CodeSplittingNameFunction>[1];

const client = join(import.meta.dirname, '../client');

/** Modules that only re-export: an importer needs only the names it imports. */
const index =
  /node_modules\/(@mantine\/\w+\/esm\/index|@tabler\/icons-react\/dist\/esm\/(tabler-icons-react|icons\/index))\.mjs$/;

/** The name under which an index re-exports a module: `useId` for `use-id.mjs`. */
function importName(id: string): string {
  return basename(id, '.mjs').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Every module that one of `files` (paths in `client`) needs before it runs. */
function neededBy(graph: Graph, files: readonly string[]): ReadonlySet<string> {
  const needed = new Set(files.map((file) => join(client, file)));
  // The loop also visits what it adds.
  for (const id of needed) {
    const module = graph.getModuleInfo(id);
    const clauses = module?.code?.match(/\bimport\s*\{[^}]*\}/g) ?? [];
    const names = new Set(clauses.join().match(/\w+/g));
    const add = (imported: string) => {
      if (!index.test(imported)) {
        needed.add(imported);
        return;
      }
      for (const handedOn of graph.getModuleInfo(imported)?.importedIds ?? []) {
        if (index.test(handedOn) || names.has(importName(handedOn))) add(handedOn);
      }
    };
    module?.importedIds.forEach(add);
  }
  return needed;
}

/** What the login screen loads on first use. */
const login = 'site/login/submissions.ts';
/** The public pages, whose weight counts most. */
const site = ['root.tsx', ...globSync('site/{,login/}*.tsx', { cwd: client })];
/** What the application shows first. */
const home = ['app/shell/layout.tsx', 'app/shell/pages.tsx', 'app/dashboard/page.tsx'];
/** Pages of the application besides Home. */
const pages = globSync('app/*/*page.tsx', { cwd: client }).filter((page) => !home.includes(page));

/** A module needed by at least so many pages goes into the file that the first of them loads. */
const SHARED_BY = 3;

type Modules = ReadonlySet<string>;

/** Which modules each part of the client needs; computed once per build. */
let needs: { site: Modules; login: Modules; home: Modules; pages: Modules[] } | undefined;

/** The application file for a module; null leaves the choice to the bundler. */
function chunkOf(id: string, graph: Graph): string | null {
  needs ??= {
    site: neededBy(graph, site),
    login: neededBy(graph, [login]),
    home: neededBy(graph, home),
    pages: pages.map((page) => neededBy(graph, [page])),
  };
  if (needs.site.has(id)) return null;
  if (needs.home.has(id)) return needs.login.has(id) ? 'account' : 'app';
  // Otherwise the login would load the application, which the file of the pages needs.
  if (needs.login.has(id)) return null;
  return needs.pages.filter((page) => page.has(id)).length >= SHARED_BY ? 'work' : null;
}

/**
 * The files of the built client besides one for each page. Shared modules are grouped, so that a page requests a handful of
 * files instead of one per component.
 */
export const chunkGroups: Rolldown.CodeSplittingGroup[] = [
  // Needed by every page. One file compresses better and costs one request instead of six.
  {
    name: 'react',
    test: /node_modules\/(react|react-dom|scheduler|react-router|turbo-stream|cookie|set-cookie-parser)\/|client\/lib\/route-module\.ts$/,
  },
  // Shared by most public pages. Icons stay with the pages that use them.
  {
    name: 'site',
    test: /client\/(ui\/(button|logo)|site\/(meta|faq|closing|section))/,
    minShareCount: 2,
  },
  // What every page can show: toasts, the menu, and the number of an error, which can be copied.
  {
    name: 'common',
    test: /client\/lib\/(toast|clipboard)\.ts$|icons\/Icon(AlertTriangle|CircleCheck|Menu2|X)\.mjs$/,
    minShareCount: 2,
  },
  // The styles that public pages are painted without: see `late` in postbuild.ts.
  { name: 'common', test: /client\/ui\/(toast-region\.module|theme\/application-tokens)\.css/ },
  // Shared by the login screen and the application, a few lines each.
  {
    name: 'entrance',
    test: /(client\/lib\/(after-paint|background-code|session-channel)|contract\/account-texts)\.ts$|icons\/Icon(Eye|EyeOff)\.mjs$/,
    minShareCount: 2,
  },
  { name: chunkOf, includeDependenciesRecursively: false },
];

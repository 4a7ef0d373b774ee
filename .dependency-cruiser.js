/**
 * Import rules of the tree: `client → contract ← server`, features that meet only through their queries, commands and
 * policies, and no cycles. Product code is told apart from tests and tooling, so that nothing of the latter ships.
 *
 * @type {import('dependency-cruiser').IConfiguration}
 */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'A cycle hides which module depends on which: move what both need into a third file.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolved-imports',
      comment: 'The import names a file or a package that does not exist.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: ['/\\+types/', '^virtual:', '\\?url$', '\\?raw$', '\\?react$'] },
    },
    {
      name: 'contract-imports-neither-side',
      comment: 'contract/ is what both sides agree on: it imports neither of them.',
      severity: 'error',
      from: { path: '^contract/' },
      to: { path: '^(client|server|scripts|e2e|bench)/' },
    },
    {
      name: 'contract-does-no-io',
      comment: 'contract/ runs in the browser and on the server alike, so it may use no Node module.',
      severity: 'error',
      from: { path: '^contract/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'server-knows-no-client',
      comment: 'The server serves the built client as files; it imports none of its code.',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^client/' },
    },
    {
      name: 'client-imports-no-server',
      comment:
        'The browser shares contract/ with the server, and nothing else but the type of server/app.ts.',
      severity: 'error',
      from: { path: '^client/' },
      to: { path: '^server/', pathNot: '^server/app\\.ts$' },
    },
    {
      name: 'client-takes-only-the-type-of-app',
      comment: 'Import it with `import type`: anything else would bundle the server into the browser.',
      severity: 'error',
      from: { path: '^client/' },
      to: { path: '^server/app\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'client-runs-in-a-browser',
      comment: 'Node modules do not exist in a browser.',
      severity: 'error',
      from: { path: '^client/', pathNot: '\\.test\\.tsx?$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'requests-are-made-in-one-place',
      comment:
        'client/lib/api.ts alone holds the client of the API; client/lib/signed-in.ts asks its one question without it.',
      severity: 'error',
      from: { path: '^client/', pathNot: '^client/lib/api\\.ts$' },
      to: { path: 'node_modules/hono/.*client', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'ui-knows-no-domain',
      comment: 'client/ui holds components any product could use; pages depend on them, never the reverse.',
      severity: 'error',
      from: { path: '^client/ui/' },
      to: { path: '^client/(app|site)/' },
    },
    {
      name: 'lib-knows-no-ui',
      comment: 'client/lib works without components, which depend on it.',
      severity: 'error',
      from: { path: '^client/lib/' },
      to: { path: '^client/ui/' },
    },
    {
      name: 'features-meet-through-their-doors',
      comment: 'Another feature is reached through its queries.ts, commands.ts or policy.ts only.',
      severity: 'error',
      from: { path: '^server/features/([^/]+)/' },
      to: {
        path: '^server/features/',
        pathNot: ['^server/features/$1/', '^server/features/[^/]+/(queries|commands|policy)\\.ts$'],
      },
    },
    {
      name: 'infrastructure-knows-no-feature',
      comment:
        'Sessions, database, mail, files, jobs and HTTP plumbing lie below the features that use them.',
      severity: 'error',
      from: { path: '^server/(auth|db|mail|files|jobs|http)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^server/features/' },
    },
    {
      name: 'infrastructure-knows-no-http',
      comment: 'Database, mail, files and jobs also work without a request: server/http/ depends on them.',
      severity: 'error',
      from: { path: '^server/(db|mail|files|jobs)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^server/http/' },
    },
    {
      name: 'product-ships-no-tooling',
      comment: 'Tests, benchmarks and scripts use the product; the product never uses them.',
      severity: 'error',
      from: { path: '^(client|server|contract)/', pathNot: ['\\.test\\.tsx?$', '^server/testing/'] },
      to: { path: ['^(scripts|e2e|bench)/', '^server/testing/', '\\.test\\.tsx?$'] },
    },
    {
      name: 'server-runs-without-dev-dependencies',
      comment: 'Operators run commands from the sources: what those import must be an ordinary dependency.',
      severity: 'error',
      from: { path: '^(server|contract)/', pathNot: ['\\.test\\.ts$', '^server/testing/'] },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    // The TypeScript compiler in use no longer offers the API that the default parser needs.
    parser: 'swc',
    doNotFollow: { path: ['node_modules', '\\.react-router/'] },
    exclude: { path: '\\.react-router/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.css', '.d.ts', '.json', '.svg', '.png'],
      mainFields: ['module', 'main', 'types', 'typings'],
    },
  },
};

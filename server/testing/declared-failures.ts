import type { OpenAPIHono, RouteConfig } from '@hono/zod-openapi';
import { errorBodySchema } from '#contract/error-body.ts';
import type { AppEnv } from '#server/http/env.ts';
import { declaredSchema } from '#server/http/failures.ts';

type Answers = RouteConfig['responses'];

/**
 * Compares every failure that `app` answers with those its route declares in the OpenAPI document, so that any test that
 * meets an undeclared one reveals it. Addresses without a route declare nothing.
 */
export function watchFailures(app: OpenAPIHono<AppEnv>) {
  const operations = new Map<string, Answers>(
    app.openAPIRegistry.definitions.flatMap((definition) => {
      if (definition.type !== 'route') return [];
      const { method, path, responses } = definition.route;
      return [[`${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`, responses] as const];
    }),
  );
  const undeclared = new Set<string>();

  async function compare(request: Request, response: Response): Promise<void> {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const [matched] = app.router.match(method, app.getPath(request));
    const name = matched.map(([[, { path }]]) => `${method} ${path}`).find((key) => operations.has(key));
    if (name === undefined) return;
    const declared = operations.get(name)?.[response.status];
    const schema = declaredSchema(declared);
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => null);
    const isDeclared = schema && request.method !== 'HEAD' ? schema.safeParse(body).success : declared;
    const code = errorBodySchema.safeParse(body).data?.error.code ?? 'without a code';
    if (!isDeclared) undeclared.add(`${name}: ${response.status} ${code}`);
  }

  return {
    async fetch(request: Request, bindings: unknown): Promise<Response> {
      const response = await app.fetch(request, bindings as object);
      if (response.status >= 400) await compare(request, response);
      return response;
    },
    /** @throws naming the failures that were answered but not declared */
    requireDeclared(): void {
      if (undeclared.size === 0) return;
      throw new Error(`Failures that their routes do not declare:\n${[...undeclared].sort().join('\n')}`);
    },
  };
}

import { type RouteConfig, z } from '@hono/zod-openapi';
import { ERRORS, type ErrorCode, failureSchema } from '#contract/errors.ts';

type Answers = RouteConfig['responses'];

/** One schema per error code, which the OpenAPI document lists under the name of the code. */
const named = new Map<ErrorCode, z.ZodType>();

function namedSchema(code: ErrorCode): z.ZodType {
  const schema = named.get(code) ?? failureSchema(code).openapi(code);
  named.set(code, schema);
  return schema;
}

/** The JSON schema that a route declares for one status, if any. */
export function declaredSchema(answer: Answers[string] | undefined): z.ZodType | undefined {
  const media = answer && !('$ref' in answer) ? answer.content?.['application/json'] : undefined;
  return media && 'schema' in media && media.schema instanceof z.ZodType ? media.schema : undefined;
}

/** The answer of one status: any of `codes`, or what the route itself declares for that status. */
function failureAnswer(codes: readonly ErrorCode[], own: Answers[string] | undefined): Answers[string] {
  const schemas = [declaredSchema(own) ?? [], codes.map(namedSchema)].flat();
  const texts = codes.map((code) => `\`${code}\`: ${ERRORS[code].message}`);
  const lines = [own && 'description' in own ? own.description : [], texts].flat();
  return {
    description: lines.map((line) => `- ${line}`).join('\n'),
    content: { 'application/json': { schema: schemas.length === 1 ? schemas[0] : z.union(schemas) } },
  };
}

/**
 * Adds the failures to `answers`, one answer per status of `codes`. They appear in the API's description, but not in
 * the types of the route's answers, because a client receives them as errors.
 */
export function withFailures<Given extends Answers>(answers: Given, codes: readonly ErrorCode[]): Given {
  const byStatus = Map.groupBy(new Set(codes), (code) => ERRORS[code].status);
  const failures = [...byStatus].map(([status, group]) => [status, failureAnswer(group, answers[status])]);
  return { ...answers, ...Object.fromEntries(failures) };
}

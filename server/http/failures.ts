import { type RouteConfig, z } from '@hono/zod-openapi';
import { ERRORS, type ErrorCode, failureSchema } from '#contract/errors.ts';

type Answers = RouteConfig['responses'];

/** One schema for each code, under whose name the document keeps it. */
const named = new Map<ErrorCode, z.ZodType>();

function namedSchema(code: ErrorCode): z.ZodType {
  const schema = named.get(code) ?? failureSchema(code).openapi(code);
  named.set(code, schema);
  return schema;
}

/** The schema of the JSON that a route declares for one status, if it does. */
export function declaredSchema(answer: Answers[string] | undefined): z.ZodType | undefined {
  const media = answer && !('$ref' in answer) ? answer.content?.['application/json'] : undefined;
  return media && 'schema' in media && media.schema instanceof z.ZodType ? media.schema : undefined;
}

/** The answer of one status: any of `codes`, or what a route itself declares of that status. */
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
 * `answers` with those of failures, one for each status of `codes`. The API's description tells them; the types of a
 * route's answers leave them out, for a client meets them as errors.
 */
export function withFailures<Given extends Answers>(answers: Given, codes: readonly ErrorCode[]): Given {
  const byStatus = Map.groupBy(new Set(codes), (code) => ERRORS[code].status);
  const failures = [...byStatus].map(([status, group]) => [status, failureAnswer(group, answers[status])]);
  return { ...answers, ...Object.fromEntries(failures) };
}

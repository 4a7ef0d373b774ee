import { z } from 'zod';
import type { Schema } from './fuzz-values.ts';
import type { TestServer } from './server.ts';

const content = z.record(z.string(), z.object({ schema: z.custom<Schema>().default({}) }));

const operationSchema = z.object({
  'x-access': z.string(),
  parameters: z
    .array(z.object({ name: z.string(), in: z.string(), schema: z.custom<Schema>().default({}) }))
    .default([]),
  requestBody: z.object({ content }).default({ content: {} }),
  responses: z.record(z.string(), z.unknown()),
});

const documentSchema = z.object({ paths: z.record(z.string(), z.record(z.string(), operationSchema)) });

/** One call of the OpenAPI document: its method in capitals, and its path with the parameters as `{name}`. */
export type Operation = z.output<typeof operationSchema> & { method: string; path: string };

/** What the server says of itself: every call of its OpenAPI document. */
export async function operationsOf(server: TestServer): Promise<Operation[]> {
  const response = await server.anonymous().request('/api/openapi.json');
  const { paths } = documentSchema.parse(await response.json());
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );
}

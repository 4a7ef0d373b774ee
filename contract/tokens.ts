import { z } from './validation.ts';

/** A signed token that identifies the account for 15 minutes, for services that verify it with the public keys. */
export const tokenSchema = z.object({ token: z.string() });

/** Public keys (RFC 7517) that verify the tokens. */
export const keySetSchema = z.object({
  keys: z.array(
    z.looseObject({
      kty: z.string().optional(),
      kid: z.string(),
      alg: z.string(),
      crv: z.string().optional(),
      x: z.string().optional(),
    }),
  ),
});

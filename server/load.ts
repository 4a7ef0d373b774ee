import { enableCompileCache, flushCompileCache, registerHooks } from 'node:module';
import { join } from 'node:path';
import { ROOT } from '#server/root.ts';

/**
 * Loads the application proper. It is most of a start's time, so it happens beside the start of PostgreSQL, with what
 * makes it quicker.
 */
export async function loadApplication() {
  enableCompileCache(join(ROOT, 'node_modules/.cache/compile'));
  const hooks = resolveDrizzleOnce();
  const [{ createApp }, { createHttpServer }, { startServices }, { closeDemoAccounts, ensureDemoAccounts }] =
    await Promise.all([
      import('#server/app.ts'),
      import('#server/http/listener.ts'),
      import('#server/services.ts'),
      import('#server/auth/demo.ts'),
    ]);
  hooks.deregister();
  flushCompileCache();
  return { createApp, createHttpServer, startServices, closeDemoAccounts, ensureDemoAccounts };
}

/** What {@link loadApplication} gives. */
export type Application = Awaited<ReturnType<typeof loadApplication>>;

/**
 * For each file it resolves, Node 24 parses the `exports` of the file's package, and that map is 178 KB in drizzle-orm:
 * half of the time it took to load everything. Here each name is resolved once, and a file next to another not at all.
 */
function resolveDrizzleOnce() {
  const resolved = new Map<string, { url: string }>();
  return registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'drizzle-orm' || specifier.startsWith('drizzle-orm/')) {
        const found = resolved.get(specifier) ?? next(specifier, context);
        resolved.set(specifier, found);
        return { ...found, shortCircuit: true };
      }
      if (specifier.startsWith('.') && context.parentURL?.includes('/node_modules/drizzle-orm/')) {
        return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true };
      }
      return next(specifier, context);
    },
  });
}

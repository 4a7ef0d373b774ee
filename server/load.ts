import { enableCompileCache, flushCompileCache, registerHooks } from 'node:module';
import { join } from 'node:path';
import { ROOT } from '#server/root.ts';

/**
 * Loads the application's code, with a compile cache and faster module resolution. Loading takes most of the start-up
 * time, so it runs while PostgreSQL starts.
 */
export async function loadApplication() {
  enableCompileCache(join(ROOT, 'node_modules/.cache/compile'));
  const hooks = resolveDrizzleOnce();
  const [{ createApp }, { createHttpServer }, { startServices }, { closeDemoAccounts, ensureDemoAccounts }] =
    await Promise.all([
      import('#server/app.ts'),
      import('#server/http/listener.ts'),
      import('#server/services.ts'),
      import('#server/demo/ensure.ts'),
    ]);
  hooks.deregister();
  flushCompileCache();
  return { createApp, createHttpServer, startServices, closeDemoAccounts, ensureDemoAccounts };
}

/** The result of {@link loadApplication}. */
export type Application = Awaited<ReturnType<typeof loadApplication>>;

/**
 * For each file it resolves, Node 24 parses the `exports` of the file's package. In drizzle-orm that map is 178 KB,
 * which took half of the loading time. This hook resolves each package specifier once, and relative imports inside the
 * package without Node's resolver.
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

import type { Services } from '#server/services.ts';

/** By the services of a process: the example that is being given. */
const underWay = new WeakMap<Services, Promise<void>>();

/**
 * Gives the demo customer its records, where it has none. A failure is logged, and ends nothing. Who asks meanwhile waits for
 * the same.
 */
export function giveExample(services: Services): Promise<void> {
  const giving = underWay.get(services) ?? give(services).finally(() => underWay.delete(services));
  underWay.set(services, giving);
  return giving;
}

async function give(services: Services): Promise<void> {
  try {
    // Only who gives the example waits for the code that draws its invoices.
    const { seedDemo } = await import('./seed.ts');
    await seedDemo(services);
  } catch (error) {
    services.log.error({ err: error }, 'the demo customer could not be given a year of records');
  }
}

import type { Services } from '#server/services.ts';

/** The seeding in progress, by the services of a process. */
const underWay = new WeakMap<Services, Promise<void>>();

/**
 * Creates the records of the demo customer, if it has none. A failure is only logged. Concurrent calls share one run.
 */
export function seedExample(services: Services): Promise<void> {
  const giving = underWay.get(services) ?? give(services).finally(() => underWay.delete(services));
  underWay.set(services, giving);
  return giving;
}

async function give(services: Services): Promise<void> {
  try {
    // Loaded here, so that only seeding waits for the code that draws invoices.
    const { seedDemo } = await import('./seed.ts');
    await seedDemo(services);
  } catch (error) {
    services.log.error({ err: error }, 'seeding the demo customer failed');
  }
}

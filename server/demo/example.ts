import type { Services } from '#server/services.ts';

/** Gives the demo customer its records, where it has none. A failure is logged, and ends nothing. */
export async function giveExample(services: Services): Promise<void> {
  try {
    // Only who gives the example waits for the code that draws its invoices.
    const { seedDemo } = await import('./seed.ts');
    await seedDemo(services);
  } catch (error) {
    services.log.error({ err: error }, 'the demo customer could not be given a year of records');
  }
}

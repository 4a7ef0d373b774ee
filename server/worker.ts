/**
 * One of the `WORKERS` serving processes, started by server/main.ts and not by hand. It loads the application at once,
 * serves when the primary sends its configuration, and ends on the primary's message or together with it.
 */
import { loadApplication } from '#server/load.ts';
import { runProcess } from '#server/process.ts';
import { serve } from '#server/serve.ts';
import type { FromWorker, ToWorker } from '#server/workers.ts';

await runProcess(async ({ resources, end, ended }) => {
  const { promise: told, resolve: tell } = Promise.withResolvers<ToWorker & { type: 'serve' }>();
  process.on('message', (message: ToWorker) => {
    if (message.type === 'serve') tell(message);
    if (message.type === 'stop') end();
  });
  const application = await loadApplication();
  const order = await Promise.race([told, ended]);
  if (!order) return;
  const { metrics, log } = await serve(application, order, resources);
  process.on('message', (message: ToWorker) => {
    if (message.type !== 'measure') return;
    metrics.figures().then(
      (figures) => report({ type: 'figures', figures }),
      (error: unknown) => log.error({ err: error }, 'cannot measure'),
    );
  });
  report({ type: 'serving' });
});

/** Tells the primary nothing if it has just ended: then this process ends, too. */
function report(message: FromWorker): void {
  process.send?.(message, undefined, undefined, () => undefined);
}

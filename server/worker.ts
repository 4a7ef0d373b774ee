/**
 * One of the `WORKERS` processes that serve, started by server/main.ts and not by hand. It loads the application at once,
 * serves when it is told with what, and ends when it is told to, or with the process that started it.
 */
import { answerPrimary } from '#server/http/metrics.ts';
import { loadApplication } from '#server/load.ts';
import { runProcess } from '#server/process.ts';
import { serve } from '#server/serve.ts';
import type { FromWorker, ToWorker } from '#server/workers.ts';

await runProcess(async ({ resources, end, ended }) => {
  const { promise: told, resolve: tell } = Promise.withResolvers<ToWorker & { type: 'serve' }>();
  // In one go with the listener: until there is one, nothing that is told gets lost.
  answerPrimary();
  process.on('message', (message: ToWorker) => {
    if (message.type === 'serve') tell(message);
    if (message.type === 'stop') end();
  });
  const application = await loadApplication();
  const order = await Promise.race([told, ended]);
  if (!order) return;
  const { metrics } = await serve(application, order, resources);
  metrics.share();
  process.send?.({ type: 'serving' } satisfies FromWorker);
});

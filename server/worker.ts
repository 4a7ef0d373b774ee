/**
 * One of the `WORKERS` serving processes, started by server/main.ts and not by hand. It loads the application at once,
 * serves when the primary sends its configuration, and ends on the primary's message or together with it.
 */
import { answerPrimary } from '#server/http/metrics.ts';
import { loadApplication } from '#server/load.ts';
import { runProcess } from '#server/process.ts';
import { serve } from '#server/serve.ts';
import type { FromWorker, ToWorker } from '#server/workers.ts';

await runProcess(async ({ resources, end, ended }) => {
  const { promise: told, resolve: tell } = Promise.withResolvers<ToWorker & { type: 'serve' }>();
  // In the same tick as the listener below: messages are kept only until the first listener is added.
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

import { createServer, type Server } from 'node:http';
import type { Pool } from 'pg';
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Jobs } from '#server/jobs/boss.ts';
import { answerWithin } from './answer-within.ts';

/** What one process measured, as data that can be sent to another process. */
export type Figures = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** The measurements of one process. No label contains user input: routes are those declared in the code. */
export type Metrics = {
  /** Counts one answered request, which took `seconds`. */
  observeRequest(request: { method: string; route: string; status: number }, seconds: number): void;
  /** The Prometheus text format. */
  text(): Promise<string>;
  /** The same as data, for the process that sums those of its workers: see {@link textOf}. */
  figures(): Promise<Figures>;
};

const CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Timeout for counting the queues: far less than a worker has to report its figures (server/workers.ts). */
const DEPTH_TIMEOUT_MS = 1_000;

/**
 * Opens the metrics of one process: requests, connection pools, job queues with the mail that waits, and Node's memory,
 * processor, garbage collection and event-loop lag.
 *
 * @param pools by the name they are reported under
 */
export function openMetrics(pools: Record<string, Pool>, jobs: Jobs): Metrics {
  const collected = new Registry();
  const registers = [collected];
  collectDefaultMetrics({ register: collected });

  const labelNames = ['method', 'route', 'status'] as const;
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests answered',
    labelNames,
    registers,
  });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time until an answer began',
    labelNames: ['method', 'route'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  new Gauge({
    name: 'database_pool_connections',
    help: 'Connections to PostgreSQL: in use, idle, and requests waiting for one',
    labelNames: ['pool', 'state'] as const,
    registers,
    collect() {
      for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
        this.set({ pool, state: 'in_use' }, totalCount - idleCount);
        this.set({ pool, state: 'idle' }, idleCount);
        this.set({ pool, state: 'waiting' }, waitingCount);
      }
    },
  });
  new Gauge({
    name: 'job_queue_jobs',
    help: 'Jobs by queue and state, as counted at most ten seconds ago; none while the database is away',
    labelNames: ['queue', 'state'] as const,
    registers,
    // Every process counts the same jobs, so the counts must not be added up.
    aggregator: 'max',
    async collect() {
      // This asks the database, and the other metrics are needed most when it does not answer.
      const queues = await answerWithin(DEPTH_TIMEOUT_MS, jobs.depth(), []);
      this.reset();
      for (const { queue, ready, deferred, active, failed } of queues) {
        this.set({ queue, state: 'ready' }, ready);
        this.set({ queue, state: 'deferred' }, deferred);
        this.set({ queue, state: 'active' }, active);
        this.set({ queue, state: 'failed' }, failed);
      }
    },
  });

  return {
    observeRequest({ method, route, status }, seconds) {
      // Clients may invent methods, and each would become a series of its own.
      const known = METHODS.has(method) ? method : 'other';
      requests.inc({ method: known, route, status });
      durations.observe({ method: known, route }, seconds);
    },
    text: () => collected.metrics(),
    figures: () => collected.getMetricsAsJSON(),
  };
}

/** The sum of the figures of several processes, in the Prometheus text format. */
export function textOf(processes: readonly Figures[]): Promise<string> {
  return AggregatorRegistry.aggregate([...processes]).metrics();
}

/** A server, not listening yet, that answers `/metrics` with `text` and nothing else. */
export function createMetricsServer(text: () => Promise<string>): Server {
  return createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    text().then(
      (collected) => response.writeHead(200, { 'Content-Type': CONTENT_TYPE }).end(collected),
      () => response.writeHead(503).end(),
    );
  });
}

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Pool } from 'pg';
import { describe, expect } from 'vitest';
import { signIn } from '#server/testing/client.ts';
import { test } from '#server/testing/test.ts';
import { createMetricsServer, openMetrics } from './metrics.ts';

describe('the metrics of a process', () => {
  test('cover requests by route, pools, queues and the event loop, without user input', async ({
    server,
  }) => {
    const user = await server.make.user();
    const visitor = await signIn(server.anonymous(), user);
    const project = await server.make.project(user);
    await visitor.request(`/api/projects/${project.id}`);
    await visitor.request('/api/search?search=Segretissimo');
    await visitor.request('/un/indirizzo/segretissimo');
    await visitor.request('/api/projects/stats', { method: 'PROPFIND' });

    const text = await server.services.metrics.text();
    expect(text).toMatch(/http_requests_total\{method="GET",route="\/api\/projects\/:id",status="200"\} 1/);
    expect(text).toMatch(/http_requests_total\{method="other",/);
    expect(text).toMatch(
      /http_request_duration_seconds_bucket\{le="0.1",method="POST",route="\/api\/auth\/login"\}/,
    );
    expect(text).toMatch(/database_pool_connections\{pool="app",state="idle"\} \d/);
    expect(text).toMatch(/job_queue_jobs\{queue="mail",state="ready"\} 0/);
    expect(text).toMatch(/nodejs_eventloop_lag_p99_seconds/);
    for (const word of ['egretissimo', String(project.id), user.id, user.email]) {
      expect(text).not.toContain(word);
    }
  });

  test('tell how many connections are in use and are waited for, and times in seconds', async ({
    server,
  }) => {
    const pool = { totalCount: 5, idleCount: 2, waitingCount: 4 } as unknown as Pool;
    const metrics = openMetrics({ app: pool }, server.services.jobs);
    metrics.observeRequest({ method: 'GET', route: '/api/me', status: 200 }, 0.02);
    const text = await metrics.text();
    expect(text).toContain('database_pool_connections{pool="app",state="in_use"} 3\n');
    expect(text).toContain('database_pool_connections{pool="app",state="idle"} 2\n');
    expect(text).toContain('database_pool_connections{pool="app",state="waiting"} 4\n');
    expect(text).toContain('http_request_duration_seconds_sum{method="GET",route="/api/me"} 0.02\n');
  });

  test('leave out the queues while the database does not answer', async ({ server }) => {
    const { jobs } = server.services;
    let depth = jobs.depth;
    const metrics = openMetrics({}, { ...jobs, depth: () => depth() });
    expect(await metrics.text()).toContain('job_queue_jobs{');
    depth = () => Promise.reject(new Error('connect ECONNREFUSED'));
    const text = await metrics.text();
    expect(text).toContain('process_cpu_seconds_total');
    expect(text).not.toContain('job_queue_jobs{');
    depth = () => new Promise(() => undefined);
    const despiteSilence = await metrics.text();
    expect(despiteSilence).toContain('process_cpu_seconds_total');
    expect(despiteSilence).not.toContain('job_queue_jobs{');
  });

  test('are served at /metrics of a separate server, not by the product', async ({ server }) => {
    let text = () => server.services.metrics.text();
    const metrics = createMetricsServer(() => text()).listen(0, '127.0.0.1');
    await once(metrics, 'listening');
    const { port } = metrics.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    expect(await answer.text()).toContain('process_cpu_seconds_total');
    expect((await fetch(`http://127.0.0.1:${port}/api/me`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status).toBe(404);
    text = () => Promise.reject(new Error('no figures'));
    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(503);
    metrics.closeAllConnections();
    metrics.close();
    await once(metrics, 'close');
    expect((await server.anonymous().request('/metrics')).status).toBe(404);
  });
});

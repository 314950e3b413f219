/** The times of calls on /metrics: to the letter what the library of Prometheus makes of them. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Histogram, Registry } from 'prom-client';
import { Durations } from '#api/testing';

const NAME = 'outcry_request_duration_seconds';
const HELP = 'Time of calls';
const BUCKETS_S = [0.0005, 0.001, 0.5];
const ROUTES = ['/orders', '/orders/:id'];

const calls = fc.array(
  fc.record({
    method: fc.constantFrom('GET', 'POST'),
    route: fc.constantFrom(...ROUTES),
    status: fc.constantFrom(200, 404, 503),
    seconds: fc.oneof(fc.constantFrom(...BUCKETS_S, 0), fc.double({ min: 0, max: 2, noNaN: true })),
  }),
);

test('whatever is called, the text is that of the library', async () => {
  await fc.assert(
    fc.asyncProperty(calls, async (called) => {
      const durations = new Durations(NAME, HELP, BUCKETS_S);
      const registry = new Registry();
      const labelNames = ['method', 'route', 'status'];
      const registers = [registry];
      const library = new Histogram({
        name: NAME,
        help: HELP,
        labelNames,
        buckets: BUCKETS_S,
        registers,
      });
      const counters = new Map<string, ReturnType<Durations['ofRoute']>>();
      for (const { method, route, status, seconds } of called) {
        const name = `${method} ${route}`;
        const count = counters.get(name) ?? durations.ofRoute(method, route);
        counters.set(name, count);
        count(status, durations.bucketOf(seconds), seconds);
        library.observe({ method, route, status: String(status) }, seconds);
      }
      assert.equal(durations.text, await registry.metrics());
    }),
  );
});

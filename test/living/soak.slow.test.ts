/**
 * The soak of `npm run soak` in short: 200 requests a second beside the living demo. Forty seconds
 * tell of lost messages and failed requests; of memory only whether it runs away.
 */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { soak } from '../../tools/soak/run.ts';

const PLAN = {
  lengthMs: 36_000,
  requestsPerSecond: 200,
  roundMs: 12_000,
  sampleIntervalMs: 2_000,
  warmUpShare: 1 / 3,
};
/** More than a megabyte a second: a young process grows, but not like that. */
const MEMORY_SLOPE_MAX_MB_PER_HOUR = 5_000;
/** Another test runs beside this one. */
const LOOP_DELAY_MAX_MS = 200;

test('no private message is lost under load, and nothing fails', async (context) => {
  const report = await soak(PLAN, (line) => context.diagnostic(line));
  assert.deepEqual(report.errors, []);
  assert.equal(report.lostCount, 0);
  const perSecond = report.requestsCount / report.seconds;
  assert.ok(perSecond > 0.8 * PLAN.requestsPerSecond, `${perSecond.toFixed(0)} requests a second`);
  assert.ok(report.privateRowsCount > 2 * report.ordersCount - 1, 'orders are told in rows');
  assert.ok(report.comparedCount > 500, `${report.comparedCount} orders compared with REST`);
  const { loopDelayP99Ms, residentSlopeMbPerHour } = report;
  assert.ok(loopDelayP99Ms < LOOP_DELAY_MAX_MS, `p99 of the delay is ${loopDelayP99Ms} ms`);
  const slope = residentSlopeMbPerHour.toFixed(0);
  assert.ok(residentSlopeMbPerHour < MEMORY_SLOPE_MAX_MB_PER_HOUR, `${slope} MB/h`);
  context.diagnostic(`memory ${slope} MB/h, loop delay p99 ${loopDelayP99Ms.toFixed(1)} ms`);
});

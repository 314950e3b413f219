/**
 * A flood of 512 connections, by one key or from one address, beside a client that keeps to its
 * limits, each in a process of its own. Without turns the client waits fifty times as long. The
 * bound is generous and about the usual order: other tests share the machine.
 */
import { strict as assert } from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { beside, CalmClient } from '../../bench/flood.ts';
import { FLOODS } from '../../bench/flooder.ts';
import { startVenueProcess } from '../support/venue-process.ts';

const ORDERS = 12;
const LIMITED = ['--rate-limits', 'on'];

function middle(tookMs: readonly number[]): number {
  return tookMs[Math.floor(tookMs.length / 2)] ?? Number.NaN;
}

for (const httpThreads of [0, 1]) {
  test(`a flood keeps nobody else waiting, with ${httpThreads} HTTP threads`, (context) =>
    floodAll(context, ['--http-threads', String(httpThreads)]));
}

async function floodAll(context: TestContext, flags: readonly string[]): Promise<void> {
  const server = await startVenueProcess({ participants: false, flags: [...LIMITED, ...flags] });
  context.after(() => server.stop());
  const port = Number(new URL(server.url).port);
  const client = await CalmClient.at(port);
  context.after(() => client.close());
  await client.place(5);
  const quietMs = middle(await client.place(ORDERS));
  for (const flood of FLOODS) {
    const place = () => client.place(ORDERS);
    const { found: tookMs, answeredPerSecond } = await beside(flood, port, place);
    assert.ok(answeredPerSecond > 100, `a flood of one ${flood}: ${answeredPerSecond} a second`);
    const text = `${middle(tookMs)} ms beside a flood of one ${flood}, ${quietMs} ms without`;
    context.diagnostic(text);
    assert.ok(middle(tookMs) < 8 * quietMs + 25, text);
  }
}

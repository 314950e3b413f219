/**
 * What one resting order costs in the whole engine: the order, its places in the book, among its
 * account's orders and in the index by id, and its share of levels and reserved money.
 */
import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { accountId, type Command, instrumentId, lots, ticks } from '#domain';
import { Engine } from '#engine';
import { setupCommands } from './engine.ts';
import { START_MS } from './measure.ts';
import type { BenchResult } from './result.ts';

const SIZES = [100_000, 1_000_000];
const ACCOUNTS = 10_000;
const LEVELS = 10_000;
const ORDERS_PER_MS = 10;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Measures every size, without and with client order ids, and prints each result as it comes. */
export async function run(print: (line: string) => void): Promise<BenchResult[]> {
  const results: BenchResult[] = [];
  for (const [name, clientOrderId] of [
    ['memory per resting order', () => undefined],
    [
      'memory per resting order with a client id',
      (number: number) => `${timeOf(number)}-${number}`,
    ],
  ] as const) {
    for (const size of SIZES) {
      const value = bytesPerOrder(size, clientOrderId);
      print(`  ${name} ${size}: ${Math.round(value)} bytes`);
      results.push({ name, size, value, unit: 'bytes', floor: 400, aim: 200 });
    }
  }
  return results;
}

function bytesPerOrder(
  size: number,
  clientOrderId: (number: number) => string | undefined,
): number {
  const engine = Engine.empty();
  for (const command of setupCommands(ACCOUNTS)) engine.apply(command, START_MS);
  const before = heapBytes();
  for (let number = 1; number <= size; number += 1) {
    const { events } = engine.apply(order(number, clientOrderId(number)), timeOf(number));
    assert.equal(events.at(-1)?.kind, 'order_rested');
  }
  const bytes = heapBytes() - before;
  engine.check();
  return bytes / size;
}

function timeOf(number: number): number {
  return START_MS + Math.floor(number / ORDERS_PER_MS);
}

function order(number: number, clientOrderId: string | undefined): Command {
  const buy = number % 2 === 0;
  const distance = 1 + (number % LEVELS);
  return {
    kind: 'place_spot_order',
    accountId: accountId(1 + (number % ACCOUNTS)),
    instrumentId: instrumentId(0),
    side: buy ? 'buy' : 'sell',
    type: 'limit',
    force: 'gtc',
    priceTicks: ticks(buy ? 3_000_000 - distance : 3_000_000 + distance),
    sizeLots: lots(1 + (number % 10)),
    clientOrderId,
  };
}

function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

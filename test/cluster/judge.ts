/**
 * Judges a cluster from its shared log alone: every acknowledged order is there exactly once, none
 * twice, the chain is whole, and every copy that a process has kept leads to the same state.
 */
import { strict as assert } from 'node:assert/strict';
import { decodeEntry, formatId, RULES_VERSION } from '#domain';
import { Engine } from '#engine';
import { type SharedEntry, sharedLogAt } from '#log';
import { stateHash } from '#venue';
import type { ClusterHere } from '../../tools/cluster/processes.ts';
import { logOf, readAll } from '../support/logs.ts';
import type { Notes } from './traders.ts';

export interface Verdict {
  readonly ordersCount: number;
  readonly lastSeq: number;
  readonly claims: number;
  readonly copies: number;
}

/** Asserts all of it; the members may be running, their copies are only read. */
export async function judge(cluster: ClusterHere, notes: Notes): Promise<Verdict> {
  const entries = await logEntries(cluster.etcd.endpoints);
  const orders = placedOrders(entries);
  assert.deepEqual(notes.odd, [], 'no client got an answer that it could not expect');
  for (const { priceCents, orderId } of notes.acks) {
    assert.deepEqual(orders.get(priceCents), [orderId], `${orderId} was acknowledged`);
  }
  for (const [priceCents, ids] of orders) {
    assert.equal(ids.length, 1, `the order at ${priceCents} was carried out ${ids.length} times`);
  }
  const sent = new Set([...notes.acks.map(({ priceCents }) => priceCents), ...notes.unknown]);
  for (const priceCents of orders.keys()) assert.ok(sent.has(priceCents), `${priceCents} was sent`);
  const copies = await copiesOf(cluster);
  const hashes = hashesAt(entries, new Set(copies.map(({ lastSeq }) => lastSeq)));
  for (const { name, lastSeq, hash } of copies) {
    assert.equal(hash, hashes.get(lastSeq), `${name} at command ${lastSeq}`);
  }
  return {
    ordersCount: orders.size,
    lastSeq: (entries.at(-1)?.firstSeq ?? 1) + (entries.at(-1)?.count ?? 0) - 1,
    claims: new Set(entries.map(({ claim }) => claim)).size,
    copies: copies.length,
  };
}

/** The chain is proven by the reading itself. */
async function logEntries(endpoints: readonly string[]): Promise<SharedEntry[]> {
  const log = sharedLogAt({ kind: 'etcd', venue: 'local', shard: 'main', endpoints });
  try {
    return (await Array.fromAsync(log.read(1))).flat();
  } finally {
    await log.close();
  }
}

/** The numbers of the orders at each price, which only one client has ever named. */
function placedOrders(entries: readonly SharedEntry[]): Map<number, string[]> {
  const placed = new Map<number, string[]>();
  const engine = Engine.empty();
  for (const { payload } of entries) {
    for (const { command, timeMs, origin } of decodeEntry(payload)) {
      const { events } = engine.apply(command, timeMs, RULES_VERSION, origin);
      for (const event of events) {
        if (event.kind !== 'order_accepted') continue;
        if (event.terms.type !== 'limit') continue;
        const { priceTicks } = event.terms;
        placed.set(priceTicks, [...(placed.get(priceTicks) ?? []), formatId(event.orderId)]);
      }
    }
  }
  engine.check();
  return placed;
}

function hashesAt(entries: readonly SharedEntry[], seqs: ReadonlySet<number>): Map<number, string> {
  const hashes = new Map<number, string>();
  const engine = Engine.empty();
  for (const { payload } of entries) {
    for (const { command, timeMs, origin } of decodeEntry(payload)) {
      engine.apply(command, timeMs, RULES_VERSION, origin);
      if (seqs.has(engine.seq)) hashes.set(engine.seq, stateHash(engine));
    }
  }
  return hashes;
}

interface Copy {
  readonly name: string;
  readonly lastSeq: number;
  readonly hash: string;
}

/** What each process has on its own disk, replayed. */
async function copiesOf({ processes }: ClusterHere): Promise<Copy[]> {
  const copies: Copy[] = [];
  for (const { name, directory } of processes) {
    const engine = Engine.empty();
    for (const { payload } of await readAll(logOf(directory))) {
      for (const { command, timeMs, origin } of decodeEntry(payload)) {
        engine.apply(command, timeMs, RULES_VERSION, origin);
      }
    }
    copies.push({ name, lastSeq: engine.seq, hash: stateHash(engine) });
  }
  return copies;
}

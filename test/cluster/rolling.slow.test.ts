/**
 * Members of two neighbouring releases in one cluster, planted: the older one knows format 1 and
 * rules 1; the newer one rules 2, too, and writes moves of spot orders in format 2.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { type ReleaseVersions, VersionFault } from '#cluster/testing';
import {
  accountId,
  type Command,
  decodeEntry,
  type Event,
  instrumentId,
  lots,
  ticks,
} from '#domain';
import { present } from '#kernel';
import type { SharedEntry, Versions } from '#log';
import { opening } from '../support/random-days.ts';
import { until } from '../support/until.ts';
import { LocalCluster, type ProcessHere } from './local-cluster.ts';

const OLD: ReleaseVersions = { formatMax: 1, rulesMin: 1, rulesMax: 1, formatOf: () => 1 };
const NEW: ReleaseVersions = {
  formatMax: 2,
  rulesMin: 1,
  rulesMax: 2,
  formatOf: ({ kind }) => (kind === 'move_spot_order' ? 2 : 1),
};
const FIRST = { format: 1, rules: 1 };
const SECOND = { format: 2, rules: 2 };

const MEMBERS = ['member-1', 'member-2', 'member-3'];
const GATEWAYS = ['gateway-1', 'gateway-2'];
const ALL = [...MEMBERS, ...GATEWAYS];
/** OUTCRY_ROLLING_RUNS plays so many random upgrades. */
const RUNS = Number(process.env.OUTCRY_ROLLING_RUNS ?? '5');

function kindOf(name: string): 'member' | 'gateway' {
  return MEMBERS.includes(name) ? 'member' : 'gateway';
}

/** A cluster of one release with a venue in it. */
async function clusterOf(names: readonly string[], versions: ReleaseVersions) {
  const cluster = new LocalCluster();
  await Promise.all(names.map((name) => cluster.start(name, { kind: kindOf(name), versions })));
  const leader = await cluster.leader();
  for (const command of opening()) await leader.submit(command);
  return cluster;
}

function closedAfter(context: TestContext, cluster: LocalCluster): LocalCluster {
  context.after(() => cluster.close());
  return cluster;
}

function buy(clientOrderId: string): Command {
  return {
    kind: 'place_spot_order',
    accountId: accountId(1),
    instrumentId: instrumentId(0),
    side: 'buy',
    type: 'limit',
    force: 'gtc',
    priceTicks: ticks(90),
    sizeLots: lots(1),
    clientOrderId,
  };
}

/** Moves an order that the process knows, in the form that only the newer release reads. */
function move({ engine }: ProcessHere): Command {
  const [order] = engine.openOrders(accountId(1));
  assert.ok(order !== undefined && order.type === 'limit');
  const { orderId, sizeLots } = order;
  return {
    kind: 'move_spot_order',
    accountId: accountId(1),
    instrumentId: instrumentId(0),
    orderId,
    priceTicks: ticks(order.priceTicks - 1),
    sizeLots,
  };
}

function outcomeOf([first]: readonly Event[]): string {
  return first?.kind === 'refused' ? first.reject : String(first?.kind);
}

async function refusal(start: Promise<unknown>): Promise<string> {
  try {
    await start;
  } catch (error) {
    assert.ok(error instanceof VersionFault, String(error));
    return error.message;
  }
  return assert.fail('it was not refused');
}

async function agreedOn(cluster: LocalCluster) {
  const log = cluster.openLog();
  const agreed = await log.agreed();
  await log.close();
  return agreed;
}

describe('two releases in one cluster', () => {
  test('write what the older one knows, until its last process is upgraded', async (context) => {
    const cluster = closedAfter(context, await clusterOf(ALL, OLD));
    for (const name of ALL.slice(0, -1)) {
      await cluster.stop(name, 'in order');
      const upgraded = await cluster.start(name, { kind: kindOf(name), versions: NEW });
      assert.equal(outcomeOf(await upgraded.submit(buy(name))), 'order_accepted');
      assert.equal(outcomeOf(await upgraded.submit(move(upgraded))), 'venue_busy');
    }
    const leader = await cluster.leader();
    assert.deepEqual(await agreedOn(cluster), FIRST);
    assert.equal(outcomeOf(await leader.submit(buy('old'))), 'order_accepted');
    await cluster.stop('gateway-2', 'in order');
    const last = await cluster.start('gateway-2', { kind: 'gateway', versions: NEW });
    await untilAgreed(cluster, SECOND);
    assert.equal(outcomeOf(await leader.submit(buy('new'))), 'order_accepted');
    assert.equal(outcomeOf(await last.submit(move(last))), 'order_moved');
    await cluster.stateHash();
    await requireOneRaise(cluster);
  });

  test('wait for one that is away, until an operator withdraws it', async (context) => {
    const cluster = closedAfter(context, await clusterOf(MEMBERS, OLD));
    await cluster.stop('member-3', 'in order');
    for (const name of ['member-1', 'member-2']) {
      await cluster.stop(name, 'in order');
      await cluster.start(name, { versions: NEW });
    }
    const leader = await cluster.leader();
    await leader.submit(buy('while it is away'));
    assert.deepEqual(await agreedOn(cluster), FIRST);
    assert.ok(leader.notices.some((text) => /waits for .*member-3/.test(text)));
    const log = cluster.openLog();
    await log.withdrawReport('member-3');
    await log.close();
    await untilAgreed(cluster, SECOND);
    await leader.submit(buy('in the new versions'));
    const again = cluster.start('member-3', { versions: OLD });
    assert.match(
      await refusal(again),
      /writes format 2 and rules 2, .* start the release that writes it/,
    );
    await cluster.start('member-3', { versions: NEW });
    await cluster.stateHash();
    await requireOneRaise(cluster);
  });

  test('stop the older one at the first entry that it does not read', async (context) => {
    const { cluster, old, leader } = await oneLeftBehind(context);
    const { seq } = old.engine;
    assert.equal(outcomeOf(await leader.submit(buy('in the newer format'))), 'order_accepted');
    await until('it has stopped', () => old.ends.length > 0);
    assert.match(
      faultIn(old),
      /from command \d+ on memory has format 2 and rules 2, .* start the release/,
    );
    assert.deepEqual([old.engine.seq, old.copy.lastSeq], [seq, seq], 'nothing was guessed');
    await cluster.stop(old.name, 'in order');
    await refusal(cluster.start(old.name, { versions: OLD }));
    await cluster.start(old.name, { versions: NEW });
    await cluster.stateHash();
  });

  test('are not led by the older one once the newer format is agreed on', async (context) => {
    const { cluster, old } = await oneLeftBehind(context);
    for (const name of MEMBERS.slice(0, 2)) await cluster.stop(name, 'in order');
    await until('it has tried', () => old.ends.length > 0);
    assert.match(
      faultIn(old),
      /the cluster at memory writes format 2 and rules 2, .* start the release/,
    );
    await cluster.stop(old.name, 'in order');
    const [claim, entries] = [await claimOf(cluster), await cluster.entries()];
    assert.equal(claim?.holder, '', 'it gave the leadership up');
    const { member } = await cluster.start('member-1', { versions: NEW });
    assert.equal(member.status.role, 'leader');
    assert.equal((await cluster.entries()).length, entries.length);
  });

  test('come through any order of upgrades and takeovers', async () => {
    await fc.assert(fc.asyncProperty(upgrade, playUpgrade), { numRuns: RUNS, endOnFailure: true });
  });
});

/** Two upgraded members, and an older one that the leader does not know of any more. */
async function oneLeftBehind(context: TestContext) {
  const cluster = closedAfter(context, await clusterOf(MEMBERS, OLD));
  for (const name of MEMBERS.slice(0, 2)) {
    await cluster.stop(name, 'in order');
    await cluster.start(name, { versions: NEW });
  }
  await cluster.stop('member-3', 'in order');
  const old = await cluster.start('member-3', { versions: OLD });
  const log = cluster.openLog();
  await log.withdrawReport(old.name);
  await log.close();
  await untilAgreed(cluster, SECOND);
  return { cluster, old, leader: await cluster.leader() };
}

interface Act {
  readonly name: string;
  /** Else it goes on with the release that it has: what moves is the leadership. */
  readonly isUpgrade: boolean;
  readonly how: 'in order' | 'killed';
}

const how = fc.constantFrom<Act['how']>('in order', 'killed');
/** Each process is upgraded once; before each, some member may end and come back as it was. */
const upgrade = fc.tuple(
  fc.shuffledSubarray(ALL, { minLength: ALL.length }),
  fc.array(fc.record({ how, takeover: fc.option(how, { nil: undefined, freq: 1 }) }), {
    minLength: ALL.length,
    maxLength: ALL.length,
  }),
);

/** Clients order all the while, at whichever process is there. */
async function playUpgrade([names, ways]: Parameters<
  Parameters<typeof upgrade.map>[0]
>[0]): Promise<void> {
  const cluster = await clusterOf(ALL, OLD);
  const orders = new Orders(cluster);
  const versions = new Map(ALL.map((name) => [name, OLD]));
  const ends: Error[] = [];
  async function restart(name: string, how: Act['how']): Promise<void> {
    ends.push(...cluster.processes.flatMap((one) => (one.name === name ? one.ends : [])));
    const trading = orders.place(3);
    await cluster.stop(name, how);
    await cluster.start(name, { kind: kindOf(name), versions: versions.get(name) ?? OLD });
    await trading;
  }
  try {
    for (const [at, name] of names.entries()) {
      assert.deepEqual(await agreedOn(cluster), FIRST, 'one is not upgraded yet');
      const { how, takeover } = present(ways[at], 'way');
      if (takeover !== undefined) await restart((await cluster.leader()).name, takeover);
      versions.set(name, NEW);
      await restart(name, how);
    }
    await untilAgreed(cluster, SECOND);
    const gateway = cluster.processes.find((one) => one.name === 'gateway-1');
    await orders.place(3);
    assert.ok(gateway !== undefined);
    assert.equal(outcomeOf(await gateway.submit(move(gateway))), 'order_moved');
    await cluster.stateHash();
    await requireOneRaise(cluster);
    orders.requireAll(await cluster.entries());
    ends.push(...cluster.processes.flatMap((one) => one.ends));
    for (const end of ends) assert.ok(!(end instanceof VersionFault), end.message);
  } finally {
    await cluster.close();
  }
}

/** Orders of clients, and which of them were acknowledged. */
class Orders {
  readonly #cluster: LocalCluster;
  readonly #acknowledged: string[] = [];
  #count = 0;

  constructor(cluster: LocalCluster) {
    this.#cluster = cluster;
  }

  /** So many at each process that is there. */
  async place(count: number): Promise<void> {
    const orders = this.#cluster.processes.flatMap((one) =>
      Array.from({ length: count }, () => this.#place(one)),
    );
    await Promise.all(orders);
  }

  /** Each that was acknowledged is in the log once, and none is there twice. */
  requireAll(entries: readonly SharedEntry[]): void {
    const placed = entries
      .flatMap(({ payload }) => decodeEntry(payload))
      .flatMap(({ command }) => (command.kind === 'place_spot_order' ? command : []))
      .map(({ clientOrderId = '' }) => clientOrderId);
    assert.equal(new Set(placed).size, placed.length, 'none twice');
    const lost = this.#acknowledged.filter((id) => !placed.includes(id));
    assert.deepEqual(lost, [], 'none lost');
    assert.ok(this.#acknowledged.length > 0);
  }

  async #place(one: ProcessHere): Promise<void> {
    this.#count += 1;
    const id = `order ${this.#count}`;
    const outcome = outcomeOf(await one.submit(buy(id)));
    if (outcome === 'order_accepted') this.#acknowledged.push(id);
    else assert.ok(['venue_halted', 'outcome_unknown'].includes(outcome), outcome);
  }
}

function faultIn({ ends: [end] }: ProcessHere): string {
  assert.ok(end instanceof VersionFault, String(end));
  return end.message;
}

async function claimOf(cluster: LocalCluster) {
  const log = cluster.openLog();
  const claim = await log.current();
  await log.close();
  return claim;
}

async function untilAgreed(cluster: LocalCluster, versions: Versions): Promise<void> {
  await until(`${JSON.stringify(versions)} is agreed on`, async () =>
    isDeepStrictEqual(await agreedOn(cluster), versions),
  );
}

/** The log begins with the first versions, and from one entry on it has the second ones. */
async function requireOneRaise(cluster: LocalCluster): Promise<void> {
  const versions = (await cluster.entries()).map(({ format, rules }) => `${format}/${rules}`);
  assert.deepEqual(versions, versions.toSorted());
  assert.deepEqual([...new Set(versions)], ['1/1', '2/2']);
}

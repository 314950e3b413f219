/**
 * A cluster has so many processes and no more, because what each of them sends is remembered: who
 * is one too many is refused where it joins, and who is gone leaves its place to the next.
 */
import { strict as assert } from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Command } from '#domain';
import { type Fate, KeySpace, MemoryKeys, MemoryStore, StoredSharedLog } from '#log/testing';
import { REAL_TIME } from '../support/real-time.ts';
import { accountSettings } from '../support/terms.ts';
import { until } from '../support/until.ts';
import { LocalCluster, type ProcessHere } from './local-cluster.ts';

const GATEWAY = { kind: 'gateway', processesMax: 3 } as const;
const FULL = /as many processes as processesMax allows \(3\)/;

function account(name: string): Command {
  return { kind: 'create_account', settings: accountSettings(name) };
}

async function opens(process: ProcessHere, name: string): Promise<void> {
  const [event] = await process.submit(account(name));
  assert.equal(event?.kind, 'account_created', JSON.stringify(event));
}

/** Leases end and are kept ten times as fast as elsewhere. */
class FastStore extends MemoryStore {
  constructor(keys: MemoryKeys, fateOf: () => Fate) {
    super(keys, { ...REAL_TIME, sleep: (ms, signal) => REAL_TIME.sleep(ms / 10, signal) }, fateOf);
  }

  override grant(seconds: number, timeoutMs: number): Promise<number> {
    return super.grant(seconds / 10, timeoutMs);
  }
}

/** A log in memory, which a test may cut off from the process that opens it as `nth`. */
class CutLog {
  readonly #keys = new MemoryKeys();
  readonly #nth: number;
  #opened = 0;
  isCutOff = false;

  constructor(nth = 0) {
    this.#nth = nth;
  }

  readonly open = (): StoredSharedLog => {
    this.#opened += 1;
    const isCut = this.#opened === this.#nth;
    const fateOf = (): Fate => ({ thereMs: 0, backMs: 0, isLost: isCut && this.isCutOff });
    return new StoredSharedLog(new FastStore(this.#keys, fateOf), new KeySpace('test', 'main'));
  };
}

/** A leader and two gateways: all that there may be. */
async function fullCluster(context: TestContext, log = new CutLog()) {
  const cluster = new LocalCluster(undefined, log.open);
  context.after(() => cluster.close());
  await cluster.start('member-1', { processesMax: 3 });
  const north = await cluster.start('north', GATEWAY);
  const south = await cluster.start('south', GATEWAY);
  return { cluster, north, south };
}

test('a process too many is refused by the name of the bound, and leaves nothing', async (t) => {
  const { cluster, north, south } = await fullCluster(t);
  await assert.rejects(cluster.start('west', GATEWAY), FULL);
  await opens(north, 'anna');
  await opens(south, 'berta');
  const log = cluster.openLog();
  const names = (await log.reports()).map(({ member }) => member);
  assert.deepEqual(names.toSorted(), ['member-1', 'north', 'south']);
  await log.close();
  await cluster.stop('south', 'in order');
  const west = await cluster.start('west', GATEWAY);
  await opens(west, 'carla');
  await cluster.stateHash();
});

test('a process that was killed leaves its place to whoever waits for it', async (t) => {
  const { cluster, north } = await fullCluster(t);
  await opens(north, 'anna');
  await cluster.stop('north', 'killed');
  const west = await cluster.start('west', GATEWAY);
  await opens(west, 'berta');
  await cluster.stateHash();
});

test('one process may start and end as often as it likes', async (t) => {
  const { cluster, south } = await fullCluster(t);
  for (let life = 0; life < 5; life += 1) {
    await cluster.stop('north', 'in order');
    await opens(await cluster.start('north', GATEWAY), `life-${life}`);
  }
  await opens(south, 'anna');
  const rows = [...(await cluster.leader()).engine.dump()].filter((row) =>
    row.startsWith('["requests"'),
  );
  assert.equal(rows.length, 2, 'two gateways have sent something, in one life each');
});

test('a process whose place was given away meanwhile ends, and sends nothing', async (t) => {
  // The third to open the log is south.
  const cut = new CutLog(3);
  const { cluster, south } = await fullCluster(t, cut);
  await opens(south, 'anna');
  cut.isCutOff = true;
  const west = await cluster.start('west', GATEWAY);
  await opens(west, 'berta');
  // Its connection to the leader is as it was; what it sends on comes from an earlier life.
  const late = south.submit(account('carla'));
  cut.isCutOff = false;
  await until('it has heard', () => south.ends.length > 0);
  assert.match(String(south.ends[0]), /another process has taken the place of this one/);
  await cluster.stop('south', 'in order');
  assert.equal((await late)[0]?.kind, 'refused');
  const found = await west.member.venue.read((state) => state.accountByName('carla'));
  assert.equal(found, undefined);
});

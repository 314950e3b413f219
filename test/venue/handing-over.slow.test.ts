/** A start of which the market's replay makes the history whole, before the projector replays. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { encodeCommand, joinCommands } from '#domain';
import { Projection, recoverHandingOver, verifyHistory } from '#venue';
import { Floor } from '../support/floor.ts';
import { historyOf } from '../support/history-files.ts';
import { logOf } from '../support/logs.ts';
import { scratchDirectory } from '../support/scratch.ts';

const HOUR_MS = 3_600_000;
const EARLIER_TRADES = 200;
const LATER_TRADES = 5;
const COMMANDS_PER_ENTRY = 7;
const DEADLINE_MS = 60_000;

type Timed = Floor['commands'];
type Lacking = Parameters<Projection['handOver']>[0];

/** Two traders of a pair and a contract; one loses all it has when hours have passed. */
function session(): { readonly floor: Floor; readonly earlierCount: number } {
  const floor = Floor.listed({}, { startMs: Date.parse('2026-03-01T18:00:00Z') });
  const ann = floor.open('ann', { USDT: '1000000', BTC: '1000' });
  const bob = floor.open('bob', { USDT: '1000000', BTC: '1000' });
  for (const who of [ann, bob]) floor.fund(who, '100000');
  const cay = floor.open('cay', '2000');
  floor.index('30000');
  trades(floor, EARLIER_TRADES, ann, bob);
  const earlierCount = floor.commands.length;
  // The next day begins, with what was owned before it.
  for (let hour = 0; hour < 9; hour += 1) floor.tick(HOUR_MS);
  trades(floor, LATER_TRADES, ann, bob);
  floor.trade(cay, bob, '30000', 500);
  floor.index('20000');
  floor.tick();
  return { floor, earlierCount };
}

function trades(floor: Floor, count: number, ann: number, bob: number): void {
  const [one, other] = [ann, bob] as [Parameters<Floor['limit']>[0], Parameters<Floor['limit']>[0]];
  for (let number = 0; number < count; number += 1) {
    floor.limit(one, 'buy', '30000', '0.01');
    floor.limit(other, 'sell', '30000', '0.01');
    if (number % 10 === 0) floor.trade(one, other, '30000', 1);
  }
}

class Place {
  readonly directory = scratchDirectory();
  readonly history = historyOf(join(this.directory, 'history.sqlite'));
  readonly log = logOf(this.directory);
  readonly warnings: string[] = [];

  async append(commands: Timed): Promise<void> {
    const journal = await this.log.openWriter();
    const { lastSeq } = journal;
    for (let at = 0; at < commands.length; at += COMMANDS_PER_ENTRY) {
      const part = commands.slice(at, at + COMMANDS_PER_ENTRY);
      const texts = part.map(({ timeMs, command }) => encodeCommand(timeMs, command));
      await journal.append(lastSeq + at + 1, texts.length, joinCommands(texts));
    }
    await journal.close();
  }

  projection(isHandedSteps: boolean): Projection {
    const data = {
      log: { kind: 'sqlite', directory: this.directory },
      history: { kind: 'sqlite', file: this.history.place },
      isHandedSteps,
      snapshotEveryCommands: Number.MAX_SAFE_INTEGER,
      snapshotOnCloseAfterCommands: Number.MAX_SAFE_INTEGER,
    } as const;
    return new Projection(data, {
      onProgress: () => undefined,
      onWarning: (text) => this.warnings.push(text),
      onFault: (error) => assert.fail(error),
      onRecovered: () => assert.fail('there was no fault'),
    });
  }

  /** The journal's beginning with its history, and what came after the history's last step. */
  async crashed(commands: Timed, earlierCount: number): Promise<void> {
    await this.append(commands.slice(0, earlierCount));
    const projection = this.projection(false);
    await projection.caughtUp();
    await projection.close();
    await this.append(commands.slice(earlierCount));
  }

  recover(projection: Projection) {
    const recovery = { log: this.log, snapshotSeqMax: Number.MAX_SAFE_INTEGER };
    return recoverHandingOver(recovery, this.history, projection);
  }

  async requireWhole(seq: number): Promise<void> {
    const report = await verifyHistory(this.log, this.history, () => undefined);
    assert.deepEqual(report, { seq, differences: [] });
  }
}

/** A start that hangs fails by this and not by the run's own limit. */
async function inTime<T>(t: TestContext, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('it did not come')), DEADLINE_MS);
  t.after(() => clearTimeout(timer));
  return Promise.race([work, late.promise]);
}

test('steps are copied to another thread as they are', () => {
  const { floor } = session();
  const kinds = new Set(floor.steps.flatMap(({ events }) => events.map(({ kind }) => kind)));
  for (const kind of ['trade', 'contract_trade', 'liquidated', 'order_closed'] as const) {
    assert.ok(kinds.has(kind), kind);
  }
  assert.deepEqual(structuredClone(floor.steps), floor.steps);
});

test('the history is whole before the projector replays the journal, and after', async (t) => {
  const place = new Place();
  const { floor, earlierCount } = session();
  const seq = floor.commands.length;
  assert.equal(await place.history.projectedSeq(), undefined);
  await place.crashed(floor.commands, earlierCount);
  assert.equal(await place.history.projectedSeq(), earlierCount);
  const projection = place.projection(true);
  try {
    const engine = await place.recover(projection);
    await inTime(t, projection.caughtUp());
    assert.equal(engine.seq, seq);
    assert.equal(projection.projectedSeq, seq);
    await place.requireWhole(seq);
    const reader = await place.history.openReader();
    const days = await reader.equities({ accountId: floor.id('ann') });
    await reader.close();
    assert.ok(days.length > 0, 'what was owned when the day began is there');
    // Whoever asks for more sets the replay off.
    floor.tick();
    await place.append(floor.commands.slice(seq));
    await inTime(t, projection.reach(seq + 1));
  } finally {
    await projection.close();
  }
  await place.requireWhole(seq + 1);
  assert.deepEqual(place.warnings, []);
});

test('a venue that ends before its projector has replayed leaves a whole history', async (t) => {
  const place = new Place();
  const { floor, earlierCount } = session();
  await place.crashed(floor.commands, earlierCount);
  for (const expected of [floor.commands.length, floor.commands.length]) {
    const projection = place.projection(true);
    await place.recover(projection);
    await inTime(t, projection.caughtUp());
    await inTime(t, projection.close());
    await place.requireWhole(expected);
  }
});

test('a history that lacks much is made by the projector', async (t) => {
  const place = new Place();
  const { floor } = session();
  await place.crashed(floor.commands, 20);
  const projection = place.projection(true);
  await place.recover(projection);
  await inTime(t, projection.caughtUp());
  await place.requireWhole(floor.commands.length);
  await projection.close();
});

test('steps that do not follow the history are not taken', async (t) => {
  const { floor, earlierCount } = session();
  for (const afterSeq of [earlierCount - 1, earlierCount + 1]) {
    const place = new Place();
    await place.crashed(floor.commands, earlierCount);
    await startedWith(t, place, { afterSeq, steps: floor.steps.slice(afterSeq) });
    await place.requireWhole(floor.commands.length);
  }
});

test('steps that follow the history are taken as they are', async (t) => {
  const { floor, earlierCount } = session();
  const place = new Place();
  await place.crashed(floor.commands, earlierCount);
  // Only a replay could tell that something happened in them.
  const steps = floor.steps.slice(earlierCount).map((step) => ({ ...step, events: [] }));
  await startedWith(t, place, { afterSeq: earlierCount, steps });
  const report = await verifyHistory(place.log, place.history, () => undefined);
  assert.equal(report.seq, floor.commands.length);
  assert.ok(report.differences.length > 0);
});

async function startedWith(t: TestContext, place: Place, lacking: Lacking): Promise<void> {
  const projection = place.projection(true);
  projection.handOver(lacking);
  await inTime(t, projection.caughtUp());
  await projection.close();
}

test('a start that fails before it hands anything over ends its projector', async (t) => {
  const place = new Place();
  const { floor, earlierCount } = session();
  await place.crashed(floor.commands, earlierCount);
  const projection = place.projection(true);
  await inTime(t, projection.close());
  await place.requireWhole(floor.commands.length);
});

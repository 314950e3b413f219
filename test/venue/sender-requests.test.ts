/** Requests of senders: whatever is sent again, each is carried out once, after a takeover too. */
import { strict as assert } from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import {
  assetId,
  type Command,
  decodeEntry,
  encodeRequested,
  LIMITS,
  type Origin,
  RULES_VERSION,
  writeSender,
} from '#domain';
import { Engine } from '#engine';
import { ManualClock } from '#kernel';
import { recoverEngine, type Venue } from '#venue';
import { START_MS } from '../support/floor.ts';
import { logOf } from '../support/logs.ts';
import { RealVenue } from '../support/real-venue.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { accountSettings, assetSpec } from '../support/terms.ts';

const USDT: Command = { kind: 'list_asset', spec: assetSpec(2, 'USDT') };

const from = (request: number, openFrom = 1, sender = 'gw-1'): Origin => ({
  sender,
  request,
  openFrom,
});

function account(name: string): Command {
  return { kind: 'create_account', settings: accountSettings(name) };
}

function carryOut(engine: Engine, origin: Origin): void {
  engine.apply({ kind: 'continue_work' }, START_MS, RULES_VERSION, origin);
}

async function open(directory: string): Promise<Venue> {
  const clock = new ManualClock(START_MS);
  return (await RealVenue.open({ after }, directory, { clock })).venue;
}

test('the text of a command keeps the request that it answers', () => {
  const origin = from(7, 3, 'north "1"');
  const [timed] = decodeEntry(`[${encodeRequested(origin, 5, USDT)}]`);
  assert.deepEqual(timed, { timeMs: 5, command: USDT, origin });
});

test('a request sent again changes nothing, in the same venue and after a recovery', async () => {
  const directory = scratchDirectory();
  const venue = await open(directory);
  const [first, again] = await Promise.all([
    venue.submit(account('anna'), from(1)),
    venue.submit(account('anna'), from(1)),
  ]);
  assert.equal(first[0]?.kind, 'account_created');
  assert.deepEqual(again, []);
  assert.equal(venue.releasedSeq, 1);
  const other = await venue.submit(account('berta'), from(1, 1, 'gw-2'));
  assert.equal(other[0]?.kind, 'account_created');
  await venue.close();

  const log = logOf(directory);
  const recovered = await recoverEngine({ log, snapshotSeqMax: Number.MAX_SAFE_INTEGER });
  assert.ok(recovered.isDone(from(1)));
  assert.ok(recovered.isDone(from(1, 1, 'gw-2')));
  assert.ok(!recovered.isDone(from(2)));
  const restored = Engine.restore([...recovered.dump()]);
  assert.deepEqual([...restored.dump()], [...recovered.dump()]);
  assert.ok(restored.isDone(from(1)));
});

test('a refused request may be sent again and is judged anew', async () => {
  const venue = await open(scratchDirectory());
  const early: Command = { kind: 'fund_insurance', assetId: assetId(0), amount: 1n };
  const [refused] = await venue.submit(early, from(1));
  assert.equal(refused?.kind, 'refused');
  await venue.submit(USDT, from(2));
  const [funded] = await venue.submit(early, from(1));
  assert.notEqual(funded?.kind, 'refused');
  await venue.close();
});

test('a sender with too many open requests waits, and what is settled goes', () => {
  const engine = Engine.empty();
  const max = LIMITS.senderRequestsMax;
  for (let request = 1; request <= max; request += 1) {
    carryOut(engine, from(request));
  }
  assert.ok(!engine.hasRoomFor(from(max + 1)));
  assert.ok(engine.hasRoomFor(from(max + 1, 2)));
  carryOut(engine, from(max + 1, max));
  const rows = [...engine.dump()].filter((row) => row.startsWith('["requests"'));
  assert.deepEqual(rows, [`["requests","gw-1",${max},[[${max},${max}],[${max + 1},${max + 1}]]]`]);
  assert.ok(engine.isDone(from(1)), 'what its sender has settled is never carried out again');
});

const sender = (place: number, life = 1): string => writeSender({ place, life });

test('no process of a cluster is forgotten, however many there are', () => {
  const engine = Engine.empty();
  for (let place = 0; place < LIMITS.clusterPlacesMax; place += 1) {
    carryOut(engine, from(1, 1, sender(place)));
  }
  for (let number = 0; number <= LIMITS.unplacedSendersMax; number += 1) {
    carryOut(engine, from(1, 1, `gw-${number}`));
  }
  const restored = Engine.restore([...engine.dump()]);
  for (const one of [engine, restored]) {
    for (let place = 0; place < LIMITS.clusterPlacesMax; place += 1) {
      assert.ok(one.isDone(from(1, 1, sender(place))), `place ${place}`);
    }
  }
  assert.ok(!engine.hasRoomFor(from(1, 1, sender(LIMITS.clusterPlacesMax))));
  assert.deepEqual([...restored.dump()], [...engine.dump()]);
});

test('a place that has changed hands takes no request of its earlier lives', () => {
  const engine = Engine.empty();
  carryOut(engine, from(1, 1, sender(3)));
  carryOut(engine, from(1, 1, sender(4)));
  assert.ok(!engine.isDone(from(2, 1, sender(3))), 'until the next life is heard');
  carryOut(engine, from(1, 1, sender(3, 3)));
  for (const one of [engine, Engine.restore([...engine.dump()])]) {
    for (const life of [1, 2]) {
      for (const request of [1, 2]) assert.ok(one.isDone(from(request, 1, sender(3, life))));
    }
    assert.ok(!one.isDone(from(2, 1, sender(3, 3))));
    assert.ok(!one.isDone(from(1, 1, sender(3, 4))));
    assert.ok(!one.isDone(from(2, 1, sender(4))), 'other places go on');
  }
  const rows = [...engine.dump()].filter((row) => row.startsWith('["requests"'));
  assert.equal(rows.length, 2, 'of a place one life is remembered');
});

test('senders without a place are bounded: the one silent longest is forgotten', () => {
  const engine = Engine.empty();
  for (let number = 0; number <= LIMITS.unplacedSendersMax; number += 1) {
    carryOut(engine, from(1, 1, `gw-${number}`));
    if (number < LIMITS.unplacedSendersMax) {
      carryOut(engine, from(number + 2, 1, 'gw-0'));
    }
  }
  assert.ok(engine.isDone(from(1, 1, 'gw-0')));
  assert.ok(!engine.isDone(from(1, 1, 'gw-1')));
  assert.ok(engine.isDone(from(1, 1, 'gw-2')));
});

test('a checkpoint takes back what was done, but not that it was asked for', async () => {
  const venue = await open(scratchDirectory());
  await venue.submit({ kind: 'save_checkpoint', name: 'empty' });
  await venue.submit(account('anna'), from(1));
  const [reset] = await venue.submit({ kind: 'reset_to_checkpoint', name: 'empty' });
  assert.equal(reset?.kind, 'venue_reset');
  assert.deepEqual(await venue.submit(account('anna'), from(1)), []);
  await venue.close();
});

test('whatever is sent again in whatever order, each request becomes one command', () => {
  let casesCount = 0;
  const sent = fc.array(
    fc.record({
      request: fc.integer({ min: 1, max: 12 }),
      place: fc.integer({ min: 1, max: 3 }),
      isPlaced: fc.boolean(),
    }),
  );
  const once = fc.property(sent, (requests) => {
    const engine = Engine.empty();
    const done = new Set<string>();
    for (const { request, place, isPlaced } of requests) {
      const name = isPlaced ? sender(place) : `gw-${place}`;
      const origin = from(request, 1, name);
      const key = `${name}/${request}`;
      assert.equal(engine.isDone(origin), done.has(key));
      if (!done.has(key)) carryOut(engine, origin);
      done.add(key);
    }
    assert.equal(engine.seq, done.size);
    casesCount += 1;
  });
  fc.assert(once, { numRuns: 200 });
  assert.equal(casesCount, 200);
});

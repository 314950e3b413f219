/** The venue over a real journal: order of commands, answers only when durable, halt, recovery. */
import { strict as assert } from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  accountId,
  assetId,
  type Command,
  type CreateAccount,
  encodeCommand,
  LIMITS,
  refuse,
  VenueHalted,
} from '#domain';
import { ManualClock, present } from '#kernel';
import { recoverEngine, stateHash } from '#venue';
import { Floor, START_MS } from '../support/floor.ts';
import { logOf } from '../support/logs.ts';
import { RealVenue } from '../support/real-venue.ts';
import { scratchDirectory } from '../support/scratch.ts';

/** A recording of a small session: listings, accounts, orders, cancels, refusals. */
function session(ordersCount: number): Command[] {
  const venue = Floor.listed();
  const alice = venue.open('alice', { USDT: '100000', BTC: '10' });
  const bob = venue.open('bob', { USDT: '100000', BTC: '10' });
  for (let number = 0; number < ordersCount; number += 1) {
    const who = number % 3 === 0 ? alice : bob;
    venue.limit(who, number % 2 === 0 ? 'buy' : 'sell', `${100 + (number % 7)}`, '0.01');
  }
  return venue.commands.map(({ command }) => command);
}

/** With endless turns every command is applied at once, however many come together. */
async function open(directory: string, turnMs?: number) {
  const halts: Error[] = [];
  const clock = new ManualClock(START_MS);
  const onHalt = (reason: Error) => halts.push(reason);
  // An open journal keeps its process alive: a failed test must not leave one behind.
  const real = await RealVenue.open({ after }, directory, { clock, turnMs, onHalt });
  const { venue, steps, close } = real;
  return { venue, steps, close, clock, halts };
}

test('what was answered is there after a restart, with the same state', async () => {
  const directory = scratchDirectory();
  const first = await open(directory);
  const commands = session(500);
  await Promise.all(commands.map((command) => first.venue.submit(command)));
  const before = await first.venue.read((state) => state.audit());
  await first.close();

  const second = await open(directory);
  assert.equal(second.venue.appliedSeq, commands.length);
  assert.deepEqual(await second.venue.read((state) => state.audit()), before);
  await second.close();
  const one = await recoverEngine({ log: logOf(directory), snapshotSeqMax: 0 });
  const two = await recoverEngine({
    log: logOf(directory),
    snapshotSeqMax: Number.MAX_SAFE_INTEGER,
  });
  assert.equal(stateHash(one), stateHash(two));
});

test('a step is released in order and before its caller hears of it', async () => {
  const { venue, steps, close } = await open(scratchDirectory(), Number.POSITIVE_INFINITY);
  const commands = session(200);
  const answers = commands.map(async (command, at) => {
    const events = await venue.submit(command);
    assert.deepEqual(steps[at]?.events, events, 'released before the answer');
    return at;
  });
  assert.deepEqual(
    await Promise.all(answers),
    commands.map((_, at) => at),
  );
  assert.deepEqual(
    steps.map(({ seq }) => seq),
    commands.map((_, at) => at + 1),
  );
  await close();
});

test('a read sees what was submitted before it, and only once that is durable', async () => {
  const { venue, close } = await open(scratchDirectory());
  for (const command of session(0)) void venue.submit(command);
  assert.equal(venue.releasedSeq, 0);
  const appliedSeq = venue.appliedSeq;
  const accounts = await venue.read((state) => state.accountsCount);
  assert.equal(accounts, 2);
  assert.ok(venue.releasedSeq >= appliedSeq);
  await close();
});

test('time never goes back, whatever the clock does', async () => {
  const { venue, steps, clock, close } = await open(scratchDirectory());
  const commands = session(3);
  for (const [at, command] of commands.entries()) {
    clock.set(START_MS + (at % 2 === 0 ? 5_000 : -3_600_000));
    await venue.submit(command);
  }
  const times = steps.map(({ timeMs }) => timeMs);
  assert.deepEqual(
    times,
    times.toSorted((left, right) => left - right),
  );
  await close();
});

/** Carried out however often it is given. */
const DEPOSIT = {
  kind: 'deposit',
  accountId: accountId(1),
  wallet: 'spot',
  assetId: assetId(0),
  amount: 1n,
} as const;

test('a full queue is refused and not journaled', async () => {
  const { venue, close } = await open(scratchDirectory(), Number.POSITIVE_INFINITY);
  for (const command of session(0)) await venue.submit(command);
  const seq = venue.releasedSeq;
  const many = Array.from({ length: LIMITS.entryCommandsMax + 10 }, () => venue.submit(DEPOSIT));
  const answers = await Promise.all(many);
  const busy = answers.filter(
    ([event]) => event?.kind === 'refused' && event.reject === 'venue_busy',
  );
  assert.equal(busy.length, 10);
  assert.equal(venue.releasedSeq, seq + LIMITS.entryCommandsMax);
  await close();
});

test('commands that say too much are refused before the journal chokes on them', async () => {
  const { venue, halts, close } = await open(scratchDirectory(), Number.POSITIVE_INFINITY);
  for (const command of session(0)) await venue.submit(command);
  const placed = present(session(1).at(-1), 'an order');
  const command = (number: number) => {
    const clientOrderId = String(number).padStart(60_000, 'x');
    return { ...placed, force: 'ioc', clientOrderId } as Command;
  };
  const many = Array.from({ length: 1_200 }, (_, number) => venue.submit(command(number)));
  const rejects = (await Promise.all(many)).map(([event]) =>
    event?.kind === 'refused' ? event.reject : event?.kind,
  );
  const textLength = encodeCommand(START_MS, command(0)).length;
  const taken = Math.ceil(LIMITS.entryCharactersMax / textLength);
  assert.ok(rejects.slice(0, taken).every((reject) => reject === 'order_accepted'));
  assert.ok(rejects.slice(taken + 1).every((reject) => reject === 'venue_busy'));
  assert.deepEqual(halts, []);
  await close();
});

test('a refused command is not journaled, however many come', async () => {
  const directory = scratchDirectory();
  const { venue, steps, close } = await open(directory, Number.POSITIVE_INFINITY);
  for (const command of session(0)) await venue.submit(command);
  const seq = venue.appliedSeq;
  const stranger = { ...DEPOSIT, accountId: accountId(99) };
  for (let round = 0; round < 3; round += 1) {
    const many = Array.from({ length: LIMITS.entryCommandsMax + 10 }, () => venue.submit(stranger));
    for (const [event] of await Promise.all(many)) {
      assert.equal(event?.kind === 'refused' && event.reject, 'account_unknown');
    }
  }
  assert.equal(venue.appliedSeq, seq);
  assert.equal(steps.length, seq);
  await close();
  assert.equal((await recoverEngine({ log: logOf(directory), snapshotSeqMax: 0 })).seq, seq);
});

test('a refusal waits until what it was judged by is durable', async () => {
  const { venue, close } = await open(scratchDirectory());
  for (const command of session(0)) await venue.submit(command);
  const seq = venue.releasedSeq;
  const name = present(
    session(0).find(({ kind }) => kind === 'create_account'),
    'an account',
  );
  const settings = { ...(name as CreateAccount).settings, name: 'carol' };
  const first = venue.submit({ kind: 'create_account', settings });
  const again = venue.submit({ kind: 'create_account', settings });
  assert.equal(venue.releasedSeq, seq, 'nothing is durable yet');
  const [event] = await again;
  assert.equal(event?.kind === 'refused' && event.reject, 'account_name_in_use');
  assert.equal(venue.releasedSeq, seq + 1);
  await first;
  await close();
});

test('a failed assertion halts the venue and leaves no trace in the journal', async () => {
  const directory = scratchDirectory();
  const { venue, halts, close } = await open(directory);
  for (const command of session(2)) await venue.submit(command);
  const seq = venue.releasedSeq;
  const placed = session(1).at(-1);
  const broken = { ...placed, priceTicks: 100.123 };
  await assert.rejects(async () => venue.submit(broken as never), RangeError);
  assert.equal(halts.length, 1);
  const [command] = session(0);
  assert.ok(command);
  assert.deepEqual(await venue.submit(command), [refuse('venue_halted')]);
  await assert.rejects(
    venue.read((state) => state.accountsCount),
    VenueHalted,
  );
  await close();
  const again = await open(directory);
  assert.equal(again.venue.releasedSeq, seq);
  await again.close();
});

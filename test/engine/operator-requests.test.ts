/**
 * Operators' commands for money carry an id of the operator: sent again within 30 days, such a
 * command is not carried out a second time, and what the first one did can be read.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Command, isRefused, LIMITS, type MoneyCommand, writeTagged } from '#domain';
import { Engine } from '#engine';
import { OperatorRequests } from '#engine/testing';
import { present } from '#kernel';
import { amountOf, Floor, rejectOf } from '../support/floor.ts';

const DAY_MS = 86_400_000;
const HELD_MS = LIMITS.operatorOidHoldMs;

function open(): Floor {
  const venue = Floor.listed();
  for (const name of ['ann', 'bob']) venue.open(name, { USDT: '1000' });
  return venue;
}

function money(venue: Floor, amount = '5') {
  const { assetId } = present(venue.engine.listings.assetByCode('USDT'), 'USDT');
  return { assetId, amount: amountOf(amount) };
}

/** One of each kind that an operator sends. */
const CASES: readonly ((venue: Floor, operatorOid?: string) => MoneyCommand)[] = [
  (venue, operatorOid) => {
    const accountId = venue.id('ann');
    return { kind: 'deposit', accountId, wallet: 'spot', ...money(venue), operatorOid };
  },
  (venue, operatorOid) => {
    const accountId = venue.id('ann');
    return { kind: 'withdraw', accountId, wallet: 'spot', ...money(venue), operatorOid };
  },
  (venue, operatorOid) => {
    const of = { accountId: venue.id('ann'), from: 'spot', to: 'BTC-USDT-PERP' } as const;
    return { kind: 'transfer', ...of, ...money(venue), operatorOid };
  },
  (venue, operatorOid) => ({ kind: 'fund_insurance', ...money(venue), operatorOid }),
];

function rows(engine: Engine): string[] {
  return [...engine.dump()].slice(1);
}

for (const make of CASES) {
  const { kind } = make(open());
  describe(`${kind} with an operator's id`, () => {
    test('is carried out once, and its first result can be read, after a restart too', () => {
      const venue = open();
      const command = make(venue, 'mine');
      const [first] = venue.run(command);
      assert.equal(rejectOf(venue.steps.at(-1)?.events ?? []), undefined);
      const before = rows(venue.engine);
      for (const engine of [venue.engine, Engine.restore(venue.engine.dump())]) {
        const { timeMs } = venue;
        const again = engine.attempt(command, timeMs + 1);
        assert.ok('reject' in again && again.reject === 'operator_request_repeated');
        assert.equal(writeTagged(engine.moneyResult(command)), writeTagged(first));
        assert.deepEqual(rows(engine), before);
      }
    });

    test('is refused with other content, and free for another account and kind', () => {
      const venue = open();
      const command = make(venue, 'mine');
      venue.run(command);
      const other = { ...command, amount: command.amount + 1n };
      assert.equal(rejectOf(venue.run(other)), 'operator_request_differs');
      const result = venue.engine.moneyResult(other);
      assert.ok(result !== undefined && isRefused(result));
      assert.equal(result.reject, 'operator_request_differs');
      for (const one of CASES) {
        const next = one(venue, 'mine');
        if (next.kind !== kind) assert.equal(rejectOf(venue.run(next)), undefined, next.kind);
        if (!('accountId' in next)) continue;
        const ofBob = { ...next, accountId: venue.id('bob') };
        assert.equal(rejectOf(venue.run(ofBob)), undefined, `${next.kind} of another account`);
      }
    });

    test('one that was refused was not carried out: its id is free', () => {
      const venue = open();
      const command = make(venue, 'mine');
      const refused = venue.run({ ...command, amount: 0n });
      assert.equal(rejectOf(refused), 'amount_invalid');
      assert.equal(venue.engine.moneyResult(command), undefined);
      assert.equal(rejectOf(venue.run(command)), undefined);
    });

    test('is new again after 30 days, and not before', () => {
      const venue = open();
      const command = make(venue, 'mine');
      venue.run(command);
      const carriedOutMs = venue.timeMs;
      venue.timeMs = carriedOutMs + HELD_MS - 2;
      assert.equal(rejectOf(venue.run(command)), 'operator_request_repeated');
      assert.equal(rejectOf(venue.run(command)), undefined);
      assert.equal(rejectOf(venue.run(command)), 'operator_request_repeated');
    });

    test('without an id each is another one', () => {
      const venue = open();
      for (let at = 0; at < 3; at += 1) {
        assert.equal(rejectOf(venue.run(make(venue))), undefined);
      }
      assert.ok(!rows(venue.engine).some((row) => row.startsWith('["operator_requests"')));
    });
  });
}

test('an owner and an operator do not meet in the ids of transfers', () => {
  const venue = open();
  const [, , make] = CASES;
  const command = present(make, 'transfer')(venue, 'mine');
  const from = { accountId: venue.id('ann'), from: 'spot', to: 'BTC-USDT-PERP' } as const;
  const own: Command = { kind: 'transfer', ...from, ...money(venue), clientOid: 'mine' };
  assert.equal(rejectOf(venue.run(own)), undefined);
  assert.equal(rejectOf(venue.run(command)), undefined);
});

describe('the table of operators’ ids', () => {
  const MOST = 4;
  const command = (at: number): MoneyCommand => ({
    kind: 'fund_insurance',
    ...money(Floor.listed()),
    operatorOid: `n${at}`,
  });
  const result = { kind: 'insurance_funded', ...money(Floor.listed()) } as const;

  test('refuses more than it holds within 30 days, and has room for each that is older', () => {
    const table = new OperatorRequests(MOST);
    for (let at = 0; at < MOST; at += 1) table.keep(command(at), at * DAY_MS, result);
    const refusal = table.refusalOf(command(MOST), HELD_MS - 1);
    assert.equal(refusal?.reject, 'operator_requests_exceeded');
    assert.equal(table.refusalOf(command(0), HELD_MS - 1)?.reject, 'operator_request_repeated');
    assert.equal(table.refusalOf(command(MOST), HELD_MS), undefined);
    table.keep(command(MOST), HELD_MS, result);
    const next = table.refusalOf(command(MOST + 1), HELD_MS);
    assert.equal(next?.reject, 'operator_requests_exceeded', 'the second one is of a day later');
    assert.equal(table.refusalOf(command(MOST + 1), HELD_MS + DAY_MS), undefined);
  });

  test('forgets what is over two by two, and so never holds much of it', () => {
    const table = new OperatorRequests(MOST);
    for (let at = 0; at < MOST; at += 1) table.keep(command(at), 0, result);
    for (let at = 1; at <= MOST; at += 1) {
      table.keep(command(100 + at), HELD_MS, result);
      assert.equal([...table.entries()].length, Math.max(MOST - at, at));
    }
  });

  test('is one number wherever it is restored', () => {
    const table = new OperatorRequests(MOST);
    for (let at = 0; at < MOST; at += 1) table.keep(command(at), at, result);
    const copy = new OperatorRequests(MOST);
    for (const [key, entry] of table.entries()) copy.restore(key, entry);
    assert.deepEqual([...copy.entries()], [...table.entries()]);
    for (let at = 0; at < MOST + 1; at += 1) {
      assert.deepEqual(copy.refusalOf(command(at), MOST), table.refusalOf(command(at), MOST));
    }
  });
});

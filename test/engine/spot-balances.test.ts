/** Balances as rows of whole numbers, held against balances as objects with bigints. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { accountId, assetId } from '#domain';
import { type Balance, MarginBalance, SpotBalance, SpotBalances } from '#engine/testing';
import { assert as claim, present } from '#kernel';

const COIN = assetId(3);
/** Two on one page, one at the end of it, one at the start of another, one far away. */
const OWNERS = [1, 2, 127, 128, 40_000].map(accountId);

/** A balance as bigints. */
class PlainBalance implements Balance {
  readonly assetId = COIN;
  readonly reserve = null;
  balance = 0n;
  held = 0n;
  locked = 0n;
  updatedTimeMs = 0;

  get free(): bigint {
    return this.balance - this.held - this.locked;
  }

  get available(): bigint {
    return this.free;
  }

  get touched(): boolean {
    return this.updatedTimeMs > 0;
  }

  restore(fields: Parameters<Balance['restore']>[0]): void {
    Object.assign(this, fields);
  }

  add(amount: bigint, timeMs: number): void {
    this.balance += amount;
    this.updatedTimeMs = timeMs;
  }

  hold(amount: bigint, timeMs: number): void {
    this.held += amount;
    this.updatedTimeMs = timeMs;
    claim(this.free >= 0n, 'a hold is covered by the balance');
  }

  release(amount: bigint, timeMs: number): void {
    this.hold(-amount, timeMs);
  }

  lock(amount: bigint, timeMs: number): void {
    this.locked = amount;
    this.updatedTimeMs = timeMs;
  }
}

type Act = (balance: Balance, bits: number, partOf: (most: bigint) => bigint, now: number) => void;

/** What may be done to a balance, with a part of the most that may be. */
const ACTS: Readonly<Record<string, Act>> = {
  add: (balance, bits, partOf, now) => balance.add(partOf(2n ** BigInt(bits)), now),
  take: (balance, _bits, partOf, now) => balance.add(-partOf(balance.free), now),
  hold: (balance, _bits, partOf, now) => balance.hold(partOf(balance.free), now),
  release: (balance, _bits, partOf, now) => balance.release(partOf(balance.held), now),
  lock: (balance, _bits, partOf, now) => balance.lock(partOf(balance.free + balance.locked), now),
  restore: (balance, bits, partOf, now) => {
    const most = 2n ** BigInt(bits);
    const [held, locked] = [partOf(most) / 2n, partOf(most) / 3n];
    balance.restore({ balance: most, held, locked, updatedTimeMs: now });
  },
  refused: (balance, _bits, _partOf, now) => {
    const { free, held } = balance;
    assert.throws(() => balance.hold(free + 1n, now), /a hold is covered/);
    assert.throws(() => balance.release(held + 1n, now), /no more is released/);
  },
};

const CHANGE = fc.record({
  owner: fc.nat({ max: OWNERS.length - 1 }),
  kind: fc.constantFrom(...Object.keys(ACTS)),
  bits: fc.nat({ max: 70 }),
  part: fc.bigInt({ min: 0n, max: 1_000n }),
});

function figures({ assetId, balance, free, held, locked, available, updatedTimeMs }: Balance) {
  return { assetId, balance, free, held, locked, available, updatedTimeMs };
}

/** Does the same to rows and to bigints. */
function compare(rowsOf: () => readonly Balance[]): void {
  let wide = 0;
  const property = fc.property(fc.array(CHANGE, { minLength: 20, maxLength: 120 }), (changes) => {
    const rows = rowsOf();
    const known = OWNERS.map(() => new PlainBalance());
    changes.forEach(({ owner, kind, bits, part }, at) => {
      const act = present(ACTS[kind], 'act');
      const partOf = (most: bigint): bigint => (most * part) / 1_000n;
      const row = present(rows[owner], 'row');
      act(row, bits, partOf, at + 1);
      if (kind !== 'refused') act(present(known[owner], 'model'), bits, partOf, at + 1);
      if (row.balance >= 2n ** 63n) wide += 1;
    });
    rows.forEach((row, at) => {
      const model = present(known[at], 'model');
      assert.deepEqual(figures(row), figures(model));
      assert.equal(row.touched, model.touched);
    });
  });
  fc.assert(property, { numRuns: 200 });
  assert.ok(wide > 100, `${wide} changes of balances beyond 64 bits`);
}

test('a row of a spot wallet says what bigints say, beyond 64 bits, too', () => {
  compare(() => {
    const table = new SpotBalances(COIN);
    return OWNERS.map((owner) => new SpotBalance(table, owner));
  });
});

test('so does one of a margin wallet', () => {
  compare(() => OWNERS.map(() => new MarginBalance(COIN)));
});

test('an order changes a hold by the difference', () => {
  const table = new SpotBalances(COIN);
  const [owner] = OWNERS;
  assert.ok(owner !== undefined);
  table.add(owner, 100n, 1);
  table.holdMore(owner, 60n, 2);
  table.holdMore(owner, -25n, 3);
  table.holdMore(owner, 0n, 4);
  assert.deepEqual([table.free(owner), table.updatedTimeMs(owner)], [65n, 4]);
  assert.throws(() => table.holdMore(owner, 66n, 5), /a hold is covered/);
  assert.throws(() => table.holdMore(owner, -36n, 5), /no more is released/);
  assert.deepEqual([table.free(owner), table.updatedTimeMs(owner)], [65n, 4]);
});

/** What payments do on every database: plays of lives that end anywhere, and a few by hand. */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { refuseHandMoved } from '#dialects/testing';
import { isRefused } from '#domain';
import { approvePayment, type PeopleStore, refusePayment } from '#people';
import { scratchDirectory } from '../support/scratch.ts';
import { reads } from '../support/until.ts';
import { type Act, FIRST, OPERATOR, PaymentHouse } from './payment-house.ts';

const asked: fc.Arbitrary<Act> = fc.record({
  does: fc.constantFrom('withdraw', 'withdraw', 'withdraw', 'deposit', 'transfer'),
  amount: fc.bigInt({ min: 1n, max: 700_000n }),
});
const decided: fc.Arbitrary<Act> = fc.record({
  does: fc.constantFrom('approve', 'approve', 'refuse', 'sent', 'done', 'done', 'fail', 'cancel'),
  which: fc.nat({ max: 20 }),
});

/** Acts that happen at once, after how many calls the process ends, and whether the venue does. */
const round = fc.record({
  acts: fc.array(fc.oneof(asked, decided), { minLength: 1, maxLength: 3 }),
  endsAfter: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 40 })),
  counted: fc.constantFrom('any', 'submit'),
  withVenue: fc.boolean(),
});

/** What is newest is decided on. */
const PLAY: readonly Act[] = [
  { does: 'withdraw', amount: 1_000n },
  { does: 'approve', which: 0 },
  { does: 'done', which: 0 },
  { does: 'withdraw', amount: 2_000n },
  { does: 'refuse', which: 0 },
];

export interface PlayKit {
  readonly name: string;
  /** An empty store, closed when the test is over. */
  open(scope: { after(tidyUp: () => Promise<void>): void }): Promise<PeopleStore>;
  readonly runs: number;
}

export function paymentPlays(kit: PlayKit): void {
  describe(`payments in ${kit.name}`, () => {
    lives(kit);
    atOnce(kit);
    fromEarlier(kit);
    byHand(kit);
    spare(kit);
    watched(kit);
  });
}

function lives({ open, runs }: PlayKit): void {
  test('money is where requests say, whenever a process ends', {
    timeout: 120_000,
  }, async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 3, maxLength: 7 }), async (rounds) => {
        const directory = scratchDirectory(t);
        const house = await PaymentHouse.open(t, { directory, store: await open(t) });
        for (const { acts, endsAfter, counted, withVenue } of rounds) {
          if (endsAfter > 0) {
            house.endAfter(counted === 'any' ? endsAfter : 1 + (endsAfter % 4), counted);
          }
          await Promise.all(acts.map((act) => house.act(act)));
          await house.nextLife(withVenue);
          await house.reconcile();
          await house.reconcileTotals();
          assert.deepEqual(house.faults, []);
        }
      }),
      { numRuns: runs },
    );
  });

  test('it may end behind every single call', { timeout: 120_000 }, async (t) => {
    const directory = scratchDirectory(t);
    const house = await PaymentHouse.open(t, { directory, store: await open(t) });
    for (let calls = 1; ; calls += 1) {
      house.endAfter(calls);
      for (const act of PLAY) await house.act(act);
      const { hasEnded } = house;
      await house.nextLife(false);
      await house.reconcile();
      assert.deepEqual(house.faults, []);
      if (!hasEnded) break;
      await house.tidy();
    }
    const states = (await house.all()).slice(0, 2).map(({ state }) => state);
    assert.deepEqual(states, ['refused', 'done'], 'the last life has done all of it');
  });
}

function atOnce({ open }: PlayKit): void {
  test('of two at once only one is below the limit of a day', async (t) => {
    const directory = scratchDirectory(t);
    const rules = { dailyLimit: '0.00001' };
    const house = await PaymentHouse.open(t, { directory, store: await open(t), rules });
    const made = await Promise.all([1, 2, 3].map(() => house.ask('withdraw', 600n)));
    assert.equal(made.filter((one) => !isRefused(one)).length, 1);
    await house.reconcile();
  });

  test('two approvals are of two operators, also at once', async (t) => {
    const directory = scratchDirectory(t);
    const rules = { approvals: 2 };
    const house = await PaymentHouse.open(t, { directory, store: await open(t), rules });
    const { paymentId } = await house.taken('withdraw', 600n);
    const approve = (id: string) =>
      approvePayment(house.payments, paymentId, { ...OPERATOR, id, name: id });
    await Promise.all([approve('one'), approve('one')]);
    assert.equal((await house.store.payment(paymentId))?.state, 'requested');
    const own = await approve('ada');
    assert.ok(isRefused(own) && own.reject === 'permission_missing', 'nobody approves their own');
    await approve('two');
    assert.equal((await house.store.payment(paymentId))?.state, 'approved');
    const other = await house.taken('withdraw', 600n);
    const both = ['one', 'two'].map((id) =>
      approvePayment(house.payments, other.paymentId, { ...OPERATOR, id, name: id }),
    );
    await Promise.all(both);
    assert.equal((await house.store.payment(other.paymentId))?.state, 'approved');
  });
}

function fromEarlier({ open }: PlayKit): void {
  test('what an earlier release has begun in two moves goes on, wherever it ended', async (t) => {
    const directory = scratchDirectory(t);
    const house = await PaymentHouse.open(t, { directory, store: await open(t) });
    await house.taken('withdraw', 10n);
    const asked: string[] = [];
    for (const [carriedOut, noted] of [
      [0, 0],
      [1, 0],
      [1, 1],
      [2, 0],
      [2, 1],
      [2, 2],
    ] as const) {
      asked.push(await house.askedEarlier(BigInt(100 + asked.length), carriedOut, noted));
      house.clock.set(house.clock.nowMs() + 1);
    }
    await house.nextLife(true);
    await house.reconcile();
    const ends = ['refuse', 'cancel', 'done', 'fail', 'sent', 'approve'] as const;
    for (const [which, does] of ends.entries()) {
      if (which > 1) await house.act({ does: 'approve', which });
      await house.act({ does, which });
      await house.reconcile();
    }
    const states = (await house.all()).slice(0, asked.length).map(({ state }) => state);
    assert.deepEqual(states, ['refused', 'cancelled', 'done', 'failed', 'sent', 'approved']);
    assert.deepEqual(house.faults, []);
  });
}

function byHand({ open }: PlayKit): void {
  test('one that cannot go on keeps no other from it', async (t) => {
    const directory = scratchDirectory(t);
    const house = await PaymentHouse.open(t, { directory, store: await open(t) });
    const first = await house.taken('withdraw', 600n);
    const { accountId: holding } = await house.holding();
    await house.book('withdraw', holding, 603n);
    const refusing = refusePayment(house.payments, first.paymentId, 'no');
    const { state } = await house.taken('transfer', 5n);
    assert.equal(state, 'done');
    await house.book('deposit', holding, 603n);
    const seen = await refusing;
    assert.ok(!isRefused(seen));
    assert.equal(seen.payment.isSettled, true, 'it goes on by itself once it can');
    await house.reconcile();
  });

  test('pages, filters, and what is asked of an account', async (t) => {
    const directory = scratchDirectory(t);
    const store = await open(t);
    const house = await PaymentHouse.open(t, { directory, store });
    const made = [];
    for (const kind of ['withdraw', 'deposit', 'transfer'] as const) {
      made.push((await house.taken(kind, 10n)).paymentId);
      house.clock.set(house.clock.nowMs() + 1);
    }
    const ids = async (query: Parameters<PeopleStore['payments']>[0]) =>
      (await store.payments(query)).map(({ paymentId }) => paymentId);
    assert.deepEqual(await ids({ limit: 10 }), made.toReversed());
    assert.deepEqual(await ids({ limit: 1, before: made[2] }), [made[1]]);
    assert.deepEqual(await ids({ limit: 10, kind: 'deposit' }), [made[1]]);
    assert.deepEqual(await ids({ limit: 10, state: 'done', accountId: FIRST }), [made[2]]);
    assert.deepEqual(await ids({ limit: 10, coin: 'BTC' }), []);
    assert.deepEqual(await ids({ limit: 10, personId: 'ada', kind: 'withdrawal' }), [made[0]]);
    assert.equal(await store.openPaymentsCount(FIRST), 2);
  });
}

function spare({ open }: PlayKit): void {
  test('what is held for no request may be taken out by hand, and no more', async (t) => {
    const directory = scratchDirectory(t);
    const house = await PaymentHouse.open(t, { directory, store: await open(t) });
    await house.taken('withdraw', 600n);
    const { accountId: holding, name } = await house.holding();
    const refused = async (amount: bigint) => {
      const moved = { kind: 'withdraw', name, coin: await house.coin(), amount } as const;
      return (await refuseHandMoved(house.payments, moved))?.reject;
    };
    assert.equal(await refused(1n), 'account_reserved');
    await house.book('deposit', holding, 50n);
    assert.equal(await refused(51n), 'account_reserved');
    assert.equal(await refused(50n), undefined);
    await house.book('withdraw', holding, 50n);
    assert.equal(await refused(1n), 'account_reserved');
  });
}

function watched({ open }: PlayKit): void {
  test('says for how long the oldest of each stage has waited', async (t) => {
    const directory = scratchDirectory(t);
    const webhook = { url: 'http://127.0.0.1:9/', secret: 's'.repeat(32) };
    const house = await PaymentHouse.open(t, { directory, store: await open(t), webhook });
    const { watch } = house.payments;
    const later = (seconds: number): void => {
      house.clock.set(house.clock.nowMs() + seconds * 1_000);
    };
    const waited = async () => {
      await watch.look();
      return watch.waitingSeconds.map(([stage, seconds]) => `${stage} ${Math.floor(seconds)}`);
    };
    assert.deepEqual(await waited(), [
      'moving 0',
      'requested 0',
      'approved 0',
      'sent 0',
      'undelivered 0',
    ]);
    await house.taken('withdraw', 10n);
    later(100);
    await house.taken('withdraw', 10n);
    await house.act({ does: 'approve', which: 0 });
    later(20);
    assert.deepEqual(await waited(), [
      'moving 0',
      'requested 120',
      'approved 20',
      'sent 0',
      'undelivered 120',
    ]);
    const { accountId: holding } = await house.holding();
    await house.book('withdraw', holding, 26n);
    const failed = house.act({ does: 'fail', which: 0 });
    await reads(async () => (await house.all())[0]?.state, 'failed');
    later(30);
    assert.deepEqual(await waited(), [
      'moving 30',
      'requested 150',
      'approved 0',
      'sent 0',
      'undelivered 150',
    ]);
    await house.book('deposit', holding, 26n);
    await house.payments.clerk.nudge();
    await failed;
    assert.equal((await waited())[0], 'moving 0');
  });
}

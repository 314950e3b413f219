/** The ledger of contract wallets on random days: it chains to what the wallets hold. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type AccountId,
  accountId,
  CONTRACT_ACTIONS,
  type ContractAction,
  instrumentId,
  LIMITS,
  lots,
  ticks,
  type WalletScope,
} from '#domain';
import type { HistoryReader, LedgerEntry, LedgerKind } from '#history';
import { LEDGER_KINDS } from '#history/testing';
import { present } from '#kernel';
import { BTC, coinFloor, ETH } from '../support/coin-floor.ts';
import { moves, RandomDay } from '../support/random-days.ts';
import { historyTest, project, type Stage } from './contract.ts';
import { eventsOf } from './contracts.ts';

const ACCOUNTS = [1, 2, 3, 4].map(accountId);
const limit = LIMITS.historyRowsMax;

type Check = (reader: HistoryReader, day: RandomDay) => Promise<void>;

async function onRandomDays(stage: Stage, check: Check, count = 25): Promise<void> {
  const run = fc.asyncProperty(moves, async (list) => {
    const day = new RandomDay();
    for (const [index, one] of list.entries()) day.play(one, index);
    const history = stage.newHistory();
    await project(history, day.steps);
    const reader = await history.openReader();
    try {
      await check(reader, day);
    } finally {
      await reader.close();
    }
  });
  await fc.assert(run, { numRuns: stage.runs(count), endOnFailure: true });
}

/** All rows of an account, oldest first, read page by page. */
async function ledgerOf(reader: HistoryReader, owner: AccountId): Promise<LedgerEntry[]> {
  const found: LedgerEntry[] = [];
  for (;;) {
    const before = found.at(-1)?.entryId;
    const page = await reader.ledger({ accountId: owner, before, limit: 7 });
    found.push(...page);
    if (page.length < 7) return found.reverse();
  }
}

historyTest(
  'each balance is the one before it with the change, up to the wallet',
  async (stage) => {
    const seen = new Map<LedgerKind, number>();
    await onRandomDays(stage, async (reader, day) => {
      for (const owner of ACCOUNTS) {
        const balances = new Map<string, bigint>();
        const coins = new Map<number, bigint>();
        for (const entry of await ledgerOf(reader, owner)) {
          const { wallet, assetId, delta, balance, kind } = entry;
          const coinBalance = (coins.get(assetId) ?? 0n) + delta;
          assert.equal(entry.coinBalance, coinBalance, `${kind} ${entry.entryId} of all wallets`);
          coins.set(assetId, coinBalance);
          assert.equal(balance, (balances.get(wallet) ?? 0n) + delta, `${kind} ${entry.entryId}`);
          assert.ok(balance >= 0n && entry.fee >= 0n);
          balances.set(wallet, balance);
          const held = day.engine.account(owner)?.balance(wallet, assetId);
          assert.equal(held?.assetId, assetId);
          seen.set(kind, (seen.get(kind) ?? 0) + 1);
        }
        for (const [wallet, { balance }] of day.engine.account(owner)?.contractBalances() ?? []) {
          assert.equal(balances.get(wallet), balance, `${owner} ${wallet}`);
        }
        const all = [...balances.values()].reduce((sum, balance) => sum + balance, 0n);
        assert.equal(
          [...coins.values()].reduce((sum, balance) => sum + balance, 0n),
          all,
        );
      }
    });
    const kinds: LedgerKind[] = ['open_long', 'close_short', 'deposit', 'funding'];
    for (const kind of [...kinds, 'liquidation_started', 'liquidation_finished'] as const) {
      assert.ok((seen.get(kind) ?? 0) > 0, `no row of kind ${kind}`);
    }
  },
);

historyTest(
  'there is a row for each fill, and a beginning and an end of each liquidation',
  (stage) =>
    onRandomDays(stage, async (reader, day) => {
      const events = eventsOf(day).map(({ event }) => event);
      for (const owner of ACCOUNTS) {
        const rows = await ledgerOf(reader, owner);
        const fills = events.flatMap((event) =>
          event.kind === 'contract_trade' ? [event.taker, event.maker] : [],
        );
        const own = fills.filter((fill) => fill.accountId === owner);
        assert.deepEqual(
          rows.flatMap(({ kind, orderId, delta, fee }) =>
            orderId === undefined ? [] : [{ kind, orderId, delta, fee }],
          ),
          own.map(({ action: kind, orderId, realizedPnl, fee }) => {
            return { kind, orderId, delta: realizedPnl - fee, fee };
          }),
        );
        const liquidations = events.filter(
          (event) => event.kind === 'liquidated' && event.accountId === owner,
        );
        const of = (kind: LedgerKind) => rows.filter((row) => row.kind === kind);
        assert.equal(of('liquidation_finished').length, liquidations.length);
        assert.equal(of('liquidation_started').length, liquidations.length);
        assert.ok(of('liquidation_finished').every(({ delta }) => delta <= 0n));
        assert.ok(of('insurance').every(({ delta }) => delta > 0n));
      }
    }),
);

historyTest('a loss closed against a gain of the same account comes first', async (stage) => {
  const day = new RandomDay();
  const [ann, bob, cay] = [accountId(4), accountId(2), accountId(3)];
  const market = { instrumentId: instrumentId(1) };
  const order = (owner: AccountId, action: ContractAction, price: number) => {
    const terms = { accountId: owner, ...market, action, force: 'gtc' } as const;
    const priced = { type: 'limit', priceTicks: ticks(price), sizeLots: lots(12) } as const;
    const clientOrderId = undefined;
    day.run({ kind: 'place_contract_order', ...terms, ...priced, clientOrderId });
  };
  for (const accountId of [bob, cay]) {
    day.run({ kind: 'set_margin_mode', accountId, ...market, mode: 'cross' });
  }
  order(bob, 'open_short', 99);
  order(ann, 'open_long', 99);
  order(cay, 'open_long', 100);
  order(ann, 'open_short', 100);
  day.run({ kind: 'report_index', ...market, source: 'test', priceTicks: ticks(105) });
  const reader = await stage.readerOf(day);
  const rows = (await ledgerOf(reader, ann)).slice(-6);
  // The gain is as large as the loss and what the fund takes: balances do not show the order.
  assert.deepEqual(
    rows.slice(2).map(({ kind, delta }) => [kind, delta]),
    [
      ['close_short', -4_800n],
      ['close_long', 6_000n],
      ['liquidation_started', 0n],
      ['liquidation_finished', -1_200n],
    ],
  );
  for (const [index, row] of rows.entries()) {
    const before = rows[index - 1];
    if (before === undefined) continue;
    assert.equal(row.balance, before.balance + row.delta);
    assert.equal(row.coinBalance, present(before.coinBalance, 'balance of the coin') + row.delta);
  }
});

historyTest('every filter leaves the rows that match it, newest first', (stage) =>
  onRandomDays(
    stage,
    async (reader, day) => {
      for (const owner of ACCOUNTS.slice(0, 2)) {
        const all = (await ledgerOf(reader, owner)).reverse();
        const ids = [undefined, ...new Set(all.map(({ instrumentId }) => instrumentId))];
        const middleMs = day.steps[day.steps.length >> 1]?.timeMs ?? 0;
        for (const wallet of [...new Set(all.map((row) => row.wallet)), 'NONE-PERP'] as const) {
          const expected = all.filter((row) => row.wallet === wallet);
          assert.deepEqual(await reader.ledger({ accountId: owner, wallet, limit }), expected);
        }
        for (const instrumentId of ids) {
          for (const assetId of [undefined, all[0]?.assetId, 99 as never]) {
            for (const kinds of [undefined, ['funding', 'close_long'], LEDGER_KINDS] as const) {
              for (const span of [{}, { fromMs: middleMs }, { toMs: middleMs }]) {
                const query = { accountId: owner, instrumentId, assetId, kinds, ...span, limit };
                const expected = all.filter(
                  (row) =>
                    (instrumentId === undefined || row.instrumentId === instrumentId) &&
                    (assetId === undefined || row.assetId === assetId) &&
                    (kinds === undefined || kinds.some((kind) => kind === row.kind)) &&
                    row.timeMs >= (query.fromMs ?? 0) &&
                    row.timeMs <= (query.toMs ?? Infinity),
                );
                assert.deepEqual(await reader.ledger(query), expected);
                const before = expected[2]?.entryId;
                const rest = await reader.ledger({ ...query, before, limit: 3 });
                assert.deepEqual(
                  rest,
                  before === undefined ? expected.slice(0, 3) : expected.slice(3, 6),
                );
              }
            }
          }
        }
      }
    },
    6,
  ),
);

/** What a day of two contracts on one wallet consists of. */
const coinMoves = fc.array(
  fc.record({
    who: fc.nat({ max: 2 }),
    on: fc.constantFrom(BTC.symbol, ETH.symbol),
    action: fc.constantFrom(...CONTRACT_ACTIONS),
    size: fc.integer({ min: 1, max: 60 }),
    percent: fc.integer({ min: -6, max: 6 }),
    what: fc.constantFrom('order', 'order', 'order', 'order', 'index', 'isolated'),
  }),
  { minLength: 60, maxLength: 120, size: 'max' },
);

type CoinMove = typeof coinMoves extends fc.Arbitrary<readonly (infer Move)[]> ? Move : never;

function playOnTwoContracts(list: readonly CoinMove[], wallets: WalletScope) {
  const floor = coinFloor();
  const owners = ['ann', 'bob', 'cay'].map((name) => floor.open(name, '3000', { wallets }));
  if (wallets === 'contract') for (const owner of owners) floor.fund(owner, '3000', ETH.symbol);
  for (const { who, on, action, size, percent, what } of list) {
    const owner = owners[who] ?? assert.fail();
    const price = (floor.contractOf(on).referencePriceTicks * (100 + percent)) / 100;
    if (what === 'index') floor.index(price, on);
    else if (what === 'isolated') floor.setMode(owner, 'isolated', on);
    else floor.order(owner, action, price, on === BTC.symbol ? size * 10 : size, { on });
  }
  return { floor, owners };
}

historyTest('several wallets of a coin have one chain, whoever goes on writing', async (stage) => {
  let liquidationsCount = 0;
  const run = fc.asyncProperty(coinMoves, async (list) => {
    const { floor, owners } = playOnTwoContracts(list, 'contract');
    const history = stage.newHistory();
    const half = floor.steps.length >> 1;
    const parts = [floor.steps.slice(0, half), floor.steps.slice(half)];
    for (const part of parts) await project(history, part);
    const reader = await history.openReader();
    for (const owner of owners) {
      let coinBalance = 0n;
      for (const { delta, kind, ...entry } of await ledgerOf(reader, owner)) {
        coinBalance += delta;
        assert.equal(entry.coinBalance, coinBalance, kind);
        if (kind === 'liquidation_finished') liquidationsCount += 1;
      }
      const { assetId } = floor.contract.margin;
      assert.equal(floor.engine.marginFunds(owner, assetId)?.balance, coinBalance);
    }
    await reader.close();
  });
  await fc.assert(run, { numRuns: 15, endOnFailure: true });
  assert.ok(liquidationsCount > 0);
});

historyTest('a wallet of several contracts has one chain, up to its balance', async (stage) => {
  const seen = new Set<LedgerKind>();
  const run = fc.asyncProperty(coinMoves, async (list) => {
    const { floor, owners } = playOnTwoContracts(list, 'coin');
    const reader = await stage.readerOf(floor);
    for (const owner of owners) {
      let balance = 0n;
      for (const entry of await ledgerOf(reader, owner)) {
        assert.equal(entry.wallet, 'margin');
        balance += entry.delta;
        assert.deepEqual([entry.balance, entry.coinBalance], [balance, balance], entry.kind);
        seen.add(entry.kind);
      }
      const { assetId } = floor.contract.margin;
      const held = floor.engine.account(owner)?.balance('margin', assetId);
      assert.equal(held?.balance, balance);
    }
  });
  await fc.assert(run, { numRuns: stage.runs(25), endOnFailure: true });
  // A day whose netting books the gain of the short side before the loss of the long one.
  const day = { seed: -1046230573, path: '1202', numRuns: 1, endOnFailure: true };
  await fc.assert(run, day);
  for (const kind of ['open_short', 'close_long', 'liquidation_finished'] as const) {
    assert.ok(seen.has(kind), `no row of kind ${kind}`);
  }
});

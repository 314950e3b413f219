/**
 * The live views behind the real engine: its books and ours agree after every command, and a
 * reader that starts in the middle from seeds ends up the same as one that saw everything.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type AccountSettings,
  accountId,
  type Command,
  instrumentId,
  lots,
  orderId,
  type PublicTrade,
  SELF_TRADE_PREVENTIONS,
  type Side,
  type SpotSpec,
  ticks,
} from '#domain';
import { Engine } from '#engine';
import { LiveMarkets } from '../../src/views/live/markets.ts';
import { candlesKept } from '../../src/views/live/pair.ts';
import { PERIODS } from '../../src/views/periods.ts';
import { type NaiveTrade, naiveCandles } from './live-naive.ts';
import { at, coin, HOUR_MS, MINUTE_MS } from './live-tape.ts';

const PAIRS = [instrumentId(0), instrumentId(1)];
const SIDES: readonly Side[] = ['buy', 'sell'];

function spec(baseCode: string, quoteCode: string): SpotSpec {
  return {
    symbol: `${baseCode}${quoteCode}_SPBL`,
    baseCode,
    quoteCode,
    priceScale: 2,
    quantityScale: 4,
    minLots: lots(1),
    maxLots: lots(1_000),
    minNotional: 0n,
    takerFeePpm: 1_000,
    makerFeePpm: 500,
    status: 'online',
    referencePriceTicks: ticks(0),
  };
}

function account(index: number): AccountSettings {
  return {
    name: `trader-${index}`,
    frozen: false,
    selfTradePrevention: SELF_TRADE_PREVENTIONS[index] ?? 'none',
    openOrdersMax: 1_000,
    takerFeePpm: null,
    makerFeePpm: null,
  };
}

/** Two pairs, and an account with money for each kind of self-trade prevention. */
function opening(): Command[] {
  const coins = (['USDT', 'BTC', 'EUR', 'ETH'] as const).map((code) => coin(code));
  const accounts = SELF_TRADE_PREVENTIONS.map((_, index) => account(index));
  return [
    ...coins.map((asset): Command => ({ kind: 'list_asset', spec: asset })),
    { kind: 'list_spot', spec: spec('BTC', 'USDT') },
    { kind: 'list_spot', spec: spec('ETH', 'USDT') },
    { kind: 'list_contract', spec: { symbol: 'cmt_btcusdt', marginCode: 'USDT' } },
    ...accounts.map((settings): Command => ({ kind: 'create_account', settings })),
    ...accounts.flatMap((_, index) => coins.map((asset) => deposit(index, asset.assetId))),
  ];
}

function deposit(index: number, asset: ReturnType<typeof coin>['assetId']): Command {
  const owner = accountId(index + 1);
  return { kind: 'deposit', accountId: owner, wallet: 'spot', assetId: asset, amount: 10n ** 14n };
}

const order = fc.record({
  kind: fc.constant('place_spot_order' as const),
  accountId: fc.integer({ min: 1, max: 4 }).map(accountId),
  instrumentId: fc.constantFrom(...PAIRS),
  side: fc.constantFrom(...SIDES),
  force: fc.constantFrom('gtc', 'gtc', 'gtc', 'post_only', 'fok', 'ioc'),
  priceTicks: fc.integer({ min: 95, max: 105 }).map(ticks),
  sizeLots: fc.integer({ min: 1, max: 30 }).map(lots),
  clientOrderId: fc.constant(''),
});
const placed = fc.oneof(
  { weight: 40, arbitrary: order.map((o): Command => ({ ...o, type: 'limit', quoteBudget: 0n })) },
  {
    weight: 5,
    arbitrary: order.map((o): Command => {
      const market = { ...o, type: 'market', force: 'ioc', priceTicks: ticks(0) } as const;
      if (o.side === 'sell') return { ...market, quoteBudget: 0n };
      return { ...market, sizeLots: lots(0), quoteBudget: BigInt(o.sizeLots) * 10_000n };
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 1, max: 4 })
      .map((id): Command => ({ kind: 'cancel_all_spot_orders', accountId: accountId(id) })),
  },
);
const move = fc.record({
  waitMs: fc.constantFrom(0, 0, 1, 20_000, MINUTE_MS, HOUR_MS, 13 * HOUR_MS),
  command: placed,
  /** Cancels one of the account's open orders instead, when there is one. */
  cancels: fc.integer({ min: 0, max: 5 }).map((roll) => roll === 0),
});

function cancelOf(engine: Engine, pick: number): Command | undefined {
  const owner = accountId((pick % 4) + 1);
  const [found] = [...engine.openOrders(owner)];
  if (found === undefined) return undefined;
  const { instrumentId: pairId, orderId: id } = found;
  const ids = { accountId: owner, instrumentId: pairId, orderId: orderId(id) };
  return { kind: 'cancel_spot_order', ...ids };
}

function assertSameBooks(live: LiveMarkets, engine: Engine): void {
  for (const pairId of PAIRS) {
    const { asks, bids } = live.depth(pairId, 0, 1_000);
    for (const [side, rows] of [
      ['sell', asks],
      ['buy', bids],
    ] as const) {
      const levels = [...engine.bookLevels(pairId, side)];
      assert.deepEqual(
        rows,
        levels.map((level) => [level.priceTicks, level.lots]),
      );
    }
  }
}

/** A reader that starts from the engine's state and a history of all trades so far. */
function seeded(engine: Engine, trades: readonly NaiveTrade[]): LiveMarkets {
  const live = new LiveMarkets();
  live.seedListings(engine.seq, engine.listings);
  for (const pairId of PAIRS) {
    for (const side of SIDES) live.seedBook(pairId, side, engine.bookLevels(pairId, side));
    const own = trades.filter((trade) => trade.instrumentId === pairId);
    live.seedTrades(pairId, own.map(withoutQuote).toReversed());
    for (const { period } of PERIODS) {
      const candles = naiveCandles(period, own);
      live.seedCandles(pairId, period, candles.slice(-candlesKept(period)));
    }
  }
  return live;
}

function withoutQuote({ quoteAmount: _quote, ...trade }: NaiveTrade): PublicTrade {
  return trade;
}

function assertSameAnswers(a: LiveMarkets, b: LiveMarkets, nowMs: number): void {
  for (const pairId of PAIRS) {
    const { asks, bids } = a.depth(pairId, 1, 200);
    const other = b.depth(pairId, 1, 200);
    assert.deepEqual({ asks, bids }, { asks: other.asks, bids: other.bids });
    assert.deepEqual(a.ticker(pairId, nowMs), b.ticker(pairId, nowMs));
    assert.deepEqual(a.recentTrades(pairId, 2_000), b.recentTrades(pairId, 2_000));
    for (const { period } of PERIODS) {
      const window = { limit: 1_000, nowMs };
      assert.deepEqual(a.candles(pairId, period, window), b.candles(pairId, period, window));
    }
  }
  assert.deepEqual(a.listings, b.listings);
}

describe('live market data behind the engine', () => {
  it('agrees with the books, and a late start from seeds changes nothing', () => {
    let tradesCount = 0;
    const moves = fc.array(move, { minLength: 50, maxLength: 150, size: 'max' });
    const check = fc.property(moves, fc.nat(150), (list, seedAt) => {
      const engine = Engine.empty();
      const live = new LiveMarkets();
      let late: LiveMarkets | undefined;
      const trades: NaiveTrade[] = [];
      let timeMs = at('2024-02-28 20:00');
      const run = (command: Command) => {
        const step = engine.apply(command, timeMs);
        live.apply(step);
        late?.apply(step);
        for (const event of step.events) {
          if (event.kind !== 'trade') continue;
          const { tradeId, instrumentId: pairId, priceTicks, sizeLots, takerSide } = event;
          const { quoteAmount } = event;
          const trade = { tradeId, instrumentId: pairId, priceTicks, sizeLots, takerSide };
          trades.push({ ...trade, timeMs, quoteAmount });
        }
        return step.events[0]?.kind;
      };
      for (const command of opening()) assert.notEqual(run(command), 'refused', command.kind);
      for (const [index, { waitMs, command, cancels }] of list.entries()) {
        timeMs += waitMs;
        if (index === seedAt) {
          late = seeded(engine, trades);
          assert.equal(late.seq, engine.seq);
        }
        run((cancels ? cancelOf(engine, index) : undefined) ?? command);
        assertSameBooks(live, engine);
        if (index % 10 === 9) live.ticker(PAIRS[index % 2] ?? instrumentId(0), timeMs);
      }
      late ??= seeded(engine, trades);
      assertSameAnswers(live, late, timeMs);
      assertSameAnswers(live, late, timeMs + 13 * HOUR_MS);
      tradesCount += trades.length;
    });
    fc.assert(check, { numRuns: 25 });
    assert.ok(tradesCount > 100, `only ${tradesCount} trades were tried`);
  });
});

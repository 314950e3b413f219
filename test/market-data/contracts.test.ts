/** What is particular to contracts: their actions, deleveraging, prices and coins of value. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  accountId,
  CONTRACT_ACTIONS,
  type ContractAction,
  type ContractTrade,
  type Event,
  Listings,
  lots,
  NO_CONTRACTS_FILLED,
  orderId,
  type Side,
  sideOf,
  ticks,
  tradeId,
} from '#domain';
import { AssertionFailed } from '#kernel';
import { LiveMarkets } from '#market-data';
import { contractOrderView } from '../support/orders.ts';
import { at, BTCUSDT, COIN_PERPETUAL, MARKETS, PERPETUAL, Tape } from '../support/tape.ts';

function market(): { live: LiveMarkets; tape: Tape } {
  const live = new LiveMarkets();
  return { live, tape: new Tape(live, at('2024-03-01 09:30')) };
}

const id = PERPETUAL.instrumentId;

/** "asks 101x5 bids 99x2" */
function book(live: LiveMarkets): string {
  const { asks, bids } = live.depth(id, 0, 200);
  const text = (levels: typeof asks) => levels.map(([price, size]) => `${price}x${size}`).join(' ');
  return `asks ${text(asks)} bids ${text(bids)}`;
}

function order(action: ContractAction) {
  return contractOrderView({
    orderId: orderId(1_000),
    accountId: accountId(1),
    instrumentId: id,
    action,
    priceTicks: ticks(100),
    sizeLots: lots(9),
  });
}

describe('an order of a contract', () => {
  const rows: readonly [ContractAction, Side, whileItRests: string][] = [
    ['open_long', 'buy', 'asks 110x1 bids 100x9 90x1'],
    ['close_short', 'buy', 'asks 110x1 bids 100x9 90x1'],
    ['open_short', 'sell', 'asks 100x9 110x1 bids 90x1'],
    ['close_long', 'sell', 'asks 100x9 110x1 bids 90x1'],
  ];
  for (const [action, side, whileItRests] of rows) {
    it(`that would ${action.replace('_', ' a ')} rests on the ${side} side and leaves it`, () => {
      const { live, tape } = market();
      tape.place(PERPETUAL, 'buy', 90, 1);
      tape.place(PERPETUAL, 'sell', 110, 1);
      const view = order(action);
      const { timeMs } = tape;
      assert.equal(sideOf(action), side);
      const rested = { ...view, kind: 'order_rested', side, openLots: lots(9) } as const;
      live.apply({ seq: 90, timeMs, events: [rested] });
      assert.equal(book(live), whileItRests);
      const gone = { reason: 'liquidation', restingLots: lots(9) } as const;
      const end = { kind: 'contract_order_closed', order: view, ...gone } as const;
      live.apply({ seq: 91, timeMs, events: [end] });
      assert.equal(book(live), 'asks 110x1 bids 90x1');
    });
  }

  it('is covered for every action there is', () => {
    assert.deepEqual(rows.map(([action]) => action).toSorted(), CONTRACT_ACTIONS.toSorted());
  });
});

describe('deleveraging', () => {
  it('is a trade that no book, list, candle or ticker shows', () => {
    const { live, tape } = market();
    tape.print(PERPETUAL, 100, 5);
    tape.place(PERPETUAL, 'buy', 90, 3);
    const seen = () => [
      book(live),
      live.depthVersion(id),
      live.recentTrades(id, 100),
      live.candles(id, '1min', { limit: 10, nowMs: tape.timeMs }),
      live.ticker(id, tape.timeMs),
    ];
    const before = seen();
    tape.deleverage(PERPETUAL, 90, 3);
    assert.deepEqual(seen(), before);
  });
});

describe('the prices of a contract', () => {
  it('are unknown until the venue says them, then the last it said', () => {
    const { live, tape } = market();
    assert.equal(live.contractPrices(id), undefined);
    tape.reprice(PERPETUAL, 300_000);
    tape.reprice(COIN_PERPETUAL, 299_000);
    tape.reprice(PERPETUAL, 300_001);
    assert.equal(live.contractPrices(id)?.markTicks, 300_001);
    assert.equal(live.contractPrices(COIN_PERPETUAL.instrumentId)?.markTicks, 299_000);
    assert.equal(live.contractPrices(BTCUSDT.instrumentId), undefined);
  });

  it('include what is held now: trades and netting change it at once', () => {
    const { live, tape } = market();
    tape.reprice(PERPETUAL, 300_000);
    const held = () => Number(live.contractPrices(id)?.openInterestLots) - 1_000_000;
    const fill = {
      orderId: orderId(1),
      positionId: 1,
      accountId: accountId(1),
      cause: 'owner',
    } as const;
    const money = { fee: 0n, realizedPnl: 0n, filled: NO_CONTRACTS_FILLED };
    const wallet = { wallet: 'BTC-USDT-PERP', balance: 0n, insured: 0n } as const;
    const facts = { ...fill, orderLots: lots(5), ...money, ...wallet } as const;
    const trade = (taker: ContractAction, maker: ContractAction): ContractTrade => ({
      kind: 'contract_trade',
      tradeId: tradeId(1),
      instrumentId: id,
      priceTicks: ticks(100),
      sizeLots: lots(5),
      assetId: PERPETUAL.margin.assetId,
      quoteAmount: 500n,
      takerSide: sideOf(taker),
      taker: { ...facts, action: taker },
      maker: { ...facts, action: maker },
      inBook: false,
    });
    const rows: readonly [Event, held: number][] = [
      [trade('open_long', 'open_short'), 5],
      [trade('close_long', 'open_long'), 5],
      [trade('open_short', 'close_short'), 5],
      [trade('open_short', 'open_long'), 10],
      [trade('close_long', 'close_short'), 5],
    ];
    for (const [at, [event, expected]] of rows.entries()) {
      live.apply({ seq: 90 + at, timeMs: tape.timeMs, events: [event] });
      assert.equal(held(), expected, `row ${at}`);
    }
  });

  it('start from seeded ones, once', () => {
    const { live, tape } = market();
    tape.reprice(PERPETUAL, 300_000);
    const prices = live.contractPrices(id);
    assert.ok(prices !== undefined);
    const later = new LiveMarkets();
    later.seedListings(live.seq, live.listings);
    later.seedPrices(prices);
    assert.deepEqual(later.contractPrices(id), prices);
    assert.throws(() => later.seedPrices(prices), AssertionFailed);
  });
});

describe('the value of a volume', () => {
  const usdt = (live: LiveMarkets, instrumentId: typeof id, nowMs: number) => {
    const { quoteAmount, usdtValue } = live.ticker(instrumentId, nowMs);
    return `${quoteAmount} is ${usdtValue.amount} at ${usdtValue.scale}`;
  };

  it('of a linear contract is in USDT already', () => {
    // 5 contracts of 0.001 BTC at 30000.0 USDT.
    const { live, tape } = market();
    tape.print(PERPETUAL, 300_000, 5);
    assert.equal(usdt(live, id, tape.timeMs), '150000000 is 150000000 at 6');
  });

  it('of an inverse contract is in the base coin, and in USDT at the price of its pair', () => {
    // 60000 contracts of 1 USD at 30000.0 are 2 BTC; one BTC costs 29000.00 USDT.
    const { live, tape } = market();
    tape.print(COIN_PERPETUAL, 300_000, 60_000);
    const value = () => usdt(live, COIN_PERPETUAL.instrumentId, tape.timeMs);
    assert.equal(value(), '200000000 is 0 at 6', 'no price for BTC yet');
    tape.print(BTCUSDT, 2_900_000, 1);
    assert.equal(value(), '200000000 is 58000000000 at 6');
  });
});

describe('a late start', () => {
  it('knows every pair and contract under its own number', () => {
    const { live, tape } = market();
    const late = new LiveMarkets();
    late.seedListings(live.seq, live.listings);
    for (const { instrumentId } of MARKETS) assert.equal(late.depthVersion(instrumentId), 0);
    const known = (listings: Listings) =>
      MARKETS.map(({ instrumentId }) => {
        return (listings.spotById(instrumentId) ?? listings.contractById(instrumentId))?.symbol;
      });
    assert.deepEqual(
      known(late.listings),
      MARKETS.map(({ symbol }) => symbol),
    );
    const rested = { ...order('open_long'), kind: 'order_rested', side: 'buy' } as const;
    const events = [{ ...rested, openLots: lots(9) }];
    late.apply({ seq: live.seq + 1, timeMs: tape.timeMs, events });
    const bids = MARKETS.map(({ instrumentId }) => late.depth(instrumentId, 0, 1).bids.length);
    assert.deepEqual(bids, [0, 1, 0, 0, 0, 0]);
  });

  it('of an empty venue has no market', () => {
    const late = new LiveMarkets();
    late.seedListings(3, new Listings());
    assert.throws(() => late.depthVersion(id), AssertionFailed);
  });
});

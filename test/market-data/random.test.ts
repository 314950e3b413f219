/** Random days on four pairs and two contracts: every answer equals plain recomputation. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { PERIODS } from '#domain';
import { LiveMarkets } from '#market-data';
import { DEPTH_STEPS } from '#market-data/testing';
import {
  naiveCandles,
  naiveDay,
  naiveLevels,
  naiveRows,
  naiveTrades,
} from '../support/naive-market.ts';
import {
  at,
  CONTRACTS,
  DAY_MS,
  HOUR_MS,
  isContract,
  MARKETS,
  MINUTE_MS,
  Tape,
} from '../support/tape.ts';

const WAITS_MS = [0, 0, 0, 1, 7_000, MINUTE_MS, 9 * MINUTE_MS, HOUR_MS, 5 * HOUR_MS, 23 * HOUR_MS];

const move = fc.record({
  waitMs: fc.constantFrom(...WAITS_MS),
  instrument: fc.constantFrom(...MARKETS),
  what: fc.constantFrom('buy', 'sell', 'buy', 'sell', 'cancel', 'refuse', 'ask', 'rare'),
  price: fc.integer({ min: 95, max: 105 }),
  scale: fc.constantFrom(1, 1, 9, 10_007),
  size: fc.integer({ min: 1, max: 20 }),
});
type Move = typeof move extends fc.Arbitrary<infer M> ? M : never;

function play(live: LiveMarkets, tape: Tape, { instrument, what, ...order }: Move): void {
  tape.wait(order.waitMs);
  if (what === 'buy' || what === 'sell') {
    tape.place(instrument, what, order.price * order.scale, order.size);
  } else if (what === 'refuse') tape.refuse();
  else if (what === 'rare') playRare(tape, instrument, order.price * order.scale, order.size);
  else if (what === 'ask') checkTickers(live, tape);
  else {
    const found = tape.resting[order.price % Math.max(tape.resting.length, 1)];
    if (found !== undefined) tape.cancel(found);
  }
}

/** What happens to contracts only. */
function playRare(tape: Tape, market: Move['instrument'], price: number, size: number): void {
  if (!isContract(market)) tape.refuse();
  else if (size % 2 === 0) tape.deleverage(market, price, size);
  else tape.reprice(market, price);
}

function checkPrices(live: LiveMarkets, tape: Tape): void {
  for (const contract of CONTRACTS) {
    assert.deepEqual(live.contractPrices(contract.instrumentId), tape.prices.get(contract));
  }
}

function checkTickers(live: LiveMarkets, tape: Tape): void {
  for (const instrument of MARKETS) {
    const { instrumentId } = instrument;
    const ticker = live.ticker(instrumentId, tape.timeMs);
    const expected = naiveDay(naiveTrades(tape, instrument), tape.timeMs);
    const { openTimeMs, last, open, openUtc0, high, low, baseLots, quoteAmount } = ticker;
    const { tradesCount, takerBuyLots, takerBuyQuote } = ticker;
    const volumes = { baseLots, quoteAmount, tradesCount, takerBuyLots, takerBuyQuote };
    assert.deepEqual({ openTimeMs, last, open, openUtc0, high, low, ...volumes }, expected);
    assert.ok(low <= open && open <= high && low <= last && last <= high);
    const [bid, bidLots] = naiveLevels(tape, instrument, 'buy', 1)[0] ?? [0, 0];
    const [ask, askLots] = naiveLevels(tape, instrument, 'sell', 1)[0] ?? [0, 0];
    assert.deepEqual([ticker.bid, ticker.bidLots], [bid, bidLots]);
    assert.deepEqual([ticker.ask, ticker.askLots], [ask, askLots]);
  }
}

function checkDepth(live: LiveMarkets, tape: Tape): void {
  for (const instrument of MARKETS) {
    for (const step of DEPTH_STEPS) {
      const { asks, bids } = live.depth(instrument.instrumentId, step, 1_000);
      assert.deepEqual(asks, naiveLevels(tape, instrument, 'sell', 10 ** step));
      assert.deepEqual(bids, naiveLevels(tape, instrument, 'buy', 10 ** step));
    }
  }
}

/** Every period with trades; long gaps only in periods where naive rows stay few. */
function checkCandles(live: LiveMarkets, tape: Tape, limit: number): void {
  const fromMs = tape.timeMs - (limit % 7) * DAY_MS;
  for (const instrument of MARKETS) {
    const trades = naiveTrades(tape, instrument);
    for (const { period } of PERIODS) {
      const candles = naiveCandles(period, trades);
      for (const window of [
        { limit, nowMs: tape.timeMs },
        { limit, nowMs: tape.timeMs, fromMs },
        { limit, nowMs: tape.timeMs, toMs: fromMs },
      ]) {
        const answer = live.candles(instrument.instrumentId, period, window);
        const rows = naiveRows(period, candles, window);
        assert.deepEqual(answer, { kind: 'rows', rows }, `${instrument.symbol} ${period}`);
      }
    }
  }
}

describe('live market data', () => {
  it('equals what all trades and open orders say', () => {
    const moves = fc.array(move, { minLength: 40, maxLength: 120, size: 'max' });
    let tradesCount = 0;
    fc.assert(
      fc.property(moves, fc.integer({ min: 1, max: 1_000 }), (list, limit) => {
        const live = new LiveMarkets();
        const tape = new Tape(live, at('2024-02-27 21:30'));
        for (const [index, each] of list.entries()) {
          play(live, tape, each);
          if (index % 40 === 20) checkDepth(live, tape);
          if (each.what === 'rare') checkPrices(live, tape);
        }
        checkDepth(live, tape);
        checkTickers(live, tape);
        checkCandles(live, tape, limit);
        for (const waitMs of [MINUTE_MS, 23 * HOUR_MS, 2 * HOUR_MS]) {
          tape.wait(waitMs);
          checkTickers(live, tape);
        }
        tradesCount += tape.trades.length;
      }),
      { numRuns: 25 },
    );
    assert.ok(tradesCount > 100, `only ${tradesCount} trades were tried`);
  });
});

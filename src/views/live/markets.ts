/**
 * The public market data of every spot pair, in memory, as a fold over released steps. It answers
 * from what it holds and reads neither clock nor disk. Times asked about are those of the venue's
 * clock; one earlier than the last step counts as the time of that step.
 */

import {
  type Amount,
  type BookLevel,
  type Candle,
  type Event,
  type InstrumentId,
  LIMITS,
  Listings,
  type Period,
  type PublicTrade,
  type Side,
  SPOT_SUFFIX,
  type SpotInstrument,
  type Step,
  type Ticker,
  type UsdtValue,
  ZERO_LOTS,
  ZERO_TICKS,
} from '#domain';
import { assert, mulDivFloor, present } from '#kernel';
import type { DepthStep, DepthView } from './depth.ts';
import { LivePair } from './pair.ts';
import type { CandleAnswer, CandleWindow } from './series.ts';

const DOLLAR_CODE = 'USDT';

export class LiveMarkets {
  readonly listings = new Listings();
  /** By instrument id. */
  readonly #pairs: LivePair[] = [];
  #seq = 0;
  #timeMs = 0;

  /** Sequence number of the last step applied. */
  get seq(): number {
    return this.#seq;
  }

  /** Takes in the next released step. */
  apply(step: Step): void {
    assert(step.seq > this.#seq, 'steps arrive in the order of their numbers');
    assert(step.timeMs >= this.#timeMs, 'the time of the venue does not run backward');
    this.#seq = step.seq;
    this.#timeMs = step.timeMs;
    for (const event of step.events) this.#take(step.timeMs, event);
    for (const event of step.events) {
      if (event.kind === 'order_rested') this.#pair(event.instrumentId).depth.assertNotCrossed();
    }
  }

  /** Starts from the listings of a state restored at `seq`; the books and pasts of pairs follow. */
  seedListings(seq: number, source: Listings): void {
    assert(
      this.#seq === 0 && this.#pairs.length === 0,
      'listings are seeded once, before all else',
    );
    this.#seq = seq;
    for (const asset of source.assets) this.#list({ kind: 'asset_listed', asset });
    for (const instrument of source.spot) this.#list({ kind: 'spot_listed', instrument });
    for (const contract of source.contracts.values()) {
      this.#list({ kind: 'contract_listed', contract });
    }
  }

  /** Adds the levels of one side of a book that has none yet. */
  seedBook(instrumentId: InstrumentId, side: Side, levels: Iterable<BookLevel>): void {
    const { depth } = this.#pair(instrumentId);
    assert(depth.best(side) === undefined, 'a book is seeded before it gets orders');
    for (const { priceTicks, lots } of levels) depth.add(side, priceTicks, lots);
    depth.assertNotCrossed();
  }

  /** Newest first, at least LIMITS.recentTradesMax of them when there are as many. */
  seedTrades(instrumentId: InstrumentId, newestFirst: readonly PublicTrade[]): void {
    this.#pair(instrumentId).seedTrades(newestFirst);
  }

  /** Ascending: the newest candlesKept(period) of them, or all when there are fewer. */
  seedCandles(instrumentId: InstrumentId, period: Period, candles: readonly Candle[]): void {
    this.#pair(instrumentId).series(period).seed(candles);
  }

  /** Up to `limit` levels of each side, best first. */
  depth(instrumentId: InstrumentId, step: DepthStep, limit: number): DepthView {
    return this.#pair(instrumentId).depth.view(step, limit);
  }

  /** Version of a pair's book, to tell without reading the book whether it is still the same. */
  depthVersion(instrumentId: InstrumentId): number {
    return this.#pair(instrumentId).depth.version;
  }

  /** Up to `limit` trades, newest first. */
  recentTrades(instrumentId: InstrumentId, limit: number): PublicTrade[] {
    return this.#pair(instrumentId).recentTrades(limit);
  }

  /** Rows ascending, the current candle included, periods without trades filled in. */
  candles(instrumentId: InstrumentId, period: Period, window: CandleWindow): CandleAnswer {
    assert(window.limit > 0 && window.limit <= LIMITS.candlePageMax, 'a page holds 1 to 1000 rows');
    const nowMs = this.#nowMs(window.nowMs);
    return this.#pair(instrumentId).candles(period, { ...window, nowMs });
  }

  ticker(instrumentId: InstrumentId, askedMs: number): Ticker {
    const pair = this.#pair(instrumentId);
    const nowMs = this.#nowMs(askedMs);
    const day = pair.day(nowMs);
    const quoteAmount = day?.quoteAmount ?? 0n;
    const bid = pair.depth.best('buy');
    const ask = pair.depth.best('sell');
    return {
      instrumentId,
      last: pair.lastTicks(),
      open: day?.open ?? ZERO_TICKS,
      openUtc0: pair.openUtc0(nowMs),
      high: day?.high ?? ZERO_TICKS,
      low: day?.low ?? ZERO_TICKS,
      baseLots: day?.baseLots ?? ZERO_LOTS,
      quoteAmount,
      usdtValue: this.usdtValue(instrumentId, quoteAmount),
      bid: bid?.[0] ?? ZERO_TICKS,
      bidLots: bid?.[1] ?? ZERO_LOTS,
      ask: ask?.[0] ?? ZERO_TICKS,
      askLots: ask?.[1] ?? ZERO_LOTS,
    };
  }

  /**
   * What an amount of a pair's quote coin is worth in USDT at the last price of the pair that joins
   * the two, rounded down. Zero when no such pair is listed or has traded.
   */
  usdtValue(instrumentId: InstrumentId, quoteAmount: Amount): UsdtValue {
    const { quote } = present(this.listings.spotById(instrumentId), 'listed pair');
    const scale = this.listings.assetByCode(DOLLAR_CODE)?.scale ?? 0;
    if (quote.code === DOLLAR_CODE) return { amount: quoteAmount, scale };
    const direct = this.#pairOf(quote.code, DOLLAR_CODE);
    if (direct !== undefined) {
      const price = this.#quoteUnitsPerLot(direct);
      return { amount: mulDivFloor(quoteAmount, price, direct.baseUnitsPerLot), scale };
    }
    const inverse = this.#pairOf(DOLLAR_CODE, quote.code);
    if (inverse === undefined) return { amount: 0n, scale };
    const price = this.#quoteUnitsPerLot(inverse);
    return { amount: mulDivFloor(quoteAmount, inverse.baseUnitsPerLot, price), scale };
  }

  /** The pair of two coins, if it is listed and has traded. */
  #pairOf(baseCode: string, quoteCode: string): SpotInstrument | undefined {
    const found = this.listings.spotBySymbol(baseCode + quoteCode + SPOT_SUFFIX);
    if (found === undefined || found.baseCode !== baseCode) return undefined;
    return this.#pair(found.instrumentId).lastTicks() === ZERO_TICKS ? undefined : found;
  }

  /** What one lot is worth at the last price. */
  #quoteUnitsPerLot(instrument: SpotInstrument): Amount {
    const last = this.#pair(instrument.instrumentId).lastTicks();
    return BigInt(last) * instrument.quoteUnitsPerTickLot;
  }

  #take(timeMs: number, event: Event): void {
    if (event.kind === 'trade') this.#pair(event.instrumentId).trade(timeMs, event);
    else if (event.kind === 'order_rested') {
      this.#pair(event.instrumentId).depth.add(event.side, event.priceTicks, event.openLots);
    } else if (event.kind === 'order_closed') {
      if (event.restingLots === 0) return;
      const { instrumentId, side, priceTicks } = event.order;
      this.#pair(instrumentId).depth.add(side, priceTicks, -event.restingLots);
    } else this.#list(event);
  }

  #list(event: Event): void {
    this.listings.apply(event);
    if (event.kind === 'spot_listed') this.#pairs.push(new LivePair());
  }

  #pair(instrumentId: InstrumentId): LivePair {
    return present(this.#pairs[instrumentId], 'listed pair');
  }

  #nowMs(askedMs: number): number {
    return Math.max(askedMs, this.#timeMs);
  }
}

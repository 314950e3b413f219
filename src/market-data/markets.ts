/**
 * The public market data of every pair and contract, in memory, as a fold over released steps. It
 * answers from what it holds and reads neither clock nor disk. Times asked about are those of the
 * venue's clock; one earlier than the last step counts as the time of that step.
 */

import {
  type Amount,
  type BookLevel,
  type Candle,
  type CandlePrice,
  type Coin,
  type ContractOrderMoved,
  type ContractPrices,
  type ContractTrade,
  type Event,
  type FundingSettled,
  type InstrumentId,
  LIMITS,
  Listings,
  listingEvents,
  lots,
  type OrderMoved,
  type OrderRested,
  PERIODS,
  type Period,
  type PublicTrade,
  type Side,
  type SpotInstrument,
  type Step,
  sideOf,
  type Ticker,
  type Ticks,
  type UsdtValue,
  ZERO_LOTS,
  ZERO_TICKS,
} from '#domain';
import { assert, mulDivFloor, present } from '#kernel';
import { dayStartMs } from './day.ts';
import type { DepthStep, DepthView } from './depth.ts';
import { LiveMarket } from './market.ts';
import type { CandleAnswer, CandleWindow, EarlierCandles } from './series.ts';

const DOLLAR_CODE = 'USDT';

/** A settlement of funding, as much as the public is shown of the last one. */
export type SettledFunding = Pick<
  FundingSettled,
  'instrumentId' | 'fundingTimeMs' | 'ratePpb' | 'markTicks'
>;

export class LiveMarkets {
  readonly #listings = new Listings();
  /** By instrument id. */
  #markets: LiveMarket[] = [];
  #prices = new Map<InstrumentId, ContractPrices>();
  #funding = new Map<InstrumentId, SettledFunding>();
  #seq = 0;
  #timeMs = 0;
  /** Where the versions of new books begin: above those of all that a reset took away. */
  #bookVersion = 0;
  /** The state was replaced, and this is not what followed it. */
  #isOutdated = false;

  /** What is listed, as of the last step. */
  get listings(): Listings {
    return this.#listings;
  }

  /** Sequence number of the last step applied. */
  get seq(): number {
    return this.#seq;
  }

  /** Takes in the next released step. */
  apply(step: Step): void {
    assert(step.seq > this.#seq, 'steps arrive in the order of their numbers');
    assert(step.timeMs >= this.#timeMs, 'the time of the venue does not run backward');
    assert(!this.#isOutdated, 'no step follows a reset before the views have');
    this.#isOutdated = step.events.some(({ kind }) => kind === 'venue_reset');
    if (this.#isOutdated) return;
    this.#seq = step.seq;
    this.#timeMs = step.timeMs;
    for (const event of step.events) this.#take(step.timeMs, event);
    for (const event of step.events) {
      if (event.kind === 'order_rested') this.#market(event.instrumentId).depth.assertNotCrossed();
    }
  }

  /** Empty views to seed after a reset: no version of a book of theirs was ever seen here. */
  successor(): LiveMarkets {
    const successor = new LiveMarkets();
    const versions = this.#markets.map(({ depth }) => depth.version);
    successor.#bookVersion = 1 + Math.max(this.#bookVersion, ...versions);
    return successor;
  }

  /** After a reset, or with the past that was missing: takes over what its successor has. */
  become(seeded: LiveMarkets): void {
    const isCurrent = this.#isOutdated || seeded.#seq === this.#seq;
    assert(isCurrent, 'views are replaced by those of a reset, or of the same step');
    this.#listings.become(seeded.#listings);
    this.#bookVersion = seeded.#bookVersion;
    this.#markets = seeded.#markets;
    this.#prices = seeded.#prices;
    this.#funding = seeded.#funding;
    this.#seq = seeded.#seq;
    this.#isOutdated = false;
  }

  /** Starts from the listings of a state restored at `seq`; books, pasts and prices follow. */
  seedListings(seq: number, source: Listings): void {
    assert(
      this.#seq === 0 && this.#markets.length === 0,
      'listings are seeded once, before all else',
    );
    this.#seq = seq;
    for (const event of listingEvents(source)) this.#list(event);
  }

  /** Adds the levels of one side of a book that has none yet. */
  seedBook(instrumentId: InstrumentId, side: Side, levels: Iterable<BookLevel>): void {
    const { depth } = this.#market(instrumentId);
    assert(depth.best(side) === undefined, 'a book is seeded before it gets orders');
    for (const { priceTicks, lots } of levels) depth.add(side, priceTicks, lots, this.#seq);
    depth.assertNotCrossed();
  }

  /** Newest first, at least LIMITS.recentTradesMax of them when there are as many. */
  seedTrades(instrumentId: InstrumentId, newestFirst: readonly PublicTrade[]): void {
    this.#market(instrumentId).seedTrades(newestFirst);
  }

  /** Ascending: the newest candlesKept(period) of them, or all when there are fewer. */
  seedCandles(
    instrumentId: InstrumentId,
    period: Period,
    candles: readonly Candle[],
    price: CandlePrice = 'last',
  ): void {
    this.#market(instrumentId).series(period, price).seed(candles);
  }

  /** Goes on into a past that is made up, where the first candle ever is in memory. */
  precede(
    instrumentId: InstrumentId,
    period: Period,
    price: CandlePrice,
    earlier: EarlierCandles,
  ): void {
    this.#market(instrumentId).series(period, price).precede(earlier);
  }

  /** In place of trades and candles: what was before this time cannot be read now. */
  startUnknown(instrumentId: InstrumentId, price: CandlePrice, timeMs: number): void {
    for (const { period } of PERIODS) {
      this.#market(instrumentId).series(period, price).startUnknown(timeMs);
    }
  }

  /** The last settlement of funding before the state was saved. */
  seedFunding(settled: SettledFunding): void {
    this.#funding.set(settled.instrumentId, settled);
  }

  /** The prices a contract was run by when the state was saved. */
  seedPrices(prices: ContractPrices): void {
    assert(!this.#prices.has(prices.instrumentId), 'prices are seeded once');
    this.#prices.set(prices.instrumentId, prices);
  }

  /** Up to `limit` levels of each side, best first. */
  depth(instrumentId: InstrumentId, step: DepthStep, limit: number): DepthView {
    return this.#market(instrumentId).depth.view(step, limit);
  }

  /** Version of a market's book: shows without reading the book whether it has changed. */
  depthVersion(instrumentId: InstrumentId): number {
    return this.#market(instrumentId).depth.version;
  }

  /** Up to `limit` trades, newest first. */
  recentTrades(instrumentId: InstrumentId, limit: number): PublicTrade[] {
    return this.#market(instrumentId).recentTrades(limit);
  }

  /** Rows ascending, the current candle included, periods without trades filled in. */
  candles(
    instrumentId: InstrumentId,
    period: Period,
    window: CandleWindow,
    price: CandlePrice = 'last',
  ): CandleAnswer {
    assert(window.limit > 0 && window.limit <= LIMITS.candlePageMax, 'a page holds 1 to 1000 rows');
    const nowMs = this.#nowMs(window.nowMs);
    return this.#market(instrumentId)
      .candles(price)
      .answer(period, { ...window, nowMs });
  }

  /** Index, mark, funding and what is held; undefined before the venue first priced it. */
  contractPrices(instrumentId: InstrumentId): ContractPrices | undefined {
    return this.#prices.get(instrumentId);
  }

  /** The last settlement of a contract's funding; undefined before the first one. */
  lastFunding(instrumentId: InstrumentId): SettledFunding | undefined {
    return this.#funding.get(instrumentId);
  }

  ticker(instrumentId: InstrumentId, askedMs: number): Ticker {
    const market = this.#market(instrumentId);
    const nowMs = this.#nowMs(askedMs);
    const day = market.day(nowMs);
    const quoteAmount = day?.quoteAmount ?? 0n;
    const bid = market.depth.best('buy');
    const ask = market.depth.best('sell');
    return {
      instrumentId,
      last: market.lastTicks(),
      openTimeMs: dayStartMs(nowMs),
      open: day?.open ?? ZERO_TICKS,
      openUtc0: market.openUtc0(nowMs),
      high: day?.high ?? ZERO_TICKS,
      low: day?.low ?? ZERO_TICKS,
      baseLots: day?.baseLots ?? ZERO_LOTS,
      quoteAmount,
      tradesCount: day?.tradesCount ?? 0,
      takerBuyLots: day?.takerBuyLots ?? ZERO_LOTS,
      takerBuyQuote: day?.takerBuyQuote ?? 0n,
      usdtValue: this.usdtValue(instrumentId, quoteAmount),
      bid: bid?.[0] ?? ZERO_TICKS,
      bidLots: bid?.[1] ?? ZERO_LOTS,
      ask: ask?.[0] ?? ZERO_TICKS,
      askLots: ask?.[1] ?? ZERO_LOTS,
    };
  }

  /**
   * What an amount of a pair's quote coin, or of a contract's margin coin, is worth in USDT at the
   * last price of the pair that joins the two, rounded down. Zero when no such pair is listed or
   * has traded.
   */
  usdtValue(instrumentId: InstrumentId, quoteAmount: Amount): UsdtValue {
    const rate = this.usdtRate(instrumentId);
    return this.usdtValueAt(instrumentId, quoteAmount, rate && this.#lastTicks(rate));
  }

  /** As usdtValue, at a price of the pair that usdtRate names; without one it is worth nothing. */
  usdtValueAt(
    instrumentId: InstrumentId,
    quoteAmount: Amount,
    priceTicks: Ticks | undefined,
  ): UsdtValue {
    const scale = this.#listings.assetByCode(DOLLAR_CODE)?.scale ?? 0;
    if (this.#amountAsset(instrumentId).code === DOLLAR_CODE) return { amount: quoteAmount, scale };
    const rate = this.usdtRate(instrumentId);
    if (rate === undefined || !priceTicks) return { amount: 0n, scale };
    const price = BigInt(priceTicks) * rate.quoteUnitsPerTickLot;
    const amount =
      rate.quoteCode === DOLLAR_CODE
        ? mulDivFloor(quoteAmount, price, rate.baseUnitsPerLot)
        : mulDivFloor(quoteAmount, rate.baseUnitsPerLot, price);
    return { amount, scale };
  }

  /** The pair that says what a market's amounts are worth in USDT; none where they are USDT. */
  usdtRate(instrumentId: InstrumentId): SpotInstrument | undefined {
    const { code } = this.#amountAsset(instrumentId);
    if (code === DOLLAR_CODE) return undefined;
    return this.#pairOf(code, DOLLAR_CODE) ?? this.#pairOf(DOLLAR_CODE, code);
  }

  /** The coin that the amounts of a market's trades are in. */
  #amountAsset(instrumentId: InstrumentId): Coin {
    const quote = this.#listings.spotById(instrumentId)?.quote;
    const margin = this.#listings.contractById(instrumentId)?.margin;
    return present(quote ?? margin, 'listed market');
  }

  /** The pair of two coins, if it is listed and has traded. */
  #pairOf(baseCode: string, quoteCode: string): SpotInstrument | undefined {
    const found = this.#listings.spotBySymbol(baseCode + quoteCode);
    if (found === undefined || found.baseCode !== baseCode) return undefined;
    return this.#market(found.instrumentId).lastTicks() === ZERO_TICKS ? undefined : found;
  }

  #lastTicks({ instrumentId }: SpotInstrument): Ticks {
    return this.#market(instrumentId).lastTicks();
  }

  #take(timeMs: number, event: Event): void {
    switch (event.kind) {
      case 'trade':
        this.#market(event.instrumentId).trade(timeMs, event, this.#seq);
        break;
      case 'contract_trade':
        if (event.inBook) this.#market(event.instrumentId).trade(timeMs, event, this.#seq);
        this.#hold(event.instrumentId, longsOpened(event));
        break;
      case 'order_rested':
        this.#addDepth(event, event.side, event.openLots);
        break;
      case 'order_moved':
        this.#move(event, event.order.side);
        break;
      case 'contract_order_moved':
        this.#move(event, sideOf(event.order.action));
        break;
      case 'order_closed':
        if (event.order.type === 'limit') {
          this.#addDepth(event.order, event.order.side, -event.restingLots);
        }
        break;
      case 'contract_order_closed':
        if (event.order.type === 'limit') {
          this.#addDepth(event.order, sideOf(event.order.action), -event.restingLots);
        }
        break;
      case 'contract_priced':
        this.#price(timeMs, event.prices);
        break;
      case 'funding_settled':
        this.#funding.set(event.instrumentId, event);
        break;
      default:
        this.#list(event);
    }
  }

  #price(timeMs: number, prices: ContractPrices): void {
    const { instrumentId, markTicks, indexTicks } = prices;
    this.#prices.set(instrumentId, prices);
    const market = this.#market(instrumentId);
    market.price('mark', timeMs, markTicks);
    market.price('index', timeMs, indexTicks);
  }

  /** Positions change with every trade, prices are published with the next tick only. */
  #hold(instrumentId: InstrumentId, delta: number): void {
    const prices = this.#prices.get(instrumentId);
    if (prices === undefined || delta === 0) return;
    const openInterestLots = lots(prices.openInterestLots + delta);
    this.#prices.set(instrumentId, { ...prices, openInterestLots });
  }

  #addDepth(order: Pick<OrderRested, 'instrumentId' | 'priceTicks'>, side: Side, delta: number) {
    if (delta === 0) return;
    this.#market(order.instrumentId).depth.add(side, order.priceTicks, delta, this.#seq);
  }

  /** What leaves the old level and what stays are one change where the price is the same. */
  #move({ order, fromTicks, fromLots, keptLots }: OrderMoved | ContractOrderMoved, side: Side) {
    this.#addDepth({ ...order, priceTicks: fromTicks }, side, keptLots - fromLots);
  }

  #list(event: Event): void {
    this.#listings.apply(event);
    if (event.kind !== 'spot_listed' && event.kind !== 'contract_listed') return;
    this.#markets.push(new LiveMarket(this.#bookVersion));
  }

  #market(instrumentId: InstrumentId): LiveMarket {
    return present(this.#markets[instrumentId], 'listed market');
  }

  #nowMs(askedMs: number): number {
    return Math.max(askedMs, this.#timeMs);
  }
}

/** How many more contracts are held long after a trade; below zero when it closed some. */
function longsOpened({ taker, maker, sizeLots }: ContractTrade): number {
  const actions = [taker.action, maker.action];
  const opened = actions.includes('open_long') ? sizeLots : 0;
  return actions.includes('close_long') ? opened - sizeLots : opened;
}

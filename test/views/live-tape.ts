/**
 * A tiny market that writes valid steps and keeps every fact it published: all trades and every
 * open order. Tests compare live views with plain recomputation over those facts.
 */

import {
  type Asset,
  accountId,
  assetId,
  type CloseReason,
  type Event,
  instrumentId,
  type Listings,
  lots,
  notional,
  type OrderRested,
  orderId,
  type PublicTrade,
  type Side,
  type SpotInstrument,
  type Step,
  type Trade,
  ticks,
  tradeId,
} from '#domain';
import { present } from '#kernel';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** "2024-03-01 09:30" as Unix time. */
export function at(text: string): number {
  return Date.parse(`${text.replace(' ', 'T')}Z`);
}

const SCALES = { USDT: 6, BTC: 8, EUR: 4, ETH: 10 } as const;
type Code = keyof typeof SCALES;
const CODES: readonly Code[] = ['USDT', 'BTC', 'EUR', 'ETH'];

export function coin(code: Code): Asset {
  const index = CODES.indexOf(code);
  const scale = SCALES[code];
  return {
    assetId: assetId(index),
    coinId: index + 1,
    code,
    scale,
    transferable: true,
    chains: [],
  };
}

/** A pair with the given decimals of price and size. */
function pair(
  index: number,
  baseCode: Code,
  quoteCode: Code,
  priceScale: number,
  quantityScale: number,
): SpotInstrument {
  const base = coin(baseCode);
  const quote = coin(quoteCode);
  return {
    instrumentId: instrumentId(index),
    symbol: `${baseCode}${quoteCode}_SPBL`,
    name: `${baseCode}${quoteCode}`,
    baseCode,
    quoteCode,
    base,
    quote,
    priceScale,
    quantityScale,
    quoteUnitsPerTickLot: 10n ** BigInt(quote.scale - priceScale - quantityScale),
    baseUnitsPerLot: 10n ** BigInt(base.scale - quantityScale),
    minLots: lots(1),
    maxLots: lots(1_000_000_000),
    minNotional: 0n,
    takerFeePpm: 0,
    makerFeePpm: 0,
    status: 'online',
    referencePriceTicks: ticks(0),
  };
}

export const BTCUSDT = pair(0, 'BTC', 'USDT', 2, 4);
export const ETHBTC = pair(1, 'ETH', 'BTC', 4, 4);
export const USDTEUR = pair(2, 'USDT', 'EUR', 2, 2);
export const ETHEUR = pair(3, 'ETH', 'EUR', 2, 2);
export const PAIRS: readonly SpotInstrument[] = [BTCUSDT, ETHBTC, USDTEUR, ETHEUR];

interface Resting {
  readonly orderId: number;
  readonly instrument: SpotInstrument;
  readonly side: Side;
  readonly price: number;
  size: number;
}

export interface FoldsSteps {
  readonly listings: Listings;
  apply(step: Step): void;
}

export class Tape {
  readonly trades: PublicTrade[] = [];
  readonly quoteByTrade = new Map<number, bigint>();
  resting: Resting[] = [];
  timeMs: number;
  readonly #reader: FoldsSteps;
  #seq = 0;
  #lastId = 0;

  /** Lists every coin and pair with the reader, then feeds it one step per call. */
  constructor(reader: FoldsSteps, startMs: number) {
    this.#reader = reader;
    this.timeMs = startMs;
    const coins = CODES.map((code): Event => ({ kind: 'asset_listed', asset: coin(code) }));
    this.#publish(coins);
    this.#publish(PAIRS.map((instrument): Event => ({ kind: 'spot_listed', instrument })));
  }

  wait(durationMs: number): void {
    this.timeMs += durationMs;
  }

  /** A limit order: takes what crosses, oldest of the best price first, and rests the remainder. */
  place(instrument: SpotInstrument, side: Side, price: number, size: number): void {
    const takerId = this.#id();
    const events: Event[] = [];
    let open = size;
    for (let maker = this.#next(instrument, side, price); maker !== undefined && open > 0; ) {
      const matched = Math.min(open, maker.size);
      events.push(this.#trade(maker, takerId, matched));
      open -= matched;
      maker.size -= matched;
      if (maker.size === 0) events.push(this.#close(maker, 'filled', 0));
      maker = this.#next(instrument, side, price);
    }
    const taker = { orderId: takerId, instrument, side, price, size: open };
    if (open > 0) events.push(this.#rest(taker));
    else events.push(closed(taker, 'filled', 0));
    this.#publish(events);
  }

  /** One trade of this size at this price, against nobody the book still shows. */
  print(instrument: SpotInstrument, price: number, size: number, takerSide: Side = 'buy'): void {
    this.place(instrument, takerSide === 'buy' ? 'sell' : 'buy', price, size);
    this.place(instrument, takerSide, price, size);
  }

  cancel(order: Resting): void {
    this.#publish([this.#close(order, 'cancelled_by_owner', order.size)]);
  }

  /** A refused command, as most of a busy venue's nonsense is. */
  refuse(): void {
    this.#publish([{ kind: 'refused', reject: 'price_invalid', detail: '' }]);
  }

  #id(): number {
    this.#lastId += 5;
    return this.#lastId;
  }

  #next(instrument: SpotInstrument, takerSide: Side, limit: number): Resting | undefined {
    const sign = takerSide === 'buy' ? 1 : -1;
    const found = this.resting.filter(
      (order) =>
        order.instrument === instrument &&
        order.side !== takerSide &&
        (limit - order.price) * sign >= 0,
    );
    return found.sort((a, b) => (a.price - b.price) * sign || a.orderId - b.orderId)[0];
  }

  #rest(order: Resting): OrderRested {
    this.resting.push(order);
    return {
      kind: 'order_rested',
      orderId: orderId(order.orderId),
      accountId: accountId(1),
      instrumentId: order.instrument.instrumentId,
      side: order.side,
      priceTicks: ticks(order.price),
      openLots: lots(order.size),
    };
  }

  #close(order: Resting, reason: CloseReason, restingLots: number): Event {
    this.resting = this.resting.filter((other) => other !== order);
    return closed(order, reason, restingLots);
  }

  #trade(maker: Resting, takerId: number, size: number): Trade {
    const { instrument } = maker;
    const takerSide = maker.side === 'buy' ? 'sell' : 'buy';
    const quoteAmount = notional(instrument, ticks(maker.price), lots(size));
    const trade: PublicTrade = {
      tradeId: tradeId(this.#id()),
      instrumentId: instrument.instrumentId,
      priceTicks: ticks(maker.price),
      sizeLots: lots(size),
      takerSide,
      timeMs: this.timeMs,
    };
    this.trades.push(trade);
    this.quoteByTrade.set(trade.tradeId, quoteAmount);
    return tradeEvent(trade, quoteAmount, maker.orderId, takerId);
  }

  #publish(events: readonly Event[]): void {
    this.#seq += 1;
    this.#reader.apply({ seq: this.#seq, timeMs: this.timeMs, events });
  }

  /** All trades of a pair, oldest first. */
  tradesOf(instrument: SpotInstrument): PublicTrade[] {
    return this.trades.filter((trade) => trade.instrumentId === instrument.instrumentId);
  }

  quoteOf(trade: PublicTrade): bigint {
    return present(this.quoteByTrade.get(trade.tradeId), 'quote amount of the trade');
  }
}

function tradeEvent(
  trade: PublicTrade,
  quoteAmount: bigint,
  makerOrder: number,
  takerOrder: number,
): Trade {
  const { tradeId: id, instrumentId: pairId, priceTicks, sizeLots, takerSide } = trade;
  return {
    kind: 'trade',
    tradeId: id,
    instrumentId: pairId,
    priceTicks,
    sizeLots,
    quoteAmount,
    takerSide,
    takerOrderId: orderId(takerOrder),
    makerOrderId: orderId(makerOrder),
    takerAccountId: accountId(1),
    makerAccountId: accountId(2),
    takerIsMarket: false,
    buyerFee: 0n,
    sellerFee: 0n,
    buyerBaseBefore: 0n,
    buyerQuoteBefore: 0n,
    sellerBaseBefore: 0n,
    sellerQuoteBefore: 0n,
  };
}

function closed(order: Resting, reason: CloseReason, restingLots: number): Event {
  const size = lots(order.size + 1);
  return {
    kind: 'order_closed',
    order: {
      orderId: orderId(order.orderId),
      accountId: accountId(1),
      instrumentId: order.instrument.instrumentId,
      clientOrderId: '',
      side: order.side,
      type: 'limit',
      force: 'gtc',
      priceTicks: ticks(order.price),
      sizeLots: size,
      quoteBudget: 0n,
      filledLots: lots(0),
      filledQuote: 0n,
      createdTimeMs: 0,
    },
    reason,
    restingLots: lots(restingLots),
  };
}

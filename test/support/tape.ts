/**
 * A tiny market that writes valid steps and keeps every fact it published: all trades and every
 * open order. Tests compare live views with plain recomputation over those facts.
 */
import {
  type Asset,
  accountId,
  assetId,
  type CloseReason,
  type Contract,
  type ContractAction,
  type ContractFill,
  type ContractPrices,
  type ContractTrade,
  type Event,
  instrumentId,
  type Listings,
  lots,
  NO_CONTRACTS_FILLED,
  NOTHING_FILLED,
  notional,
  type OrderCause,
  type OrderRested,
  orderId,
  type PublicTrade,
  refuse,
  type Side,
  type SpotInstrument,
  type Step,
  ticks,
  tradeId,
  USUAL_FUND_BUDGET,
  valueFloor,
} from '#domain';
import { present } from '#kernel';
import { INVERSE, LINEAR } from './contracts.ts';
import { contractOrderView } from './orders.ts';

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
    fundBudget: USUAL_FUND_BUDGET,
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
    symbol: `${baseCode}-${quoteCode}`,
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
    priceBandPpm: 0,
  };
}

export const BTCUSDT = pair(0, 'BTC', 'USDT', 2, 4);
/** 0.001 BTC a contract, margin in USDT: one tick times one lot is 100 units. */
export const PERPETUAL: Contract = {
  ...LINEAR,
  instrumentId: instrumentId(1),
  margin: coin('USDT'),
  valueFactor: 100n,
  fineFactor: 1n,
};
export const ETHBTC = pair(2, 'ETH', 'BTC', 4, 4);
export const USDTEUR = pair(3, 'USDT', 'EUR', 2, 2);
/** 1 USD a contract, margin in BTC: a lot is worth 10^9 / ticks units. */
export const COIN_PERPETUAL: Contract = {
  ...INVERSE,
  instrumentId: instrumentId(4),
  margin: coin('BTC'),
  valueFactor: 1_000_000_000n,
  fineFactor: 1_000_000_000_000n,
};
export const ETHEUR = pair(5, 'ETH', 'EUR', 2, 2);

export type Market = SpotInstrument | Contract;
export const CONTRACTS: readonly Contract[] = [PERPETUAL, COIN_PERPETUAL];
/** Pairs and contracts take their ids from one sequence. */
export const MARKETS: readonly Market[] = [
  BTCUSDT,
  PERPETUAL,
  ETHBTC,
  USDTEUR,
  COIN_PERPETUAL,
  ETHEUR,
];

export function isContract(market: Market): market is Contract {
  return 'margin' in market;
}

function amountOf(market: Market, price: number, size: number): bigint {
  if (isContract(market)) return valueFloor(market, size, price);
  return notional(market, ticks(price), lots(size));
}

/** The events of listing every coin, then every market. */
export const LISTINGS: readonly (readonly Event[])[] = [
  CODES.map((code): Event => ({ kind: 'asset_listed', asset: coin(code) })),
  MARKETS.map(listed),
];

interface Resting {
  readonly orderId: number;
  readonly instrument: Market;
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
  /** What the venue last said of each contract's prices. */
  readonly prices = new Map<Contract, ContractPrices>();
  resting: Resting[] = [];
  timeMs: number;
  readonly #reader: FoldsSteps;
  #seq = 0;
  #lastId = 0;

  /** Lists every coin and pair with the reader, then feeds it one step per call. */
  constructor(reader: FoldsSteps, startMs: number) {
    this.#reader = reader;
    this.timeMs = startMs;
    for (const events of LISTINGS) this.#publish(events);
  }

  wait(durationMs: number): void {
    this.timeMs += durationMs;
  }

  /** A limit order: takes what crosses, oldest of the best price first, and rests the remainder. */
  place(instrument: Market, side: Side, price: number, size: number): void {
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
  print(instrument: Market, price: number, size: number, takerSide: Side = 'buy'): void {
    this.place(instrument, takerSide === 'buy' ? 'sell' : 'buy', price, size);
    this.place(instrument, takerSide, price, size);
  }

  cancel(order: Resting): void {
    this.#publish([this.#close(order, 'cancelled_by_owner', order.size)]);
  }

  /** Somebody's position is closed against another's: a trade that no book and no public sees. */
  deleverage(contract: Contract, price: number, size: number): void {
    const [takerId, makerId] = [this.#id(), this.#id()];
    const trade = publicTrade(contract, this.#id(), price, size, 'sell', this.timeMs);
    const order = { instrument: contract, price, size };
    this.#publish([
      this.#contractTrade(contract, trade, [takerId, makerId], 'deleveraging'),
      closed({ ...order, orderId: takerId, side: 'sell' }, 'filled', 0),
      closed({ ...order, orderId: makerId, side: 'buy' }, 'filled', 0),
    ]);
  }

  /** The venue prices a contract anew. */
  reprice(contract: Contract, markTicks: number): void {
    const prices: ContractPrices = {
      instrumentId: contract.instrumentId,
      indexTicks: ticks(markTicks + 1),
      indexStale: markTicks % 2 === 0,
      markTicks: ticks(markTicks),
      highestTicks: ticks(markTicks + 10),
      lowestTicks: ticks(markTicks - 10),
      openInterestLots: lots(1_000_000),
      fundingRatePpb: -100_000,
      nextFundingMs: this.timeMs + HOUR_MS,
      insuranceFund: 5n,
      timeMs: this.timeMs,
    };
    this.prices.set(contract, prices);
    this.#publish([{ kind: 'contract_priced', prices }]);
  }

  /** A refused command, as most of a busy venue's nonsense is. */
  refuse(): void {
    this.#publish([refuse('price_invalid')]);
  }

  #id(): number {
    this.#lastId += 5;
    return this.#lastId;
  }

  #next(instrument: Market, takerSide: Side, limit: number): Resting | undefined {
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

  #trade(maker: Resting, takerId: number, size: number): Event {
    const { instrument } = maker;
    const takerSide = maker.side === 'buy' ? 'sell' : 'buy';
    const quoteAmount = amountOf(instrument, maker.price, size);
    const id = this.#id();
    const trade = publicTrade(instrument, id, maker.price, size, takerSide, this.timeMs);
    this.trades.push(trade);
    this.quoteByTrade.set(trade.tradeId, quoteAmount);
    const orders = [takerId, maker.orderId] as const;
    return isContract(instrument)
      ? this.#contractTrade(instrument, trade, orders, 'owner')
      : spotTrade(trade, quoteAmount, orders);
  }

  /** Positions grow by the longs that it opens and shrink by those that it closes. */
  #contractTrade(
    contract: Contract,
    trade: PublicTrade,
    orders: OrderIds,
    cause: OrderCause,
  ): Event {
    const quoteAmount = amountOf(contract, trade.priceTicks, trade.sizeLots);
    const event = contractTrade(trade, quoteAmount, orders, cause);
    const told = this.prices.get(contract);
    if (told === undefined) return event;
    let held: number = told.openInterestLots;
    for (const { action } of [event.taker, event.maker]) {
      if (action === 'open_long') held += trade.sizeLots;
      if (action === 'close_long') held -= trade.sizeLots;
    }
    this.prices.set(contract, { ...told, openInterestLots: lots(held) });
    return event;
  }

  #publish(events: readonly Event[]): void {
    this.#seq += 1;
    this.#reader.apply({ seq: this.#seq, timeMs: this.timeMs, events });
  }

  /** All public trades of a market, oldest first. */
  tradesOf(instrument: Market): PublicTrade[] {
    return this.trades.filter((trade) => trade.instrumentId === instrument.instrumentId);
  }

  quoteOf(trade: PublicTrade): bigint {
    return present(this.quoteByTrade.get(trade.tradeId), 'quote amount of the trade');
  }
}

function listed(market: Market): Event {
  if (isContract(market)) return { kind: 'contract_listed', contract: market };
  return { kind: 'spot_listed', instrument: market };
}

function publicTrade(
  market: Market,
  id: number,
  price: number,
  size: number,
  takerSide: Side,
  timeMs: number,
): PublicTrade {
  return {
    tradeId: tradeId(id),
    instrumentId: market.instrumentId,
    priceTicks: ticks(price),
    sizeLots: lots(size),
    takerSide,
    timeMs,
  };
}

type OrderIds = readonly [taker: number, maker: number];

function spotTrade(trade: PublicTrade, quoteAmount: bigint, [taker, maker]: OrderIds): Event {
  const { timeMs: _time, ...facts } = trade;
  return {
    ...facts,
    kind: 'trade',
    quoteAmount,
    takerOrderId: orderId(taker),
    makerOrderId: orderId(maker),
    takerAccountId: accountId(1),
    makerAccountId: accountId(2),
    takerIsMarket: false,
    takerFilled: NOTHING_FILLED,
    makerFilled: NOTHING_FILLED,
    buyerFee: 0n,
    sellerFee: 0n,
    buyerBaseBefore: 0n,
    buyerQuoteBefore: 0n,
    sellerBaseBefore: 0n,
    sellerQuoteBefore: 0n,
  };
}

function contractTrade(
  trade: PublicTrade,
  quoteAmount: bigint,
  [taker, maker]: OrderIds,
  cause: OrderCause,
): ContractTrade {
  const { timeMs: _time, ...facts } = trade;
  const makerSide = trade.takerSide === 'buy' ? 'sell' : 'buy';
  return {
    ...facts,
    kind: 'contract_trade',
    assetId: PERPETUAL.margin.assetId,
    quoteAmount,
    taker: fill(taker, trade.takerSide, trade, cause),
    maker: fill(maker, makerSide, trade, cause),
    inBook: cause !== 'deleveraging',
  };
}

function fill(order: number, side: Side, trade: PublicTrade, cause: OrderCause): ContractFill {
  return {
    orderId: orderId(order),
    positionId: 1,
    accountId: accountId(1),
    action: actionOf(order, side),
    cause,
    orderLots: trade.sizeLots,
    fee: 1n,
    realizedPnl: 0n,
    filled: NO_CONTRACTS_FILLED,
    wallet: 'BTC-USDT-PERP',
    balance: 0n,
    insured: 0n,
  };
}

/** One of the two actions that take a side of the book: some orders open, others close. */
function actionOf(order: number, side: Side): ContractAction {
  const opens = order % 2 === 0;
  if (side === 'buy') return opens ? 'open_long' : 'close_short';
  return opens ? 'open_short' : 'close_long';
}

function closed(order: Resting, reason: CloseReason, restingLots: number): Event {
  const { instrument, side } = order;
  const facts = {
    orderId: orderId(order.orderId),
    accountId: accountId(1),
    instrumentId: instrument.instrumentId,
    clientOrderId: 'mine',
    type: 'limit',
    force: 'gtc',
    priceTicks: ticks(order.price),
    sizeLots: lots(order.size + 1),
    filledLots: lots(0),
    createdTimeMs: 0,
  } as const;
  const end = { reason, restingLots: lots(restingLots) };
  if (!isContract(instrument)) {
    const spot = { ...facts, side, filledQuote: 0n };
    return { kind: 'order_closed', order: spot, ...end };
  }
  const contract = contractOrderView({ ...facts, action: actionOf(order.orderId, side) });
  return { kind: 'contract_order_closed', order: contract, ...end };
}

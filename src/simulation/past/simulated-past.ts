/**
 * Candles of the days before the simulated market opened, so that no chart of it is empty. They are
 * worked out from the seed when they are asked for and are stored nowhere: not in the log, whose
 * trades they are not, and not in the history, which is made from the log.
 */
import type { Candle, CandlePrice, InstrumentId, Listings, Period, StateReader } from '#domain';
import type { SimulationPlan } from '../simulated-traders.ts';
import { type CoinMinutes, coinMinutes, MINUTE_MS } from './coin-minutes.ts';
import {
  type Coins,
  type Market,
  MarketMinutes,
  type PastWindow,
  type Trading,
} from './market-minutes.ts';

const DAY_MS = 86_400_000;

/** The account of the market maker and, once it is there, when it was opened. */
type Accounts = Pick<StateReader, 'accountByName'>;

/** Which candles, over which prices; the last ones unless others are named. */
export interface PastQuery extends PastWindow {
  readonly instrumentId: InstrumentId;
  readonly period: Period;
  readonly price?: CandlePrice | undefined;
}

export class SimulatedPast {
  readonly #plan: SimulationPlan;
  readonly #accounts: Accounts;
  readonly #markets = new Map<string, MarketMinutes | undefined>();
  #coins: ReadonlyMap<string, CoinMinutes> = new Map();
  /** What the minutes in memory end at. */
  #endMs: number | undefined;

  constructor(plan: SimulationPlan, accounts: Accounts) {
    this.#plan = plan;
    this.#accounts = accounts;
  }

  /** With whose account the market opens; undefined for a market without a past. */
  get openedBy(): string | undefined {
    const { paths, liquidity } = this.#plan;
    return (paths?.pastDays ?? 0) > 0 ? liquidity?.accountName : undefined;
  }

  /** Ascending; none of a market that is not simulated, and none before the market has opened. */
  candles(listings: Listings, query: PastQuery): Candle[] {
    const { instrumentId, period, price = 'last' } = query;
    const market = listings.spotById(instrumentId) ?? listings.contractById(instrumentId);
    const minutes = market && this.#minutes(market, price);
    return minutes?.candles(period, query) ?? [];
  }

  /** Made once; they are others after a reset to a time at which the market was not open. */
  #minutes(market: Market, price: CandlePrice): MarketMinutes | undefined {
    const endMs = this.#openingMinuteMs();
    if (endMs === undefined) return undefined;
    if (endMs !== this.#endMs) {
      this.#coins = this.#coinsBefore(endMs);
      this.#markets.clear();
      this.#endMs = endMs;
    }
    const isLast = price === 'last';
    const name = `${market.symbol} ${isLast ? 'last' : 'index'}`;
    if (!this.#markets.has(name)) this.#markets.set(name, this.#made(market, endMs, isLast));
    return this.#markets.get(name);
  }

  #openingMinuteMs(): number | undefined {
    if (this.openedBy === undefined) return undefined;
    const openedMs = this.#accounts.accountByName(this.openedBy)?.createdTimeMs;
    return openedMs === undefined ? undefined : openedMs - (openedMs % MINUTE_MS);
  }

  #coinsBefore(endMs: number): ReadonlyMap<string, CoinMinutes> {
    const { paths } = this.#plan;
    if (paths === null) return new Map();
    const count = Math.min(paths.pastDays * DAY_MS, endMs) / MINUTE_MS;
    return coinMinutes(paths.seed, paths.coins, count, endMs);
  }

  /** The index of a market is what its coins were worth; mark prices were no other. */
  #made(market: Market, endMs: number, isLast: boolean): MarketMinutes | undefined {
    const coins = this.#coinsOf(market);
    const trading = this.#tradingOf(market.symbol);
    if (coins === undefined || trading === undefined) return undefined;
    const seed = this.#plan.paths?.seed ?? 0;
    return new MarketMinutes(market, coins, endMs, seed, isLast ? trading : undefined);
  }

  #coinsOf({ baseCode, quoteCode }: Market): Coins | undefined {
    const base = this.#coins.get(baseCode);
    const quote = this.#coins.get(quoteCode);
    const isPlanned = this.#plan.paths?.coins.some(({ coin }) => coin === quoteCode) ?? false;
    return base === undefined || (isPlanned && quote === undefined) ? undefined : { base, quote };
  }

  /** As its traders and its market maker trade it; undefined where there is none of either. */
  #tradingOf(wanted: string): Trading | undefined {
    const { liquidity, crowd } = this.#plan;
    const ladder = liquidity?.ladders.find(({ symbol }) => symbol === wanted);
    const places = (crowd?.traders ?? []).flatMap(({ markets }) => markets);
    let lotsPerMinute = 0;
    let tradesPerMinute = 0;
    for (const { symbol, sizeLots, ordersPerMinute } of places) {
      if (symbol !== wanted) continue;
      lotsPerMinute += sizeLots * ordersPerMinute;
      tradesPerMinute += ordersPerMinute;
    }
    if (ladder === undefined || lotsPerMinute === 0) return undefined;
    const lotsPerTrade = lotsPerMinute / tradesPerMinute;
    return { lotsPerMinute, lotsPerTrade, bouncePpm: ladder.spacingPpm };
  }
}

/**
 * One resident trader: an account, a style, and the markets it trades in. What it does in a tick is
 * a pure function of the venue's state, its memory of prices and its random numbers.
 */
import {
  type AccountView,
  type Command,
  type Contract,
  type InstrumentId,
  PPM,
  type SpotInstrument,
  type StateReader,
} from '#domain';
import { Prng } from '#kernel';
import { bestOpposite } from '../ladder.ts';
import type { Mood } from './mood.ts';
import { contractOrder, spotOrder, type Touch } from './orders.ts';
import { Averages, type TraderStyle, wishOf } from './styles.ts';

export interface TraderMarket {
  /** A pair (BTC-USDT) or a contract (BTC-USDT-PERP). */
  readonly symbol: string;
  readonly sizeLots: number;
  /** Base coin it wants to hold in a pair; longs less shorts in a contract. */
  readonly homeLots: number;
  /** How far from that it may get. */
  readonly limitLots: number;
  readonly ordersPerMinute: number;
}

export interface TraderPlan {
  readonly style: TraderStyle;
  readonly accountName: string;
  readonly markets: readonly TraderMarket[];
}

/** A command and the market it is for, which is left alone for a while when it is refused. */
export interface TraderCommand {
  readonly trader: Trader;
  readonly symbol: string;
  readonly command: Command;
}

interface Place {
  readonly terms: TraderMarket;
  readonly mood: Mood;
  readonly averages: Averages;
  readonly prng: Prng;
  /** The first tick in which it may trade. */
  notBeforeTick: number;
}

const MINUTE_MS = 60_000;

export class Trader {
  readonly accountName: string;
  readonly #style: TraderStyle;
  readonly #tickMs: number;
  readonly #places: readonly Place[];

  /** Moods are of the market, which traders share. */
  constructor(
    { accountName, style, markets }: TraderPlan,
    seed: number,
    tickMs: number,
    moodOf: (symbol: string) => Mood,
  ) {
    this.accountName = accountName;
    this.#style = style;
    this.#tickMs = tickMs;
    this.#places = markets.map((terms) => ({
      terms,
      mood: moodOf(terms.symbol),
      averages: new Averages(),
      prng: new Prng(seed, `${style} ${accountName} ${terms.symbol}`),
      notBeforeTick: 0,
    }));
  }

  get symbols(): readonly string[] {
    return this.#places.map(({ terms }) => terms.symbol);
  }

  /** What it does in this tick, given the state of the venue. */
  plan(state: StateReader, tick: number): TraderCommand[] {
    const account = state.accountByName(this.accountName);
    if (account === undefined || account.frozen) return [];
    return this.#places.flatMap((place) => {
      const command = this.#planIn(place, state, account, tick);
      return command === undefined ? [] : [{ trader: this, symbol: place.terms.symbol, command }];
    });
  }

  /** Leaves a market alone until a tick. */
  rest(symbol: string, untilTick: number): void {
    for (const place of this.#places) {
      if (place.terms.symbol === symbol) place.notBeforeTick = untilTick;
    }
  }

  #planIn(
    place: Place,
    state: StateReader,
    account: AccountView,
    tick: number,
  ): Command | undefined {
    const { terms, mood, averages, prng, notBeforeTick } = place;
    const { symbol, sizeLots, limitLots, ordersPerMinute } = terms;
    const market = state.listings.contract(symbol) ?? state.listings.spotBySymbol(symbol);
    if (market === undefined || market.status !== 'online') return undefined;
    const touch = touchOf(state, market.instrumentId);
    if (touch === undefined) return undefined;
    const middleTicks = (touch.bidTicks + touch.askTicks) / 2;
    averages.notice(middleTicks);
    const ordinaryPpm = (ordersPerMinute * this.#tickMs * PPM) / MINUTE_MS;
    const chancePpm = Math.min(PPM, ordinaryPpm * mood.activity);
    const surplusLots = heldLots(state, account, market) - terms.homeLots;
    const rules = { sizeLots, limitLots, chancePpm, lean: mood.lean };
    const wish = wishOf(this.#style, rules, { middleTicks, surplusLots }, averages, prng);
    if (wish === undefined || tick < notBeforeTick) return undefined;
    if ('base' in market) return spotOrder(account, market, wish, touch);
    if (state.contractPrices(market.instrumentId)?.indexStale !== false) return undefined;
    const margin = state.marginAccount(account.accountId, market.instrumentId);
    return margin === undefined ? undefined : contractOrder(account, market, margin, wish, touch);
  }
}

function touchOf(state: StateReader, instrumentId: InstrumentId): Touch | undefined {
  const askTicks = bestOpposite(state, instrumentId, 'buy');
  const bidTicks = bestOpposite(state, instrumentId, 'sell');
  return askTicks === undefined || bidTicks === undefined ? undefined : { askTicks, bidTicks };
}

/** Base coin in the spot wallet in whole lots, or longs less shorts. */
function heldLots(
  state: StateReader,
  account: AccountView,
  market: SpotInstrument | Contract,
): number {
  if ('base' in market) {
    const balance = account.balance('spot', market.base.assetId)?.balance ?? 0n;
    return Number(balance / market.baseUnitsPerLot);
  }
  const margin = state.marginAccount(account.accountId, market.instrumentId);
  return (margin?.long.lots ?? 0) - (margin?.short.lots ?? 0);
}

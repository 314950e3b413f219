/**
 * What amounts of coins are worth in one coin, by the venue's own prices over at most two markets.
 * A coin that no market leads to has no value here: that is not the same as none.
 */
import { formatDecimal } from '#kernel';
import { exact, sumOf } from './numbers.ts';

/** A market as far as it prices one coin in another. */
export interface PricedMarket {
  readonly base: string;
  readonly quote: string;
  /** Zero where nothing was ever traded: such a market prices nothing. */
  readonly price: string;
}

/** How much of the target one unit of a coin is, as a fraction. */
export interface Rate {
  readonly over: bigint;
  readonly under: bigint;
}

const SAME: Rate = { over: 1n, under: 1n };

/** Decimals of a value. */
export const VALUE_DECIMALS = 8;

/**
 * The rate of a coin in the target: over one market if there is one, else over two. Of several
 * ways the first in the order of the markets counts.
 */
export function rateOf(
  coin: string,
  target: string,
  markets: readonly PricedMarket[],
): Rate | undefined {
  if (coin === target) return SAME;
  const direct = stepBetween(coin, target, markets);
  if (direct !== undefined) return direct;
  for (const market of markets) {
    const between = otherSide(market, coin);
    if (between === undefined) continue;
    const [first, second] = [stepOver(market, coin), stepBetween(between, target, markets)];
    if (first === undefined || second === undefined) continue;
    return { over: first.over * second.over, under: first.under * second.under };
  }
  return undefined;
}

function stepBetween(
  coin: string,
  target: string,
  markets: readonly PricedMarket[],
): Rate | undefined {
  for (const market of markets) {
    const step = otherSide(market, coin) === target ? stepOver(market, coin) : undefined;
    if (step !== undefined) return step;
  }
  return undefined;
}

function otherSide({ base, quote }: PricedMarket, coin: string): string | undefined {
  if (base === coin) return quote;
  return quote === coin ? base : undefined;
}

function stepOver({ base, price }: PricedMarket, coin: string): Rate | undefined {
  const { value, scale } = exact(price);
  if (value <= 0n) return undefined;
  const unit = 10n ** BigInt(scale);
  return base === coin ? { over: value, under: unit } : { over: unit, under: value };
}

/** An amount at a rate, cut off after VALUE_DECIMALS decimals. */
export function valueAt(amount: string, { over, under }: Rate): string {
  const { value, scale } = exact(amount);
  const units = (value * over * 10n ** BigInt(VALUE_DECIMALS)) / (under * 10n ** BigInt(scale));
  return formatDecimal(units, VALUE_DECIMALS);
}

export interface CoinAmount {
  readonly coin: string;
  readonly amount: string;
}

export interface Valuation {
  /** Of what has a price. */
  readonly total: string;
  /** Coins with an amount that has none. */
  readonly unpriced: readonly string[];
}

export function valuationOf(
  amounts: readonly CoinAmount[],
  rate: (coin: string) => Rate | undefined,
): Valuation {
  const owned = amounts.filter(({ amount }) => exact(amount).value !== 0n);
  const values: string[] = [];
  const unpriced = new Set<string>();
  for (const { coin, amount } of owned) {
    const found = rate(coin);
    if (found === undefined) unpriced.add(coin);
    else values.push(valueAt(amount, found));
  }
  return { total: sumOf(values), unpriced: [...unpriced] };
}

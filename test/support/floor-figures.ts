/** Prices, sizes and amounts as a trader writes them, in the units of the engine. */
import { type Contract, type Lots, lots, type Ticks, ticks } from '#domain';
import { parseDecimal, parseScaled } from '#kernel';

/** What `pairSpec` says of a pair. */
const PAIR_PRICE_SCALE = 2;
const PAIR_SIZE_SCALE = 4;

/** As text in coins or contracts, or as a number of ticks or lots. */
export type Figure = string | number;

export function pairFigures(price: Figure, quantity: Figure) {
  return {
    priceTicks: ticks(scaled(price, PAIR_PRICE_SCALE)),
    sizeLots: pairLots(quantity),
  };
}

export function pairLots(quantity: Figure): Lots {
  return lots(scaled(quantity, PAIR_SIZE_SCALE));
}

export function priceOf({ priceScale }: Contract, price: Figure): Ticks {
  return ticks(scaled(price, priceScale));
}

export function priceIfGiven(contract: Contract, price = '0'): Ticks | undefined {
  return price === '0' ? undefined : priceOf(contract, price);
}

/** A decimal as an integer at the given scale. */
export function scaled(figure: Figure, scale: number): number {
  if (typeof figure === 'number') return figure;
  const value = parseScaled(figure, scale);
  if (typeof value !== 'number') throw new Error(`${figure} at scale ${scale}: ${value}`);
  return value;
}

export function unitsOf(text: string, scale: number): bigint {
  const value = parseDecimal(text, scale);
  if (typeof value !== 'bigint') throw new Error(`${text} is no amount: ${value}`);
  return value;
}

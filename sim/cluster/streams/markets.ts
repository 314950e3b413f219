/** The markets that are followed, with what turns texts of messages into whole ticks and lots. */
import type { InstrumentId } from '#domain';
import { CONTRACTS, PAIRS } from '../../workload/listings.ts';

export interface FollowedMarket {
  readonly instrumentId: InstrumentId;
  readonly product: 'spot' | 'contract';
  /** As in BTCUSDT. */
  readonly name: string;
  readonly priceScale: number;
  /** Of one lot in base coin. */
  readonly lot: number;
}

const FOLLOWED_CONTRACTS = 2;

export const FOLLOWED: readonly FollowedMarket[] = [
  ...PAIRS.map(({ symbol, priceScale, quantityScale }, at) => ({
    instrumentId: at as InstrumentId,
    product: 'spot' as const,
    name: symbol.replace('-', ''),
    priceScale,
    lot: 10 ** -quantityScale,
  })),
  ...CONTRACTS.slice(0, FOLLOWED_CONTRACTS).map((spec, at) => ({
    instrumentId: (PAIRS.length + at) as InstrumentId,
    product: 'contract' as const,
    name: `${spec.baseCode}${spec.quoteCode}`,
    priceScale: spec.priceScale,
    lot: Number(spec.contractValue),
  })),
];

export type Units = Pick<FollowedMarket, 'priceScale' | 'lot'>;

export function ticksOf({ priceScale }: Units, price: string): number {
  return Math.round(Number(price) * 10 ** priceScale);
}

export function lotsOf({ lot }: Units, size: string): number {
  return Math.round(Number(size) / lot);
}

/** A decimal text in whole units of this scale. */
export function unitsOf(text: string, scale: number): bigint {
  const isNegative = text.startsWith('-');
  const [whole = '0', part = ''] = text.replace('-', '').split('.');
  const units = BigInt(whole + part.padEnd(scale, '0').slice(0, scale));
  return isNegative ? -units : units;
}

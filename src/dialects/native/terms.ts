/** What the endpoints of the house's own API share: paths, markets and their figures as text. */
import type { Contract, InstrumentId, Listings, Lots, Side, SpotInstrument } from '#domain';
import { formatTrimmed, present } from '#kernel';
import { marketNamed } from '../kit/markets.ts';
import { type Named, requiredText } from '../kit/request.ts';
import { listedName } from '../kit/row.ts';

export const BASE = '/v1';

export const SIDES: ReadonlyMap<string, Side> = new Map([
  ['buy', 'buy'],
  ['sell', 'sell'],
]);

/** A pair or a contract. */
export type Market = SpotInstrument | Contract;

export interface OfMarket {
  readonly market: Market;
}

export const MARKET: Named<string, Market> = {
  ...requiredText('Market, as in BTC-USDT or BTC-USDT-PERP'),
  find: (name, listings) => marketNamed(listings, name),
};

export const SYMBOL = listedName<OfMarket>('Market', 'BTC-USDT', ({ market }) => market.symbol);

export function isPair(market: Market): market is SpotInstrument {
  return 'base' in market;
}

/** The coin that turnover, fees and profit are in: what a pair is quoted in, or the margin coin. */
export function moneyOf(market: Market) {
  return isPair(market) ? market.quote : market.margin;
}

export function marketsOf({ spot, contracts }: Listings): readonly Market[] {
  return [...spot, ...contracts.values()];
}

export function marketById(listings: Listings, id: InstrumentId): Market {
  return present(listings.spotById(id) ?? listings.contractById(id), 'market');
}

/** In base coin, or in contracts. */
export function sizeText(size: Lots, { quantityScale }: Market): string {
  return formatTrimmed(size, quantityScale);
}

/** What the endpoints of the house's own API share: paths, markets and their figures as text. */
import {
  type Contract,
  HOLD_SIDES,
  type HoldSide,
  type InstrumentId,
  type Listings,
  type Lots,
  type Side,
  type SpotInstrument,
} from '#domain';
import { formatTrimmed, present } from '#kernel';
import { contractNamed, marketNamed } from '../kit/markets.ts';
import { type Named, optionalText, requiredText } from '../kit/request.ts';
import { listedName } from '../kit/row.ts';

export const BASE = '/v1';

/** Where the stream is. */
export const STREAM_PATH = `${BASE}/ws`;

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

/** The contract that a request is about. */
export const CONTRACT: Named<string, Contract> = {
  ...requiredText('Contract, as in BTC-USDT-PERP'),
  find: (name, listings) => contractNamed(listings, name),
};

/** As CONTRACT; all contracts where it is left out. */
export const CONTRACT_OR_ALL: Named<string, Contract | undefined> = {
  ...optionalText('Only this contract'),
  find: (name, listings) => (name === '' ? undefined : contractNamed(listings, name)),
};

/** All markets where it is left out. */
export const ONE_OR_ALL: Named<string, Market | undefined> = {
  ...optionalText('Only this market'),
  find: (name, listings) => (name === '' ? undefined : MARKET.find(name, listings)),
};

export const SIDE_WORDS: ReadonlyMap<string, HoldSide> = new Map(
  HOLD_SIDES.map((side) => [side, side]),
);

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

export function contractById(listings: Listings, id: InstrumentId): Contract {
  return present(listings.contractById(id), 'contract');
}

export function marketById(listings: Listings, id: InstrumentId): Market {
  return present(listings.spotById(id) ?? listings.contractById(id), 'market');
}

/** In base coin, or in contracts. */
export function sizeText(size: Lots, { quantityScale }: Market): string {
  return formatTrimmed(size, quantityScale);
}

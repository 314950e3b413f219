/**
 * How the current interface spells markets: BTCUSDT is BTC-USDT among pairs and BTC-USDT-PERP among
 * contracts. It is the compact form of the symbol, which no two listings of a product share.
 */
import {
  type Contract,
  compactSymbol,
  contractSymbol,
  type Listings,
  type SpotInstrument,
} from '#domain';

const NAME = /^[A-Z0-9]+$/;

/** Names kept; one more and all are spelled anew. */
const NAMES_MAX = 4_096;
const names = new Map<string, string>();

/** BTCUSDT of BTC-USDT and of BTC-USDT-PERP. */
export function marketName(symbol: string): string {
  const known = names.get(symbol);
  if (known !== undefined) return known;
  const name = compactSymbol(symbol);
  if (names.size >= NAMES_MAX) names.clear();
  names.set(symbol, name);
  return name;
}

/** The pair of this name, in any case. */
export function pairOfName(listings: Listings, name: string): SpotInstrument | undefined {
  const upper = name.toUpperCase();
  return NAME.test(upper) ? listings.spotBySymbol(upper) : undefined;
}

/** The contract of this name, in any case; only linear ones are traded here. */
export function contractOfName(listings: Listings, name: string): Contract | undefined {
  const upper = name.toUpperCase();
  const found = NAME.test(upper) ? listings.contract(contractSymbol(upper)) : undefined;
  return found !== undefined && isShown(found) ? found : undefined;
}

/** The contracts that this interface shows, in the order of their ids. */
export function shownContracts(listings: Listings): readonly Contract[] {
  return [...listings.contracts.values()].filter(isShown);
}

/** Sizes are in base coin here, and margins in quote coin: inverse contracts have neither. */
export function isShown({ kind }: Pick<Contract, 'kind'>): boolean {
  return kind === 'linear';
}

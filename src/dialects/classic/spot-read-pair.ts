/** Finds the pair a request is about: in any case, with or without the suffix. */
import { type Listings, type Refused, refuse, SPOT_SUFFIX, type SpotInstrument } from '#domain';
import { type Fields, shown } from '../fields.ts';

/** The pair with this symbol. */
export function pairOf(symbol: string, listings: Listings): SpotInstrument | Refused {
  const upper = symbol.toUpperCase();
  const canonical = upper.endsWith(SPOT_SUFFIX) ? upper : upper + SPOT_SUFFIX;
  return listings.spotBySymbol(canonical) ?? refuse('symbol_unknown', shown(symbol));
}

/**
 * The pair with this symbol. A fault among the fields read before it comes first: the shape of a
 * request is checked before what it names.
 */
export function resolvePair(
  fields: Fields,
  symbol: string,
  listings: Listings,
): SpotInstrument | Refused {
  return fields.fault ?? pairOf(symbol, listings);
}

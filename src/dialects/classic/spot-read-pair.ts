/** Finds the pair a request is about: in any case, with or without the suffix. */
import { type Listings, type Refused, refuse, type SpotInstrument } from '#domain';
import { shown } from '../fields.ts';
import { pairOfName } from './symbols.ts';

/** The pair with this symbol. */
export function pairOf(symbol: string, listings: Listings): SpotInstrument | Refused {
  return pairOfName(listings, symbol) ?? refuse('symbol_unknown', shown(symbol));
}

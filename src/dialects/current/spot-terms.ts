/** What the files of the spot endpoints share: common fields and example values. */
import { refuseSaying } from '#api';
import type { Listings, Refused, SpotInstrument } from '#domain';
import { shown } from '../fields.ts';
import { type Named, requiredText } from '../request.ts';
import { pairOfName } from './symbols.ts';

export const SPOT_BASE = '/api/v3';

/** The pair of this name, in any case. */
export function pairOf(name: string, listings: Listings): SpotInstrument | Refused {
  return pairOfName(listings, name) ?? refuseSaying('symbol_unknown', shown(name));
}

/** The pair that a request is about. */
export const PAIR: Named<string, SpotInstrument> = {
  ...requiredText('Pair, in any case'),
  find: pairOf,
};

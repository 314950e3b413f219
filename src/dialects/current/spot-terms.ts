/** What the files of the spot endpoints share: common fields and example values. */
import { refuseSaying } from '#api';
import { isRefused, type Listings, type Refused, type SpotInstrument } from '#domain';
import { shown } from '../kit/fields.ts';
import { type Named, optionalText, requiredText } from '../kit/request.ts';
import type { Shape } from '../kit/row.ts';
import * as schema from '../kit/schema.ts';
import { pairOfName } from './symbols.ts';

export const SPOT_BASE = '/api/v3';
export const TIME_MS = 1_795_235_652_453;

export const SYMBOL: Shape<string> = { schema: schema.text('Pair'), example: 'BTCUSDT' };

/** The pair of this name, in any case. */
function pairOf(name: string, listings: Listings): SpotInstrument | Refused {
  return pairOfName(listings, name) ?? refuseSaying('symbol_unknown', shown(name));
}

/** The pair that a request is about. */
export const PAIR: Named<string, SpotInstrument> = {
  ...requiredText('Pair, in any case'),
  find: pairOf,
};

/** As PAIR; undefined when left out. */
export const PAIR_OR_ALL: Named<string, SpotInstrument | undefined> = {
  ...optionalText('Only this pair, in any case'),
  find: (name, listings) => (name === '' ? undefined : pairOf(name, listings)),
};

const PAIRS: Named<string, readonly SpotInstrument[] | undefined> = {
  ...optionalText('Only these pairs: BTCUSDT,ETHUSDT or ["BTCUSDT","ETHUSDT"]'),
  find: (text, listings) => (text === '' ? undefined : pairsOf(text, listings)),
};

/** One pair, several or all of them. */
export const SOME_PAIRS = { symbol: PAIR_OR_ALL, symbols: PAIRS };

function pairsOf(text: string, listings: Listings): readonly SpotInstrument[] | Refused {
  const names = text.replaceAll(/[[\]"\s]/g, '').split(',');
  const pairs: SpotInstrument[] = [];
  for (const name of names) {
    const pair = pairOf(name, listings);
    if (isRefused(pair)) return pair;
    if (!pairs.includes(pair)) pairs.push(pair);
  }
  return pairs;
}

/** The pairs that a request with the fields of SOME_PAIRS is about. */
export function pairsAsked(
  { spot }: Listings,
  one: SpotInstrument | undefined,
  several: readonly SpotInstrument[] | undefined,
): readonly SpotInstrument[] | Refused {
  if (one === undefined) return several ?? spot;
  return several === undefined ? [one] : refuseSaying('parameters_conflict', 'symbol and symbols');
}

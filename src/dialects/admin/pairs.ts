/** Pairs: listed, changed, halted and resumed. */
import {
  type Asset,
  isRefused,
  lots,
  type Refused,
  SPOT_BAND_DEFAULT_PPM,
  type SpotInstrument,
  type SpotTerms,
  spotSymbol,
  type VenuePort,
  ZERO_TICKS,
} from '#domain';
import { formatTrimmed } from '#kernel';
import { submit } from '../kit/carry-out.ts';
import { type OperatorEndpoint, operatorEndpoint } from '../kit/endpoint.ts';
import { PAIR_SYMBOL, pairNamed } from '../kit/markets.ts';
import { row, text, whole } from '../kit/row.ts';
import * as schema from '../kit/schema.ts';
import { type AdminContext, BASE } from './context.ts';
import { AMOUNT, required, SCALE } from './fields.ts';
import { LISTED_COIN } from './money.ts';
import {
  inUnits,
  keptTerms,
  needed,
  PRICE_TERM,
  RATE_TERM,
  SIZE_TERM,
  STATUS,
  SUSPENDED_REASON,
  type TermKind,
  term,
  termColumns,
  termFields,
} from './terms.ts';

const PAIR_PATH = `${BASE}/spot/:symbol`;

type Scales = Pick<SpotInstrument, 'priceScale' | 'quantityScale'> & {
  readonly quote: Pick<Asset, 'scale'>;
};

const QUOTE_AMOUNT: TermKind<Pick<Scales, 'quote'>, bigint, string> = {
  field: inUnits(AMOUNT, (asked, { quote }) => asked(quote.scale)),
  schema: schema.decimal,
  shown: (amount, { quote }) => formatTrimmed(amount, quote.scale),
};

const TERMS = {
  minQuantity: term(SIZE_TERM, 'minLots', 'Smallest order in base coin', '0.0001'),
  maxQuantity: term(SIZE_TERM, 'maxLots', 'Largest order in base coin', '10000'),
  minNotional: term(QUOTE_AMOUNT, 'minNotional', 'Smallest order value in quote coin', '0'),
  takerFee: term(RATE_TERM, 'takerFeePpm', 'Taker fee', '0.001'),
  makerFee: term(RATE_TERM, 'makerFeePpm', 'Maker fee', '0.001'),
  status: STATUS,
  referencePrice: term(
    PRICE_TERM,
    'referencePriceTicks',
    'Centre of the resident market maker; 0 for none',
    '30000',
  ),
  priceBand: term(
    RATE_TERM,
    'priceBandPpm',
    'Buys go so far above the last price, sells below it; 0 for any price',
    '0.1',
  ),
};

const { minQuantity, maxQuantity, minNotional, takerFee, makerFee, status, ...BOUNDS } =
  termColumns(TERMS);

export const PAIR = row<SpotInstrument>()({
  symbol: text('Pair', PAIR_SYMBOL, ({ symbol }) => symbol),
  base: text('Coin that is traded', 'BTC', ({ baseCode }) => baseCode),
  quote: text('Coin it is priced in', 'USDT', ({ quoteCode }) => quoteCode),
  priceScale: whole('Decimal places of a price', 2, ({ priceScale }) => priceScale),
  quantityScale: whole('Decimal places of a quantity', 4, ({ quantityScale }) => quantityScale),
  minQuantity,
  maxQuantity,
  minNotional,
  takerFee,
  makerFee,
  status,
  suspendedReason: SUSPENDED_REASON,
  ...BOUNDS,
});

/** What a new pair has unless its listing says otherwise. */
const UNSAID_TERMS: SpotTerms = {
  minLots: lots(1),
  maxLots: lots(1),
  minNotional: 0n,
  takerFeePpm: 0,
  makerFeePpm: 0,
  status: 'online',
  referencePriceTicks: ZERO_TICKS,
  priceBandPpm: SPOT_BAND_DEFAULT_PPM,
};

const FIELDS = termFields(TERMS);

export const PAIR_ENDPOINTS = {
  listSpot: operatorEndpoint({
    method: 'POST',
    path: `${BASE}/spot`,
    duty: 'run',
    summary: 'List a pair',
    request: {
      base: LISTED_COIN,
      quote: LISTED_COIN,
      priceScale: required(SCALE, 'Decimal places of a price'),
      quantityScale: required(SCALE, 'Decimal places of a quantity'),
      ...FIELDS,
      minQuantity: needed('Smallest order in base coin', FIELDS.minQuantity),
      maxQuantity: needed('Largest order in base coin', FIELDS.maxQuantity),
      takerFee: needed('Taker fee as a fraction: 0.001 is 0.1 %', FIELDS.takerFee),
      makerFee: needed('Maker fee as a fraction', FIELDS.makerFee),
    },
    response: PAIR,
    example: {
      request: {
        base: 'BTC',
        quote: 'USDT',
        priceScale: 2,
        quantityScale: 4,
        minQuantity: '0.0001',
        maxQuantity: '10000',
        takerFee: '0.001',
        makerFee: '0.001',
        referencePrice: '30000',
      },
    },
    answer: async ({ venue }: AdminContext, asked) => {
      const { base, quote, priceScale, quantityScale, ...given } = asked;
      const scales: Scales = { priceScale, quantityScale, quote };
      const terms = keptTerms<SpotTerms, Scales>(TERMS, given, scales);
      if (isRefused(terms)) return terms;
      const symbol = spotSymbol(base.code, quote.code);
      const names = { symbol, baseCode: base.code, quoteCode: quote.code };
      const spec = { ...UNSAID_TERMS, ...names, priceScale, quantityScale, ...terms };
      const event = await submit(venue, 'spot_listed', { kind: 'list_spot', spec });
      return isRefused(event) ? event : PAIR.write(event.instrument);
    },
  }),
  updateSpot: operatorEndpoint({
    method: 'PATCH',
    path: PAIR_PATH,
    duty: 'run',
    summary: 'Change the terms that are given: fees, bounds, status, reference price',
    request: FIELDS,
    response: PAIR,
    example: { request: { takerFee: '0.0008' }, data: { ...PAIR.example, takerFee: '0.0008' } },
    answer: (context: AdminContext, asked, { path }) =>
      changePair(context, path.symbol, (pair) => keptTerms<SpotTerms, Scales>(TERMS, asked, pair)),
  }),
  halt: operatorEndpoint({
    method: 'POST',
    path: `${PAIR_PATH}/halt`,
    duty: 'run',
    summary: 'Stop trading; orders stay and can be cancelled',
    request: {},
    response: PAIR,
    example: { data: { ...PAIR.example, status: 'halt' } },
    answer: (context: AdminContext, _asked, { path }) =>
      changePair(context, path.symbol, () => ({ status: 'halt' })),
  }),
  resume: operatorEndpoint({
    method: 'POST',
    path: `${PAIR_PATH}/resume`,
    duty: 'run',
    summary: 'Trade again',
    request: {},
    response: PAIR,
    answer: (context: AdminContext, _asked, { path }) =>
      changePair(context, path.symbol, () => ({ status: 'online' })),
  }),
} as const satisfies Record<string, OperatorEndpoint<AdminContext>>;

/** Changes the terms of the pair that a path names, in any case. */
async function changePair(
  { venue, live }: AdminContext,
  symbol = '',
  changesOf: (pair: SpotInstrument) => Partial<SpotTerms> | Refused,
): Promise<string | Refused> {
  const pair = pairNamed(live.listings, symbol);
  if (isRefused(pair)) return pair;
  const changes = changesOf(pair);
  if (isRefused(changes)) return changes;
  const event = await submitChanges(venue, pair, changes);
  return isRefused(event) ? event : PAIR.write(event.instrument);
}

export function submitChanges(
  venue: VenuePort,
  { instrumentId }: SpotInstrument,
  changes: Partial<SpotTerms>,
) {
  return submit(venue, 'spot_updated', { kind: 'update_spot', instrumentId, changes });
}

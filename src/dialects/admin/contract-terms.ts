/** The terms of a contract that the operator may change while it runs. */

import Type from 'typebox';
import { refuseSaying } from '#api';
import {
  type Contract,
  type ContractTerms,
  compactSymbol,
  INDEX_IMPACT_SCALE,
  type IndexSource,
  isRefused,
  LIMITS,
  type Refused,
  type RiskTier,
  spotSymbol,
} from '#domain';
import { formatTrimmed } from '#kernel';
import { formatRate, formatSize } from '../kit/contract-figures.ts';
import { detailText } from '../kit/english.ts';
import { type Fields, shown } from '../kit/fields.ts';
import { PAIR_SYMBOL } from '../kit/markets.ts';
import { type Field, optionalText, type Values } from '../kit/request.ts';
import { encoded, row } from '../kit/row.ts';
import * as schema from '../kit/schema.ts';
import { timeOfDay } from '../kit/time-of-day.ts';
import { AMOUNT, group, optional, RATE, required, rows, SCALED, WHOLE } from './fields.ts';
import {
  asTerm,
  COUNT_TERM,
  type InUnits,
  inUnits,
  keptTerms,
  lotsOf,
  RATE_TERM,
  SIZE_TERM,
  STATUS,
  type TermKind,
  term,
  termColumns,
  termFields,
} from './terms.ts';

const TIME_OF_DAY = /^([01][0-9]|2[0-3]):[0-5][0-9]$/;
/** Settlements of one day: every half hour. */
const FUNDING_TIMES_MAX = 48;
const SOURCE_NAME = /^[A-Za-z0-9._-]{1,64}$/;
const SECOND_MS = 1_000;

type SizeScale = Pick<Contract, 'quantityScale'>;
type Coin = Pick<Contract, 'baseCode'>;

const TIER_FIELDS = {
  contracts: required(SCALED, 'Applies to positions of up to so many contracts'),
  maintenanceRate: required(RATE, 'Margin that must be left, as a fraction of the value'),
  maxLeverage: required(WHOLE, 'Highest leverage'),
};
type AskedTier = Values<typeof TIER_FIELDS>;

function tiersIn(
  asked: readonly AskedTier[],
  { quantityScale }: SizeScale,
): readonly RiskTier[] | Refused {
  const tiers: RiskTier[] = [];
  for (const { contracts, maintenanceRate, maxLeverage } of asked) {
    const contractsMax = lotsOf(contracts, quantityScale);
    if (isRefused(contractsMax)) {
      return refuseSaying(contractsMax.reject, `tiers: ${detailText(contractsMax.detail)}`);
    }
    tiers.push({ contractsMax, maintenanceRatePpm: maintenanceRate, leverageMax: maxLeverage });
  }
  return tiers;
}

export interface ShownTier {
  readonly contracts: string;
  readonly maintenanceRate: string;
  readonly maxLeverage: number;
}

const TIERS: TermKind<SizeScale, readonly RiskTier[], readonly ShownTier[]> = {
  field: (description) =>
    asTerm(
      rows(description, LIMITS.riskTiersMax, TIER_FIELDS, (tier) => tier),
      tiersIn,
    ),
  schema: () =>
    Type.Array(
      Type.Object({
        contracts: schema.decimal('Applies to positions of up to so many contracts'),
        maintenanceRate: schema.decimal('Margin that must be left, as a fraction of the value'),
        maxLeverage: schema.wholeNumber('Highest leverage'),
      }),
    ),
  shown: (tiers, contract) =>
    tiers.map(({ contractsMax, maintenanceRatePpm, leverageMax }) => ({
      contracts: formatSize(contract, contractsMax),
      maintenanceRate: formatRate(maintenanceRatePpm),
      maxLeverage: leverageMax,
    })),
};

const TIMES_OF_DAY: TermKind<unknown, readonly number[], readonly string[]> = {
  field: (description) => ({
    schema: Type.Optional(Type.Array(Type.String(), { description })),
    read: (fields, name) => {
      if (!fields.has(name)) return undefined;
      const minutes = fields.list(name, FUNDING_TIMES_MAX).map((time) => {
        const isTime = typeof time === 'string' && TIME_OF_DAY.test(time);
        if (isTime) return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
        fields.refuse('parameter_invalid', `${name} are of the form 07:30, in UTC`);
        return 0;
      });
      return () => minutes;
    },
  }),
  schema: (description) => Type.Array(schema.text(description)),
  shown: (minutes) => minutes.map(timeOfDay),
};

const SECONDS: TermKind<unknown, number, number> = {
  field: inUnits(WHOLE, (seconds) => seconds * SECOND_MS),
  schema: (description) => Type.Number({ description, minimum: 0 }),
  shown: (ms) => ms / SECOND_MS,
};

const IMPACT: TermKind<unknown, bigint, string> = {
  field: (description) => {
    const field = optional(AMOUNT, description);
    return {
      schema: field.schema,
      read: (fields, name) => {
        const amount = field.read(fields, name)?.(INDEX_IMPACT_SCALE);
        if (isRefused(amount)) fields.fail(amount);
        return amount === undefined ? undefined : () => amount;
      },
    };
  },
  schema: schema.decimal,
  shown: (amount) => formatTrimmed(amount, INDEX_IMPACT_SCALE),
};

const SOURCE_FIELDS = {
  spot: optionalText('Pair of this venue whose book is a source'),
  feed: optionalText('Name under which prices will be reported'),
  weight: optional(WHOLE, 'Weight in the mean; 1 if absent'),
};

function sourceOf(
  { spot, feed, weight = 1 }: Values<typeof SOURCE_FIELDS>,
  fields: Fields,
): IndexSource {
  if ((spot === '') === (feed === '')) {
    fields.refuse('parameter_invalid', 'a source takes either spot or feed');
  }
  const name = spot + feed;
  if (!SOURCE_NAME.test(name)) fields.refuse('parameter_invalid', `a source ${shown(name)}`);
  if (spot === '') return { kind: 'feed', name: feed, weight };
  return { kind: 'spot', symbol: spot.toUpperCase(), weight };
}

export interface ShownSource {
  readonly spot?: string;
  readonly feed?: string;
  readonly weight: number;
}

/** The dash that a pair's symbol lacks goes behind the coin that its price is of. */
function inOwnSpelling(source: IndexSource, { baseCode }: Coin): IndexSource {
  if (source.kind === 'feed' || source.symbol.includes('-')) return source;
  const { symbol } = source;
  if (!symbol.startsWith(baseCode)) return source;
  return { ...source, symbol: spotSymbol(baseCode, symbol.slice(baseCode.length)) };
}

const SOURCES: TermKind<Coin, readonly IndexSource[], readonly ShownSource[]> = {
  field: (description) => {
    const field = rows(description, LIMITS.indexSourcesMax, SOURCE_FIELDS, sourceOf);
    return {
      schema: field.schema,
      read: (fields, name) => {
        const sources = field.read(fields, name);
        if (sources === undefined) return undefined;
        const names = sources.map((source) =>
          source.kind === 'spot' ? compactSymbol(source.symbol) : source.name,
        );
        // One source must not outvote the others in the median.
        const twice = names.find((one, at) => names.indexOf(one) !== at);
        if (twice !== undefined) fields.refuse('parameter_invalid', `source ${shown(twice)} twice`);
        return (market) => sources.map((source) => inOwnSpelling(source, market));
      },
    };
  },
  schema: () =>
    Type.Array(
      Type.Object({
        spot: Type.Optional(schema.text('Pair of this venue')),
        feed: Type.Optional(schema.text('Name under which prices are reported')),
        weight: schema.wholeNumber('Weight in the mean'),
      }),
    ),
  shown: (sources, market) =>
    sources
      .map((source) => inOwnSpelling(source, market))
      .map(({ weight, ...source }) =>
        source.kind === 'spot' ? { spot: source.symbol, weight } : { feed: source.name, weight },
      ),
};

const INDEX_TERMS = {
  sources: term(SOURCES, 'indexSources', 'All of them: the list replaces what was there', [
    { spot: PAIR_SYMBOL, weight: 1 },
    { feed: 'elsewhere', weight: 1 },
  ]),
  staleSeconds: term(SECONDS, 'indexStaleMs', 'A report counts for so long; 0 for ever', 60),
  outlier: term(
    RATE_TERM,
    'indexOutlierPpm',
    'A source this far from the median does not count',
    '0.05',
  ),
  impactNotional: term(
    IMPACT,
    'indexImpact',
    'Quote coin on both sides of a pair whose average prices count',
    '10000',
  ),
  maxMove: term(
    RATE_TERM,
    'indexMovePpm',
    'How far the index moves in a second with one pair alone; 0 for any',
    '0.0005',
  ),
};

const INDEX_ROW = row<Contract>()(termColumns(INDEX_TERMS));
/** Where the index price comes from. */
export const INDEX = encoded(INDEX_ROW, INDEX_ROW.write);

const TERMS = {
  minQuantity: term(SIZE_TERM, 'minLots', 'Smallest order in contracts', '1'),
  maxQuantity: term(SIZE_TERM, 'maxLots', 'Largest order in contracts', '500000'),
  takerFee: term(RATE_TERM, 'takerFeePpm', 'Taker fee', '0.0006'),
  makerFee: term(RATE_TERM, 'makerFeePpm', 'Maker fee', '0.0004'),
  minLeverage: term(COUNT_TERM, 'leverageMin', 'Lowest leverage', 1),
  maxLeverage: term(COUNT_TERM, 'leverageMax', 'Highest leverage', 100),
  tiers: term(TIERS, 'tiers', 'Risk tiers, the smallest first; the last one bounds a position', [
    { contracts: '100000', maintenanceRate: '0.005', maxLeverage: 100 },
    { contracts: '500000', maintenanceRate: '0.01', maxLeverage: 50 },
  ]),
  priceBand: term(
    RATE_TERM,
    'priceBandPpm',
    'How far from the mark price orders are taken',
    '0.05',
  ),
  markClamp: term(
    RATE_TERM,
    'markClampPpm',
    'How far the mark price may be from the index price',
    '0.03',
  ),
  openOrdersMax: term(COUNT_TERM, 'openOrdersMax', 'Open orders of one account', 1000),
  planOrdersMax: term(COUNT_TERM, 'triggerOrdersMax', 'Waiting plan orders of one account', 100),
  presetsMax: term(
    COUNT_TERM,
    'tpSlMax',
    'Take-profits and stop-losses of one account, armed or to come with its open orders',
    100,
  ),
  fundingTimes: term(
    TIMES_OF_DAY,
    'fundingMinutes',
    'Settlements, as in 07:00, in UTC and in order',
    ['07:00', '15:00', '23:00'],
  ),
  fundingInterest: term(
    RATE_TERM,
    'fundingInterestPpm',
    'Interest part of the funding rate',
    '0.0001',
  ),
  fundingClamp: term(
    RATE_TERM,
    'fundingClampPpm',
    'How far it pulls the rate from the premium',
    '0.0005',
  ),
  fundingCap: term(RATE_TERM, 'fundingCapPpm', 'Largest funding rate either way', '0.00375'),
  impactQuantity: term(
    SIZE_TERM,
    'impactLots',
    'Contracts whose average price makes the premium',
    '1',
  ),
};

/** The terms without the index and the status, as an answer has them. */
export const FIGURES = termColumns(TERMS);

export const TERM_FIELDS = {
  ...termFields(TERMS),
  index: group('Where the index price comes from', termFields(INDEX_TERMS), (asked) => asked),
  status: STATUS.field,
};

/** The tiers, which a new contract has to have. */
export const TIERS_NEEDED: Field<InUnits<SizeScale, readonly RiskTier[]> | undefined> = {
  schema: schema.demanded(TERM_FIELDS.tiers.schema),
  read: (fields, name) => {
    if (!fields.has(name)) fields.missing(name);
    return TERM_FIELDS.tiers.read(fields, name);
  },
};

/** Only what is given: the rest stays as it is. */
export function givenTerms(
  { index, ...asked }: Values<typeof TERM_FIELDS>,
  contract: SizeScale & Coin,
): Partial<ContractTerms> | Refused {
  const terms = keptTerms<ContractTerms, SizeScale>({ ...TERMS, status: STATUS }, asked, contract);
  if (index === undefined || isRefused(terms)) return terms;
  const indexTerms = keptTerms<ContractTerms, Coin>(INDEX_TERMS, index, contract);
  return isRefused(indexTerms) ? indexTerms : { ...terms, ...indexTerms };
}

/** Reads a contract the operator lists, or changes of its terms, or its index price. */
import type { JsonObject } from '#api';
import {
  CONTRACT_KINDS,
  type Contract,
  type ContractSpec,
  type ContractTerms,
  defaultTerms,
  INDEX_IMPACT_SCALE,
  type IndexSource,
  type InstrumentId,
  isRefused,
  LIMITS,
  type Listings,
  lots,
  MARKET_STATUSES,
  OPERATOR_SOURCE,
  type Refused,
  type ReportIndex,
  type RiskTier,
  ticks,
  ZERO_LOTS,
  ZERO_TICKS,
} from '#domain';
import { resolveContract } from '../classic/swap-read-contract.ts';
import { Fields, shown } from '../fields.ts';
import { AdminFields, given } from './fields.ts';

const COIN_CODE = /^[A-Za-z0-9]{2,16}$/;
const TIME_OF_DAY = /^([01][0-9]|2[0-3]):[0-5][0-9]$/;
/** Settlements of one day: every half hour. */
const FUNDING_TIMES_MAX = 48;
const SOURCE_NAME = /^[A-Za-z0-9._-]{1,64}$/;
const SECOND_MS = 1_000;

const TIER_FIELDS = ['contracts', 'maintenanceRate', 'maxLeverage'];
const INDEX_FIELDS = ['sources', 'staleSeconds', 'outlier', 'impactNotional', 'maxMove'];
const SOURCE_FIELDS = ['spot', 'feed', 'weight'];

/** The contract a path names, in any case. */
export function findContract(listings: Listings, symbol: string): Contract | Refused {
  return resolveContract(new Fields({}), symbol, listings);
}

/** Terms that are left out get the same defaults as in a configuration file. */
export function readContract(body: JsonObject): ContractSpec | Refused {
  const fields = new AdminFields(body);
  const symbol = fields.requiredText('symbol');
  fields.requiredText('kind');
  fields.requiredText('contractValue');
  fields.requiredText('referencePrice');
  const priceScale = fields.scale('priceScale');
  const quantityScale = fields.scale('quantityScale', 0);
  if (!fields.has('tiers')) fields.refuse('parameter_invalid', 'tiers is required');
  const terms = termsOf(fields, quantityScale);
  return fields.orRefusal({
    ...defaultTerms(terms.tiers ?? [], terms.minLots ?? lots(1)),
    ...terms,
    symbol,
    kind: fields.word('kind', CONTRACT_KINDS) ?? 'linear',
    baseCode: coinCode(fields, 'base'),
    quoteCode: coinCode(fields, 'quote'),
    contractValue: fields.decimalText('contractValue'),
    priceScale,
    quantityScale,
    priceStepTicks: fields.ticks('priceStep', priceScale) ?? ticks(1),
    referencePriceTicks: fields.ticks('referencePrice', priceScale) ?? ZERO_TICKS,
  });
}

/** One of the two coins of a contract; only the one of its margin need be listed. */
function coinCode(fields: AdminFields, name: string): string {
  const code = fields.requiredText(name);
  // Before it becomes upper case, which turns letters of other alphabets into these.
  if (!COIN_CODE.test(code)) fields.refuse('parameter_invalid', `${name} ${shown(code)}`);
  return code.toUpperCase();
}

/** Only what is given: the rest stays as it is. */
export function readContractChanges(
  body: JsonObject,
  { quantityScale }: Contract,
): Partial<ContractTerms> | Refused {
  const fields = new AdminFields(body);
  return fields.orRefusal(termsOf(fields, quantityScale));
}

function termsOf(fields: AdminFields, quantityScale: number): Partial<ContractTerms> {
  const index = fields.group('index', INDEX_FIELDS, indexOf);
  return given<ContractTerms>({
    minLots: fields.lots('minQuantity', quantityScale),
    maxLots: fields.lots('maxQuantity', quantityScale),
    takerFeePpm: fields.rate('takerFee'),
    makerFeePpm: fields.rate('makerFee'),
    status: fields.word('status', MARKET_STATUSES),
    leverageMin: fields.count('minLeverage'),
    leverageMax: fields.count('maxLeverage'),
    tiers: fields.rows('tiers', LIMITS.riskTiersMax, TIER_FIELDS, (row) =>
      tierOf(row, quantityScale),
    ),
    priceBandPpm: fields.rate('priceBand'),
    markClampPpm: fields.rate('markClamp'),
    openOrdersMax: fields.count('openOrdersMax'),
    triggerOrdersMax: fields.count('planOrdersMax'),
    tpSlMax: fields.count('presetsMax'),
    fundingMinutes: fundingMinutes(fields),
    fundingInterestPpm: fields.rate('fundingInterest'),
    fundingClampPpm: fields.rate('fundingClamp'),
    fundingCapPpm: fields.rate('fundingCap'),
    impactLots: fields.lots('impactQuantity', quantityScale),
    indexSources: index?.sources,
    indexStaleMs: index?.staleMs,
    indexOutlierPpm: index?.outlierPpm,
    insuranceBudgetPpm: fields.rate('insuranceBudget'),
    indexImpact: index?.impact,
    indexMovePpm: index?.movePpm,
  });
}

function tierOf(row: AdminFields, quantityScale: number): RiskTier {
  for (const name of TIER_FIELDS) row.requiredText(name);
  return {
    contractsMax: row.lots('contracts', quantityScale) ?? ZERO_LOTS,
    maintenanceRatePpm: row.rate('maintenanceRate') ?? 0,
    leverageMax: row.count('maxLeverage') ?? 0,
  };
}

/** "07:30" as minutes of the UTC day. */
function fundingMinutes(fields: AdminFields): number[] | undefined {
  if (!fields.has('fundingTimes')) return undefined;
  const times = fields.list('fundingTimes', FUNDING_TIMES_MAX);
  return times.map((time) => {
    const isTime = typeof time === 'string' && TIME_OF_DAY.test(time);
    if (isTime) return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
    fields.refuse('parameter_invalid', 'fundingTimes are of the form 07:30, in UTC');
    return 0;
  });
}

function indexOf(group: AdminFields) {
  const staleSeconds = group.count('staleSeconds');
  const sources = group.rows('sources', LIMITS.indexSourcesMax, SOURCE_FIELDS, sourceOf);
  const names = (sources ?? []).map((source) =>
    source.kind === 'spot' ? source.symbol : source.name,
  );
  // One source must not outvote the others in the median.
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) group.refuse('parameter_invalid', `source ${shown(twice)} twice`);
  return {
    sources,
    staleMs: staleSeconds === undefined ? undefined : staleSeconds * SECOND_MS,
    outlierPpm: group.rate('outlier'),
    impact: group.has('impactNotional')
      ? group.amount('impactNotional', INDEX_IMPACT_SCALE)
      : undefined,
    movePpm: group.rate('maxMove'),
  };
}

function sourceOf(row: AdminFields): IndexSource {
  const [spot, feed] = [row.text('spot'), row.text('feed')];
  if ((spot === '') === (feed === '')) {
    row.refuse('parameter_invalid', 'a source takes either spot or feed');
  }
  const name = spot + feed;
  if (!SOURCE_NAME.test(name)) row.refuse('parameter_invalid', `a source ${shown(name)}`);
  const weight = row.count('weight') ?? 1;
  return spot === ''
    ? { kind: 'feed', name: feed, weight }
    : { kind: 'spot', symbol: spot, weight };
}

/** A price from a feed, or the operator's own when no source is named. */
export function readIndexReport(
  body: JsonObject,
  symbol: string,
  listings: Listings,
): ReportIndex | Refused {
  const fields = new AdminFields(body);
  fields.requiredText('price');
  const source = fields.text('source') || OPERATOR_SOURCE;
  const contract = findContract(listings, symbol);
  if (isRefused(contract)) return fields.fault ?? contract;
  const { instrumentId, priceScale, indexSources } = contract;
  const isFeed = indexSources.some((feed) => feed.kind === 'feed' && feed.name === source);
  if (source !== OPERATOR_SOURCE && !isFeed) fields.refuse('index_source_unknown', shown(source));
  const priceTicks = fields.ticks('price', priceScale) ?? ZERO_TICKS;
  return fields.orRefusal({ kind: 'report_index', instrumentId, source, priceTicks });
}

export interface LiquidationsPage {
  /** Undefined for every contract. */
  readonly instrumentId: InstrumentId | undefined;
  readonly beforeTimeMs: number | undefined;
  readonly limit: number;
}

export function readLiquidations(
  query: JsonObject,
  listings: Listings,
): LiquidationsPage | Refused {
  const fields = new AdminFields(query);
  const symbol = fields.text('symbol');
  const beforeTimeMs = fields.wholeNumber('before');
  const limit = fields.limit(LIMITS.pageRowsDefault, LIMITS.pageRowsMax);
  const contract = symbol === '' ? undefined : resolveContract(fields, symbol, listings);
  if (isRefused(contract)) return contract;
  return fields.orRefusal({ instrumentId: contract?.instrumentId, beforeTimeMs, limit });
}

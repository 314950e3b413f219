/** Reads what the operator lists or changes in a listing, or answers with the first refusal. */
import type { JsonObject } from '#api';
import {
  type AssetSpec,
  type Chain,
  LIMITS,
  type Listings,
  lots,
  MARKET_STATUSES,
  type Refused,
  refuse,
  SPOT_BAND_DEFAULT_PPM,
  SPOT_SUFFIX,
  type SpotInstrument,
  type SpotSpec,
  type SpotTerms,
  ZERO_TICKS,
} from '#domain';
import { resolvePair } from '../classic/spot-read-pair.ts';
import { Fields } from '../fields.ts';
import { AdminFields, given } from './fields.ts';

const CHAINS_MAX = 50;
const URL_LENGTH_MAX = 255;

/** The pair a path names, in any case and with or without its suffix. */
export function findPair(listings: Listings, symbol: string): SpotInstrument | Refused {
  return resolvePair(new Fields({}), symbol, listings);
}

export function readAsset(body: JsonObject): AssetSpec | Refused {
  const fields = new AdminFields(body);
  fields.requiredText('coinId');
  return fields.orRefusal({
    code: fields.requiredText('code'),
    coinId: fields.count('coinId') ?? 0,
    scale: fields.scale('scale'),
    transferable: fields.flag('transferable', true),
    chains: fields.rows('chains', CHAINS_MAX, CHAIN_FIELDS, chainOf) ?? [],
  });
}

const CHAIN_FIELDS = [
  'chain',
  'needTag',
  'withdrawable',
  'rechargeable',
  'withdrawFee',
  'depositConfirm',
  'withdrawConfirm',
  'minDepositAmount',
  'minWithdrawAmount',
  'browserUrl',
];

function chainOf(fields: AdminFields): Chain {
  return {
    chain: fields.requiredText('chain').slice(0, LIMITS.nameLengthMax),
    needTag: fields.flag('needTag', false),
    withdrawable: fields.flag('withdrawable', true),
    rechargeable: fields.flag('rechargeable', true),
    withdrawFee: fields.decimalText('withdrawFee'),
    depositConfirm: fields.count('depositConfirm') ?? 1,
    withdrawConfirm: fields.count('withdrawConfirm') ?? 1,
    minDepositAmount: fields.decimalText('minDepositAmount'),
    minWithdrawAmount: fields.decimalText('minWithdrawAmount'),
    browserUrl: fields.text('browserUrl').slice(0, URL_LENGTH_MAX),
  };
}

export function readPair(body: JsonObject, listings: Listings): SpotSpec | Refused {
  const fields = new AdminFields(body);
  for (const name of ['minQuantity', 'maxQuantity', 'takerFee', 'makerFee']) {
    fields.requiredText(name);
  }
  const base = fields.asset('base', listings);
  const quote = fields.asset('quote', listings);
  const priceScale = fields.scale('priceScale');
  const quantityScale = fields.scale('quantityScale');
  if (fields.fault !== undefined || base === undefined || quote === undefined) {
    return fields.fault ?? refuse('coin_unknown');
  }
  const symbol = base.code + quote.code + SPOT_SUFFIX;
  const names = { symbol, baseCode: base.code, quoteCode: quote.code, priceScale, quantityScale };
  const terms = termsOf(fields, { priceScale, quantityScale, quoteScale: quote.scale });
  return fields.orRefusal({ ...UNSAID_TERMS, ...names, ...terms });
}

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

/** Only what is given: the rest stays as it is. */
export function readPairChanges(
  body: JsonObject,
  pair: SpotInstrument,
): Partial<SpotTerms> | Refused {
  const fields = new AdminFields(body);
  const { priceScale, quantityScale, quote } = pair;
  return fields.orRefusal(termsOf(fields, { priceScale, quantityScale, quoteScale: quote.scale }));
}

interface Scales {
  readonly priceScale: number;
  readonly quantityScale: number;
  readonly quoteScale: number;
}

function termsOf(fields: AdminFields, scales: Scales): Partial<SpotTerms> {
  const { priceScale, quantityScale, quoteScale } = scales;
  const hasNotional = fields.text('minNotional') !== '';
  return given<SpotTerms>({
    minLots: fields.lots('minQuantity', quantityScale),
    maxLots: fields.lots('maxQuantity', quantityScale),
    minNotional: hasNotional ? fields.amount('minNotional', quoteScale) : undefined,
    takerFeePpm: fields.rate('takerFee'),
    makerFeePpm: fields.rate('makerFee'),
    status: fields.word('status', MARKET_STATUSES),
    referencePriceTicks: fields.ticks('referencePrice', priceScale),
    priceBandPpm: fields.rate('priceBand'),
  });
}

/** Turns the query of a public contract endpoint into what the views ask for. */
import type { JsonObject } from '#api';
import {
  type Amount,
  type Contract,
  defaultLeverage,
  isRefused,
  LIMITS,
  type Listings,
  type Period,
  type Refused,
  type Ticks,
  ticks,
  ZERO_TICKS,
} from '#domain';
import { parseDecimal, parseScaled, present } from '#kernel';
import { Fields, shown } from '../fields.ts';
import { type LongPage, readLongPage, resolveContract } from './swap-read-contract.ts';
import { readTimeMs, readUtcText } from './time.ts';

/** The granularities of contract candles, by their seconds. */
export const CONTRACT_GRANULARITIES: ReadonlyMap<string, Period> = new Map<string, Period>([
  ['60', '1min'],
  ['180', '3min'],
  ['300', '5min'],
  ['900', '15min'],
  ['1800', '30min'],
  ['3600', '1h'],
  ['7200', '2h'],
  ['14400', '4h'],
  ['21600', '6h'],
  ['43200', '12h'],
  ['86400', '1d'],
  ['604800', '1w'],
]);
const GRANULARITY_DEFAULT = '60';

export interface ContractRows {
  readonly contract: Contract;
  readonly limit: number;
}

export function readContractDepth(query: JsonObject, listings: Listings): ContractRows | Refused {
  return readRows(query, listings, LIMITS.contractDepthLevelsMax);
}

export function readContractTrades(query: JsonObject, listings: Listings): ContractRows | Refused {
  return readRows(query, listings, LIMITS.contractTradesMax);
}

function readRows(query: JsonObject, listings: Listings, max: number): ContractRows | Refused {
  const fields = new Fields(query);
  const symbol = fields.requiredText('symbol');
  const limit = fields.limit(LIMITS.pageRowsDefault, max);
  const contract = resolveContract(fields, symbol, listings);
  return isRefused(contract) ? contract : { contract, limit };
}

export interface ContractCandlesQuery {
  readonly contract: Contract;
  readonly period: Period;
  readonly periodMs: number;
  /** Opening times, both included. */
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
}

export function readContractCandles(
  query: JsonObject,
  listings: Listings,
): ContractCandlesQuery | Refused {
  const fields = new Fields(query);
  const symbol = fields.requiredText('symbol');
  const seconds = fields.text('granularity') || GRANULARITY_DEFAULT;
  const period = CONTRACT_GRANULARITIES.get(seconds);
  if (period === undefined) {
    const known = [...CONTRACT_GRANULARITIES.keys()].join(', ');
    fields.refuse('parameter_invalid', `granularity ${shown(seconds)}, takes ${known}`);
  }
  const fromMs = readTimeMs(fields, 'startTime') ?? readUtcText(fields, 'start');
  const toMs = readTimeMs(fields, 'endTime') ?? readUtcText(fields, 'end');
  if (fromMs !== undefined && toMs !== undefined && fromMs > toMs) {
    fields.refuse('time_range_reversed', '');
  }
  const contract = resolveContract(fields, symbol, listings);
  if (isRefused(contract)) return contract;
  const periodMs = Number(seconds) * 1_000;
  return { contract, period: present(period, 'period'), periodMs, fromMs, toMs };
}

export interface FundingHistoryQuery extends LongPage {
  readonly contract: Contract;
}

export function readFundingHistory(
  query: JsonObject,
  listings: Listings,
): FundingHistoryQuery | Refused {
  const fields = new Fields(query);
  const symbol = fields.requiredText('symbol');
  const page = readLongPage(fields);
  const contract = resolveContract(fields, symbol, listings);
  return isRefused(contract) ? contract : { ...page, contract };
}

/** Decimal places that a price to ask about may have. */
const OPEN_PRICE_SCALE = 18;

export interface OpenCountQuery {
  readonly contract: Contract;
  readonly amount: Amount;
  readonly priceTicks: Ticks;
  readonly leverage: number;
}

/** Nothing to open with is a fair question; a price that cannot be one is not. */
export function readOpenCount(query: JsonObject, listings: Listings): OpenCountQuery | Refused {
  const fields = new Fields(query);
  const symbol = fields.requiredText('symbol');
  const amountText = fields.requiredText('amount');
  const priceText = fields.requiredText('openPrice');
  const leverageText = fields.text('leverage');
  const contract = resolveContract(fields, symbol, listings);
  if (isRefused(contract)) return contract;
  const amount = readAmount(fields, amountText, contract);
  const priceTicks = readPrice(fields, priceText, contract);
  const leverage = readLeverage(fields, leverageText, contract);
  return fields.fault ?? { contract, amount, priceTicks, leverage };
}

function readAmount(fields: Fields, given: string, { margin }: Contract): Amount {
  const value = parseDecimal(given, margin.scale);
  if (typeof value === 'bigint' && value >= 0n) return value;
  fields.refuse('parameter_invalid', `amount ${shown(given)}`);
  return 0n;
}

/** A price between two ticks counts as the one at which a contract costs more. */
function readPrice(fields: Fields, given: string, { priceScale, kind }: Contract): Ticks {
  const value = parseDecimal(given, OPEN_PRICE_SCALE);
  const tick = 10n ** BigInt(OPEN_PRICE_SCALE - priceScale);
  const found =
    typeof value === 'bigint' ? (kind === 'linear' ? value + tick - 1n : value) / tick : 0n;
  if (found > 0n && found <= BigInt(Number.MAX_SAFE_INTEGER)) return ticks(Number(found));
  fields.refuse('parameter_invalid', `openPrice ${shown(given)}`);
  return ZERO_TICKS;
}

function readLeverage(fields: Fields, given: string, contract: Contract): number {
  const { leverageMin, leverageMax } = contract;
  if (given === '') return defaultLeverage(contract);
  const value = parseScaled(given, 0);
  if (typeof value !== 'number') fields.refuse('parameter_invalid', `leverage ${shown(given)}`);
  else if (value >= leverageMin && value <= leverageMax) return value;
  fields.refuse('leverage_out_of_range', `${shown(given)}, ${leverageMin} to ${leverageMax}`);
  return 1;
}

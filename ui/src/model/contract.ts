/**
 * Contracts as the estimates need them. The public list has symbols, scales, steps and leverages;
 * fees, order sizes, risk tiers and the decimals of the margin coin are in /ui/terms. Without those
 * a contract can be shown and not be estimated.
 */
import { type Contract, type ContractKind, fineFactorOf, type Lots, lots, ticks } from '#domain';
import { assert } from '#kernel';
import { scaled, scaledNumber } from './numbers.ts';

/** market/contracts. */
export interface ContractRow {
  readonly symbol: string;
  readonly underlying_index: string;
  readonly quote_currency: string;
  readonly coin: string;
  readonly contract_val: string;
  /** UTC times of funding, as in 07:00:00. */
  readonly delivery: readonly string[];
  readonly size_increment: string;
  readonly tick_size: string;
  readonly priceEndStep: string;
  readonly minLeverage: string;
  readonly maxLeverage: string;
  readonly forwardContractFlag: boolean;
}

/** The part of the operator's description of a contract that the public list leaves out. */
export interface ContractFacts {
  readonly symbol: string;
  /** Decimal places of the margin coin in the ledger. */
  readonly marginScale: number;
  readonly minQuantity: string;
  readonly maxQuantity: string;
  readonly takerFee: string;
  readonly makerFee: string;
  /** How far from the mark price an order may go: a fraction. */
  readonly priceBand: string;
  readonly tiers: readonly {
    readonly contracts: string;
    readonly maintenanceRate: string;
    readonly maxLeverage: number;
  }[];
}

/** What the public list alone has. */
export interface ListedContract
  extends Pick<
    Contract,
    | 'kind'
    | 'baseCode'
    | 'quoteCode'
    | 'contractValue'
    | 'priceScale'
    | 'priceStepTicks'
    | 'quantityScale'
    | 'leverageMin'
    | 'leverageMax'
  > {
  readonly symbol: string;
  /** Coin of margin, fees and profit. */
  readonly marginCode: string;
}

/** All that cost, fee and liquidation price are worked out from. */
export interface TradedContract
  extends ListedContract,
    Pick<
      Contract,
      | 'minLots'
      | 'maxLots'
      | 'takerFeePpm'
      | 'makerFeePpm'
      | 'priceBandPpm'
      | 'tiers'
      | 'valueFactor'
      | 'fineFactor'
    > {
  readonly marginScale: number;
  /** What the account pays; what keeps a position from liquidation goes by the contract's own. */
  readonly feeRates: FeeRates;
}

/** Parts per million. */
export interface FeeRates {
  readonly takerPpm: number;
  readonly makerPpm: number;
}

/** One row of the public list. */
export function listedContract(row: ContractRow): ListedContract {
  return {
    symbol: row.symbol,
    kind: row.forwardContractFlag ? 'linear' : 'inverse',
    baseCode: row.underlying_index,
    quoteCode: row.quote_currency,
    marginCode: row.coin,
    contractValue: row.contract_val,
    priceScale: Number(row.tick_size),
    priceStepTicks: ticks(Number(row.priceEndStep)),
    quantityScale: Number(row.size_increment),
    leverageMin: Number(row.minLeverage),
    leverageMax: Number(row.maxLeverage),
  };
}

const PPM_SCALE = 6;

/** A contract with its facts. */
export function tradedContract(listed: ListedContract, facts: ContractFacts): TradedContract {
  const { kind, quantityScale } = listed;
  const size = (text: string): Lots => lots(scaledNumber(text, quantityScale));
  const takerFeePpm = scaledNumber(facts.takerFee, PPM_SCALE);
  const makerFeePpm = scaledNumber(facts.makerFee, PPM_SCALE);
  return {
    ...listed,
    marginScale: facts.marginScale,
    minLots: size(facts.minQuantity),
    maxLots: size(facts.maxQuantity),
    takerFeePpm,
    makerFeePpm,
    feeRates: { takerPpm: takerFeePpm, makerPpm: makerFeePpm },
    priceBandPpm: scaledNumber(facts.priceBand, PPM_SCALE),
    tiers: facts.tiers.map((tier) => ({
      contractsMax: size(tier.contracts),
      maintenanceRatePpm: scaledNumber(tier.maintenanceRate, PPM_SCALE),
      leverageMax: tier.maxLeverage,
    })),
    valueFactor: valueFactor(kind, listed, facts.marginScale),
    fineFactor: fineFactorOf(kind),
  };
}

/** Digits of a contract value that the venue takes into account. */
const VALUE_SCALE = 18;

/** Margin units per tick and lot (linear), or per lot times ticks (inverse). */
function valueFactor(
  kind: ContractKind,
  { contractValue, priceScale, quantityScale }: ListedContract,
  marginScale: number,
): bigint {
  const priceDigits = kind === 'linear' ? -priceScale : priceScale;
  const digits = marginScale + priceDigits - quantityScale - VALUE_SCALE;
  const value = scaled(contractValue, VALUE_SCALE);
  if (digits >= 0) return value * 10n ** BigInt(digits);
  const divisor = 10n ** BigInt(-digits);
  assert(value % divisor === 0n, 'the venue lists only contracts with whole tick values');
  return value / divisor;
}

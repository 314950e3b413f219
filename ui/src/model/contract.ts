/** Contracts as the estimates need them: what the public list says, and their coins' decimals. */
import type { native } from '#client';
import { type Contract, type ContractKind, fineFactorOf, type Lots, lots, ticks } from '#domain';
import { assert } from '#kernel';
import { scaled, scaledNumber } from './numbers.ts';
import { COIN_SCALE, type CoinScales } from './pair.ts';

/** All that cost, fee and liquidation price are worked out from. */
export interface TradedContract
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
    | 'minLots'
    | 'maxLots'
    | 'takerFeePpm'
    | 'makerFeePpm'
    | 'priceBandPpm'
    | 'tiers'
    | 'valueFactor'
    | 'fineFactor'
  > {
  readonly symbol: string;
  /** Coin of margin, fees and profit. */
  readonly marginCode: string;
  readonly marginScale: number;
  /** What the account pays; what keeps a position from liquidation goes by the contract's own. */
  readonly feeRates: FeeRates;
}

/** Parts per million. */
export interface FeeRates {
  readonly takerPpm: number;
  readonly makerPpm: number;
}

const PPM_SCALE = 6;
const ppm = (rate: string): number => scaledNumber(rate, PPM_SCALE);

/** A row of the public list; undefined of a pair. */
export function tradedContract(
  row: native.MarketsRow,
  coinScales: CoinScales,
): TradedContract | undefined {
  const { kind, contractValue, leverageMin, leverageMax, riskTiers, money } = row;
  if (kind === 'pair' || contractValue === null || riskTiers === null) return undefined;
  const { priceDecimals: priceScale, sizeDecimals: quantityScale } = row;
  const size = (text: string): Lots => lots(scaledNumber(text, quantityScale));
  const marginScale = coinScales[money] ?? COIN_SCALE;
  const [takerFeePpm, makerFeePpm] = [ppm(row.takerFee), ppm(row.makerFee)];
  return {
    ...{ symbol: row.symbol, kind, baseCode: row.base, quoteCode: row.quote, marginCode: money },
    ...{ contractValue, priceScale, quantityScale, marginScale },
    priceStepTicks: ticks(scaledNumber(row.priceStep, priceScale)),
    leverageMin: leverageMin ?? 1,
    leverageMax: leverageMax ?? 1,
    minLots: size(row.sizeMin),
    maxLots: size(row.sizeMax),
    ...{ takerFeePpm, makerFeePpm },
    feeRates: { takerPpm: takerFeePpm, makerPpm: makerFeePpm },
    priceBandPpm: ppm(row.priceBand),
    tiers: riskTiers.map((tier) => ({
      contractsMax: size(tier.sizeMax),
      maintenanceRatePpm: ppm(tier.maintenanceRate),
      leverageMax: tier.leverageMax,
    })),
    valueFactor: valueFactor(kind, { contractValue, priceScale, quantityScale }, marginScale),
    fineFactor: fineFactorOf(kind),
  };
}

/** Digits of a contract value that the venue takes into account. */
const VALUE_SCALE = 18;

type Scales = Pick<Contract, 'contractValue' | 'priceScale' | 'quantityScale'>;

/** Margin units per tick and lot (linear), or per lot times ticks (inverse). */
function valueFactor(
  kind: ContractKind,
  { contractValue, priceScale, quantityScale }: Scales,
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

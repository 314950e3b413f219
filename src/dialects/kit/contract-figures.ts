/**
 * Numbers of contracts as the wire shows them, each kind in one place: prices with the decimals of
 * tick_size, sizes in contracts, money in the margin coin. Nothing here rounds but an average.
 */
import {
  type Amount,
  AVERAGE_EXTRA_SCALE,
  type Contract,
  type FillSums,
  type FineAmount,
  FUNDING_RATE_SCALE,
  fillAverage,
  type Lots,
  RATIO_SCALE,
  type Ticks,
} from '#domain';
import { formatDecimal, formatTrimmed } from '#kernel';
import { formatPadded } from './amounts.ts';
import { baseSize } from './base-size.ts';

const PPM_SCALE = 6;
const MONEY_DECIMALS_MIN = 8;
const POSITION_MARGIN_DECIMALS_MIN = 12;

type PriceScale = Pick<Contract, 'priceScale'>;
type SizeScale = Pick<Contract, 'quantityScale'>;
type MoneyScale = Pick<Contract, 'margin'>;

/** A price with the decimals of tick_size; none is zero. */
export function formatPrice(contract: PriceScale, priceTicks: Ticks): string {
  return formatDecimal(priceTicks, contract.priceScale);
}

/** An average price with one decimal more than a price has, or as many as it needs. */
export function formatAverage(contract: PriceScale, average: bigint): string {
  const { priceScale } = contract;
  return formatPadded(average, priceScale + AVERAGE_EXTRA_SCALE, priceScale + 1);
}

/** Average price of an order's fills, the harmonic one of inverse fills; zero for none. */
export function formatFillAverage(
  contract: PriceScale & Pick<Contract, 'kind'>,
  sums: FillSums,
): string {
  if (sums.filledLots === 0) return '0';
  return formatAverage(contract, fillAverage(contract.kind, sums, AVERAGE_EXTRA_SCALE));
}

/** A size in contracts. */
export function formatSize(contract: SizeScale, size: Lots): string {
  return formatTrimmed(size, contract.quantityScale);
}

/** Money of a contract account, trimmed: nothing is "0". */
export function formatMoney({ margin }: MoneyScale, amount: Amount): string {
  return formatTrimmed(amount, margin.scale);
}

/** An exact value in the margin coin, with all its digits. */
export function formatValue(
  { margin, fineFactor }: MoneyScale & Pick<Contract, 'fineFactor'>,
  value: FineAmount,
): string {
  return formatTrimmed(value, margin.scale + String(fineFactor).length - 1);
}

/** Profit and loss of a position: at least eight decimals. */
export function formatPnl({ margin }: MoneyScale, amount: Amount): string {
  return formatPadded(amount, margin.scale, MONEY_DECIMALS_MIN);
}

/** A fee as contracts show it: at least eight decimals, below zero when it was charged. */
export function formatFee({ margin }: MoneyScale, charged: Amount): string {
  return formatPadded(-charged, margin.scale, MONEY_DECIMALS_MIN);
}

/** Margin of a position: at least twelve decimals. */
export function formatPositionMargin({ margin }: MoneyScale, amount: Amount): string {
  return formatPadded(amount, margin.scale, POSITION_MARGIN_DECIMALS_MIN);
}

/** A margin ratio; null stays null, for the mode that has none. */
export function formatRatio(ratio: bigint | null): string | null {
  return ratio === null ? null : formatTrimmed(ratio, RATIO_SCALE);
}

/** A rate in parts per million: 5000 is "0.005". */
export function formatRate(ratePpm: number): string {
  return formatTrimmed(ratePpm, PPM_SCALE);
}

/** A funding rate: 100000 parts per billion are "0.0001". */
export function formatFundingRate(ratePpb: number): string {
  return formatTrimmed(ratePpb, FUNDING_RATE_SCALE);
}

/**
 * Contracts in underlying coin. Linear ones name it; the value of inverse ones, which is in that
 * coin, depends on the price and comes as an amount.
 */
export function baseVolume(contract: Contract, size: Lots, value: Amount): string {
  return contract.kind === 'linear' ? baseSize(contract, size) : formatMoney(contract, value);
}

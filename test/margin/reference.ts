/**
 * A small calculator that knows what other exchanges do. Every difference is a switch; with all of
 * them as in OURS it is nothing but our own functions, and a switch changes only what goes into
 * them or what is added to their answer.
 */
import {
  bankruptcyTicks,
  entryMargin,
  type FineAmount,
  feeOnFine,
  finePnl,
  fineToFloor,
  fineValue,
  type HoldSide,
  liquidationTicks,
  openingCost,
  type RiskUnit,
  replenishment,
  ticks,
  type ValueTerms,
} from '#domain';
import { assert } from '#kernel';
import type { Example } from './example.ts';

export interface Rules {
  /** The value that the maintenance rate is taken of. */
  readonly mmBase: 'mark' | 'entry';
  /** What the threshold adds for the closing fee: on the mark value, at the bankruptcy price. */
  readonly feeInThreshold: 'on_mark' | 'none' | 'at_bankruptcy';
  readonly feeInBankruptcy: boolean;
  /** Whether the margin of a position includes the fee of closing it. */
  readonly feeInMargin: boolean;
  readonly feesInCost: 'open' | 'none' | 'open_and_close';
  readonly openLossInCost: boolean;
  readonly tierForm: 'whole_position' | 'deduction' | 'continuous';
  readonly hedgeMargin: 'sum' | 'larger_side';
  readonly amrRule: 'to_leverage' | 'one_initial_margin';
  /** The price that profit counts from. */
  readonly pnlBase: 'entry' | 'settlement';
  /** The price that the margin in use is taken at. */
  readonly marginAt: 'entry' | 'last';
  /** What the margin ratio is a part of. */
  readonly ratioTo: 'value' | 'margin';
  /** Whether one wallet stands for the positions of several contracts. */
  readonly walletOf: 'one_contract' | 'all_contracts';
  /** Profit as a part of margin: of the exact profit, or of the one shown at five decimals. */
  readonly pnlRatioOf: 'exact' | 'shown';
  readonly rounding: 'on_total' | 'per_contract' | 'on_amount';
  /** Whether the margin shown includes the unrealised profit. */
  readonly pnlInMargin: boolean;
  readonly impactBy: 'size' | 'notional';
  readonly settlementAt: 'by_sequence' | 'both_ends';
  readonly interestFrom: 'terms' | 'daily_rates';
  readonly premiumScale: number;
  readonly fundingClampPpm: number;
  readonly fundingCapPpm: number;
  /** Whether the deleveraging queue is shown in five lights. */
  readonly adlLights: boolean;
}

export const OURS: Rules = {
  mmBase: 'mark',
  feeInThreshold: 'on_mark',
  feeInBankruptcy: true,
  feeInMargin: false,
  feesInCost: 'open',
  openLossInCost: false,
  tierForm: 'whole_position',
  hedgeMargin: 'sum',
  amrRule: 'to_leverage',
  pnlBase: 'entry',
  marginAt: 'entry',
  ratioTo: 'value',
  walletOf: 'one_contract',
  pnlRatioOf: 'exact',
  rounding: 'on_total',
  pnlInMargin: false,
  impactBy: 'size',
  settlementAt: 'by_sequence',
  interestFrom: 'terms',
  premiumScale: 1,
  fundingClampPpm: 500,
  fundingCapPpm: 3_750,
  adlLights: false,
};

/** Charged by our rules where an example prints no fee rate. */
const TAKER_FEE_PPM = 600;

export interface Holding {
  readonly terms: ValueTerms;
  readonly side: HoldSide;
  readonly size: number;
  readonly open: FineAmount;
}

/** The position an example is about, opened at its entry price. */
export function holdingOf(example: Example): Holding {
  const { terms, side } = example;
  const size = example.size();
  return { terms, side, size, open: fineValue(terms, size, example.price('entry', 'avg')) };
}

export function takerPpm(example: Example): number {
  return example.has('taker') ? example.ppm('taker') : TAKER_FEE_PPM;
}

export function pnlAt({ terms, side, size, open }: Holding, priceTicks: number): bigint {
  return fineToFloor(terms, finePnl(terms, side, open, fineValue(terms, size, priceTicks)));
}

/** The part of a value in money, rounded up. */
export function partOf(terms: ValueTerms, value: FineAmount, ratePpm: number): bigint {
  return feeOnFine(terms, value, ratePpm);
}

/** Value at which a position is worth nothing, fees left out. */
function bankruptcyValue({ terms, side, open }: Holding, margin: bigint): FineAmount {
  const money = margin * terms.fineFactor;
  return (side === 'long') === (terms.kind === 'linear') ? open - money : open + money;
}

export function bankruptcyOf(
  { terms, side, size, open }: Holding,
  money: bigint,
  feePpm: number,
  rules: Rules,
  stepTicks = 1,
): number {
  const fee = rules.feeInBankruptcy ? feePpm : 0;
  const found = bankruptcyTicks(terms, side, { lots: size, open, money }, fee, stepTicks);
  assert(found !== undefined, 'the position can be emptied');
  return found;
}

export interface Rates {
  readonly maintenancePpm: number;
  readonly takerPpm: number;
  /** What the deduction form takes off the maintenance margin. */
  readonly deduction: bigint;
  /** Known closing fee, where an exchange sets one aside. */
  readonly closeFee: bigint;
}

export function ratesOf(example: Example): Rates {
  return {
    maintenancePpm: example.ppm('mmr'),
    takerPpm: takerPpm(example),
    deduction: example.has('mm_amount') ? example.money('mm_amount') : 0n,
    closeFee: 0n,
  };
}

/**
 * The unit that our rule has to judge so that it judges as theirs does: a maintenance margin that
 * does not move with the mark price is money set aside, and a deduction is money added.
 */
export function riskOf(holding: Holding, margin: bigint, rates: Rates, rules: Rules): RiskUnit {
  const { terms, side, size, open } = holding;
  const isLong = side === 'long';
  const onMark = rules.mmBase === 'mark' ? rates.maintenancePpm : 0;
  const fee = rules.feeInThreshold === 'on_mark' ? rates.takerPpm : 0;
  let money = margin;
  if (rules.mmBase === 'entry') money -= partOf(terms, open, rates.maintenancePpm);
  if (rules.tierForm === 'deduction') money += rates.deduction;
  if (rules.feeInThreshold === 'at_bankruptcy') money -= rates.closeFee;
  return {
    money,
    longLots: isLong ? size : 0,
    longOpen: isLong ? open : 0n,
    shortLots: isLong ? 0 : size,
    shortOpen: isLong ? 0n : open,
    thresholdPpm: onMark + fee,
  };
}

export function liquidationOf(
  holding: Holding,
  margin: bigint,
  rates: Rates,
  rules: Rules,
): number {
  return liquidationTicks(holding.terms, riskOf(holding, margin, rates, rules));
}

/** Every part of what an order at this price costs. */
export function orderCost(holding: Holding, leverage: number, feePpm: number, rules: Rules) {
  const { terms, open } = holding;
  const initial = entryMargin(terms, open, leverage);
  const openFee = rules.feesInCost === 'none' ? 0n : partOf(terms, open, feePpm);
  const closing = rules.feesInCost === 'open_and_close';
  const closeFee = closing ? partOf(terms, bankruptcyValue(holding, initial), feePpm) : 0n;
  return { initial, openFee, closeFee };
}

/** What an order at this price freezes, as our own function says and as others add to it. */
export function frozenFor(
  holding: Holding,
  priceTicks: number,
  leverage: number,
  feePpm: number,
  rules: Rules,
): bigint {
  const fee = rules.feesInCost === 'none' ? 0 : feePpm;
  const { closeFee } = orderCost(holding, leverage, feePpm, rules);
  return openingCost(holding.terms, holding.size, priceTicks, leverage, fee) + closeFee;
}

/** The loss an order would have at once at the mark price. */
export function openLoss(holding: Holding, markTicks: number, rules: Rules): bigint {
  const pnl = pnlAt(holding, markTicks);
  return rules.openLossInCost && pnl < 0n ? -pnl : 0n;
}

export function hedgeMargin(long: bigint, short: bigint, rules: Rules): bigint {
  if (rules.hedgeMargin === 'sum') return long + short;
  return long > short ? long : short;
}

/** What is added to a position at its threshold. */
export function appended(
  holding: Holding,
  leverage: number,
  markTicks: number,
  available: bigint,
  rules: Rules,
): bigint {
  const { terms, size, open } = holding;
  const margin = entryMargin(terms, open, leverage);
  if (rules.amrRule === 'one_initial_margin') return margin < available ? margin : available;
  const position = { lots: size, margin };
  const pnl = pnlAt(holding, markTicks);
  return replenishment(terms, position, leverage, pnl, ticks(markTicks), available);
}

/** Perpetual contracts: what is listed and on which terms. Their money rules are in margin/. */
import type { Coin } from './asset.ts';
import type { EngineFailure } from './failure.ts';
import type { MarketStatus } from './instrument.ts';
import { LIMITS } from './limits.ts';
import type { ContractSymbol } from './symbols.ts';
import type { InstrumentId, Lots, Ticks } from './units.ts';

/** linear: margin in quote coin, sized in base coin. inverse: margin in base, sized in quote. */
export type ContractKind = 'linear' | 'inverse';
export const CONTRACT_KINDS: readonly ContractKind[] = ['linear', 'inverse'];

/** Every position belongs to one side; an account may hold both of a contract at once. */
export type HoldSide = 'long' | 'short';
export const HOLD_SIDES: readonly HoldSide[] = ['long', 'short'];

/** isolated: each side risks its own margin. cross: both sides share the contract account. */
export type MarginMode = 'isolated' | 'cross';

/** What applies to positions of up to contractsMax lots, beyond those of the tier before. */
export interface RiskTier {
  readonly contractsMax: Lots;
  /** keepMarginRate: the part of the position's value that must be left, in ppm. */
  readonly maintenanceRatePpm: number;
  readonly leverageMax: number;
}

/**
 * Where an index price comes from: the book of a pair of this venue, or reports under a name. The
 * pair is named by its symbol.
 */
export type IndexSource =
  | { readonly kind: 'spot'; readonly symbol: string; readonly weight: number }
  | { readonly kind: 'feed'; readonly name: string; readonly weight: number };

/** The name under which the operator sets an index price by hand: it outranks every source. */
export const OPERATOR_SOURCE = 'operator';

/** Decimal places of ContractTerms.indexImpact. */
export const INDEX_IMPACT_SCALE = 8;

/** What the operator may change while the contract runs. */
export interface ContractTerms {
  /** Smallest and largest size of one order. */
  readonly minLots: Lots;
  readonly maxLots: Lots;
  readonly takerFeePpm: number;
  readonly makerFeePpm: number;
  readonly status: MarketStatus;
  readonly leverageMin: number;
  readonly leverageMax: number;
  /** Ascending; the last one bounds the size of a position. */
  readonly tiers: readonly RiskTier[];
  /** Orders may be placed up to this far from the mark price, as a part of it. */
  readonly priceBandPpm: number;
  /** The mark price stays within this part of the index price. */
  readonly markClampPpm: number;
  /** Open orders of one account in this contract. */
  readonly openOrdersMax: number;
  /** Waiting trigger orders of one account in this contract, TP/SL not counted. */
  readonly triggerOrdersMax: number;
  /** Take-profits and stop-losses of one account, armed or still with its open orders. */
  readonly tpSlMax: number;
  /** Funding is settled at these minutes of the UTC day, ascending. */
  readonly fundingMinutes: readonly number[];
  /** Interest part of the funding rate, per settlement. */
  readonly fundingInterestPpm: number;
  /** How far the interest part may pull the rate away from the average premium. */
  readonly fundingClampPpm: number;
  /** The funding rate is never further from zero. */
  readonly fundingCapPpm: number;
  /** Size whose average price in the book is the impact price. */
  readonly impactLots: Lots;
  readonly indexSources: readonly IndexSource[];
  /** A report older than this does not count any more; zero for never. */
  readonly indexStaleMs: number;
  /** A source this far from the others, as a part of their median, does not count. */
  readonly indexOutlierPpm: number;
  /**
   * What a pair's book must hold on both sides to be a source, in 10^-INDEX_IMPACT_SCALE of its
   * quote coin: it counts with the average prices of this much. Zero: with its best prices.
   */
  readonly indexImpact: bigint;
  /** How far the index moves in a second while one pair is its only source; zero: any distance. */
  readonly indexMovePpm: number;
}

export interface ContractSpec extends ContractTerms {
  /** BTC-USDT-PERP of BTC and USDT, or a name of its own as in SHORT-PERP. */
  readonly symbol: ContractSymbol;
  readonly kind: ContractKind;
  /** The coin whose price it follows, and what that price is in: BTC and USDT. */
  readonly baseCode: string;
  readonly quoteCode: string;
  /** Base coin (linear) or quote currency (inverse) per contract, as decimal text. */
  readonly contractValue: string;
  /** tick_size: decimal places of a price. One tick is 10^-priceScale. */
  readonly priceScale: number;
  /** priceEndStep: order prices are multiples of this many ticks. */
  readonly priceStepTicks: Ticks;
  /** size_increment: decimal places of a size in contracts. One lot is 10^-quantityScale. */
  readonly quantityScale: number;
  /** Index price until a source reports. */
  readonly referencePriceTicks: Ticks;
}

/** A listed contract. The factors below make every value an exact integer ratio. */
export interface Contract extends ContractSpec {
  readonly instrumentId: InstrumentId;
  /** While it is suspended: the failure that did it. */
  readonly suspendedReason?: EngineFailure;
  /** The coin of margin, fees, profit and funding. */
  readonly margin: Coin;
  /**
   * linear: margin units of one tick times one lot. inverse: margin units times ticks of one lot,
   * so that a lot is worth valueFactor / priceTicks.
   */
  readonly valueFactor: bigint;
  /** Fine units per margin unit: open values are kept in fine units. */
  readonly fineFactor: bigint;
}

/** The other side of a position: who pays when this one earns. */
export function otherSide(side: HoldSide): HoldSide {
  return side === 'long' ? 'short' : 'long';
}

/** Code of the coin a contract's margin is in. */
export function marginCode(spec: Pick<ContractSpec, 'kind' | 'baseCode' | 'quoteCode'>): string {
  return spec.kind === 'linear' ? spec.quoteCode : spec.baseCode;
}

/** The tier of a position of this size; the last one for a larger position. */
export function tierOf(terms: Pick<ContractTerms, 'tiers'>, size: number): RiskTier {
  const found = terms.tiers.find(({ contractsMax }) => size <= contractsMax) ?? terms.tiers.at(-1);
  if (found === undefined) throw new RangeError('a contract has at least one tier');
  return found;
}

/** keepMarginRate of the tier plus the taker fee, for a position of this size. */
export function thresholdPpm(
  terms: Pick<ContractTerms, 'tiers' | 'takerFeePpm'>,
  size: number,
): number {
  return tierOf(terms, size).maintenanceRatePpm + terms.takerFeePpm;
}

/** The leverage until one is chosen: as close to the usual one as the terms allow. */
export function defaultLeverage(terms: Pick<ContractTerms, 'leverageMin' | 'leverageMax'>): number {
  return Math.max(terms.leverageMin, Math.min(LIMITS.leverageDefault, terms.leverageMax));
}

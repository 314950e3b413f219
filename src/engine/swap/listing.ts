/** Listing contracts, and changing their terms while they trade. */
import {
  type Asset,
  CONTRACT_KINDS,
  type Contract,
  type ContractSpec,
  type ContractTerms,
  fineFactorOf,
  instrumentId,
  isContractSymbol,
  LIMITS,
  type ListContract,
  marginCode,
  nextFundingMs,
  OPERATOR_SOURCE,
  PPM,
  type RiskTier,
  UNBOUNDED_TERMS,
  type UpdateContract,
} from '#domain';
import { parseDecimal } from '#kernel';
import { isFeeRate } from '../ledger/administer.ts';
import { type Refusal, refuse, type State } from '../state.ts';
import { isStatus, suspensionLeft } from '../suspension.ts';
import { SwapMarket } from './market.ts';
import { emitPrices, refreshPrices } from './prices.ts';

const CURRENCY_CODE = /^[A-Z0-9]{2,16}$/;
const SOURCE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const DAY_MINUTES = 1_440;
/** Digits of a contract value that are taken into account. */
const VALUE_SCALE = 18;

export function listContract(state: State, command: ListContract): Refusal {
  const spec = { ...UNBOUNDED_TERMS, ...command.spec };
  const { listings } = state;
  const margin = listings.assetByCode(marginCode(spec));
  if (margin === undefined) return refuse('coin_unknown', marginCode(spec));
  const refusal = checkSpec(spec) ?? checkTerms(state, spec);
  if (refusal !== undefined) return refusal;
  const factor = valueFactor(spec, margin);
  if (factor === undefined) return refuse('listing_invalid', 'a tick of a lot is not a whole unit');
  if (listings.contract(spec.symbol) !== undefined) return refuse('listing_exists');
  if (listings.instrumentsCount >= LIMITS.instrumentsMax) return refuse('listings_exceeded');
  const contract: Contract = {
    ...spec,
    instrumentId: instrumentId(listings.instrumentsCount),
    margin,
    valueFactor: factor,
    fineFactor: fineFactorOf(spec.kind),
  };
  const event = { kind: 'contract_listed', contract } as const;
  listings.apply(event);
  state.emit(event);
  const funding = nextFundingMs(spec.fundingMinutes, state.timeMs);
  const market = new SwapMarket(contract, state.ledger.totals(margin.assetId), funding);
  state.swaps.set(contract.instrumentId, market);
  refreshPrices(state, market);
  emitPrices(state, market);
  return undefined;
}

/**
 * Margin units per tick and lot (linear), or per lot times ticks (inverse); undefined when that is
 * not a whole number above zero.
 */
function valueFactor(spec: ContractSpec, margin: Asset): bigint | undefined {
  const value = parseDecimal(spec.contractValue, VALUE_SCALE);
  if (typeof value !== 'bigint') return undefined;
  const priceDigits = spec.kind === 'linear' ? -spec.priceScale : spec.priceScale;
  const digits = margin.scale + priceDigits - spec.quantityScale - VALUE_SCALE;
  if (digits >= 0) return value * 10n ** BigInt(digits);
  const divisor = 10n ** BigInt(-digits);
  return value % divisor === 0n && value >= divisor ? value / divisor : undefined;
}

function checkSpec(spec: ContractSpec): Refusal {
  if (spec.status === 'suspended') return refuse('listing_invalid', 'status');
  if (!isContractSymbol(spec.symbol)) return refuse('listing_invalid', 'contract symbol');
  if (!CONTRACT_KINDS.includes(spec.kind)) return refuse('listing_invalid', 'kind');
  if (!CURRENCY_CODE.test(spec.baseCode)) return refuse('listing_invalid', 'base coin');
  if (!CURRENCY_CODE.test(spec.quoteCode)) return refuse('listing_invalid', 'quote currency');
  if (spec.baseCode === spec.quoteCode) return refuse('listing_invalid', 'base and quote are one');
  const value = parseDecimal(spec.contractValue, VALUE_SCALE);
  if (typeof value !== 'bigint' || value <= 0n) return refuse('listing_invalid', 'contractValue');
  if (!isWhole(spec.priceScale, 0, LIMITS.assetScaleMax)) {
    return refuse('listing_invalid', 'priceScale');
  }
  if (!isWhole(spec.quantityScale, 0, LIMITS.assetScaleMax)) {
    return refuse('listing_invalid', 'quantityScale');
  }
  if (!isWhole(spec.priceStepTicks, 1, PPM)) return refuse('listing_invalid', 'priceStep');
  if (!isWhole(spec.referencePriceTicks, spec.priceStepTicks, LIMITS.indexTicksMax)) {
    return refuse('listing_invalid', 'referencePrice');
  }
  return undefined;
}

function checkTerms(state: State, terms: ContractTerms): Refusal {
  if (!(terms.minLots >= 1 && terms.minLots <= terms.maxLots)) {
    return refuse('listing_invalid', 'minimum and maximum quantity');
  }
  if (!isFeeRate(terms.takerFeePpm) || !isFeeRate(terms.makerFeePpm)) {
    return refuse('listing_invalid', 'fee rate');
  }
  if (!isStatus(terms.status)) return refuse('listing_invalid', 'status');
  const { leverageMin, leverageMax } = terms;
  if (
    !isWhole(leverageMin, 1, LIMITS.leverageMax) ||
    !isWhole(leverageMax, leverageMin, LIMITS.leverageMax)
  ) {
    return refuse('listing_invalid', `leverage from 1 to ${LIMITS.leverageMax}`);
  }
  return (
    checkTiers(terms) ?? checkBounds(terms) ?? checkFunding(terms) ?? checkSources(state, terms)
  );
}

/**
 * Sizes and rates rise, leverage falls, every leverage can be used, and none opens into a
 * liquidation.
 */
function checkTiers({ tiers, takerFeePpm, leverageMax }: ContractTerms): Refusal {
  if (tiers.length === 0 || tiers.length > LIMITS.riskTiersMax)
    return refuse('listing_invalid', 'tiers');
  let before: RiskTier | undefined;
  for (const tier of tiers) {
    const { contractsMax, maintenanceRatePpm } = tier;
    if (!isWhole(contractsMax, (before?.contractsMax ?? 0) + 1, Number.MAX_SAFE_INTEGER)) {
      return refuse('listing_invalid', 'tiers must grow in contracts');
    }
    if (!isWhole(maintenanceRatePpm, before?.maintenanceRatePpm ?? 1, PPM - 1)) {
      return refuse('listing_invalid', 'tiers must grow in maintenance rate');
    }
    if (!isWhole(tier.leverageMax, 1, before?.leverageMax ?? LIMITS.leverageMax)) {
      return refuse('listing_invalid', 'tiers must fall in leverage');
    }
    const kept = (maintenanceRatePpm + takerFeePpm) * Math.min(tier.leverageMax, leverageMax);
    if (kept >= PPM) return refuse('listing_invalid', 'a tier allows more leverage than its rate');
    before = tier;
  }
  const isUsable = leverageMax <= (tiers[0]?.leverageMax ?? 0);
  return isUsable ? undefined : refuse('listing_invalid', 'no tier allows the highest leverage');
}

function checkBounds(terms: ContractTerms): Refusal {
  if (!isWhole(terms.priceBandPpm, 1, PPM - 1)) return refuse('listing_invalid', 'priceBand');
  if (!isWhole(terms.markClampPpm, 1, PPM - 1)) return refuse('listing_invalid', 'markClamp');
  if (!isWhole(terms.openOrdersMax, 0, LIMITS.openOrdersMax)) {
    return refuse('listing_invalid', 'openOrdersMax');
  }
  if (!isWhole(terms.triggerOrdersMax, 0, LIMITS.triggerOrdersMax)) {
    return refuse('listing_invalid', 'planOrdersMax');
  }
  if (!isWhole(terms.tpSlMax, 0, LIMITS.triggerOrdersMax)) {
    return refuse('listing_invalid', 'presetsMax');
  }
  if (!isWhole(terms.insuranceBudgetPpm, 0, PPM)) {
    return refuse('listing_invalid', 'insuranceBudget');
  }
  return undefined;
}

function checkFunding(terms: ContractTerms): Refusal {
  const { fundingMinutes } = terms;
  if (fundingMinutes.length === 0) return refuse('listing_invalid', 'fundingTimes');
  let before = -1;
  for (const minute of fundingMinutes) {
    if (!isWhole(minute, before + 1, DAY_MINUTES - 1)) {
      return refuse('listing_invalid', 'fundingTimes must rise within the day');
    }
    before = minute;
  }
  const { fundingInterestPpm, fundingClampPpm, fundingCapPpm, impactLots } = terms;
  if (!isWhole(fundingInterestPpm, -PPM, PPM)) return refuse('listing_invalid', 'fundingInterest');
  if (!isWhole(fundingClampPpm, 0, PPM)) return refuse('listing_invalid', 'fundingClamp');
  if (!isWhole(fundingCapPpm, 0, PPM)) return refuse('listing_invalid', 'fundingCap');
  return impactLots >= 1 ? undefined : refuse('listing_invalid', 'impactQuantity');
}

function checkSources(state: State, terms: ContractTerms): Refusal {
  const { indexSources, indexStaleMs, indexOutlierPpm } = terms;
  if (indexSources.length > LIMITS.indexSourcesMax)
    return refuse('listing_invalid', 'index sources');
  for (const source of indexSources) {
    if (!isWhole(source.weight, 1, PPM))
      return refuse('listing_invalid', 'weight of an index source');
    if (source.kind === 'spot') {
      if (state.listings.spotBySymbol(source.symbol) === undefined) {
        return refuse('listing_invalid', 'an index source is not a listed pair');
      }
    } else if (!SOURCE_NAME.test(source.name) || source.name === OPERATOR_SOURCE) {
      return refuse('listing_invalid', 'name of an index source');
    }
  }
  if (!isWhole(indexStaleMs, 0, Number.MAX_SAFE_INTEGER)) {
    return refuse('listing_invalid', 'index staleness');
  }
  if (!isWhole(indexOutlierPpm, 1, PPM)) return refuse('listing_invalid', 'index outlier');
  if (terms.indexImpact < 0n) return refuse('listing_invalid', 'index impactNotional');
  return isWhole(terms.indexMovePpm, 0, PPM)
    ? undefined
    : refuse('listing_invalid', 'index maxMove');
}

function isWhole(value: number, min: number, max: number): boolean {
  return Number.isSafeInteger(value) && value >= min && value <= max;
}

export function updateContract(state: State, command: UpdateContract): Refusal {
  const market = state.swap(command.instrumentId);
  if (market === undefined) return refuse('contract_unknown');
  if (command.changes.status === 'suspended') return refuse('listing_invalid', 'status');
  const changed = { ...market.contract, ...command.changes };
  const { suspendedReason: _, ...kept } = changed;
  const contract = { ...kept, ...suspensionLeft(changed) };
  const refusal = checkTerms(state, contract);
  if (refusal !== undefined) return refusal;
  market.contract = contract;
  forgetReports(market);
  const event = { kind: 'contract_updated', contract } as const;
  state.listings.apply(event);
  state.emit(event);
  if (command.changes.fundingMinutes !== undefined) {
    market.nextFundingMs = nextFundingMs(contract.fundingMinutes, state.timeMs);
  }
  market.setMark(market.markTicks);
  // Trading must not go on at prices from before a suspension.
  if (changed.suspendedReason !== undefined && contract.status !== 'suspended') {
    refreshPrices(state, market);
  }
  for (const margin of market.accounts.values()) {
    // An account that was only looked at is not part of the state: its defaults are those of now.
    if (margin.updatedTimeMs === 0) market.accounts.delete(margin.accountId);
    else if (!margin.isFlat) market.liquidationIndex.changed(margin);
  }
  emitPrices(state, market);
  return undefined;
}

/** What a source said that is one no longer is not to count again should it come back. */
function forgetReports({ contract, reports }: SwapMarket): void {
  const feeds = contract.indexSources.flatMap((source) =>
    source.kind === 'feed' ? [source.name] : [],
  );
  for (const name of reports.keys()) {
    if (name !== OPERATOR_SOURCE && !feeds.includes(name)) reports.delete(name);
  }
}

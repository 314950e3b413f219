/** Listing contracts, and changing their terms while they trade. */
import {
  bareCoin,
  CONTRACT_KINDS,
  type Coin,
  type Contract,
  type ContractSpec,
  type ContractTerms,
  dueTo,
  fineFactorOf,
  inField,
  inRange,
  instrumentId,
  isContractSymbol,
  LIMITS,
  type ListContract,
  marginCode,
  nextFundingMs,
  OPERATOR_SOURCE,
  ofCoin,
  PPM,
  type RiskTier,
  refuse,
  type UpdateContract,
} from '#domain';
import { isWholeWithin, parseDecimal } from '#kernel';
import { endHaltedOrder } from '../halt.ts';
import { isFeeRate } from '../ledger/administer.ts';
import type { MarginAccount } from '../margin/margin-account.ts';
import type { Refusal, State } from '../state.ts';
import { isStatus, suspensionLeft } from '../suspension.ts';
import { SwapMarket } from './market.ts';
import { emitPrices, refreshPrices } from './prices.ts';

const CURRENCY_CODE = /^[A-Z0-9]{2,16}$/;
const SOURCE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const DAY_MINUTES = 1_440;
/** Digits of a contract value that are taken into account. */
const VALUE_SCALE = 18;

export function listContract(state: State, command: ListContract): Refusal {
  const { spec } = command;
  const { listings } = state;
  const margin = listings.assetByCode(marginCode(spec));
  if (margin === undefined) return refuse('coin_unknown', ofCoin(marginCode(spec)));
  const refusal = checkSpec(spec) ?? checkTerms(state, spec);
  if (refusal !== undefined) return refusal;
  const factor = valueFactor(spec, margin);
  if (factor === undefined) return refuse('listing_invalid', dueTo('tick_of_lot_not_whole'));
  if (listings.contract(spec.symbol) !== undefined) return refuse('listing_exists');
  if (listings.instrumentsCount >= LIMITS.instrumentsMax) return refuse('listings_exceeded');
  const contract: Contract = {
    ...spec,
    instrumentId: instrumentId(listings.instrumentsCount),
    margin: bareCoin(margin),
    valueFactor: factor,
    fineFactor: fineFactorOf(spec.kind),
  };
  state.list({ kind: 'contract_listed', contract });
  const funding = nextFundingMs(spec.fundingMinutes, state.timeMs);
  const market = new SwapMarket(contract, state.ledger.totals(margin.assetId).fund, funding);
  state.addSwap(market);
  refreshPrices(state, market);
  emitPrices(state, market);
  return undefined;
}

/**
 * Margin units per tick and lot (linear), or per lot times ticks (inverse); undefined when that is
 * not a whole number above zero.
 */
function valueFactor(spec: ContractSpec, margin: Coin): bigint | undefined {
  const value = parseDecimal(spec.contractValue, VALUE_SCALE);
  if (typeof value !== 'bigint') return undefined;
  const priceDigits = spec.kind === 'linear' ? -spec.priceScale : spec.priceScale;
  const digits = margin.scale + priceDigits - spec.quantityScale - VALUE_SCALE;
  if (digits >= 0) return value * 10n ** BigInt(digits);
  const divisor = 10n ** BigInt(-digits);
  return value % divisor === 0n && value >= divisor ? value / divisor : undefined;
}

function checkSpec(spec: ContractSpec): Refusal {
  if (spec.status === 'suspended') return refuse('listing_invalid', inField('status'));
  if (!isContractSymbol(spec.symbol)) return refuse('listing_invalid', inField('contract_symbol'));
  if (!CONTRACT_KINDS.includes(spec.kind)) return refuse('listing_invalid', inField('kind'));
  if (!CURRENCY_CODE.test(spec.baseCode)) return refuse('listing_invalid', inField('base_coin'));
  if (!CURRENCY_CODE.test(spec.quoteCode))
    return refuse('listing_invalid', inField('quote_currency'));
  if (spec.baseCode === spec.quoteCode) return refuse('listing_invalid', dueTo('currencies_same'));
  const value = parseDecimal(spec.contractValue, VALUE_SCALE);
  if (typeof value !== 'bigint' || value <= 0n)
    return refuse('listing_invalid', inField('contract_value'));
  if (!isWholeWithin(spec.priceScale, 0, LIMITS.assetScaleMax)) {
    return refuse('listing_invalid', inField('price_scale'));
  }
  if (!isWholeWithin(spec.quantityScale, 0, LIMITS.assetScaleMax)) {
    return refuse('listing_invalid', inField('quantity_scale'));
  }
  if (!isWholeWithin(spec.priceStepTicks, 1, PPM))
    return refuse('listing_invalid', inField('price_step'));
  if (!isWholeWithin(spec.referencePriceTicks, spec.priceStepTicks, LIMITS.indexTicksMax)) {
    return refuse('listing_invalid', inField('reference_price'));
  }
  return undefined;
}

/** Terms, and the unit that refusals show sizes in. */
type SizedTerms = ContractTerms & Pick<ContractSpec, 'quantityScale'>;

function checkTerms(state: State, terms: SizedTerms): Refusal {
  if (!(terms.minLots >= 1 && terms.minLots <= terms.maxLots)) {
    return refuse('listing_invalid', inField('quantity_bounds'));
  }
  if (terms.maxLots > LIMITS.contractLotsMax) return beyondCount('order_quantity', terms);
  if (!isFeeRate(terms.takerFeePpm) || !isFeeRate(terms.makerFeePpm)) {
    return refuse('listing_invalid', inField('fee_rate'));
  }
  if (!isStatus(terms.status)) return refuse('listing_invalid', inField('status'));
  const { leverageMin, leverageMax } = terms;
  if (
    !isWholeWithin(leverageMin, 1, LIMITS.leverageMax) ||
    !isWholeWithin(leverageMax, leverageMin, LIMITS.leverageMax)
  ) {
    return refuse('listing_invalid', inRange('leverage_terms', 1, LIMITS.leverageMax));
  }
  return (
    checkTiers(terms) ?? checkBounds(terms) ?? checkFunding(terms) ?? checkSources(state, terms)
  );
}

/** So that what is held of a contract can be counted, however many hold the most that they may. */
function beyondCount(
  field: 'order_quantity' | 'tier_quantity',
  { quantityScale }: SizedTerms,
): Refusal {
  return refuse('listing_invalid', inRange(field, 1, LIMITS.contractLotsMax, quantityScale));
}

/**
 * Sizes and rates rise, leverage falls, every leverage can be used, and none opens into a
 * liquidation.
 */
function checkTiers(terms: SizedTerms): Refusal {
  const { tiers, takerFeePpm, leverageMax } = terms;
  if (tiers.length === 0 || tiers.length > LIMITS.riskTiersMax)
    return refuse('listing_invalid', inField('tiers'));
  let before: RiskTier | undefined;
  for (const tier of tiers) {
    const { contractsMax, maintenanceRatePpm } = tier;
    if (!isWholeWithin(contractsMax, (before?.contractsMax ?? 0) + 1, Number.MAX_SAFE_INTEGER)) {
      return refuse('listing_invalid', dueTo('tiers_contracts_order'));
    }
    if (contractsMax > LIMITS.contractLotsMax) return beyondCount('tier_quantity', terms);
    if (!isWholeWithin(maintenanceRatePpm, before?.maintenanceRatePpm ?? 1, PPM - 1)) {
      return refuse('listing_invalid', dueTo('tiers_rate_order'));
    }
    if (!isWholeWithin(tier.leverageMax, 1, before?.leverageMax ?? LIMITS.leverageMax)) {
      return refuse('listing_invalid', dueTo('tiers_leverage_order'));
    }
    const kept = (maintenanceRatePpm + takerFeePpm) * Math.min(tier.leverageMax, leverageMax);
    if (kept >= PPM) return refuse('listing_invalid', dueTo('tier_leverage_above_rate'));
    before = tier;
  }
  const isUsable = leverageMax <= (tiers[0]?.leverageMax ?? 0);
  return isUsable ? undefined : refuse('listing_invalid', dueTo('leverage_in_no_tier'));
}

function checkBounds(terms: ContractTerms): Refusal {
  if (!isWholeWithin(terms.priceBandPpm, 1, PPM - 1))
    return refuse('listing_invalid', inField('price_band'));
  if (!isWholeWithin(terms.markClampPpm, 1, PPM - 1))
    return refuse('listing_invalid', inField('mark_clamp'));
  if (!isWholeWithin(terms.openOrdersMax, 0, LIMITS.openOrdersMax)) {
    return refuse('listing_invalid', inField('open_orders_max'));
  }
  if (!isWholeWithin(terms.triggerOrdersMax, 0, LIMITS.triggerOrdersMax)) {
    return refuse('listing_invalid', inField('trigger_orders_max'));
  }
  if (!isWholeWithin(terms.tpSlMax, 0, LIMITS.triggerOrdersMax)) {
    return refuse('listing_invalid', inField('tp_sl_max'));
  }
  return undefined;
}

function checkFunding(terms: ContractTerms): Refusal {
  const { fundingMinutes } = terms;
  if (fundingMinutes.length === 0) return refuse('listing_invalid', inField('funding_times'));
  let before = -1;
  for (const minute of fundingMinutes) {
    if (!isWholeWithin(minute, before + 1, DAY_MINUTES - 1)) {
      return refuse('listing_invalid', dueTo('funding_times_order'));
    }
    before = minute;
  }
  const { fundingInterestPpm, fundingClampPpm, fundingCapPpm, impactLots } = terms;
  if (!isWholeWithin(fundingInterestPpm, -PPM, PPM))
    return refuse('listing_invalid', inField('funding_interest'));
  if (!isWholeWithin(fundingClampPpm, 0, PPM))
    return refuse('listing_invalid', inField('funding_clamp'));
  if (!isWholeWithin(fundingCapPpm, 0, PPM))
    return refuse('listing_invalid', inField('funding_cap'));
  return impactLots >= 1 ? undefined : refuse('listing_invalid', inField('impact_quantity'));
}

function checkSources(state: State, terms: ContractTerms): Refusal {
  const { indexSources, indexStaleMs, indexOutlierPpm } = terms;
  if (indexSources.length > LIMITS.indexSourcesMax)
    return refuse('listing_invalid', inField('index_sources'));
  for (const source of indexSources) {
    if (!isWholeWithin(source.weight, 1, PPM))
      return refuse('listing_invalid', inField('index_source_weight'));
    if (source.kind === 'spot') {
      if (state.listings.spotBySymbol(source.symbol) === undefined) {
        return refuse('listing_invalid', dueTo('index_source_not_listed'));
      }
    } else if (!SOURCE_NAME.test(source.name) || source.name === OPERATOR_SOURCE) {
      return refuse('listing_invalid', inField('index_source_name'));
    }
  }
  if (!isWholeWithin(indexStaleMs, 0, Number.MAX_SAFE_INTEGER)) {
    return refuse('listing_invalid', inField('index_staleness'));
  }
  if (!isWholeWithin(indexOutlierPpm, 1, PPM))
    return refuse('listing_invalid', inField('index_outlier'));
  if (terms.indexImpact < 0n) return refuse('listing_invalid', inField('index_impact'));
  return isWholeWithin(terms.indexMovePpm, 0, PPM)
    ? undefined
    : refuse('listing_invalid', inField('index_move'));
}

export function updateContract(state: State, command: UpdateContract): Refusal {
  const market = state.swap(command.instrumentId);
  if (market === undefined) return refuse('contract_unknown');
  if (command.changes.status === 'suspended') return refuse('listing_invalid', inField('status'));
  const changed = { ...market.contract, ...command.changes };
  const { suspendedReason: _, ...kept } = changed;
  const contract = { ...kept, ...suspensionLeft(changed) };
  const refusal = checkTerms(state, contract);
  if (refusal !== undefined) return refusal;
  state.list({ kind: 'contract_updated', contract });
  forgetReports(market);
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
    if (margin.updatedTimeMs === 0) market.forget(margin);
    else if (!margin.isFlat) termsMoved(margin);
  }
  emitPrices(state, market);
  endHaltedOrder(state, contract);
  return undefined;
}

/** Tiers, fees and a mark price after a suspension: what stands on them is worked out anew. */
function termsMoved(margin: MarginAccount): void {
  margin.walletMoved();
  margin.wallet.memberMoved(margin);
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

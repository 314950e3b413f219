/** Listing coins and pairs, and changing their terms while they trade. */
import {
  type Asset,
  assetId,
  bareCoin,
  dueTo,
  type FundBudget,
  inField,
  inRange,
  instrumentId,
  LIMITS,
  type ListAsset,
  type ListSpot,
  ofCoin,
  PPM,
  refuse,
  type SpotInstrument,
  type SpotSpec,
  type SpotTerms,
  spotSymbol,
  type UpdateAsset,
  type UpdateSpot,
  ZERO_TICKS,
} from '#domain';
import { isWholeWithin } from '#kernel';
import { endHaltedOrder } from '../halt.ts';
import { isFeeRate } from '../ledger/administer.ts';
import type { Refusal, State } from '../state.ts';
import { isStatus, suspensionLeft } from '../suspension.ts';

const COIN_CODE = /^[A-Z0-9]{2,16}$/;

export function listAsset(state: State, command: ListAsset): Refusal {
  const { code, coinId, scale } = command.spec;
  if (!COIN_CODE.test(code)) return refuse('listing_invalid', inField('coin_code'));
  if (!Number.isSafeInteger(coinId) || coinId < 0)
    return refuse('listing_invalid', inField('coin_id'));
  if (!isWholeWithin(scale, 0, LIMITS.assetScaleMax)) {
    return refuse('listing_invalid', inRange('coin_scale', 0, LIMITS.assetScaleMax));
  }
  const { listings } = state;
  if (listings.assetByCode(code) ?? listings.assetByCoinId(coinId)) return refuse('listing_exists');
  if (listings.assets.length >= LIMITS.assetsMax) return refuse('listings_exceeded');
  const refusal = checkFundBudget(command.spec.fundBudget);
  if (refusal !== undefined) return refusal;
  const asset = { ...command.spec, assetId: assetId(listings.assets.length) };
  state.ledger.addAsset();
  state.list({ kind: 'asset_listed', asset });
  return undefined;
}

export function updateAsset(state: State, { assetId: id, changes }: UpdateAsset): Refusal {
  const asset = state.listings.asset(id);
  if (asset === undefined) return refuse('coin_unknown');
  const { transferable = asset.transferable, chains = asset.chains } = changes;
  const { fundBudget = asset.fundBudget } = changes;
  const refusal = checkFundBudget(fundBudget);
  if (refusal !== undefined) return refusal;
  state.list({ kind: 'asset_updated', asset: { ...asset, transferable, chains, fundBudget } });
  return undefined;
}

function checkFundBudget({ hourPpm, dayPpm }: FundBudget): Refusal {
  if (isWholeWithin(hourPpm, 0, PPM) && isWholeWithin(dayPpm, 0, PPM)) return undefined;
  return refuse('listing_invalid', inField('insurance_budget'));
}

export function listSpot(state: State, command: ListSpot): Refusal {
  const { spec } = command;
  const { listings } = state;
  const base = listings.assetByCode(spec.baseCode);
  const quote = listings.assetByCode(spec.quoteCode);
  if (base === undefined) return refuse('coin_unknown', ofCoin(spec.baseCode));
  if (quote === undefined) return refuse('coin_unknown', ofCoin(spec.quoteCode));
  const refusal = checkSpec(spec, base, quote) ?? checkTerms(spec);
  if (refusal !== undefined) return refusal;
  if (listings.spotBySymbol(spec.symbol) !== undefined) return refuse('listing_exists');
  if (listings.instrumentsCount >= LIMITS.instrumentsMax) return refuse('listings_exceeded');
  const instrument: SpotInstrument = {
    ...spec,
    instrumentId: instrumentId(listings.instrumentsCount),
    base: bareCoin(base),
    quote: bareCoin(quote),
    quoteUnitsPerTickLot: 10n ** BigInt(quote.scale - spec.priceScale - spec.quantityScale),
    baseUnitsPerLot: 10n ** BigInt(base.scale - spec.quantityScale),
  };
  state.addMarket(instrument, ZERO_TICKS);
  state.list({ kind: 'spot_listed', instrument });
  return undefined;
}

/** Notionals must be exact: price and quantity decimals together fit the quote coin's. */
function checkSpec(spec: SpotSpec, base: Asset, quote: Asset): Refusal {
  const { symbol, priceScale, quantityScale } = spec;
  if (spec.status === 'suspended') return refuse('listing_invalid', inField('status'));
  if (base === quote) return refuse('listing_invalid', dueTo('coins_same'));
  if (symbol !== spotSymbol(base.code, quote.code))
    return refuse('listing_invalid', inField('symbol'));
  if (!isWholeWithin(priceScale, 0, LIMITS.assetScaleMax))
    return refuse('listing_invalid', inField('price_scale'));
  if (!isWholeWithin(quantityScale, 0, LIMITS.assetScaleMax))
    return refuse('listing_invalid', inField('quantity_scale'));
  if (quantityScale > base.scale)
    return refuse('listing_invalid', dueTo('quantity_finer_than_base'));
  if (priceScale + quantityScale > quote.scale) {
    return refuse('listing_invalid', dueTo('value_finer_than_quote'));
  }
  return undefined;
}

function checkTerms(terms: SpotTerms): Refusal {
  if (!(terms.minLots >= 1 && terms.minLots <= terms.maxLots)) {
    return refuse('listing_invalid', inField('quantity_bounds'));
  }
  if (terms.minNotional < 0n) return refuse('listing_invalid', inField('min_notional'));
  if (!isFeeRate(terms.takerFeePpm) || !isFeeRate(terms.makerFeePpm)) {
    return refuse('listing_invalid', inField('fee_rate'));
  }
  if (!isStatus(terms.status)) return refuse('listing_invalid', inField('status'));
  const { priceBandPpm } = terms;
  const isBand = Number.isSafeInteger(priceBandPpm) && priceBandPpm >= 0 && priceBandPpm < PPM;
  return isBand ? undefined : refuse('listing_invalid', inField('price_band'));
}

export function updateSpot(state: State, command: UpdateSpot): Refusal {
  const market = state.market(command.instrumentId);
  if (market === undefined) return refuse('symbol_unknown');
  if (command.changes.status === 'suspended') return refuse('listing_invalid', inField('status'));
  const changed = { ...market.instrument, ...command.changes };
  const { suspendedReason: _, ...terms } = changed;
  const instrument = { ...terms, ...suspensionLeft(changed) };
  const refusal = checkTerms(instrument);
  if (refusal !== undefined) return refusal;
  // What the operator says a pair is worth counts until the next trade.
  const { referencePriceTicks } = market.instrument;
  if (instrument.referencePriceTicks !== referencePriceTicks) market.lastTicks = ZERO_TICKS;
  state.list({ kind: 'spot_updated', instrument });
  endHaltedOrder(state, instrument);
  return undefined;
}

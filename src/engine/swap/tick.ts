/** Time passes: every contract gets its prices, and what they set off. */
import { type FundInsurance, type ReportIndex, refuse } from '#domain';
import { liquidateBreached } from '../liquidation/liquidate.ts';
import type { Refusal, State } from '../state.ts';
import { notePrice } from '../trigger/place.ts';
import type { SwapMarket } from './market.ts';
import { emitPrices, refreshPrices, samplePremium, takeReport } from './prices.ts';

export function tick(state: State): undefined {
  state.emit({ kind: 'ticked' });
  state.ledger.beginFundSpans(state.timeMs);
  // What stands on several contracts is judged when all of them have their prices of now.
  for (const market of atWork(state)) refreshPrices(state, market);
  for (const market of atWork(state)) market.liquidationIndex.passOn(market.markTicks);
  // A liquidation may take from the books of other contracts: all are sampled before.
  for (const market of atWork(state)) samplePremium(state, market);
  for (const market of atWork(state)) applyPrices(state, market);
}

/** Contracts that are not suspended, one after the other. */
function* atWork(state: State): Generator<SwapMarket> {
  for (const market of state.swaps.values()) {
    if (market.contract.status === 'suspended') continue;
    state.instrumentInWork = market.contract.instrumentId;
    yield market;
  }
}

/** One source reports an index price: what follows from it follows at once. */
export function reportIndex(state: State, command: ReportIndex): Refusal {
  const refusal = takeReport(state, command);
  const market = state.swap(command.instrumentId);
  if (refusal !== undefined || market === undefined) return refusal;
  state.ledger.beginFundSpans(state.timeMs);
  // The price is kept for the time after: nothing follows from it yet.
  if (market.contract.status === 'suspended') return undefined;
  refreshPrices(state, market);
  applyPrices(state, market);
  return undefined;
}

/** A mark price that stands still because its index is stale is no reason to liquidate. */
function applyPrices(state: State, market: SwapMarket): void {
  if (!market.isIndexStale(state.timeMs)) liquidateBreached(state, market);
  notePrice(state, market, 'mark');
  notePrice(state, market, 'index');
  emitPrices(state, market);
}

/** The operator puts money into the insurance fund of a coin. */
export function fundInsurance(state: State, command: FundInsurance): Refusal {
  const refusal = state.operatorRequests.refusalOf(command, state.timeMs);
  if (refusal !== undefined) return refusal;
  const { assetId, amount } = command;
  if (state.listings.asset(assetId) === undefined) return refuse('coin_unknown');
  if (amount <= 0n) return refuse('amount_invalid');
  state.ledger.beginFundSpans(state.timeMs);
  state.ledger.fundInsurance(assetId, amount);
  const funded = { kind: 'insurance_funded', assetId, amount } as const;
  state.emit(funded);
  state.operatorRequests.keep(command, state.timeMs, funded);
  return undefined;
}

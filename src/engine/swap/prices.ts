/** Index, mark and what follows from them, refreshed by every tick and every report. */
import {
  type ContractPrices,
  countedSources,
  dueTo,
  fundingRatePpb,
  type IndexInput,
  type IndexSource,
  LIMITS,
  lastFundingMs,
  lots,
  markPrice,
  meanPrice,
  OPERATOR_SOURCE,
  PPM,
  premiumPpb,
  type ReportIndex,
  refuse,
  type Side,
  ticks,
} from '#domain';
import { mulDivCeil } from '#kernel';
import type { Refusal, State } from '../state.ts';
import type { SwapMarket } from './market.ts';
import { spotPrice } from './spot-source.ts';

/** How long the last trade counts for the mark price. */
const LAST_PRICE_MAX_AGE_MS = 60_000;
/** The basis is sampled this often, and averaged over this long. */
const BASIS_EVERY_MS = 5_000;
const BASIS_WINDOW_MS = 300_000;
const MINUTE_MS = 60_000;
/** How long the last index vouches against a source that suddenly differs. */
const WITNESS_MAX_AGE_MS = 60_000;
/** A single source makes up for no more time than this that passed without a fresh index. */
const MOVE_MAX_MS = 60_000;
const MOVE_WHOLE = BigInt(PPM) * 1_000n;

/** Takes down what a source reports. The caller sees to what follows. */
export function takeReport(state: State, command: ReportIndex): Refusal {
  const market = state.swap(command.instrumentId);
  if (market === undefined) return refuse('contract_unknown');
  const { source, priceTicks, instrumentId } = command;
  if (!isKnownSource(market, source)) return refuse('index_source_unknown');
  if (priceTicks < 0 || (priceTicks === 0 && source !== OPERATOR_SOURCE)) {
    return refuse('price_invalid', dueTo('index_not_above_zero'));
  }
  if (priceTicks > LIMITS.indexTicksMax) return refuse('price_invalid', dueTo('index_too_large'));
  if (priceTicks === 0) market.reports.delete(source);
  else market.reports.set(source, { priceTicks, timeMs: state.timeMs });
  state.emit({ kind: 'index_reported', instrumentId, source, priceTicks });
  return undefined;
}

function isKnownSource({ contract }: SwapMarket, name: string): boolean {
  if (name === OPERATOR_SOURCE) return true;
  return contract.indexSources.some((source) => source.kind === 'feed' && source.name === name);
}

/** Works out index and mark anew. */
export function refreshPrices(state: State, market: SwapMarket): void {
  refreshIndex(state, market);
  sampleBasis(state, market);
  // Without a fresh index the mark stands still and nothing is liquidated.
  if (market.isIndexStale(state.timeMs)) return;
  const { contract, indexTicks, nextFundingMs: next } = market;
  const intervalMs = next - lastFundingMs(contract.fundingMinutes, next - 1);
  const isRecent = state.timeMs - market.lastTimeMs <= LAST_PRICE_MAX_AGE_MS;
  market.setMark(
    markPrice({
      indexTicks,
      lastTicks: isRecent ? market.lastTicks : 0,
      basisTicks: averageBasis(market),
      fundingRatePpb: currentRatePpb(market),
      untilFundingMs: Math.max(0, Math.min(intervalMs, next - state.timeMs)),
      fundingIntervalMs: intervalMs,
      clampPpm: contract.markClampPpm,
    }),
  );
}

function refreshIndex(state: State, market: SwapMarket): void {
  const operator = market.reports.get(OPERATOR_SOURCE);
  const found = operator?.priceTicks ?? sourcedIndex(state, market);
  if (found === undefined) return;
  market.indexTicks = found;
  market.indexFreshMs = state.timeMs;
}

function sourcedIndex(state: State, market: SwapMarket): number | undefined {
  const { contract, indexTicks, indexFreshMs } = market;
  const inputs: (IndexInput & Pick<IndexSource, 'kind'>)[] = [];
  for (const source of contract.indexSources) {
    const priceTicks =
      source.kind === 'spot'
        ? spotPrice(state, market, source.symbol)
        : freshReport(state, market, source.name);
    if (priceTicks !== undefined) inputs.push({ ...source, priceTicks });
  }
  const isWitness = indexFreshMs === 0 || state.timeMs - indexFreshMs <= WITNESS_MAX_AGE_MS;
  const counted = countedSources(inputs, isWitness ? indexTicks : 0, contract.indexOutlierPpm);
  const found = meanPrice(counted);
  const [only, second] = counted;
  const isOneBook = only?.kind === 'spot' && second === undefined;
  return found !== undefined && isOneBook ? paced(state, market, found) : found;
}

/**
 * One book alone can be moved with money: it takes the index along at a bounded rate,
 * so that what is paid has to be paid for as long. At least a tick, or coarse prices never moved.
 */
function paced({ timeMs }: State, market: SwapMarket, foundTicks: number): number {
  const { indexTicks, indexFreshMs, contract } = market;
  if (contract.indexMovePpm === 0) return foundTicks;
  const passedMs = Math.min(timeMs - indexFreshMs, MOVE_MAX_MS);
  const room = Number(
    mulDivCeil(BigInt(indexTicks), BigInt(contract.indexMovePpm * passedMs), MOVE_WHOLE),
  );
  return Math.max(indexTicks - room, Math.min(indexTicks + room, foundTicks));
}

function freshReport(state: State, market: SwapMarket, name: string): number | undefined {
  const report = market.reports.get(name);
  if (report === undefined) return undefined;
  const { indexStaleMs } = market.contract;
  const isFresh = indexStaleMs === 0 || state.timeMs - report.timeMs <= indexStaleMs;
  return isFresh ? report.priceTicks : undefined;
}

/** Remembers how far the middle of the contract's book is from the index. */
function sampleBasis(state: State, market: SwapMarket): void {
  const { basis } = market;
  while (basis[0] !== undefined && state.timeMs - basis[0].timeMs > BASIS_WINDOW_MS) basis.shift();
  const newest = basis.at(-1);
  if (newest !== undefined && state.timeMs - newest.timeMs < BASIS_EVERY_MS) return;
  const bid = market.book.best('buy')?.priceTicks;
  const ask = market.book.best('sell')?.priceTicks;
  if (bid === undefined || ask === undefined) return;
  const basisTicks = Math.floor((bid + ask) / 2) - market.indexTicks;
  basis.push({ timeMs: state.timeMs, basisTicks });
}

/** Undefined while the book is not two-sided. */
function averageBasis(market: SwapMarket): number | undefined {
  const { basis, book } = market;
  if (basis.length === 0) return undefined;
  if (book.best('buy') === undefined || book.best('sell') === undefined) return undefined;
  const sum = basis.reduce((total, { basisTicks }) => total + basisTicks, 0);
  return Math.trunc(sum / basis.length);
}

/**
 * The rate as it would be charged now: from the premiums since the last settlement, or the last one
 * before it while nothing was sampled since.
 */
export function currentRatePpb(market: SwapMarket): number {
  const { premiumSumPpb, premiumCount, lastPremiumPpb, contract } = market;
  const average = premiumCount === 0 ? lastPremiumPpb : Math.trunc(premiumSumPpb / premiumCount);
  return fundingRatePpb(contract, average);
}

/** Samples the premium once in every minute; over a stale index nothing is a premium. */
export function samplePremium(state: State, market: SwapMarket): void {
  const minute = Math.floor(state.timeMs / MINUTE_MS);
  if (minute === market.premiumMinute || market.isIndexStale(state.timeMs)) return;
  market.premiumMinute = minute;
  const bid = impactTicks(market, 'buy');
  const ask = impactTicks(market, 'sell');
  market.lastPremiumPpb = premiumPpb(bid, ask, market.indexTicks);
  market.premiumSumPpb += market.lastPremiumPpb;
  market.premiumCount += 1;
}

/** Average price of the impact size on one side of the book; undefined when it is too thin. */
function impactTicks(market: SwapMarket, side: Side): number | undefined {
  const size: number = market.contract.impactLots;
  let missing = size;
  let sum = 0n;
  for (const level of market.book.levels(side)) {
    const taken = Math.min(missing, level.lots);
    sum += BigInt(level.priceTicks) * BigInt(taken);
    missing -= taken;
    if (missing === 0) return Number(sum / BigInt(size));
  }
  return undefined;
}

/** Emits the prices when anything but their time has changed since they were last emitted. */
export function emitPrices(state: State, market: SwapMarket): void {
  const prices = pricesOf(state, market);
  const last = market.prices;
  if (last !== undefined && isSame(last, prices)) return;
  market.prices = prices;
  state.emit({ kind: 'contract_priced', prices });
}

function pricesOf(state: State, market: SwapMarket): ContractPrices {
  return {
    instrumentId: market.contract.instrumentId,
    indexTicks: ticks(market.indexTicks),
    indexStale: market.isIndexStale(state.timeMs),
    markTicks: ticks(market.markTicks),
    highestTicks: ticks(market.band.highestTicks),
    lowestTicks: ticks(market.band.lowestTicks),
    openInterestLots: lots(market.longLots),
    fundingRatePpb: currentRatePpb(market),
    nextFundingMs: market.nextFundingMs,
    insuranceFund: market.fund.held,
    timeMs: state.timeMs,
  };
}

function isSame(one: ContractPrices, other: ContractPrices): boolean {
  return (
    one.indexTicks === other.indexTicks &&
    one.indexStale === other.indexStale &&
    one.markTicks === other.markTicks &&
    one.highestTicks === other.highestTicks &&
    one.lowestTicks === other.lowestTicks &&
    one.openInterestLots === other.openInterestLots &&
    one.fundingRatePpb === other.fundingRatePpb &&
    one.nextFundingMs === other.nextFundingMs &&
    one.insuranceFund === other.insuranceFund
  );
}

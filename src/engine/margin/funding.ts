/**
 * Funding: at its times one side pays the other. A payer pays out of its margin (isolated) or
 * balance (cross), and never so much that it falls below the liquidation threshold; the receivers
 * share what was collected, and what does not divide goes to the insurance fund.
 */
import {
  type Amount,
  type Event,
  type FineAmount,
  fineEquity,
  fineToFloor,
  fineValue,
  fundingDue,
  fundingNumber,
  fundingTimeMs,
  fundingValue,
  LIMITS,
  nextFundingMs,
  PPM_BIG,
  type RiskUnit,
  type SettleFunding,
  ticks,
} from '#domain';
import { present } from '#kernel';
import type { State } from '../state.ts';
import type { SwapMarket } from '../swap/market.ts';
import type { MarketState } from '../swap/market-state.ts';
import { currentRatePpb, emitPrices } from '../swap/prices.ts';
import type { MarginAccount } from './margin-account.ts';
import type { Position } from './position.ts';
import { crossRisk, isolatedRisk } from './risk.ts';

/** One side's share of a settlement. */
interface Party {
  readonly margin: MarginAccount;
  readonly position: Position;
  /** As `fundingValue` has it. */
  readonly value: bigint;
}

/** What of a contract is settled next. */
interface Settlement {
  readonly market: SwapMarket;
  readonly fundingTimeMs: number;
  /** Not zero when it only stands for so many that lie too far back. */
  readonly skippedCount: number;
}

/** When the first settlement of all is; infinite while none is ahead. */
export function firstFundingMs(state: State): number {
  let firstMs = Number.POSITIVE_INFINITY;
  for (const { nextFundingMs } of settling(state)) firstMs = Math.min(firstMs, nextFundingMs);
  return firstMs;
}

/** The earliest settlement that is due by a time, of those alike that of the oldest contract. */
export function dueSettlement(state: State, untilMs: number): Settlement {
  let first: Settlement | undefined;
  for (const market of settling(state)) {
    if (market.nextFundingMs > untilMs) continue;
    const next = nextSettlement(market, untilMs);
    if (first === undefined || next.fundingTimeMs < first.fundingTimeMs) first = next;
  }
  return present(first, 'settlement that is due');
}

function* settling({ swaps }: State): Generator<SwapMarket> {
  for (const market of swaps.values()) {
    if (market.contract.status !== 'suspended') yield market;
  }
}

function nextSettlement(market: SwapMarket, untilMs: number): Settlement {
  const { contract, nextFundingMs: nextMs } = market;
  const { fundingMinutes } = contract;
  const next = fundingNumber(fundingMinutes, nextMs);
  const oldest = fundingNumber(fundingMinutes, untilMs) - LIMITS.missedSettlementsMax + 1;
  if (next >= oldest) return { market, fundingTimeMs: nextMs, skippedCount: 0 };
  const lastMs = fundingTimeMs(fundingMinutes, oldest - 1);
  return { market, fundingTimeMs: lastMs, skippedCount: oldest - next };
}

/**
 * One settlement: what was missed, while the venue did not run or its clock leapt, is settled one
 * after the other. The mark price and the rate are those that are known by then.
 */
export function settleFunding(state: State, { untilMs }: SettleFunding): undefined {
  const settlement = dueSettlement(state, untilMs);
  const { market, fundingTimeMs: atMs, skippedCount } = settlement;
  const { contract } = market;
  state.instrumentInWork = contract.instrumentId;
  const ratePpb = skippedCount > 0 ? 0 : currentRatePpb(market);
  const bills: Event[] = [];
  // Sorted once: that takes as long as what is done with one side of them.
  const holders = ratePpb === 0 ? [] : market.holders();
  const { collected, uncollected } = collect(state, market, holders, ratePpb, bills);
  const distributed = distribute(state, market, holders, { ratePpb, collected }, bills);
  market.fund.held += collected - distributed;
  state.emit({
    kind: 'funding_settled',
    instrumentId: contract.instrumentId,
    fundingTimeMs: atMs,
    ratePpb,
    markTicks: ticks(market.markTicks),
    collected,
    distributed,
    uncollected,
    skippedCount,
  });
  // One by one: a call takes fewer arguments than there can be positions.
  for (const bill of bills) state.emit(bill);
  market.nextFundingMs = nextFundingMs(contract.fundingMinutes, atMs);
  market.premiumSumPpb = 0;
  market.premiumCount = 0;
  emitPrices(state, market);
}

function parties(
  market: SwapMarket,
  holders: readonly MarginAccount[],
  side: 'long' | 'short',
): Party[] {
  const found: Party[] = [];
  for (const margin of holders) {
    const position = margin.position(side);
    if (position.lots === 0) continue;
    const value = fundingValue(market.contract, position.lots, market.markTicks);
    found.push({ margin, position, value });
  }
  return found;
}

function collect(
  state: State,
  market: SwapMarket,
  holders: readonly MarginAccount[],
  ratePpb: number,
  bills: Event[],
) {
  let collected = 0n;
  let uncollected = 0n;
  if (ratePpb === 0) return { collected, uncollected };
  for (const party of parties(market, holders, ratePpb > 0 ? 'long' : 'short')) {
    const due = fundingDue(market.contract, party.value, ratePpb, 'up');
    const paid = payableOf(party, due);
    collected += paid;
    uncollected += due - paid;
    if (paid === 0n) continue;
    if (party.margin.mode === 'isolated') {
      party.position.margin -= paid;
      party.position.changed(state);
    }
    bill(state, party, -paid, bills);
    party.margin.touch(state.timeMs);
  }
  return { collected, uncollected };
}

/**
 * What a payer pays of what is due: no more than it has above its threshold at the mark price, in
 * whole units. Nearly all have so much more that rounded numbers can tell.
 */
function payableOf({ margin, position }: Party, due: Amount): Amount {
  const { mode, market, wallet, balance } = margin;
  const { contract, markTicks } = market;
  const isIsolated = mode === 'isolated';
  const risk = isIsolated ? isolatedRisk(margin, position) : crossRisk(margin);
  const money = isIsolated ? lesser(position.margin, balance.balance) : wallet.crossMoney();
  const spare = spareAboveThreshold(market, risk, markTicks);
  const whole = spare > 0n ? fineToFloor(contract, spare) : 0n;
  return lesser(due, lesser(whole, money));
}

function lesser(one: Amount, other: Amount): Amount {
  return one < other ? one : other;
}

/** Equity less threshold times value, in fine units, rounded down. */
function spareAboveThreshold(market: MarketState, risk: RiskUnit, markTicks: number): FineAmount {
  const larger = Math.max(risk.longLots, risk.shortLots);
  const own = fineValue(market.contract, larger, markTicks) * BigInt(risk.thresholdPpm);
  const kept = own + (risk.others?.kept ?? 0n);
  return fineEquity(market.contract, risk, markTicks) - (kept + PPM_BIG - 1n) / PPM_BIG;
}

/**
 * Hands out what was collected in proportion to what is due, and to no receiver more than
 * that: what rounding up the payers' amounts added is not paid out. Returns what was handed out.
 */
function distribute(
  state: State,
  market: SwapMarket,
  holders: readonly MarginAccount[],
  { ratePpb, collected }: { readonly ratePpb: number; readonly collected: Amount },
  bills: Event[],
): Amount {
  if (collected === 0n) return 0n;
  const receivers = parties(market, holders, ratePpb > 0 ? 'short' : 'long');
  const { contract } = market;
  const total = receivers.reduce((sum, { value }) => sum + value, 0n);
  // Then everybody's part of it is at least what is due to him, and need not be worked out.
  const isAllThere = collected >= fundingDue(contract, total, ratePpb, 'up');
  let distributed = 0n;
  for (const party of receivers) {
    const due = fundingDue(contract, party.value, ratePpb, 'down');
    const share = isAllThere ? due : lesser((collected * party.value) / total, due);
    distributed += share;
    if (share === 0n) continue;
    bill(state, party, share, bills);
    party.margin.touchMoney(state.timeMs);
  }
  return distributed;
}

function bill(state: State, { margin, position }: Party, delta: Amount, bills: Event[]): void {
  const { accountId, balance, market, wallet } = margin;
  const { side, positionId } = position;
  bills.push({
    kind: 'balance_changed',
    billId: state.takeIds(1),
    reason: 'funding',
    accountId,
    wallet: wallet.name,
    instrumentId: market.contract.instrumentId,
    assetId: balance.assetId,
    delta,
    balanceBefore: balance.balance,
    position: { side, positionId },
  });
  position.countFunding(delta);
  state.ledger.realize(balance, delta, state.timeMs);
  margin.realizedPnl += delta;
}

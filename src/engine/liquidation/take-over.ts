/**
 * The last step of a liquidation: the unit is closed at its bankruptcy price or better, first in
 * the book, then against its own other side, then with the insurance fund behind it, then against
 * the positions of others.
 */
import {
  type AccountId,
  type Amount,
  type FundBudget,
  type FundPayment,
  type Liquidated,
  lots,
  type Ticks,
  ticks,
  valueFloor,
} from '#domain';
import { present } from '#kernel';
import type { LiquidationUnit, MarginAccount } from '../margin/margin-account.ts';
import type { UnitSide } from '../margin/position.ts';
import type { OrderEnd } from '../orders-at-work.ts';
import type { State } from '../state.ts';
import type { ContractOrder } from '../swap/order.ts';
import { match, settleRemainder } from '../swap/place.ts';
import { bankruptcyOf, losingSide } from './bankruptcy.ts';
import { type Deleveraging, netOwnSides } from './deleverage.ts';
import { fundedLimit } from './funded-limit.ts';
import { netHedge, nettingOf } from './netting.ts';
import { forcedOrder } from './off-book.ts';

/** The next command goes on with one that is unfinished: it is more than a command should do. */
export type TakeOverEnd = 'tried' | 'unfinished';

/** The result of a take-over. */
type Taken = Pick<
  Liquidated,
  'side' | 'positionId' | 'sizeLots' | 'deleveragedLots' | 'bankruptcyTicks' | 'paidTo'
> & { readonly end: TakeOverEnd };

/**
 * All of the unit in its contract goes, and what the last contract leaves belongs to the fund. A
 * contract that gains is closed at its mark price.
 */
export function takeOver(
  state: State,
  { margin, side }: LiquidationUnit,
  others: Deleveraging,
  isGain = false,
): TakeOverEnd {
  const { market } = margin;
  const position = losingSide(margin, side);
  const hedgedLots = nettingOf(margin)?.size ?? 0;
  const fundBefore = market.fund.begin(fundBudget(state, margin));
  const taken =
    position.lots > hedgedLots
      ? takeOverSide(state, margin, side, others, isGain)
      : takeOverHedge(state, margin, others);
  const fundDelta = market.fund.end(fundBefore);
  if (taken.sizeLots > 0) emitLiquidated(state, margin, taken, fundDelta);
  return taken.end;
}

function fundBudget({ listings }: State, { market }: MarginAccount): FundBudget {
  const { assetId } = market.contract.margin;
  return present(listings.asset(assetId), 'coin of a margin').fundBudget;
}

function emitLiquidated(
  state: State,
  margin: MarginAccount,
  { end: _, ...taken }: Taken,
  fundDelta: Amount,
): void {
  const { market, accountId, mode } = margin;
  state.emit({
    kind: 'liquidated',
    accountId,
    instrumentId: market.contract.instrumentId,
    mode,
    markTicks: ticks(market.markTicks),
    fundDelta,
    ...taken,
  });
}

/** The losing side, as far as it is no hedge: at the bankruptcy price or better. */
function takeOverSide(
  state: State,
  margin: MarginAccount,
  side: UnitSide,
  others: Deleveraging,
  isGain: boolean,
): Taken {
  const { market } = margin;
  const position = losingSide(margin, side);
  const { positionId } = position;
  const size = position.lots - (nettingOf(margin)?.size ?? 0);
  const limit = isGain ? ticks(market.markTicks) : bankruptcyOf(margin, side, position);
  // One that owes more than any price pays is closed against others at the mark price.
  const priceTicks = limit ?? ticks(market.markTicks);
  const terms = { side: position.side, cause: 'liquidation', size, priceTicks } as const;
  const order = forcedOrder(state, margin, terms);
  let end: OrderEnd = 'exhausted';
  if (limit !== undefined) end = match(state, order, limit);
  // While the book has more to take, nothing else is tried: the next command goes on with the rest.
  if (end !== 'match_limit') netOwnSides(state, order, priceTicks);
  const tradesFrom = state.eventsCount;
  const isFunded = !isGain && limit !== undefined && order.openLots > 0 && market.fund.payable > 0n;
  if (isFunded && end !== 'match_limit') {
    order.spendsFund = true;
    end = match(state, order, fundedLimit(order, limit));
    order.spendsFund = false;
  }
  const paidTo = isFunded ? paymentsSince(state, tradesFrom, order, limit) : [];
  const hasMore = order.openLots > 0 && end === 'match_limit';
  const deleveragedLots = lots(hasMore ? 0 : others.run(state, order, priceTicks));
  const takenEnd = hasMore ? 'unfinished' : endOf(state, order);
  settleRemainder(state, order, end);
  if (!hasMore) windUp(state, margin);
  const sizeLots = order.filledLots;
  const taken = { side: position.side, positionId, sizeLots, deleveragedLots, paidTo };
  return { ...taken, bankruptcyTicks: priceTicks, end: takenEnd };
}

/** Who gained from fills past the bankruptcy price, in the order of the first ones. */
function paymentsSince(
  { events }: State,
  from: number,
  { orderId, market: { contract } }: ContractOrder,
  limit: Ticks,
): readonly FundPayment[] {
  const paid = new Map<AccountId, Amount>();
  for (let at = from; at < events.length; at += 1) {
    const event = events[at];
    if (event?.kind !== 'contract_trade' || event.taker.orderId !== orderId) continue;
    const { maker, sizeLots, priceTicks } = event;
    const gain = valueFloor(contract, sizeLots, limit) - valueFloor(contract, sizeLots, priceTicks);
    const before = paid.get(maker.accountId) ?? 0n;
    paid.set(maker.accountId, before + (gain < 0n ? -gain : gain));
  }
  return [...paid].map(([accountId, amount]) => ({ accountId, amount }));
}

/** Whether it was the command that ended, with some of the order still to be deleveraged. */
function endOf({ isSpent }: State, { openLots }: ContractOrder): TakeOverEnd {
  return isSpent && openLots > 0 ? 'unfinished' : 'tried';
}

/**
 * An even hedge is closed within itself. If no money covers what that is short of, its sides go one
 * after the other: now the one that gains more, at the mark price, the other as any position.
 */
function takeOverHedge(state: State, margin: MarginAccount, others: Deleveraging): Taken {
  const { market, long, short } = margin;
  const { side, positionId } = losingSide(margin, 'both');
  const none = {
    side,
    positionId,
    deleveragedLots: lots(0),
    bankruptcyTicks: ticks(0),
    paidTo: [],
    end: 'tried',
  } as const;
  const hedgedLots = long.lots;
  windUp(state, margin);
  if (margin.isFlat) return { ...none, sizeLots: hedgedLots };
  const first = margin.finePnlOf(long) < margin.finePnlOf(short) ? short : long;
  const firstId = first.positionId;
  const mark = ticks(market.markTicks);
  const terms = { cause: 'liquidation', size: hedgedLots, priceTicks: mark } as const;
  const order = forcedOrder(state, margin, { side: first.side, ...terms });
  const deleveragedLots = lots(others.run(state, order, mark));
  const end = endOf(state, order);
  settleRemainder(state, order, 'exhausted');
  const sizeLots = order.filledLots;
  const taken = { ...none, side: first.side, positionId: firstId, sizeLots, end };
  return { ...taken, deleveragedLots, bankruptcyTicks: mark };
}

/**
 * What a cross account is left with: an even hedge is closed within itself, the fund paying what
 * that is short of, and money without a cross position in any contract belongs to the fund.
 */
function windUp(state: State, margin: MarginAccount): void {
  if (margin.mode === 'isolated') return;
  const { long, short, wallet, market } = margin;
  const missing = -(wallet.crossMoney() + (nettingOf(margin)?.pnl ?? 0n));
  const isPaid = missing > 0n && missing <= market.fund.payable;
  if (isPaid && long.lots === short.lots) moveInsurance(state, margin, missing);
  netHedge(state, margin);
  if (wallet.crossHeld().length > 0) return;
  const left = wallet.crossMoney();
  if (left !== 0n) moveInsurance(state, margin, -left);
}

/** Money from the fund into the wallet, or out of it when below zero. */
function moveInsurance(state: State, margin: MarginAccount, delta: Amount): void {
  const { accountId, balance, market } = margin;
  state.ledger.insure(balance, -delta, state.timeMs);
  const { instrumentId } = market.contract;
  const moved = { accountId, instrumentId, delta, ...margin.walletState() };
  state.emit({ kind: 'insurance_moved', ...moved });
}

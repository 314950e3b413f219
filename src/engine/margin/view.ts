/** A contract account as its owner and the operator see it, worked out at the mark price. */
import {
  AVERAGE_EXTRA_SCALE,
  averageEntry,
  liquidationTicks,
  type MarginAccountView,
  marginRatio,
  type PositionView,
  RATIO_SCALE,
  ticks,
  tierOf,
} from '#domain';
import type { MarginAccount } from './margin-account.ts';
import type { Position } from './position.ts';
import { crossRisk, isolatedRisk } from './risk.ts';

export function marginAccountView(margin: MarginAccount): MarginAccountView {
  const { market, balance, wallet, mode, long, short } = margin;
  const { spendable } = wallet;
  return {
    accountId: margin.accountId,
    instrumentId: market.contract.instrumentId,
    marginMode: mode,
    leverages: margin.leverages,
    isSeparated: margin.isSeparated,
    wallet: wallet.name,
    balance: balance.balance,
    equity: balance.balance + wallet.unrealizedPnl(),
    available: spendable > 0n ? spendable : 0n,
    margin: margin.usedMargin(long) + margin.usedMargin(short),
    marginFrozen: balance.held,
    realizedPnl: margin.realizedPnl,
    unrealizedPnl: margin.unrealizedPnl(),
    marginRatio: mode === 'cross' ? ratioOf(margin, undefined) : null,
    long: positionView(margin, long),
    short: positionView(margin, short),
    openOrdersCount: margin.openOrdersCount,
    triggerOrdersCount: margin.triggersCount + margin.tpSlCount,
    updatedTimeMs: margin.updatedTimeMs,
  };
}

function positionView(margin: MarginAccount, position: Position): PositionView {
  const { market, mode, long, short } = margin;
  const { contract } = market;
  const counted = mode === 'isolated' ? position.lots : long.lots + short.lots;
  return {
    side: position.side,
    lots: position.lots,
    availableLots: position.availableLots,
    positionId: position.positionId,
    openedOrderId: position.openedOrderId,
    averageEntry: averageEntry(contract, position.open, position.lots, AVERAGE_EXTRA_SCALE),
    open: position.open,
    leverage: position.leverage,
    autoAppend: position.autoAppend,
    margin: margin.usedMargin(position),
    realizedPnl: position.realizedPnl,
    unrealizedPnl: margin.unrealizedPnlOf(position),
    maintenanceRatePpm: tierOf(contract, counted).maintenanceRatePpm,
    liquidationTicks: ticks(liquidationOf(margin, position)),
    marginRatio: mode === 'isolated' ? ratioOf(margin, position) : null,
    totals: position.totals,
    openedSeq: position.openedSeq,
    openedTimeMs: position.openedTimeMs,
    updatedSeq: position.updatedSeq,
    updatedTimeMs: position.updatedTimeMs,
  };
}

function liquidationOf(margin: MarginAccount, position: Position): number {
  if (position.lots === 0) return 0;
  const risk = margin.mode === 'cross' ? crossRisk(margin) : isolatedRisk(margin, position);
  return liquidationTicks(margin.market.contract, risk);
}

function ratioOf(margin: MarginAccount, position: Position | undefined): bigint {
  const risk = position === undefined ? crossRisk(margin) : isolatedRisk(margin, position);
  return marginRatio(margin.market.contract, risk, margin.market.markTicks, RATIO_SCALE);
}

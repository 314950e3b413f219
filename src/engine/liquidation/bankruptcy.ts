/** Which side of a breached unit loses, and the price at which the unit is worth nothing. */
import {
  type Amount,
  bankruptcyTicks,
  type FineAmount,
  fineToFloor,
  lots,
  openPartFine,
  type Ticks,
  ticks,
} from '#domain';
import { forcedFeePpm } from '../margin/fee-rate.ts';
import type { MarginAccount } from '../margin/margin-account.ts';
import type { Position, UnitSide } from '../margin/position.ts';
import { nettingOf } from './netting.ts';

/** The side that loses: the one named, or the larger one of a cross account. */
export function losingSide(margin: MarginAccount, side: UnitSide): Position {
  if (side !== 'both') return margin.position(side);
  return margin.long.lots >= margin.short.lots ? margin.long : margin.short;
}

/**
 * How much of a cross unit's money may be lost in one contract: all of it or, where others lose,
 * too, the part that its loss is of all of them. One that loses nothing may lose what the losses of
 * the others leave. So what is sold of one at a bad price is never paid by those who gain in
 * another.
 */
function moneyBehind(margin: MarginAccount): Amount {
  const { wallet } = margin;
  const money = wallet.crossMoney();
  if (!wallet.isShared) return money;
  const own = lossOf(margin);
  const all = wallet.crossHeld().reduce((sum, one) => sum + lossOf(one), 0n);
  if (own > 0n) return (money * own) / all;
  const left = money + fineToFloor(margin.market.contract, -all);
  return left > 0n ? left : 0n;
}

/** What a contract stands to lose at its mark price, in fine units; zero when it gains. */
export function lossOf(margin: MarginAccount): FineAmount {
  const pnl = margin.finePnl();
  return pnl < 0n ? -pnl : 0n;
}

/** The price at which the unit is worth nothing, closing fee paid; undefined when there is none. */
export function bankruptcyOf(
  margin: MarginAccount,
  side: UnitSide,
  position: Position,
): Ticks | undefined {
  const { contract } = margin.market;
  const netted = nettingOf(margin);
  const money = side === 'both' ? moneyBehind(margin) + (netted?.pnl ?? 0n) : position.margin;
  const left = { lots: position.lots, open: position.open, money };
  if (netted !== undefined) {
    const own = position.side === 'long' ? netted.long : netted.short;
    left.lots = lots(position.lots - netted.size);
    left.open = position.open - openPartFine(contract, own.share);
    // Filled lot by lot, each profit and each fee rounds a unit away before the rest is netted.
    left.money -= 2n * BigInt(left.lots) + 1n;
  }
  if (left.lots === 0) return undefined;
  const step = contract.priceStepTicks;
  const found = bankruptcyTicks(contract, position.side, left, forcedFeePpm(margin), step);
  return found === undefined ? undefined : ticks(Math.max(step, found));
}

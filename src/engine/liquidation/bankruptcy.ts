/** Which side of a breached unit loses, and the price at which the unit is worth nothing. */
import { bankruptcyTicks, lots, type Ticks, ticks } from '#domain';
import { forcedFeePpm } from '../margin/fee-rate.ts';
import type { MarginAccount } from '../margin/margin-account.ts';
import type { Position, UnitSide } from '../margin/position.ts';
import { nettingOf } from './netting.ts';

/** The side that loses: the one named, or the larger one of a cross account. */
export function losingSide(margin: MarginAccount, side: UnitSide): Position {
  if (side !== 'both') return margin.position(side);
  return margin.long.lots >= margin.short.lots ? margin.long : margin.short;
}

/** The price at which the unit is worth nothing, closing fee paid; undefined when there is none. */
export function bankruptcyOf(
  margin: MarginAccount,
  side: UnitSide,
  position: Position,
): Ticks | undefined {
  const { contract } = margin.market;
  const netted = nettingOf(margin);
  const money = side === 'both' ? margin.balance.balance + (netted?.pnl ?? 0n) : position.margin;
  const left = { lots: position.lots, open: position.open, money };
  if (netted !== undefined) {
    const own = position.side === 'long' ? netted.long : netted.short;
    left.lots = lots(position.lots - netted.size);
    left.open = position.open - own.share;
    // Filled lot by lot, each profit and each fee rounds a unit away before the rest is netted.
    left.money -= 2n * BigInt(left.lots) + 1n;
  }
  if (left.lots === 0) return undefined;
  const step = contract.priceStepTicks;
  const found = bankruptcyTicks(contract, position.side, left, forcedFeePpm(margin), step);
  return found === undefined ? undefined : ticks(Math.max(step, found));
}

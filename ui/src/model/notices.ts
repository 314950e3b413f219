/**
 * Which private events become which notice. Pure: a notice carries what happened, the page words
 * it. Each change is notified once, by comparing what was known before with what is known now.
 */
import type { HoldSide, OrderCause } from '#domain';
import { compare, exact, signOf } from './numbers.ts';
import { isOrderOpen, type OrderLine } from './orders.ts';
import type { PlanLine } from './plans.ts';
import type { Position } from './positions.ts';
import type { TableChange } from './table.ts';

/** calm: far away. watch: margin is running out. danger: about to be liquidated. */
export type RiskLevel = 'calm' | 'watch' | 'danger';

export type Notice =
  | { readonly kind: 'filled'; readonly order: OrderLine }
  | { readonly kind: 'cancelled'; readonly order: OrderLine }
  | { readonly kind: 'forced'; readonly order: OrderLine; readonly cause: ForcedCause }
  | { readonly kind: 'plan_triggered'; readonly plan: PlanLine }
  | { readonly kind: 'plan_failed'; readonly plan: PlanLine }
  | { readonly kind: 'plan_cancelled'; readonly plan: PlanLine }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  | {
      readonly kind: 'risk';
      readonly symbol: string;
      readonly side: HoldSide;
      readonly level: Exclude<RiskLevel, 'calm'>;
      readonly marginRatio: string;
    };

/** The venue took or closed (part of) a position. */
export type ForcedCause = Exclude<OrderCause, 'owner'>;

/** The notice of a change of an order: its fills, its end, and a forced closing once. */
export function orderNotice({ before, after }: TableChange<OrderLine>): Notice | undefined {
  if (after.cause !== 'owner') {
    if (isOrderOpen(after) || signOf(after.filled) === 0) return undefined;
    return { kind: 'forced', order: after, cause: after.cause };
  }
  const hasFilled = compare(after.filled, before?.filled ?? '0') > 0;
  // A market buy is full when its change buys no further lot: its last fill did not say so yet.
  if (hasFilled || after.status === 'full_fill') return { kind: 'filled', order: after };
  return after.status === 'cancelled' ? { kind: 'cancelled', order: after } : undefined;
}

/**
 * The notices of one message, one for each order: of several fills the last one, and a cancellation
 * right after fills as an order that is partly filled.
 */
export function withoutOutdone(notices: readonly Notice[]): Notice[] {
  const isOf = (order: OrderLine) => (notice: Notice) =>
    (notice.kind === 'filled' || notice.kind === 'cancelled') && notice.order.id === order.id;
  return notices.flatMap((notice): Notice[] => {
    if (notice.kind !== 'filled' && notice.kind !== 'cancelled') return [notice];
    const { order } = notice;
    if (notices.findLast(isOf(order)) !== notice) return [];
    return notices.find(isOf(order)) === notice ? [notice] : [{ kind: 'filled', order }];
  });
}

/** The notice of the end of a plan order. */
export function planNotice({ after }: TableChange<PlanLine>): Notice | undefined {
  switch (after.status) {
    case 'waiting':
      return undefined;
    case 'triggered':
      return { kind: 'plan_triggered', plan: after };
    case 'failed':
      return { kind: 'plan_failed', plan: after };
    case 'cancelled':
      return { kind: 'plan_cancelled', plan: after };
  }
}

/** A call that was refused, with the venue's code and text. */
export function refusalNotice(code: string, message: string): Notice {
  return { kind: 'refused', code, message };
}

/** Times the ratio at which a position is liquidated, in per cent. */
const WATCH_PERCENT = 200n;
const DANGER_PERCENT = 125n;

/**
 * How close a margin ratio is to the one that liquidates. Up to 1.25 times that is danger, up to
 * twice that is worth watching.
 */
export function riskOf({ marginRatio, liquidationRatio }: Position): RiskLevel {
  const share = ppbOf(marginRatio) * 100n;
  const threshold = ppbOf(liquidationRatio);
  if (share <= threshold * DANGER_PERCENT) return 'danger';
  return share <= threshold * WATCH_PERCENT ? 'watch' : 'calm';
}

/** Parts per billion, rounded down. */
function ppbOf(text: string): bigint {
  const { value, scale } = exact(text);
  return (value * 1_000_000_000n) / 10n ** BigInt(scale);
}

const LEVELS: readonly RiskLevel[] = ['calm', 'watch', 'danger'];

/** A warning when the risk of a position has become worse, and only then. */
export function riskNotice(
  { symbol, side, marginRatio }: Position,
  before: RiskLevel,
  now: RiskLevel,
): Notice | undefined {
  if (now === 'calm' || LEVELS.indexOf(now) <= LEVELS.indexOf(before)) return undefined;
  return { kind: 'risk', symbol, side, level: now, marginRatio };
}

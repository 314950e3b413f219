/**
 * Positions, contract accounts and balances, alike in REST and the streams. Each is kept
 * in a Latest: by contract, by contract, and by coin.
 */
import type { HoldSide } from '#domain';
import { formatDecimal, present } from '#kernel';
import type { MarginMode } from './contract-words.ts';
import { exact, signOf } from './numbers.ts';

/** One side of position/singlePosition, position/allPosition and the channel `position`. */
export interface HoldingRow {
  readonly symbol: string;
  readonly liquidation_price: string;
  readonly position: string;
  readonly avail_position: string;
  readonly avg_cost: string;
  readonly leverage: string;
  readonly realized_pnl: string;
  readonly keepMarginRate: string;
  readonly side: HoldSide;
  readonly timestamp: string;
  readonly margin: string;
  readonly unrealized_pnl: string;
  /** 1 when margin is added by itself. */
  readonly append_type: '0' | '1';
}

export interface PositionRow {
  readonly margin_mode: MarginMode;
  readonly holding: readonly HoldingRow[];
}

/** account/account, account/accounts and the channel `account` of contracts. */
export interface ContractAccountRow {
  readonly symbol: string;
  readonly equity: string;
  readonly total_avail_balance: string;
  readonly margin: string;
  readonly realized_pnl: string;
  readonly unrealized_pnl: string;
  /** Null when crossed. */
  readonly longMarginRatio: string | null;
  /** Null when crossed. */
  readonly shortMarginRatio: string | null;
  /** Null when fixed. */
  readonly marginRatio: string | null;
  readonly margin_frozen: string;
  readonly margin_mode: MarginMode;
}

/** account/assets and the channel `account` of spot. */
export interface BalanceRow {
  readonly coinId: string;
  readonly coinName: string;
  readonly available: string;
  readonly frozen: string;
  readonly lock: string;
}

/** Both sides of one contract, held or not. */
export interface PositionPair {
  readonly symbol: string;
  readonly mode: MarginMode;
  readonly long: HoldingRow;
  readonly short: HoldingRow;
}

export function positionPair({ margin_mode: mode, holding }: PositionRow): PositionPair {
  const sideOf = (wanted: HoldSide) =>
    present(
      holding.find(({ side }) => side === wanted),
      `${wanted} side of a position`,
    );
  const long = sideOf('long');
  return { symbol: long.symbol, mode, long, short: sideOf('short') };
}

/** The sides that are held, by contract, the long one first. */
export function heldSides(pairs: readonly PositionPair[]): HoldingRow[] {
  return pairs.flatMap(({ long, short }) => [long, short]).filter(isHeld);
}

function isHeld({ position }: HoldingRow): boolean {
  return signOf(position) > 0;
}

const RETURN_SCALE = 6;

/** Unrealised profit as a share of the margin in use; undefined while there is none. */
export function returnOf({ unrealized_pnl: pnl, margin }: HoldingRow): string | undefined {
  const [gained, used] = [exact(pnl), exact(margin)];
  if (used.value <= 0n) return undefined;
  const scale = BigInt(RETURN_SCALE + used.scale);
  const share = (gained.value * 10n ** scale) / (used.value * 10n ** BigInt(gained.scale));
  return formatDecimal(share, RETURN_SCALE);
}

/** The margin ratio of a side: its own when fixed, that of the whole account when crossed. */
export function marginRatioOf(account: ContractAccountRow, side: HoldSide): string {
  const own = side === 'long' ? account.longMarginRatio : account.shortMarginRatio;
  return own ?? account.marginRatio ?? '0';
}

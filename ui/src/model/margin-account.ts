/**
 * A contract account in whole units, read back from what REST and the stream show of it, so that
 * the venue's own formulas can be asked what an order would do.
 */
import {
  type Amount,
  AVERAGE_EXTRA_SCALE,
  type FineAmount,
  type HoldSide,
  holdSideOf,
  isOpen,
  liquidationTicks,
  type OtherContracts,
  type RiskUnit,
  thresholdPpm,
} from '#domain';
import { backingOf, type HeldContract } from './coin-wallet.ts';
import type { TradedContract } from './contract.ts';
import type { MarginMode } from './contract-words.ts';
import { exact, scaled, scaledNumber } from './numbers.ts';
import { isOrderOpen, type OrderLine } from './orders.ts';
import type { ContractAccountRow, HoldingRow, PositionPair } from './positions.ts';

export interface SideState {
  readonly lots: number;
  /** What resting close orders leave of it. */
  readonly availableLots: number;
  /** What resting open orders may still add. */
  readonly pendingLots: number;
  /** Value at which the lots were opened, in fine units. */
  readonly open: FineAmount;
  /** Margin set aside (fixed); what it uses of the balance (crossed). */
  readonly margin: Amount;
  readonly leverage: number;
}

export interface MarginState {
  readonly mode: MarginMode;
  /** Settled money behind this contract. */
  readonly balance: Amount;
  /** What else stands or falls with what is crossed; undefined when nothing does. */
  readonly others: OtherContracts | undefined;
  /** What can be used for opening. */
  readonly available: Amount;
  readonly long: SideState;
  readonly short: SideState;
}

/** What is held in a contract beside the one that is asked about. */
export interface Sibling {
  readonly contract: TradedContract;
  readonly positions: PositionPair;
}

/**
 * Reads an account; `orders` may hold orders of other markets and closed ones, `siblings` are the
 * other contracts on its wallet.
 */
export function marginState(
  contract: TradedContract,
  account: ContractAccountRow,
  positions: PositionPair,
  orders: readonly OrderLine[],
  siblings: readonly Sibling[] = [],
): MarginState {
  const money = (text: string) => scaled(text, contract.marginScale);
  const side = (row: HoldingRow) => sideState(contract, row, orders);
  const equity = money(account.equity);
  const backing =
    siblings.length === 0
      ? { balance: equity - money(account.unrealized_pnl), others: undefined }
      : backingOf(equity, heldContract({ contract, positions }), siblings.map(heldContract));
  return {
    mode: positions.mode,
    ...backing,
    available: money(account.total_avail_balance),
    long: side(positions.long),
    short: side(positions.short),
  };
}

function heldContract({ contract, positions }: Sibling): HeldContract {
  const { mode } = positions;
  const side = (row: HoldingRow) => {
    const pnl = scaled(row.unrealized_pnl, contract.marginScale);
    return { ...sideState(contract, row, []), pnl };
  };
  return { contract, mode, long: side(positions.long), short: side(positions.short) };
}

function sideState(
  contract: TradedContract,
  row: HoldingRow,
  orders: readonly OrderLine[],
): SideState {
  const size = (text: string) => scaledNumber(text, contract.quantityScale);
  const held = size(row.position);
  let pendingLots = 0;
  for (const order of orders) {
    const isCounted = order.symbol === contract.symbol && isOrderOpen(order);
    if (isCounted && opensSide(order, row.side))
      pendingLots += size(order.size) - size(order.filled);
  }
  return {
    lots: held,
    availableLots: size(row.avail_position),
    pendingLots,
    open: openValue(contract, held, row.avg_cost),
    margin: scaled(row.margin, Math.max(contract.marginScale, MARGIN_DECIMALS)) / extra(contract),
    leverage: Number(row.leverage),
  };
}

function opensSide({ action }: OrderLine, side: HoldSide): boolean {
  if (action === 'buy' || action === 'sell') return false;
  return isOpen(action) && holdSideOf(action) === side;
}

/** Position margins are shown with at least this many decimals. */
const MARGIN_DECIMALS = 12;

function extra({ marginScale }: TradedContract): bigint {
  return 10n ** BigInt(Math.max(0, MARGIN_DECIMALS - marginScale));
}

/**
 * The open value behind an average price, which the venue shows rounded to eight digits beyond a
 * tick. Linear: of the values that round to it the one that is whole ticks times lots, as fills
 * are, or else the middle one. Inverse: exact to about 10^-13 of it, far below a unit of the coin.
 */
function openValue(contract: TradedContract, size: number, averageText: string): FineAmount {
  if (size === 0) return 0n;
  const { valueFactor, fineFactor, priceScale, kind } = contract;
  const { value, scale } = exact(averageText);
  const average = value * 10n ** BigInt(priceScale + AVERAGE_EXTRA_SCALE - scale);
  const one = 10n ** BigInt(AVERAGE_EXTRA_SCALE);
  const whole = BigInt(size) * valueFactor * fineFactor;
  if (kind === 'inverse') return average === 0n ? 0n : (whole * one) / average;
  const middle = dividedNearest(average * whole, one);
  const tick = valueFactor * fineFactor;
  const ofTicks = dividedNearest(middle, tick) * tick;
  const apart = ofTicks > middle ? ofTicks - middle : middle - ofTicks;
  return 2n * apart * one <= whole ? ofTicks : middle;
}

function dividedNearest(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}

export function sideOf(state: MarginState, side: HoldSide): SideState {
  return side === 'long' ? state.long : state.short;
}

/** The account with one side in another state. */
export function withSide(state: MarginState, side: HoldSide, changed: SideState): MarginState {
  return side === 'long' ? { ...state, long: changed } : { ...state, short: changed };
}

/** What a side stands or falls with: itself when fixed, the whole account when crossed. */
function riskUnit(contract: TradedContract, state: MarginState, side: HoldSide): RiskUnit {
  const isFixed = state.mode === 'fixed';
  const long = isFixed && side === 'short' ? NOTHING : state.long;
  const short = isFixed && side === 'long' ? NOTHING : state.short;
  return {
    money: isFixed ? sideOf(state, side).margin : state.balance,
    longLots: long.lots,
    longOpen: long.open,
    shortLots: short.lots,
    shortOpen: short.open,
    thresholdPpm: thresholdPpm(contract, long.lots + short.lots),
    others: isFixed ? undefined : state.others,
  };
}

const NOTHING: Pick<SideState, 'lots' | 'open'> = { lots: 0, open: 0n };

/** Estimated liquidation price of a side in ticks; zero when it is flat or no price liquidates. */
export function liquidationOf(
  contract: TradedContract,
  state: MarginState,
  side: HoldSide,
): number {
  if (sideOf(state, side).lots === 0) return 0;
  return liquidationTicks(contract, riskUnit(contract, state, side));
}

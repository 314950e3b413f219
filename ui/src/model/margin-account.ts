/**
 * A contract account in whole units, read back from what the venue shows of it, so that
 * the venue's own formulas can be asked what an order would do.
 */
import {
  type Amount,
  type FineAmount,
  type HoldSide,
  holdSideOf,
  isOpen,
  liquidationTicks,
  type OtherContracts,
  type RiskUnit,
  thresholdPpm,
} from '#domain';
import { type HeldContract, isolatedOf, othersOf } from './coin-wallet.ts';
import type { TradedContract } from './contract.ts';
import type { MarginMode } from './contract-words.ts';
import { scaled, scaledNumber } from './numbers.ts';
import { isOrderOpen, type OrderLine } from './orders.ts';
import { type Balance, leverageOf, type Standing } from './positions.ts';

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
  readonly standing: Standing;
}

/**
 * Reads an account; `orders` may hold orders of other markets and closed ones, `siblings` are the
 * other contracts on its wallet, which is undefined while it was never used.
 */
export function marginState(
  contract: TradedContract,
  standing: Standing,
  wallet: Balance | undefined,
  orders: readonly OrderLine[],
  siblings: readonly Sibling[] = [],
): MarginState {
  const money = (text = '0') => scaled(text, contract.marginScale);
  const side = (of: HoldSide) => sideState(contract, standing, of, orders);
  const held = siblings.map(heldContract);
  return {
    mode: standing.settings.marginMode,
    balance: money(wallet?.balance) - isolatedOf(held),
    others: othersOf(held),
    available: money(wallet?.available),
    long: side('long'),
    short: side('short'),
  };
}

function heldContract({ contract, standing }: Sibling): HeldContract {
  const { marginMode: mode } = standing.settings;
  const { mark = '0' } = standing.long ?? standing.short ?? {};
  const side = (of: HoldSide) => sideState(contract, standing, of, []);
  const markTicks = scaledNumber(mark, contract.priceScale);
  return { contract, mode, markTicks, long: side('long'), short: side('short') };
}

function sideState(
  contract: TradedContract,
  standing: Standing,
  side: HoldSide,
  orders: readonly OrderLine[],
): SideState {
  const { marginScale, fineFactor, quantityScale } = contract;
  const size = (text = '0') => scaledNumber(text, quantityScale);
  const row = standing[side];
  let pendingLots = 0;
  for (const order of orders) {
    const isCounted = order.symbol === contract.symbol && isOrderOpen(order);
    if (isCounted && opensSide(order, side)) pendingLots += size(order.size) - size(order.filled);
  }
  return {
    lots: size(row?.size),
    availableLots: size(row?.closable),
    pendingLots,
    open: scaled(row?.entryValue ?? '0', marginScale + String(fineFactor).length - 1),
    margin: scaled(row?.margin ?? '0', marginScale),
    leverage: leverageOf(standing, side),
  };
}

function opensSide({ action }: OrderLine, side: HoldSide): boolean {
  if (action === 'buy' || action === 'sell') return false;
  return isOpen(action) && holdSideOf(action) === side;
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
  const isFixed = state.mode === 'isolated';
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

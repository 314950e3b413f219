/**
 * Which orders bring an account's quotes in a contract to the wanted ladder around the mark price,
 * which moves all the time. An order is left where it is while it is within half a spacing of its
 * level, so the ladder is re-centred without being remembered. It sends nothing.
 */
import {
  type AccountId,
  type AccountView,
  type CancelContractOrder,
  type Command,
  type Contract,
  type ContractAction,
  type ContractOrderView,
  LIMITS,
  type Lots,
  lots,
  type PlaceContractOrder,
  PPM,
  type Side,
  type StateReader,
  sideOf,
  type Ticks,
  ticks,
  ZERO_TICKS,
} from '#domain';
import { present } from '#kernel';
import { ContractMeans } from './contract-means.ts';
import { bestOpposite, crosses, type Ladder, type LadderPlan, NOTHING, SIDES } from './ladder.ts';

interface Quoting {
  readonly state: StateReader;
  readonly account: AccountView;
  readonly contract: Contract;
  readonly orders: readonly ContractOrderView[];
  readonly size: Lots;
  readonly levelsCount: number;
}

/**
 * Level n of a side is n spacings away from the side's base, which is the mark in price steps. The
 * spacing is not rounded: it changes with the mark, and a rounded one would change by leaps.
 */
interface Grid {
  readonly base: Readonly<Record<Side, number>>;
  /** In ticks, at least one price step. */
  readonly spacing: number;
  readonly priceStepTicks: number;
}

/** What stays in the book, by side and level; and what does not. */
interface Sorted {
  readonly keptLots: Readonly<Record<Side, readonly number[]>>;
  readonly unfit: readonly ContractOrderView[];
}

interface Placing {
  readonly orders: readonly PlaceContractOrder[];
  readonly incomplete: boolean;
}

/** The commands that turn the account's orders in this contract into the wanted ladder. */
export function planContractLadder(
  state: StateReader,
  accountId: AccountId,
  ladder: Ladder,
): LadderPlan {
  const contract = state.listings.contract(ladder.symbol);
  const account = state.account(accountId);
  if (contract === undefined || account === undefined || account.frozen) return NOTHING;
  const { levelsCount, levelLots } = ladder;
  const size = lots(Math.min(Math.max(levelLots, contract.minLots), contract.maxLots));
  const orders = [...state.openContractOrders(accountId, contract.instrumentId)];
  const quoting: Quoting = { state, account, contract, orders, size, levelsCount };
  const markTicks = quotableMark(state, contract);
  if (markTicks === undefined) return { commands: orders.map(cancelOf), incomplete: false };
  const grid = gridAround(contract, markTicks, ladder.spacingPpm);
  const { keptLots, unfit } = sortOrders(quoting, grid);
  const placing = placeMissing(quoting, grid, keptLots);
  return {
    commands: [...unfit.map(cancelOf), ...placing.orders],
    incomplete: placing.incomplete,
  };
}

/**
 * The commands that give the account crossed margin and the house leverage in this contract, so
 * that all of its money stands behind its quotes; undefined while they cannot be known yet. Open
 * orders lock both, so orders left go first; what is held keeps the mode it was opened in.
 */
export function planSettings(
  state: StateReader,
  accountId: AccountId,
  symbol: string,
): readonly Command[] | undefined {
  const contract = state.listings.contract(symbol);
  if (contract === undefined || state.account(accountId)?.frozen !== false) return undefined;
  const { instrumentId, leverageMin, leverageMax } = contract;
  const margin = state.marginAccount(accountId, instrumentId);
  if (margin === undefined) return undefined;
  const leverage = Math.max(leverageMin, Math.min(LIMITS.leverageDefault, leverageMax));
  const isFlat = margin.long.lots === 0 && margin.short.lots === 0;
  const commands: Command[] = [];
  if (isFlat && margin.marginMode === 'fixed') {
    commands.push({ kind: 'set_margin_mode', accountId, instrumentId, mode: 'crossed' });
  }
  if (margin.long.leverage !== leverage || margin.short.leverage !== leverage) {
    commands.push({ kind: 'set_leverage', accountId, instrumentId, side: 'both', leverage });
  }
  if (commands.length === 0) return [];
  const cancels = [...state.openContractOrders(accountId, instrumentId)].map(cancelOf);
  return [...cancels, ...commands];
}

/** None while the contract does not trade; a stale price is not quoted around. */
function quotableMark(state: StateReader, contract: Contract): Ticks | undefined {
  const prices = state.contractPrices(contract.instrumentId);
  if (contract.status !== 'online' || prices === undefined || prices.indexStale) return undefined;
  return prices.markTicks > 0 ? prices.markTicks : undefined;
}

function gridAround({ priceStepTicks }: Contract, markTicks: Ticks, spacingPpm: number): Grid {
  const below = markTicks - (markTicks % priceStepTicks);
  const above = below === markTicks ? below : below + priceStepTicks;
  const spacing = Math.max(priceStepTicks, (markTicks * spacingPpm) / PPM);
  return { base: { buy: below, sell: above }, spacing, priceStepTicks };
}

function distanceOf({ base }: Grid, side: Side, price: Ticks): number {
  return side === 'buy' ? base.buy - price : price - base.sell;
}

/** Nearest to its level's price first, then oldest: an order stays while its level has room. */
function sortOrders({ orders, size, levelsCount }: Quoting, grid: Grid): Sorted {
  const keptLots = { buy: emptyLevels(levelsCount), sell: emptyLevels(levelsCount) };
  const unfit: ContractOrderView[] = [];
  const placed = orders.map((order) => {
    const side = sideOf(order.action);
    const distance = distanceOf(grid, side, order.priceTicks);
    const level = Math.round(distance / grid.spacing);
    return { order, level, kept: keptLots[side], away: Math.abs(distance - level * grid.spacing) };
  });
  placed.sort((one, other) => one.away - other.away || one.order.orderId - other.order.orderId);
  for (const { order, level, kept } of placed) {
    const openLots = (kept[level] ?? 0) + order.sizeLots - order.filledLots;
    if (level < 1 || level > levelsCount || openLots > size) unfit.push(order);
    else kept[level] = openLots;
  }
  return { keptLots, unfit };
}

/** Levels count from one. */
function emptyLevels(levelsCount: number): number[] {
  return Array.from({ length: levelsCount + 1 }, () => 0);
}

/**
 * Orders for the missing levels, nearest first and both sides by turns, as far as positions and
 * money go. A level is refilled once less than half of it is left.
 * Own quotes about to be cancelled count as crossed: the pass after their cancel finds them gone.
 */
function placeMissing(quoting: Quoting, grid: Grid, keptLots: Sorted['keptLots']): Placing {
  const { state, account, contract, size, levelsCount } = quoting;
  const { instrumentId } = contract;
  const margin = present(state.marginAccount(account.accountId, instrumentId), 'margin account');
  const means = new ContractMeans(contract, account, margin, quoting.orders);
  const buy = bestOpposite(state, instrumentId, 'buy');
  const opposite = { buy, sell: bestOpposite(state, instrumentId, 'sell') };
  const orders: PlaceContractOrder[] = [];
  let incomplete = false;
  for (let level = 1; level <= levelsCount; level += 1) {
    for (const side of SIDES) {
      const open = keptLots[side][level] ?? 0;
      const price = priceOf(grid, side, level);
      if (open * 2 >= size || size - open < contract.minLots || price === undefined) continue;
      const missing = lots(size - open);
      const isFree = !crosses(side, price, opposite[side]);
      const action = isFree ? means.spend(side, price, missing) : undefined;
      if (action === undefined) incomplete = true;
      else orders.push(placeOf(quoting, action, price, missing));
    }
  }
  return { orders, incomplete };
}

/** Rounded to the nearest price step; undefined where there is no such price. */
function priceOf(grid: Grid, side: Side, level: number): Ticks | undefined {
  const { base, spacing, priceStepTicks } = grid;
  const away = Math.round((level * spacing) / priceStepTicks) * priceStepTicks;
  const price = side === 'buy' ? base.buy - away : base.sell + away;
  return price > 0 && Number.isSafeInteger(price) ? ticks(price) : undefined;
}

function placeOf(
  { account, contract }: Quoting,
  action: ContractAction,
  priceTicks: Ticks,
  sizeLots: Lots,
): PlaceContractOrder {
  return {
    kind: 'place_contract_order',
    accountId: account.accountId,
    instrumentId: contract.instrumentId,
    action,
    type: 'limit',
    force: 'post_only',
    priceTicks,
    sizeLots,
    clientOrderId: '',
    takeProfitTicks: ZERO_TICKS,
    stopLossTicks: ZERO_TICKS,
  };
}

function cancelOf(order: ContractOrderView): CancelContractOrder {
  const { accountId, instrumentId, orderId } = order;
  return { kind: 'cancel_contract_order', accountId, instrumentId, orderId };
}

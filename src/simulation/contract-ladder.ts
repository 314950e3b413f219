/**
 * Which orders bring an account's quotes in a contract to the wanted ladder around the mark price,
 * which moves all the time. It sends nothing.
 */
import {
  type AccountId,
  type CancelContractOrder,
  type Command,
  type Contract,
  type ContractAction,
  type ContractLimitView,
  type ContractOrderView,
  defaultLeverage,
  type Lots,
  type MoveContractOrder,
  type PlaceContractOrder,
  type StateReader,
  sideOf,
  type Ticks,
} from '#domain';
import { present } from '#kernel';
import { ContractMeans } from './contract-means.ts';
import { gridAround, type KeptLots, sortQuotes, standingGrid } from './grid.ts';
import {
  bestOpposite,
  crosses,
  type Ladder,
  type LadderPlan,
  type Moved,
  NOTHING,
  type Placing,
  pairUp,
  type Quoted,
  SIDES,
  skewed,
} from './ladder.ts';
import { Shape } from './shape.ts';

interface Quoting extends Quoted {
  readonly contract: Contract;
  readonly orders: readonly ContractOrderView[];
}

type LimitOrder = Extract<PlaceContractOrder, { readonly type: 'limit' }>;

/** The commands that turn the account's orders in this contract into the wanted ladder. */
export function planContractLadder(
  state: StateReader,
  accountId: AccountId,
  ladder: Ladder,
): LadderPlan {
  const contract = state.listings.contract(ladder.symbol);
  const account = state.account(accountId);
  if (contract === undefined || account === undefined || account.frozen) return NOTHING;
  const open = [...state.openContractOrders(accountId, contract.instrumentId)];
  const orders = open.filter((order) => order.type === 'limit');
  const quoting: Quoting = { state, account, contract, orders };
  const centreTicks = centreOf(quoting, ladder);
  if (centreTicks === undefined) return { commands: orders.map(cancelOf), incomplete: false };
  const makeGrid = ladder.inventory === undefined ? gridAround : standingGrid;
  const grid = makeGrid(centreTicks, contract.priceStepTicks, ladder.spacingPpm);
  const sideOfQuote = ({ action }: Pick<ContractOrderView, 'action'>) => sideOf(action);
  const shape = new Shape(ladder, contract, grid, state.timeMs);
  const { keptLots, unfit } = sortQuotes(orders, sideOfQuote, grid, shape);
  const placing = placeMissing(quoting, shape, keptLots);
  const isAlike = (quote: ContractLimitView, { action }: LimitOrder) =>
    quote.action === action && quote.force === 'post_only';
  const paired = pairUp(unfit, placing.orders, contract.maxLots, isAlike);
  return {
    commands: [...paired.cancelled.map(cancelOf), ...paired.moved.map(moveOf), ...paired.placed],
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
  const { instrumentId } = contract;
  const margin = state.marginAccount(accountId, instrumentId);
  if (margin === undefined) return undefined;
  const leverage = defaultLeverage(contract);
  const isFlat = margin.long.lots === 0 && margin.short.lots === 0;
  const commands: Command[] = [];
  if (isFlat && margin.marginMode === 'isolated') {
    commands.push({ kind: 'set_margin_mode', accountId, instrumentId, mode: 'cross' });
  }
  if (margin.long.leverage !== leverage || margin.short.leverage !== leverage) {
    commands.push({ kind: 'set_leverage', accountId, instrumentId, side: 'both', leverage });
  }
  if (commands.length === 0) return [];
  const cancels = [...state.openContractOrders(accountId, instrumentId)].map(cancelOf);
  return [...cancels, ...commands];
}

/**
 * The mark price; with an inventory rule the index price, skewed, because a mark price follows the
 * book and skewing around it would lead it away. None while the contract does not trade; a stale
 * price is not quoted around.
 */
function centreOf(quoting: Quoting, { inventory }: Ladder): number | undefined {
  const { state, account, contract } = quoting;
  const prices = state.contractPrices(contract.instrumentId);
  if (contract.status !== 'online' || prices === undefined || prices.indexStale) return undefined;
  if (prices.markTicks <= 0) return undefined;
  if (inventory === undefined) return prices.markTicks;
  const margin = state.marginAccount(account.accountId, contract.instrumentId);
  const held = (margin?.long.lots ?? 0) - (margin?.short.lots ?? 0);
  return skewed(prices.indexTicks, inventory, held);
}

/**
 * Orders for the missing levels, nearest first and both sides by turns, as far as positions and
 * money go.
 * Own quotes about to be cancelled count as crossed: the pass after their cancel finds them gone.
 */
function placeMissing(quoting: Quoting, shape: Shape, keptLots: KeptLots): Placing<LimitOrder> {
  const { state, account, contract } = quoting;
  const { instrumentId } = contract;
  const margin = present(state.marginAccount(account.accountId, instrumentId), 'margin account');
  const means = new ContractMeans(contract, account, margin, quoting.orders);
  const buy = bestOpposite(state, instrumentId, 'buy');
  const opposite = { buy, sell: bestOpposite(state, instrumentId, 'sell') };
  const orders: LimitOrder[] = [];
  let incomplete = false;
  for (let level = 1; level <= shape.levelsCount; level += 1) {
    for (const side of SIDES) {
      const lack = shape.lacking(keptLots, side, level);
      if (lack === undefined || lack.missing < contract.minLots) continue;
      const { price, missing } = lack;
      const isFree = !crosses(side, price, opposite[side]);
      const action = isFree ? means.spend(side, price, missing) : undefined;
      if (action === undefined) incomplete = true;
      else orders.push(placeOf(quoting, action, price, missing));
    }
  }
  return { orders, incomplete };
}

function placeOf(
  { account, contract }: Quoting,
  action: ContractAction,
  priceTicks: Ticks,
  sizeLots: Lots,
): LimitOrder {
  return {
    kind: 'place_contract_order',
    accountId: account.accountId,
    instrumentId: contract.instrumentId,
    action,
    type: 'limit',
    force: 'post_only',
    priceTicks,
    sizeLots,
    clientOrderId: undefined,
  };
}

function moveOf({
  quote,
  order,
  sizeLots,
}: Moved<ContractLimitView, LimitOrder>): MoveContractOrder {
  const { accountId, instrumentId, orderId } = quote;
  const { priceTicks } = order;
  return { kind: 'move_contract_order', accountId, instrumentId, orderId, priceTicks, sizeLots };
}

function cancelOf(
  order: Pick<ContractOrderView, 'accountId' | 'instrumentId' | 'orderId'>,
): CancelContractOrder {
  const { accountId, instrumentId, orderId } = order;
  return { kind: 'cancel_contract_order', accountId, instrumentId, orderId };
}

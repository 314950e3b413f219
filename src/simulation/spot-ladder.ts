/**
 * Which orders bring an account's quotes in a pair to the wanted ladder around its price path, or
 * around the reference price that the operator sets. It sends nothing.
 */
import {
  type AccountId,
  type AccountView,
  type AssetId,
  baseAmount,
  type CancelSpotOrder,
  type LimitOrderView,
  type Lots,
  type MoveSpotOrder,
  notional,
  type OrderView,
  type PlaceSpotOrder,
  type Side,
  type SpotInstrument,
  type StateReader,
  type Ticks,
} from '#domain';
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
  readonly instrument: SpotInstrument;
}

type LimitOrder = Extract<PlaceSpotOrder, { readonly type: 'limit' }>;

/**
 * The commands that turn the account's orders in this pair into the wanted ladder. A price path
 * says where the centre is; without one it is the reference price. A pair without a reference
 * price is not quoted.
 */
export function planSpotLadder(
  state: StateReader,
  accountId: AccountId,
  ladder: Ladder,
  pathTicks?: number,
): LadderPlan {
  const instrument = state.listings.spotBySymbol(ladder.symbol);
  const account = state.account(accountId);
  if (instrument === undefined || account === undefined || account.frozen) return NOTHING;
  const quoting: Quoting = { state, account, instrument };
  const orders = ownOrders(quoting);
  const reference = instrument.referencePriceTicks;
  if (instrument.status !== 'online' || reference === 0) {
    return { commands: orders.map((order) => cancelOf(quoting, order)), incomplete: false };
  }
  const centre = skewed(pathTicks ?? reference, ladder.inventory, heldLots(quoting));
  const makeGrid = pathTicks === undefined ? gridAround : standingGrid;
  const grid = makeGrid(centre, 1, ladder.spacingPpm);
  const shape = new Shape(ladder, instrument, grid, state.timeMs);
  const { keptLots, unfit } = sortQuotes(orders, ({ side }) => side, grid, shape);
  const placings = SIDES.map((side) => placeSide(quoting, side, shape, keptLots));
  const wanted = placings.flatMap((placing) => placing.orders);
  const isAlike = (quote: LimitOrderView, { side }: LimitOrder) =>
    quote.side === side && quote.force === 'post_only';
  const { cancelled, moved, placed } = pairUp(unfit, wanted, instrument.maxLots, isAlike);
  return {
    commands: [
      ...cancelled.map((order) => cancelOf(quoting, order)),
      ...moved.map((one) => moveOf(quoting, one)),
      ...placed,
    ],
    incomplete: placings.some(({ incomplete }) => incomplete),
  };
}

/** Base coin in the spot wallet, in whole lots. */
function heldLots({ account, instrument }: Quoting): number {
  const { base, baseUnitsPerLot } = instrument;
  return Number((account.balance('spot', base.assetId)?.balance ?? 0n) / baseUnitsPerLot);
}

function ownOrders({ state, account, instrument }: Quoting) {
  const { instrumentId } = instrument;
  const orders = [...state.openOrders(account.accountId)];
  return orders
    .filter((order) => order.instrumentId === instrumentId)
    .filter((order) => order.type === 'limit');
}

/**
 * Orders for the missing levels of a side, nearest first, as far as the money goes.
 * Own quotes about to be cancelled count as crossed: the pass after their cancel finds them gone.
 */
function placeSide(
  quoting: Quoting,
  side: Side,
  shape: Shape,
  keptLots: KeptLots,
): Placing<LimitOrder> {
  const { state, account, instrument } = quoting;
  const opposite = bestOpposite(state, instrument.instrumentId, side);
  let budget = spendable(account, side === 'buy' ? instrument.quote : instrument.base);
  let incomplete = false;
  const orders: LimitOrder[] = [];
  for (let level = 1; level <= shape.levelsCount; level += 1) {
    const lack = shape.lacking(keptLots, side, level);
    if (lack === undefined) continue;
    const { price, missing } = lack;
    if (isTooSmall(instrument, price, missing)) continue;
    const cost =
      side === 'buy' ? notional(instrument, price, missing) : baseAmount(instrument, missing);
    if (cost > budget || crosses(side, price, opposite)) {
      incomplete = true;
      continue;
    }
    budget -= cost;
    orders.push(placeOf(quoting, side, price, missing));
  }
  return { orders, incomplete };
}

function spendable(account: AccountView, asset: { readonly assetId: AssetId }): bigint {
  return account.balance('spot', asset.assetId)?.available ?? 0n;
}

function isTooSmall(instrument: SpotInstrument, price: Ticks, size: Lots): boolean {
  return size < instrument.minLots || notional(instrument, price, size) < instrument.minNotional;
}

function placeOf(quoting: Quoting, side: Side, price: Ticks, size: Lots): LimitOrder {
  return {
    kind: 'place_spot_order',
    accountId: quoting.account.accountId,
    instrumentId: quoting.instrument.instrumentId,
    side,
    type: 'limit',
    force: 'post_only',
    priceTicks: price,
    sizeLots: size,
    clientOrderId: undefined,
  };
}

function moveOf(
  { account, instrument }: Quoting,
  { quote, order, sizeLots }: Moved<LimitOrderView, LimitOrder>,
): MoveSpotOrder {
  const { accountId } = account;
  const { instrumentId } = instrument;
  const { orderId } = quote;
  const { priceTicks } = order;
  return { kind: 'move_spot_order', accountId, instrumentId, orderId, priceTicks, sizeLots };
}

function cancelOf(
  { account, instrument }: Quoting,
  order: Pick<OrderView, 'orderId'>,
): CancelSpotOrder {
  const { accountId } = account;
  const { instrumentId } = instrument;
  return { kind: 'cancel_spot_order', accountId, instrumentId, orderId: order.orderId };
}

/**
 * Which orders bring an account's quotes in a pair to the wanted ladder around the reference
 * price, which the operator sets. It sends nothing.
 */
import {
  type AccountId,
  type AccountView,
  type AssetId,
  baseAmount,
  type CancelSpotOrder,
  type Lots,
  lots,
  notional,
  type OrderView,
  type PlaceSpotOrder,
  PPM_BIG,
  type Side,
  type SpotInstrument,
  type StateReader,
  type Ticks,
  ticks,
} from '#domain';
import { mulDivFloor } from '#kernel';
import { bestOpposite, crosses, type Ladder, type LadderPlan, NOTHING, SIDES } from './ladder.ts';

interface Quoting {
  readonly state: StateReader;
  readonly accountId: AccountId;
  readonly instrument: SpotInstrument;
  readonly size: Lots;
}

interface Placing {
  readonly orders: readonly PlaceSpotOrder[];
  readonly incomplete: boolean;
}

/** The commands that turn the account's orders in this pair into the wanted ladder. */
export function planSpotLadder(
  state: StateReader,
  accountId: AccountId,
  ladder: Ladder,
): LadderPlan {
  const instrument = state.listings.spotBySymbol(ladder.symbol);
  const account = state.account(accountId);
  if (instrument === undefined || account === undefined || account.frozen) return NOTHING;
  const size = lots(Math.min(Math.max(ladder.levelLots, instrument.minLots), instrument.maxLots));
  const quoting: Quoting = { state, accountId, instrument, size };
  const wanted = wantedPrices(instrument, ladder);
  const cancels: CancelSpotOrder[] = [];
  const kept = new Map<Ticks, Lots>();
  for (const [price, orders] of ordersByPrice(quoting)) {
    const openLots = lots(orders.reduce((sum, order) => sum + openLotsOf(order), 0));
    const fits = orders.every((order) => wanted[order.side].includes(price)) && openLots <= size;
    if (fits) kept.set(price, openLots);
    else cancels.push(...orders.map((order) => cancelOf(quoting, order)));
  }
  const placings = SIDES.map((side) => placeSide(quoting, account, side, wanted[side], kept));
  return {
    commands: [...cancels, ...placings.flatMap(({ orders }) => orders)],
    incomplete: placings.some(({ incomplete }) => incomplete),
  };
}

type PricesBySide = Readonly<Record<Side, readonly Ticks[]>>;

/** Nearest to the reference first; none while the pair does not trade or has no reference. */
function wantedPrices(instrument: SpotInstrument, ladder: Ladder): PricesBySide {
  const reference = instrument.referencePriceTicks;
  if (instrument.status !== 'online' || reference === 0) return { buy: [], sell: [] };
  const spacing = mulDivFloor(BigInt(reference), BigInt(ladder.spacingPpm), PPM_BIG);
  const step = Math.max(1, Number(spacing));
  const buy: Ticks[] = [];
  const sell: Ticks[] = [];
  for (let level = 1; level <= ladder.levelsCount; level += 1) {
    const away = level * step;
    if (reference - away > 0) buy.push(ticks(reference - away));
    if (Number.isSafeInteger(reference + away)) sell.push(ticks(reference + away));
  }
  return { buy, sell };
}

function ordersByPrice({ state, accountId, instrument }: Quoting): Map<Ticks, OrderView[]> {
  const byPrice = new Map<Ticks, OrderView[]>();
  for (const order of state.openOrders(accountId)) {
    if (order.instrumentId !== instrument.instrumentId) continue;
    const level = byPrice.get(order.priceTicks);
    if (level === undefined) byPrice.set(order.priceTicks, [order]);
    else level.push(order);
  }
  return byPrice;
}

/**
 * Orders for the missing levels, as far as the money goes. A level is refilled once less than half
 * of it is left: that keeps it at two orders at the most, whatever the sizes it is taken in.
 * Own quotes about to be cancelled count as crossed: the pass after their cancel finds them gone.
 */
function placeSide(
  quoting: Quoting,
  account: AccountView,
  side: Side,
  prices: readonly Ticks[],
  kept: ReadonlyMap<Ticks, Lots>,
): Placing {
  const { state, instrument, size } = quoting;
  const opposite = bestOpposite(state, instrument.instrumentId, side);
  let budget = spendable(account, side === 'buy' ? instrument.quote : instrument.base);
  let incomplete = false;
  const orders: PlaceSpotOrder[] = [];
  for (const price of prices) {
    const open = kept.get(price) ?? 0;
    if (open * 2 >= size) continue;
    const missing = lots(size - open);
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

function openLotsOf(order: OrderView): number {
  return order.sizeLots - order.filledLots;
}

function placeOf(quoting: Quoting, side: Side, price: Ticks, size: Lots): PlaceSpotOrder {
  return {
    kind: 'place_spot_order',
    accountId: quoting.accountId,
    instrumentId: quoting.instrument.instrumentId,
    side,
    type: 'limit',
    force: 'post_only',
    priceTicks: price,
    sizeLots: size,
    quoteBudget: 0n,
    clientOrderId: '',
  };
}

function cancelOf({ accountId, instrument }: Quoting, order: OrderView): CancelSpotOrder {
  const { instrumentId } = instrument;
  return { kind: 'cancel_spot_order', accountId, instrumentId, orderId: order.orderId };
}

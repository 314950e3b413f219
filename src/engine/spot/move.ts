/** Another price and size for a resting spot order, in one command: see MoveSpotOrder. */
import {
  type Amount,
  dueTo,
  type Lots,
  lots,
  type MoveSpotOrder,
  needsCoin,
  type Refused,
  refuse,
  type Ticks,
} from '#domain';
import { present } from '#kernel';
import type { Refusal, State } from '../state.ts';
import { ownOrder } from './close.ts';
import type { SpotMarket } from './market.ts';
import type { SpotOrder } from './order.ts';
import { paidFrom } from './pair.ts';
import { checkBand, checkLimit, type LimitTerms, matchAndSettle } from './place.ts';
import { moreReserved, reservation } from './settle.ts';

export function moveSpotOrder(state: State, command: MoveSpotOrder): Refusal {
  const order = ownOrder(state, command);
  if ('reject' in order) return order;
  const market = present(state.market(order.instrumentId), 'market of an open order');
  const { priceTicks, sizeLots } = command;
  const asked = { side: order.side, priceTicks, sizeLots };
  const refusal = checkLimit(market, asked);
  if (refusal !== undefined) return refusal;
  if (sizeLots <= order.filledLots) return refuse('quantity_invalid');
  const openLots = lots(sizeLots - order.filledLots);
  if (priceTicks === order.priceTicks && openLots <= order.openLots) {
    shrink(state, market, order, asked);
    return undefined;
  }
  const more = checkMoved(market, order, asked, openLots);
  if (typeof more !== 'bigint') return more;
  replace(state, market, order, asked, more);
  return undefined;
}

/** What it would hold more than now, or why it may not move. */
function checkMoved(
  market: SpotMarket,
  order: SpotOrder,
  asked: LimitTerms,
  openLots: Lots,
): Amount | Refused {
  const refusal = checkBand(market, asked);
  if (refusal !== undefined) return refusal;
  const { side, priceTicks: fromTicks, openLots: fromLots } = order;
  const { priceTicks } = asked;
  const own = priceTicks === fromTicks ? fromLots : 0;
  if (!market.book.hasRoom(side, priceTicks, openLots - own)) {
    return refuse('quantity_above_maximum', dueTo('no_room_at_price'));
  }
  const { instrument } = market;
  const more = moreReserved(instrument, side, fromTicks, fromLots, priceTicks, openLots);
  if (more <= 0n) return more;
  const available = paidFrom(market, side).free(order.accountId);
  if (more <= available) return more;
  const asset = side === 'buy' ? instrument.quote : instrument.base;
  const needed = reservation(instrument, asked, openLots);
  return refuse('balance_insufficient', needsCoin(asset, needed, needed - more + available));
}

/** Less of it at the same price: it keeps its place, and what it held for the rest is free. */
function shrink(state: State, market: SpotMarket, order: SpotOrder, asked: LimitTerms): void {
  const { priceTicks: fromTicks, openLots: fromLots, sizeLots } = order;
  const less = lots(sizeLots - asked.sizeLots);
  if (less > 0) {
    market.book.fill(order, less);
    const amount = reservation(market.instrument, order, less);
    paidFrom(market, order.side).release(order.accountId, amount, state.timeMs);
  }
  order.setMoved(asked.sizeLots, order.placeId, state.timeMs);
  emitMoved(state, order, fromTicks, fromLots, order.openLots);
}

/** It leaves its place and goes through the book as a new order would. */
function replace(
  state: State,
  market: SpotMarket,
  order: SpotOrder,
  { priceTicks, sizeLots }: LimitTerms,
  more: Amount,
): void {
  const { priceTicks: fromTicks, openLots: fromLots } = order;
  market.book.remove(order);
  order.priceTicks = priceTicks;
  order.openLots = lots(sizeLots - order.filledLots);
  order.setMoved(sizeLots, state.takeIds(1), state.timeMs);
  emitMoved(state, order, fromTicks, fromLots, lots(0));
  matchAndSettle(state, market, order, more, fromTicks, fromLots);
}

function emitMoved(
  state: State,
  order: SpotOrder,
  fromTicks: Ticks,
  fromLots: Lots,
  keptLots: Lots,
): void {
  state.emit({ kind: 'order_moved', order: order.limitView(), fromTicks, fromLots, keptLots });
}

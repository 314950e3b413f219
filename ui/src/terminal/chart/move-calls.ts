/**
 * Moves a resting order to another price. No call of the venue does: it is cancelled, what of it
 * has not filled is placed again, and what is refused at the new price goes back to the old one.
 */
import type { ContractAction, Force } from '#domain';
import { formatDecimal } from '#kernel';
import { exact, scaled } from '../../model/numbers.ts';
import type { OrderLine, SpotOrderRow, SwapOrderRow } from '../../model/orders.ts';
import { session } from '../../session/session.ts';
import { cancelOrder, placeOrder } from '../trade/calls.ts';
import type { OrderRequest } from '../trade/draft.ts';

const SPOT = '/api/spot/v1/trade';
const SWAP = '/api/swap/v3/order';

const ACTION_NUMBERS: Readonly<Record<ContractAction, string>> = {
  open_long: '1',
  open_short: '2',
  close_long: '3',
  close_short: '4',
};

const SPOT_FORCES: Readonly<Record<Force, string>> = {
  gtc: 'normal',
  post_only: 'post_only',
  fok: 'fok',
  ioc: 'ioc',
};

/** Places what is left of a resting order at another price. */
export async function moveOrder(order: OrderLine, price: string): Promise<void> {
  await cancelOrder(order);
  const size = await unfilled(order);
  if (exact(size).value === 0n) return;
  await replace((at) => orderRequest(order, size, at), price, order.price ?? price);
}

/** Places at a price or, when that is refused, where it was before; rejects with the refusal. */
async function replace(
  request: (price: string) => OrderRequest,
  price: string,
  before: string,
): Promise<void> {
  try {
    await placeOrder(request(price));
  } catch (error) {
    await placeOrder(request(before));
    throw error;
  }
}

/** What had not filled when it was cancelled. */
async function unfilled({ market, symbol, id, size }: OrderLine): Promise<string> {
  if (market === 'spot') {
    const [row] = await session.call<readonly SpotOrderRow[]>('POST', `${SPOT}/orderInfo`, {
      ...{ symbol, orderId: id },
    });
    return difference(size, row?.fillQuantity ?? size);
  }
  const asked = { symbol, orderId: id };
  const row = await session.call<SwapOrderRow>('GET', `${SWAP}/detail`, asked);
  return difference(size, row.filled_qty);
}

function difference(size: string, filled: string): string {
  const scale = Math.max(exact(size).scale, exact(filled).scale);
  return formatDecimal(scaled(size, scale) - scaled(filled, scale), scale);
}

function orderRequest(order: OrderLine, size: string, price: string): OrderRequest {
  const { symbol, action, force = 'gtc' } = order;
  if (action === 'buy' || action === 'sell') {
    const body = { symbol, side: action, orderType: 'limit', force: SPOT_FORCES[force] };
    return { path: `${SPOT}/orders`, body: { ...body, price, quantity: size } };
  }
  const body = { symbol, type: ACTION_NUMBERS[action], match_price: '0', price, size };
  const orderType = force === 'post_only' ? '1' : '0';
  return { path: `${SWAP}/placeOrder`, body: { ...body, order_type: orderType } };
}

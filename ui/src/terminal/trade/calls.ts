/** The calls of the trading parts to the venue, for spot and contracts. */
import type { HoldSide } from '#domain';
import type { MarginMode } from '../../model/contract-words.ts';
import { signOf } from '../../model/numbers.ts';
import type { OrderLine } from '../../model/orders.ts';
import type { PlanLine } from '../../model/plans.ts';
import { session } from '../../session/session.ts';
import { VenueError } from '../../wire/failure.ts';
import type { OrderRequest } from './draft.ts';

const SWAP = '/api/swap/v3';
const SPOT = '/api/spot/v1';
/** Of either area in one call. */
const CANCEL_BATCH_MAX = 50;

const HOLD_SIDES: Readonly<Record<HoldSide, number>> = { long: 1, short: 2 };

const TOO_MANY_REQUESTS = '429';
const RATE_WINDOW_MS = 1_000;

/** One of many calls in a row: when they were too many, it is sent again a second later. */
export async function paced<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof VenueError) || error.code !== TOO_MANY_REQUESTS) throw error;
    await new Promise((resolve) => setTimeout(resolve, RATE_WINDOW_MS));
    return call();
  }
}

export async function placeOrder({ path, body }: OrderRequest): Promise<void> {
  await session.call<unknown>('POST', path, body);
}

interface Closing {
  readonly success: boolean;
  readonly errorMessage: string;
}

/** Closes all linear positions at market in one call; it throws what the first refusal says. */
export async function closeLinear(): Promise<void> {
  const closings = await session.call<readonly Closing[]>('POST', '/capi/v3/closePositions', {});
  const failed = closings.find(({ success }) => !success);
  if (failed !== undefined) throw new VenueError('', failed.errorMessage, OK);
}

const OK = 200;

/** `type` of the orders that close a side, and that open it. */
const CLOSES: Readonly<Record<HoldSide, string>> = { long: '3', short: '4' };
const OPENS: Readonly<Record<HoldSide, string>> = { long: '1', short: '2' };

/** Closes a size at market. Resolves with what was filled. */
export async function closeAtMarket(symbol: string, side: HoldSide, size: string): Promise<string> {
  const body = { symbol, size, type: CLOSES[side], order_type: '0', match_price: '1' };
  const placed = await session.call<Placed>('POST', `${SWAP}/order/placeOrder`, body);
  const asked = { symbol, orderId: placed.order_id };
  const order = await session.call<Filled>('GET', `${SWAP}/order/detail`, asked);
  return order.filled_qty;
}

interface Placed {
  readonly order_id: string;
}

interface Filled {
  readonly filled_qty: string;
}

/** Closes a position at market and opens the other side by as much as was closed. */
export async function reverse(symbol: string, side: HoldSide, size: string): Promise<void> {
  const closed = await closeAtMarket(symbol, side, size);
  if (signOf(closed) === 0) return;
  const type = OPENS[side === 'long' ? 'short' : 'long'];
  const body = { symbol, size: closed, type, order_type: '0', match_price: '1' };
  await session.call('POST', `${SWAP}/order/placeOrder`, body);
}

/** What cancelling in contracts answers: a failure is no refusal of the call. */
interface Cancelled {
  readonly result: boolean;
  readonly err_code: string | null;
  readonly err_msg: string | null;
}

export async function cancelOrder({ market, symbol, id }: OrderLine): Promise<void> {
  if (market === 'spot') {
    await session.call('POST', `${SPOT}/trade/cancel-order`, { symbol, orderId: id });
    return;
  }
  await cancelInContract('cancel_order', symbol, id);
}

export async function cancelPlan({ symbol, id }: PlanLine): Promise<void> {
  await cancelInContract('cancel_plan', symbol, id);
}

async function cancelInContract(name: string, symbol: string, orderId: string): Promise<void> {
  const answer = await session.call<Cancelled>('POST', `${SWAP}/order/${name}`, {
    symbol,
    orderId,
  });
  if (!answer.result) throw new VenueError(answer.err_code ?? '', answer.err_msg ?? '', 200);
}

/** Cancels all of these; those that are closed meanwhile are passed over. */
export async function cancelOrders(orders: readonly OrderLine[]): Promise<void> {
  const bySymbol = Map.groupBy(orders, ({ symbol }) => symbol);
  for (const [symbol, group] of bySymbol) {
    const isSpot = group[0]?.market === 'spot';
    const path = isSpot ? `${SPOT}/trade/cancel-batch-orders` : `${SWAP}/order/cancel_batch_orders`;
    for (let from = 0; from < group.length; from += CANCEL_BATCH_MAX) {
      const ids = group.slice(from, from + CANCEL_BATCH_MAX).map(({ id }) => id);
      await session.call('POST', path, isSpot ? { symbol, orderIds: ids } : { symbol, ids });
    }
  }
}

/** One call each: no call cancels several. One that is gone meanwhile does not stop the others. */
export async function cancelPlans(plans: readonly PlanLine[]): Promise<void> {
  for (const plan of plans) {
    try {
      await paced(() => cancelPlan(plan));
    } catch (error) {
      if (!(error instanceof VenueError) || error.status !== 200) throw error;
    }
  }
}

export async function setLeverage(
  symbol: string,
  leverage: number,
  side: HoldSide | undefined,
): Promise<void> {
  const holdSide = side === undefined ? undefined : HOLD_SIDES[side];
  await session.call('POST', `${SWAP}/account/leverage`, { symbol, leverage, holdSide });
}

export async function setMarginMode(symbol: string, mode: MarginMode): Promise<void> {
  const holdModel = mode === 'fixed' ? 1 : 2;
  await session.call('POST', `${SWAP}/position/changeHoldModel`, { symbol, holdModel });
}

export async function adjustMargin(
  symbol: string,
  side: HoldSide,
  does: 'add' | 'remove',
  amount: string,
): Promise<void> {
  const positionType = side === 'long' ? 0 : 1;
  const type = does === 'add' ? 1 : 2;
  const body = { symbol, positionType, type, amount };
  await session.call('POST', `${SWAP}/account/adjustMargin`, body);
}

export async function setAutoMargin(symbol: string, side: HoldSide, isOn: boolean): Promise<void> {
  const body = { symbol, holdSide: HOLD_SIDES[side], append_type: isOn ? 1 : 0 };
  await session.call('POST', `${SWAP}/account/modifyAutoAppendMargin`, body);
}

/** Where money is: spot, a contract by its name, or margin for all contracts of the coin. */
export type Wallet = string;

export async function transfer(
  coin: string,
  amount: string,
  from: Wallet,
  to: Wallet,
): Promise<void> {
  await session.call('POST', `${SPOT}/wallet/transfer`, {
    coin,
    amount,
    ...end('from', from),
    ...end('to', to),
  });
}

function end(name: 'from' | 'to', wallet: Wallet): object {
  if (wallet === 'spot') return { [`${name}Type`]: 'EXCHANGE' };
  if (wallet === 'margin') return { [`${name}Type`]: 'CONTRACT' };
  return { [`${name}Type`]: 'CONTRACT', [`${name}Symbol`]: wallet };
}

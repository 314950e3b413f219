/** The calls of the trading parts to the venue, for spot and contracts. */
import { native } from '#client';
import type { HoldSide } from '#domain';
import type { MarginMode } from '../../model/contract-words.ts';
import type { OrderLine } from '../../model/orders.ts';
import type { PlanLine } from '../../model/plans.ts';
import { session } from '../../session/session.ts';
import { NO_ANSWER, VenueError } from '../../wire/failure.ts';
import type { OrderRequest } from './draft.ts';

/** In one call, whatever markets they are of. */
const CANCEL_BATCH_MAX = 50;

const OK = 200;
const NOT_FOUND = 404;
const TOO_MANY_REQUESTS = 429;
const RATE_WINDOW_MS = 1_000;

/** One of many calls in a row: when they were too many, it is sent again a second later. */
export async function paced<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    if (!isStatus(error, TOO_MANY_REQUESTS)) throw error;
    await new Promise((resolve) => setTimeout(resolve, RATE_WINDOW_MS));
    return call();
  }
}

function isStatus(error: unknown, status: number): boolean {
  return error instanceof VenueError && error.status === status;
}

/** Without an answer it is sent again: under the same id of the client it is placed once. */
export async function placeOrder(request: OrderRequest): Promise<void> {
  const clientId = newClientId();
  try {
    await place(request, clientId);
  } catch (error) {
    if (!(error instanceof VenueError) || error.code !== NO_ANSWER) throw error;
    await place(request, clientId);
  }
}

async function place(request: OrderRequest, clientId: string): Promise<void> {
  if (request.kind === 'order') {
    await session.ask(native.placeOrder, { ...request.order, clientId });
  } else {
    await session.ask(native.placeTrigger, { ...request.trigger, clientId });
  }
}

const CLIENT_ID_BYTES = 16;

function newClientId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(CLIENT_ID_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Closes all positions at market in one call; it throws what the first refusal says. */
export async function closeAll(): Promise<void> {
  const closings = await session.ask(native.closePositions, {});
  throwFirst(closings.map(({ error }) => error));
}

/**
 * Closes a position at market and opens as much on the other side, with nobody in between. What
 * could not be opened is thrown: the position is closed then.
 */
export async function reverse(symbol: string, side: HoldSide): Promise<void> {
  const asked = { symbol, side };
  const { error } = await session.ask(native.reversePosition, asked);
  throwFirst([error]);
}

/** What a row of a call of several was refused for. */
type RowFailure = native.ReversePositionAnswer['error'];

function throwFirst(failures: readonly RowFailure[]): void {
  const failed = failures.find((failure) => failure !== null);
  if (failed) throw new VenueError(failed.kind, failed.message, OK, failed);
}

export async function cancelOrder({ id }: OrderLine): Promise<void> {
  await session.ask(native.cancelOrder, { id });
}

export async function cancelPlan({ id }: PlanLine): Promise<void> {
  await session.ask(native.cancelTrigger, { id });
}

/** Cancels all of these; those that are closed meanwhile are passed over. */
export async function cancelOrders(orders: readonly OrderLine[]): Promise<void> {
  for (let from = 0; from < orders.length; from += CANCEL_BATCH_MAX) {
    const some = orders.slice(from, from + CANCEL_BATCH_MAX);
    const ids = some.map(({ id }) => id).join(',');
    const cancelled = await paced(() => session.ask(native.cancelOrders, { ids }));
    throwFirst(cancelled.map(({ error }) => error));
  }
}

/** One call each: no call cancels several. One that is gone meanwhile does not stop the others. */
export async function cancelPlans(plans: readonly PlanLine[]): Promise<void> {
  for (const plan of plans) {
    try {
      await paced(() => cancelPlan(plan));
    } catch (error) {
      if (!isStatus(error, NOT_FOUND)) throw error;
    }
  }
}

/** In cross mode there is no side: both have one leverage. */
export async function setLeverage(
  symbol: string,
  leverage: number,
  side: HoldSide | undefined,
): Promise<void> {
  const field = side === undefined ? 'crossLeverage' : (`${side}Leverage` as const);
  await session.ask(native.setLeverage, { symbol, [field]: leverage });
}

export async function setMarginMode(symbol: string, marginMode: MarginMode): Promise<void> {
  await session.ask(native.setMarginMode, { symbol, marginMode });
}

export async function adjustMargin(
  symbol: string,
  side: HoldSide,
  move: 'add' | 'remove',
  amount: string,
): Promise<void> {
  const asked = { symbol, side, move, amount };
  await session.ask(native.movePositionMargin, asked);
}

export async function setAutoMargin(
  symbol: string,
  side: HoldSide,
  autoMargin: boolean,
): Promise<void> {
  await session.ask(native.setAutoMargin, { symbol, side, autoMargin });
}

/** Where money is: spot, a contract by its name, or margin for all contracts of the coin. */
export type Wallet = string;

export async function transfer(
  coin: string,
  amount: string,
  from: Wallet,
  to: Wallet,
): Promise<void> {
  const asked = { coin, amount, from, to };
  await session.ask(native.transfer, asked);
}

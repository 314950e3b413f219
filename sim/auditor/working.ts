/**
 * Orders that go on with the commands of other markets in between: what waits for them, what they
 * do in each step, and that nothing but their market's halt or their owner's liquidation ends them.
 */
import type { Command, Event } from '#domain';
import { must, mustBe } from './judge.ts';
import type { ContractBook, ContractRest, Model, PairBook } from './model.ts';
import { noteFill } from './presets.ts';
import * as spot from './spot.ts';
import type { Turn } from './turn.ts';

/** Commands of a market or an account that an order at work does not hold up. */
const AHEAD = new Set<Command['kind']>([
  ...(['report_index', 'update_spot', 'update_contract', 'suspend_instrument'] as const),
]);

/** An order meets at least one other with each of its events. */
const STEP_LEAST = 250;

interface Named {
  readonly instrumentId: number;
  readonly accountId: number;
}

function all(model: Model): Named[] {
  const books = [...model.pairs.values(), ...model.contracts.values()];
  return books.flatMap(({ terms, working }) =>
    working === undefined
      ? []
      : [{ instrumentId: terms.instrumentId, accountId: working.order.accountId }],
  );
}

/** Whether a command waits for an order of its market or of its account. */
export function isHeldBack(model: Model, command: Command): boolean {
  const orders = all(model);
  if (orders.length === 0 || AHEAD.has(command.kind)) return false;
  if (/^cancel_all_(spot|contract)_orders$/.test(command.kind)) return true;
  const { instrumentId, accountId, toAccountId } = command as Partial<
    Named & { readonly toAccountId: number }
  >;
  return orders.some(
    (one) =>
      one.instrumentId === instrumentId ||
      one.accountId === accountId ||
      one.accountId === toAccountId,
  );
}

/** Contract orders of earlier steps may fill, rest or end in this one. */
export function begin(model: Model, turn: Turn): void {
  for (const { working } of model.contracts.values()) {
    if (working !== undefined) turn.incoming.set(working.order.orderId, working.order);
  }
}

/**
 * A step that goes on comes to what the order of a pair does: all of that at once, as foretold.
 * Returns how many events that were.
 */
export function goOnSpot(model: Model, turn: Turn): number {
  const first = turn.events[turn.at];
  const pair = first && pairOf(model, first);
  if (first === undefined || pair?.working === undefined) return 0;
  const numbers = { next: first.kind === 'trade' ? first.tradeId : 0 };
  const foretold = spot.goOn(model, pair, numbers, turn.timeMs);
  for (const [at, event] of foretold.entries()) {
    mustBe('answer', `event ${at} of an order that goes on`, turn.events[turn.at + at], event);
  }
  turn.count(pair.working === undefined ? 'order of a pair done' : 'order of a pair goes on');
  return foretold.length;
}

function pairOf(model: Model, event: Event): PairBook | undefined {
  switch (event.kind) {
    case 'trade':
    case 'order_rested':
      return model.pairs.get(event.instrumentId);
    case 'order_closed':
      if (event.reason === 'cancelled_by_operator' || event.reason === 'market_halted') {
        return undefined;
      }
      return model.pairs.get(event.order.instrumentId);
    default:
      return undefined;
  }
}

/** What an order has filled over several steps is protected once it is done. */
export function done(turn: Turn, book: ContractBook, order: ContractRest): void {
  if (book.working?.order !== order) return;
  if (order.filledLots > 0) noteFill(turn, book, order);
  turn.count('order of a contract done');
}

/** An owner's order does not end where it has met as many as one step may; a halt ends it. */
export function mustEndSo(
  book: ContractBook,
  { orderId, cause }: ContractRest,
  reason: string,
): void {
  const isCut = cause === 'owner' && reason === 'match_limit';
  must(!isCut, 'order', () => `${orderId} ends with more to take`);
  if (reason !== 'market_halted') return;
  const isHalted = book.working?.order.orderId === orderId && book.terms.status !== 'online';
  must(isHalted, 'order', () => `${orderId} ends for a halt and there is none`);
}

/** After a step: owners' orders that neither rest nor are over have met as many as they may. */
export function endStep(model: Model, turn: Turn, hasWork: boolean): void {
  for (const book of model.contracts.values()) {
    const { instrumentId } = book.terms;
    const left = [...turn.incoming.values()].filter(
      (order) => order.cause === 'owner' && turn.bookOf.get(order.orderId) === instrumentId,
    );
    const [order, ...others] =
      book.working && turn.incoming.has(book.working.order.orderId)
        ? [book.working.order, ...left]
        : left;
    mustBe('order', `orders that go on in ${instrumentId}`, others.length, 0);
    if (order === undefined) book.working = undefined;
    else {
      book.working = goesOn(turn, book, order);
      turn.incoming.delete(order.orderId);
      // Its TP/SL are armed once it is done.
      turn.protectedBy.delete(order);
      must(hasWork, 'order', () => `${order.orderId} is left and nothing goes on`);
    }
  }
  const isPairLeft = [...model.pairs.values()].some(({ working }) => working !== undefined);
  must(hasWork || !isPairLeft, 'order', () => 'an order of a pair is left and nothing goes on');
}

function goesOn(turn: Turn, book: ContractBook, order: ContractRest): ContractBook['working'] {
  const { working } = book;
  const isNew = working?.order !== order;
  const from = turn.events.findIndex((event) => isOf(event, order.orderId));
  // One of an earlier step may meet orders first that are taken off in its way.
  const met = turn.events.length - (isNew ? from : 0);
  must(from === -1 ? !isNew : met >= STEP_LEAST, 'order', () => {
    return `${order.orderId} goes on after ${met} events`;
  });
  mustBe('order', `${order.orderId} is filled whole or not`, order.force === 'fok', false);
  must(book.terms.status === 'online', 'order', () => `${order.orderId} outlives a halt`);
  turn.count('order of a contract goes on');
  if (!isNew) return working;
  const isBuy = order.action === 'open_long' || order.action === 'close_short';
  const worst = isBuy ? book.prices?.highestTicks : book.prices?.lowestTicks;
  return { order, limitTicks: order.type === 'limit' ? order.priceTicks : worst };
}

function isOf(event: Event, orderId: number): boolean {
  if (event.kind === 'contract_trade') return event.taker.orderId === orderId;
  return event.kind === 'contract_order_accepted' && event.orderId === orderId;
}

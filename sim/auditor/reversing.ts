/**
 * A position that is reversed: once the order that closes it is done, as much is opened on the
 * other side in the same step, or it is said why not, by the ladder of every order.
 */
import type { ContractOrderAccepted, ReversalRefused } from '#domain';
import { type Asked, judgeOrder } from './admission.ts';
import { openingRefusedDetail } from './details.ts';
import { must, mustBe } from './judge.ts';
import { type ContractBook, type ContractRest, holdSide, isOpening, type Model } from './model.ts';
import { seatIn } from './placed.ts';
import type { Turn } from './turn.ts';

/** Ends that leave nothing to be opened, because somebody else has ended the order. */
const TAKEN_AWAY: ReadonlySet<string> = new Set([
  ...['cancelled_by_owner', 'cancelled_by_operator', 'market_halted', 'liquidation'],
]);

/** The first order of a command that reverses is the one that closes. */
export function isClosing({ command, events }: Turn, { orderId }: ContractOrderAccepted): boolean {
  if (command.kind !== 'close_position' || !command.reverses) return false;
  const first = events.find((event) => event.kind === 'contract_order_accepted');
  return first?.orderId === orderId;
}

export function ended(turn: Turn, order: ContractRest, reason: string): void {
  if (!order.reverses || order.filledLots === 0 || TAKEN_AWAY.has(reason)) return;
  mustBe('reversal', 'reversals that wait', turn.reversed?.orderId, undefined);
  turn.reversed = order;
}

/** An opening that follows a close is the one that is owed, and as large as what was closed. */
export function opens(turn: Turn, { orderId, terms, reverses }: ContractOrderAccepted): void {
  if (reverses === undefined) return;
  const { reversed } = turn;
  mustBe('reversal', `what ${orderId} reverses`, reverses, reversed?.orderId);
  if (reversed === undefined) return;
  mustBe('reversal', `size of ${orderId}`, terms.sizeLots, reversed.filledLots);
  mustBe('reversal', `action of ${orderId}`, terms.action, openingOf(reversed));
  mustBe('reversal', `type of ${orderId}`, terms.type, 'market');
  turn.reversed = undefined;
  turn.count('reversal that opens');
}

export function refused(
  model: Model,
  turn: Turn,
  book: ContractBook,
  { orderId, accountId, instrumentId, refused: told }: ReversalRefused,
): void {
  const { reversed } = turn;
  mustBe('reversal', 'what is not opened', orderId, reversed?.orderId);
  if (reversed === undefined) return;
  turn.reversed = undefined;
  const sizeLots = reversed.filledLots as Asked['sizeLots'];
  const facts = { accountId, instrumentId, sizeLots, clientOrderId: undefined };
  const asked: Asked = { ...facts, action: openingOf(reversed), type: 'market', force: 'ioc' };
  const verdict = judgeOrder(model, asked, turn.timeMs, seatIn(model, accountId));
  if (verdict !== undefined) mustBe('reversal', `why ${orderId}`, told.reject, verdict);
  const detail = openingRefusedDetail(model, book, asked, told.reject);
  if (detail !== undefined) mustBe('detail', `what ${told.reject} is about`, told.detail, detail);
  turn.count('reversal that opens nothing');
}

/** Nothing is left to be opened after the step that has closed it. */
export function endStep({ reversed }: Turn): void {
  must(reversed === undefined, 'reversal', () => `nothing is opened after ${reversed?.orderId}`);
}

function openingOf({ action }: ContractRest): Asked['action'] {
  must(!isOpening(action), 'reversal', () => `${action} closes nothing`);
  return holdSide(action) === 'long' ? 'open_short' : 'open_long';
}

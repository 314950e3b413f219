/**
 * Liquidations that go on with the commands of others in between: what a step has begun goes on in
 * the contract that it was begun in, and meanwhile its owner may cancel and add money.
 */
import type { HoldSide } from '#domain';
import { must } from './judge.ts';
import { healthOf, isBreached, isCrossHeld } from './margin.ts';
import {
  type Begun,
  type ContractBook,
  type ContractRest,
  holdSide,
  type Model,
  marginWalletName,
  type Seat,
} from './model.ts';
import { isStale } from './prices.ts';
import type { Turn } from './turn.ts';

/** A step of so many events does no more. */
const STEP_MAX = 400;

/** Whether an owner is held off: nobody can tell while a step may have found it saved. */
export type Hold = 'none' | 'maybe' | 'surely';

function nameOf(
  model: Model,
  book: ContractBook,
  { accountId, mode }: Seat,
  side: HoldSide,
): Pick<Begun, 'accountId' | 'instrumentId' | 'unit' | 'wallet' | 'assetId'> {
  const { instrumentId, margin } = book.terms;
  const wallet = marginWalletName(model.accounts.get(accountId), book.terms);
  const unit = mode === 'cross' ? 'both' : side;
  return { accountId, instrumentId, unit, wallet, assetId: margin.assetId };
}

function isSameUnit(one: Begun, other: ReturnType<typeof nameOf>): boolean {
  if (one.accountId !== other.accountId || one.unit !== other.unit) return false;
  if (one.unit !== 'both') return one.instrumentId === other.instrumentId;
  return one.wallet === other.wallet && one.assetId === other.assetId;
}

/** A forced order comes in: returns what it goes on with, if that was begun in this contract. */
export function goOn(
  model: Model,
  turn: Turn,
  book: ContractBook,
  seat: Seat,
  side: HoldSide,
): Begun | undefined {
  const name = nameOf(model, book, seat, side);
  must(!turn.isCut, 'liquidation step', () => `${seat.accountId}: the step had done enough`);
  const found = model.begun.find((one) => isSameUnit(one, name));
  if (found === undefined) return undefined;
  model.begun = model.begun.filter((one) => one !== found);
  if (found.instrumentId === name.instrumentId) {
    turn.count('liquidation gone on with');
    return found;
  }
  const other = model.contracts.get(found.instrumentId);
  const left = other?.seats.get(seat.accountId);
  const isOpen =
    other !== undefined &&
    left !== undefined &&
    isCrossHeld({ book: other, seat: left }) &&
    other.terms.status !== 'suspended' &&
    !isStale(other, turn.timeMs);
  must(!isOpen, 'liquidation step', () => {
    const { accountId, instrumentId } = found;
    return `${accountId} was begun in ${instrumentId}, goes on in ${name.instrumentId}`;
  });
  return undefined;
}

/** A forced order ends: whether the next step has to go on with its unit. */
export function noteEnd(
  model: Model,
  turn: Turn,
  book: ContractBook,
  order: ContractRest,
  reason: string,
): void {
  const { accountId, cause } = order;
  const seat = book.seats.get(accountId);
  if (seat === undefined || (cause !== 'liquidation' && cause !== 'reduction')) return;
  const side = holdSide(order.action);
  const targetLots = cause === 'reduction' ? seat[side].lots - order.openLots : undefined;
  const isLimit = reason === 'match_limit';
  if (cause === 'reduction') {
    const unit = seat.mode === 'cross' ? 'both' : side;
    const health = healthOf(model, book, seat, unit, turn.marks);
    if (!isLimit || health === undefined || !isBreached(health)) return;
  } else if (order.openLots === 0 || !(isLimit || isSpent(turn))) return;
  turn.isCut = true;
  const begun = { ...nameOf(model, book, seat, side), targetLots, isSure: true };
  model.begun.push(begun);
  turn.begun.add(begun);
}

/** Whether a step has done as much as it does of liquidations. */
export function isSpent({ at, waves, isCut }: Turn): boolean {
  const breaches = [...waves.values()].map(({ breached }) => breached.length);
  return isCut || at >= STEP_MAX || breaches.some((count) => count >= STEP_MAX);
}

/** After a step that goes on: what was begun before has had its turn, or the step was spent. */
export function endStep(model: Model, turn: Turn, hasWork: boolean): void {
  const earlier = model.begun.filter((one) => !turn.begun.has(one));
  const isDone = !hasWork || (turn.command.kind === 'continue_work' && !isSpent(turn));
  if (isDone) {
    for (const one of earlier) mustBeSaved(model, turn, one);
    model.begun = model.begun.filter((one) => turn.begun.has(one));
    must(
      hasWork || model.begun.length === 0,
      'liquidation step',
      () => 'what was begun does not go on',
    );
    return;
  }
  const { kind } = turn.command;
  if (kind !== 'continue_work' && kind !== 'tick' && kind !== 'report_index') return;
  for (const one of earlier) one.isSure = false;
}

/** It was dealt with no more because it is above its threshold, or nothing of it can be closed. */
function mustBeSaved(model: Model, turn: Turn, { accountId, instrumentId, unit }: Begun): void {
  const books = [...model.contracts.values()];
  const isQuiet = books.some(
    (one) => one.terms.status === 'suspended' || isStale(one, turn.timeMs),
  );
  const book = model.contracts.get(instrumentId);
  const seat = book?.seats.get(accountId);
  if (isQuiet || book === undefined || seat === undefined) return;
  const health = healthOf(model, book, seat, unit);
  const isLeft = health !== undefined && isBreached(health);
  must(!isLeft || turn.wasDeleveraged.has(accountId), 'liquidation step', () => {
    return `${accountId} ${unit} in ${instrumentId} was begun and is left alone`;
  });
}

function holdOf(found: readonly Begun[]): Hold {
  if (found.length === 0) return 'none';
  return found.some(({ isSure }) => isSure) ? 'surely' : 'maybe';
}

/** Whether an owner may change what is on a side of a contract, or on either. */
export function holdOn(model: Model, book: ContractBook, seat: Seat, side?: HoldSide): Hold {
  const { accountId, mode } = seat;
  const wallet = marginWalletName(model.accounts.get(accountId), book.terms);
  const found = model.begun.filter((one) => {
    if (one.accountId !== accountId) return false;
    if (one.unit !== 'both') {
      const isHere = one.instrumentId === book.terms.instrumentId;
      return isHere && (side === undefined || side === one.unit);
    }
    if (one.wallet !== wallet || one.assetId !== book.terms.margin.assetId) return false;
    return mode === 'cross';
  });
  return holdOf(found);
}

/** Whether money may leave a wallet. */
export function holdOnWallet(
  model: Model,
  accountId: number,
  wallet: string,
  assetId: number,
): Hold {
  const found = model.begun.filter(
    (one) => one.accountId === accountId && one.wallet === wallet && one.assetId === assetId,
  );
  return holdOf(found);
}

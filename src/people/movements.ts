/**
 * What one operator may move alone: up to a limit by coin, of each movement and of what the
 * operator has moved, and an account has seen, within 24 hours. A movement is written down before
 * the sums are looked at, so that of two at a time at most one passes; one that did not happen is
 * forgotten.
 */
import { assert, parseDecimal } from '#kernel';
import type { ApprovalContext } from './approvals.ts';
import type { AloneMovement, OperatorLimit } from './ports/movements.ts';
import type { ActingOperator } from './ports/operators.ts';
import { newId } from './secrets/tokens.ts';

export const LIMIT_WINDOW_MS = 24 * 3_600_000;
/** Of a coin in a day, by an operator or of an account: with more the sum is not known. */
const MOVEMENTS_MAX = 10_000;
/** The finest of a coin: limits are compared there. */
const SCALE_MAX = 18;

/** So much of a coin, in decimal text. */
export interface MovedAlone {
  readonly coin: string;
  readonly amount: string;
  /** 0 where no account has it. */
  readonly accountId: number;
  /** What is the same movement again counts once. */
  readonly movementId?: string;
}

export interface LimitSeen {
  readonly coin: string;
  /** Decimal text; empty for none. */
  readonly amount: string;
  /** Of the configuration; empty for none. */
  readonly configured: string;
  /** Undefined while the configuration's holds. */
  readonly changed: OperatorLimit | undefined;
}

/** A movement that one operator may carry out alone. */
export interface AloneMoved {
  /** It has not happened. */
  forget(): Promise<void>;
}

/** Limits as they hold: what owners have set in place of the configuration's. */
export async function limitsSeen({
  people,
  settings,
}: Pick<ApprovalContext, 'people' | 'settings'>): Promise<readonly LimitSeen[]> {
  const set = people.mayHold ? await (await people.get()).operatorLimits() : [];
  const coins = new Set([...settings.twoPersonAbove.keys(), ...set.map(({ coin }) => coin)]);
  return [...coins].sort().map((coin) => {
    const configured = settings.twoPersonAbove.get(coin) ?? '';
    const changed = set.find((one) => one.coin === coin);
    return { coin, configured, amount: changed?.amount ?? configured, changed };
  });
}

/** Undefined where the movement needs a second operator; otherwise how to forget it again. */
export async function moveAlone(
  context: ApprovalContext,
  by: ActingOperator,
  { coin, amount, accountId, movementId }: MovedAlone,
): Promise<AloneMoved | undefined> {
  const limit = (await limitsSeen(context)).find((one) => one.coin === coin)?.amount ?? '';
  if (limit === '') return { forget: async () => undefined };
  const max = finest(limit);
  if (finest(amount) > max) return undefined;
  const { people, nowMs } = context;
  const store = await people.get();
  const timeMs = nowMs();
  const id = movementId ?? newId(timeMs);
  const moved = { movementId: id, operatorId: by.id, accountId, coin, amount, timeMs };
  if (!(await store.addMovement(moved))) return { forget: async () => undefined };
  const sinceMs = timeMs - LIMIT_WINDOW_MS;
  const query = { coin, operatorId: by.id, accountId, sinceMs, limit: MOVEMENTS_MAX };
  const all = await store.movements(query);
  const forget = (): Promise<void> => store.dropMovement(id);
  const ofOperator = sumOf(all.filter(({ operatorId }) => operatorId === by.id));
  const ofAccount = accountId === 0 ? 0n : sumOf(all.filter((one) => one.accountId === accountId));
  if (all.length < MOVEMENTS_MAX && ofOperator <= max && ofAccount <= max) return { forget };
  await forget();
  return undefined;
}

/** From now on this holds; an empty amount is none. */
export async function setLimit(
  { people, nowMs }: Pick<ApprovalContext, 'people' | 'nowMs'>,
  { coin, amount, changedBy }: Omit<OperatorLimit, 'changedMs'>,
): Promise<void> {
  const store = await people.get();
  await store.setOperatorLimit({ coin, amount, changedBy, changedMs: nowMs() });
}

/** Whether one owner may set it alone: what was free is held, or held to less than before. */
export async function isTighter(
  context: ApprovalContext,
  { coin, amount }: Pick<OperatorLimit, 'coin' | 'amount'>,
): Promise<boolean> {
  const now = (await limitsSeen(context)).find((one) => one.coin === coin)?.amount ?? '';
  if (now === '') return true;
  return amount !== '' && finest(amount) <= finest(now);
}

function sumOf(all: readonly AloneMovement[]): bigint {
  return all.reduce((sum, { amount }) => sum + finest(amount), 0n);
}

/** In the smallest unit that a coin may have. */
function finest(text: string): bigint {
  const units = parseDecimal(text, SCALE_MAX);
  assert(typeof units === 'bigint', 'amounts and limits are decimals');
  return units;
}

/**
 * What one operator may move alone, by whichever way: up to a limit by coin, of each movement and
 * of what the operator has moved, and an account has seen, within 24 hours. All ways by which an
 * operator has money appear, move or leave ask here. A movement is written down before the sums
 * are looked at, so that of two at a time at most one passes; one that did not happen is forgotten.
 */
import { assert, parseDecimal } from '#kernel';
import type { LazyPeople } from '../open.ts';
import type { PeopleStore } from '../port.ts';
import { newId } from '../secrets/tokens.ts';
import type { OperatorSettings } from '../settings.ts';
import type { AloneMovement, OperatorLimit } from './movements-port.ts';
import type { ActingOperator } from './port.ts';

/** What the rule of two works with. */
export interface ApprovalContext {
  readonly people: LazyPeople;
  readonly nowMs: () => number;
  readonly settings: OperatorSettings;
}

export const LIMIT_WINDOW_MS = 24 * 3_600_000;
/** Of a coin in a day, by an operator or of an account: with more the sum is not known. */
const MOVEMENTS_MAX = 10_000;
/** The finest of a coin: limits are compared there. */
const SCALE_MAX = 18;

/** So much of a coin, in decimal text. */
export interface MovedAlone {
  readonly coin: string;
  readonly amount: string;
  /** 0 where no single account has it. */
  readonly accountId: number;
  /** Other accounts that gain. */
  readonly others?: readonly number[];
  /** The operator gains, in whichever account. */
  readonly isOwn?: boolean;
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

/** One operator may carry it out alone. */
export interface AloneMoved {
  /** It has not happened. */
  forget(): Promise<void>;
}

/** It takes a second operator: the first movement that is too much, or the operator's own gain. */
export interface Beyond {
  readonly beyond: MovedAlone;
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

/** All of it, or none: whether one operator may have it happen. */
export async function moveAlone(
  context: ApprovalContext,
  by: ActingOperator,
  moves: readonly MovedAlone[],
): Promise<AloneMoved | Beyond> {
  const limits = new Map((await limitsSeen(context)).map(({ coin, amount }) => [coin, amount]));
  const counted: AloneMoved[] = [];
  const forget = async (): Promise<void> => {
    for (const one of counted) await one.forget();
  };
  for (const moved of moves) {
    const limit = limits.get(moved.coin) ?? '';
    if (limit === '') continue;
    const alone = await moveOne(context, by, moved, finest(limit));
    if (alone === undefined) {
      await forget();
      return { beyond: moved };
    }
    counted.push(alone);
  }
  return { forget };
}

const NOTHING: AloneMoved = { forget: async () => undefined };

async function moveOne(
  { people, nowMs }: ApprovalContext,
  by: ActingOperator,
  moved: MovedAlone,
  max: bigint,
): Promise<AloneMoved | undefined> {
  const { coin, amount, accountId, movementId } = moved;
  const store = await people.get();
  if (await isOwnGain(store, by, moved)) return undefined;
  if (finest(amount) > max) return undefined;
  if (finest(amount) === 0n) return NOTHING;
  const timeMs = nowMs();
  const id = movementId ?? newId(timeMs);
  const written = { movementId: id, operatorId: by.id, accountId, coin, amount, timeMs };
  if (!(await store.addMovement(written))) return NOTHING;
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

/** Whether the operator, or an account that the operator may use, gains. */
export async function isOwnGain(
  store: Pick<PeopleStore, 'accessOf'>,
  { id }: Pick<ActingOperator, 'id'>,
  { accountId, others = [], isOwn = false }: Pick<MovedAlone, 'accountId' | 'others' | 'isOwn'>,
): Promise<boolean> {
  if (isOwn) return true;
  const used = await store.accessOf(id);
  return used.some((one) => one.accountId === accountId || others.includes(one.accountId));
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

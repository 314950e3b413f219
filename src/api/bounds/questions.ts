/**
 * What processes ask the one that counts, and what it says, as JSON. Both ends belong to one venue;
 * what they do not understand is no question all the same.
 */
import type { ReplayVerdict } from '../keys/replay-guard.ts';
import type { OwnerCount } from './connection-tally.ts';
import type { Taken, WindowUse } from './windows.ts';

export type Question =
  | readonly ['take', caller: string, uses: readonly WindowUse[]]
  | readonly ['give', caller: string, uses: readonly WindowUse[], agoMs: number]
  | readonly ['sign', key: string, createdMs: number, signature: string, timestampMs: number]
  | readonly ['enter', max: number, counts: readonly OwnerCount[]]
  /** Whole: owners that it does not name have none. */
  | readonly ['hold', counts: readonly OwnerCount[], isWhole: boolean];

const VERDICTS: readonly ReplayVerdict[] = ['new', 'repeated', 'too_early', 'too_late', 'full'];

export function readQuestion(text: string): Question | undefined {
  const asked: unknown = parsed(text);
  if (!Array.isArray(asked)) return undefined;
  const [tag, ...rest] = asked;
  const [first, second, third, fourth] = rest;
  if (tag === 'take' && isText(first) && isListOf(second, isUse)) return ['take', first, second];
  if (tag === 'give' && isText(first) && isListOf(second, isUse) && isNumber(third)) {
    return ['give', first, second, third];
  }
  if (tag === 'sign' && isText(first) && isNumber(second) && isText(third) && isNumber(fourth)) {
    return ['sign', first, second, third, fourth];
  }
  if (tag === 'enter' && isNumber(first) && isListOf(second, isOwnerCount)) {
    return ['enter', first, second];
  }
  if (tag === 'hold' && isListOf(first, isOwnerCount) && typeof second === 'boolean') {
    return ['hold', first, second];
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isTaken(value: unknown): value is Taken {
  return isObject(value) && isNumber(Reflect.get(value, 'waitMs')) && 'used' in value;
}

export function readVerdict(value: unknown): ReplayVerdict | undefined {
  return VERDICTS.find((verdict) => verdict === value);
}

function isUse(value: unknown): value is WindowUse {
  if (!isObject(value)) return false;
  const field = (name: string): unknown => Reflect.get(value, name);
  const isLimit = field('limit') === undefined || isNumber(field('limit'));
  return (
    isText(field('name')) && isNumber(field('windowMs')) && isNumber(field('price')) && isLimit
  );
}

function isOwnerCount(value: unknown): value is OwnerCount {
  return Array.isArray(value) && isText(value[0]) && isNumber(value[1]);
}

function isListOf<T>(value: unknown, isOne: (one: unknown) => one is T): value is T[] {
  return Array.isArray(value) && value.every(isOne);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

/** Expected figures: `filled`, `100`, `above 100`, `at least 5`, `not 0`, `about 9 within 0.5`. */
import { parseDecimal } from '#kernel';

/** Digits behind the point that are compared; the finest amount of a venue has fewer. */
const SCALE = 24;
const WORDED = /^(above|below|at least|at most|not) (\S+)$/;
const ABOUT = /^about (\S+) within (\S+)$/;

type Test = (order: number) => boolean;

const TESTS: Readonly<Record<string, Test>> = {
  above: (order) => order > 0,
  below: (order) => order < 0,
  'at least': (order) => order >= 0,
  'at most': (order) => order <= 0,
};

/** Whether text can be expected at all: comparisons need numbers, words stand for themselves. */
export function isExpected(expected: string): boolean {
  const about = ABOUT.exec(expected);
  if (about !== null) return about.slice(1).every((text) => numberOf(text) !== undefined);
  const worded = WORDED.exec(expected);
  if (worded === null) return /^\S/.test(expected);
  return worded[1] === 'not' || numberOf(worded[2]) !== undefined;
}

/** Numbers are compared by value (`30000` is `30000.00`), everything else letter by letter. */
export function meets(expected: string, actual: string): boolean {
  const about = ABOUT.exec(expected);
  if (about !== null) return isNear(about[1], about[2], actual);
  const [, word = '', text = expected] = WORDED.exec(expected) ?? [];
  if (word === 'not') return !isSame(text, actual);
  const test = TESTS[word];
  if (test === undefined) return isSame(expected, actual);
  const limit = numberOf(text);
  const value = numberOf(actual);
  return (
    limit !== undefined &&
    value !== undefined &&
    test(Number(value > limit) - Number(value < limit))
  );
}

function isSame(expected: string, actual: string): boolean {
  const value = numberOf(actual);
  return expected === actual || (value !== undefined && value === numberOf(expected));
}

function isNear(middleText: string | undefined, roomText: string | undefined, actual: string) {
  const middle = numberOf(middleText);
  const room = numberOf(roomText);
  const value = numberOf(actual);
  if (middle === undefined || room === undefined || value === undefined) return false;
  return value >= middle - room && value <= middle + room;
}

function numberOf(text: string | undefined): bigint | undefined {
  const value = parseDecimal(text ?? '', SCALE);
  return typeof value === 'bigint' ? value : undefined;
}

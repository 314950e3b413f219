/**
 * Assertions. A failed one is a bug in this program, never bad input: the process ends, and
 * starting it again recovers.
 */

export class AssertionFailed extends Error {
  override readonly name = 'AssertionFailed';
}

/** Crashes unless the condition holds. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new AssertionFailed(message);
}

/** Closes a switch over a union: a new member fails to compile, a foreign value crashes. */
export function unreachable(value: never): never {
  throw new AssertionFailed(`unreachable value: ${String(value)}`);
}

/** The value, which this program knows to be present. */
export function present<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new AssertionFailed(`missing ${what}`);
  return value;
}

/** The time range of a list: both ends are a part of it. */
import { type Refused, refuse } from '#domain';
import { UNIX_MS } from '../kit/fields.ts';
import type { Field } from '../kit/request.ts';
import * as schema from '../kit/schema.ts';

export interface AskedRange {
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
}

/** A time in milliseconds. */
export function timeMsField(description: string): Field<number | undefined> {
  return {
    schema: schema.optional(description, schema.whole()),
    read: (fields, name) => fields.wholeNumber(name, UNIX_MS),
  };
}

export const START_TIME = timeMsField('From this time on, in milliseconds');
export const END_TIME = timeMsField('Up to this time, in milliseconds');

/** The range from one time to another, or why there is none. */
export function rangeOf(
  fromMs: number | undefined,
  toMs: number | undefined,
): AskedRange | Refused {
  const isReversed = fromMs !== undefined && toMs !== undefined && fromMs > toMs;
  return isReversed ? refuse('time_range_reversed') : { fromMs, toMs };
}

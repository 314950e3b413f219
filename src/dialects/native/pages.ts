/** Pages of what was, newest first: their rows, and where the next one begins. */
import Type, { type TSchema } from 'typebox';
import { CANDLE_TIME_MAX_MS, LIMITS, type Refused, refuse } from '#domain';
import { UNIX_MS } from '../kit/fields.ts';
import { type Field, pageLimit } from '../kit/request.ts';
import { jsonList, objectOf, type Row } from '../kit/row.ts';
import * as schema from '../kit/schema.ts';

export const ROWS = pageLimit('Rows', LIMITS.pageRowsDefault, LIMITS.historyRowsMax);

/** A bound of time; undefined when it is left out. */
function timeBound(description: string): Field<number | undefined> {
  return {
    schema: schema.optional(description, schema.whole()),
    read: (fields, name) => fields.wholeNumber(name, UNIX_MS),
  };
}

/** The span of time that a list is asked for. */
export const SPAN = {
  from: timeBound('From this time on, in Unix milliseconds'),
  to: timeBound('Up to this time'),
};

/** As the `next` of a page whose rows have no ids, and are told apart by their time. */
export const BEFORE_TIME = timeBound('Only what was before this time, as next says it');

interface Span {
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
}

/** `before` ends the span a millisecond earlier. */
export function spanOf(
  from: number | undefined,
  to: number | undefined,
  before?: number,
): Span | Refused {
  if (from !== undefined && to !== undefined && from > to) return refuse('time_range_reversed');
  if (before === undefined) return { fromMs: from, toMs: to };
  return { fromMs: from, toMs: Math.min(to ?? CANDLE_TIME_MAX_MS, before - 1) };
}

/** A page, and what the next one begins before. */
export function pageOf<V>(item: Row<V>, next: TSchema = schema.id('Id')) {
  return objectOf({
    rows: { schema: Type.Array(item.schema), example: [item.example] },
    next: {
      schema: Type.Union([next, Type.Null()], {
        description: 'Give it as before for the next page; null on the last one',
      }),
      example: null,
    },
  });
}

/** A time as text, where that is what a page begins before. */
export const NEXT_TIME = schema.timeMs('Time');

/** A page that was asked for with this limit: the last one has fewer rows. */
export function writePage<V>(
  rows: readonly V[],
  { write }: Row<V>,
  nextOf: (row: V) => string,
  limit: number,
): string {
  const last = rows.at(-1);
  const next = rows.length < limit || last === undefined ? 'null' : `"${nextOf(last)}"`;
  return `{"rows":${jsonList(rows, write)},"next":${next}}`;
}

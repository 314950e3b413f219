/** What a call of several answers of each: which order it is about, or why it was refused. */
import Type from 'typebox';
import type { OrderId, Refused } from '#domain';
import { formatId } from '../kit/ids.ts';
import { type Column, id, nullOr, orNull, row, text } from '../kit/row.ts';
import * as schema from '../kit/schema.ts';
import { type Failure, failureOf } from './frame.ts';

export const FAILURE = Type.Object({
  kind: Type.String({ description: 'Which refusal: docs/REJECTS.md has them all' }),
  message: Type.String({ description: 'What is wrong, for a person' }),
  figures: Type.Record(Type.String(), Type.String(), {
    description: 'Exact figures by name: needed, has, min, max, coin, symbol, field',
  }),
  hint: Type.String({ description: 'What to do about it' }),
});

/** Why this one was refused; null where it was not. */
export function failure<V>(
  description: string,
  refusedOf: (value: V) => Refused | undefined,
): Column<V, Failure | null> {
  return {
    schema: Type.Union([FAILURE, Type.Null()], { description }),
    example: null,
    json: (value) => {
      const refused = refusedOf(value);
      return refused === undefined ? 'null' : JSON.stringify(failureOf(refused));
    },
  };
}

export interface Placed {
  readonly orderId: OrderId;
  readonly clientOrderId: string | undefined;
}

const CLIENT_ID = nullOr<Pick<Placed, 'clientOrderId'>, string>(
  'As the client chose it; null for none',
  text('Client id', 'grid-7', ({ clientOrderId }) => clientOrderId ?? ''),
  ({ clientOrderId }) => clientOrderId === undefined,
);

export const PLACED = row<Placed>()({
  id: id('Order', formatId(28), ({ orderId }) => formatId(orderId)),
  clientId: CLIENT_ID,
});

/** Of a batch: an order, or why there is none. */
export type PlacedItem = Pick<Placed, 'clientOrderId'> & { readonly outcome: OrderId | Refused };

export const PLACED_ITEM = row<PlacedItem>()({
  id: orNull(schema.id('Id'), 'Order; null where it was refused', formatId(28), ({ outcome }) =>
    typeof outcome === 'number' ? formatId(outcome) : null,
  ),
  clientId: CLIENT_ID,
  error: failure('Why it was refused; null where it was placed', ({ outcome }) =>
    typeof outcome === 'number' ? undefined : outcome,
  ),
});

export interface Cancelled {
  readonly orderId: OrderId;
  readonly refused: Refused | undefined;
}

export const CANCELLED = row<Cancelled>()({
  id: id('Order', formatId(28), ({ orderId }) => formatId(orderId)),
  error: failure('Why it was not cancelled; null where it was', ({ refused }) => refused),
});

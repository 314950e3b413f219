/** What became of orders that were placed or cancelled, alone or in a batch. */

import Type from 'typebox';
import { isRefused, type OrderId, type Refused } from '#domain';
import { clientIdOf, formatId } from '../kit/ids.ts';
import { ID_NUMBER, idNumber, objectOf, row, type Shape, text, truth } from '../kit/row.ts';
import { codeOf, rejectText } from './rejects.ts';

const EXAMPLE_ID = String(ID_NUMBER);

/** An order that was placed, or that had this client id already. */
export interface Placed {
  readonly orderId: OrderId;
  readonly clientOrderId: string | undefined;
}

/** Empty when it succeeded: clients take any other code for a failure. */
function failure<V>(of: (value: V) => Refused | undefined) {
  const written = (write: (refused: Refused) => string) => (value: V) => {
    const refused = of(value);
    return refused === undefined ? '' : write(refused);
  };
  return {
    errorCode: text<V>(
      'Code as for a single order; empty for none',
      '',
      written((refused) => String(codeOf(refused, 'contract'))),
    ),
    errorMessage: text<V>(
      'Why it failed; empty otherwise',
      '',
      written((refused) => rejectText(refused, 'contract')),
    ),
  };
}

interface PlacedItem {
  readonly outcome: Placed | Refused;
  /** As the client sent it. */
  readonly clientOrderId: string;
}

export const PLACED_ITEM = row<PlacedItem>()({
  orderId: text('Order id; empty when refused', EXAMPLE_ID, ({ outcome }) =>
    isRefused(outcome) ? '' : formatId(outcome.orderId),
  ),
  clientOrderId: text('Id chosen by the client, or the order id', 'grid-7', (item) => {
    const { outcome } = item;
    return isRefused(outcome) ? item.clientOrderId : clientIdOf(outcome);
  }),
  success: truth('Whether it was placed', true, ({ outcome }) => !isRefused(outcome)),
  ...failure<PlacedItem>(({ outcome }) => (isRefused(outcome) ? outcome : undefined)),
});

export const PLACED: Shape & { readonly write: (placed: Placed) => string } = {
  schema: PLACED_ITEM.schema,
  example: PLACED_ITEM.example,
  write: (outcome) => PLACED_ITEM.write({ outcome, clientOrderId: clientIdOf(outcome) }),
};

interface Cancelled {
  /** Its id, or as the client sent it; empty when that is not known. */
  readonly orderId: string;
  /** Empty for an order named by its id. */
  readonly clientOrderId: string;
  readonly refused: Refused | undefined;
}

export const CANCELLED = row<Cancelled>()({
  orderId: text('Order id', EXAMPLE_ID, ({ orderId }) => orderId),
  origClientOrderId: text(
    'Id chosen by the client, where it was named by that',
    '',
    (cancelled) => cancelled.clientOrderId,
  ),
  success: truth('Whether it was cancelled', true, ({ refused }) => refused === undefined),
  ...failure<Cancelled>(({ refused }) => refused),
});

interface CancelledOfAll {
  readonly item: { readonly orderId: OrderId };
  readonly refused: Refused | undefined;
}

/** Orders that were over before their turn are not among them. */
export const CANCELLED_OF_ALL = row<CancelledOfAll>()({
  orderId: idNumber('Order id', ({ item }) => formatId(item.orderId)),
  success: truth('Whether it was cancelled', true, ({ refused }) => refused === undefined),
  ...failure<CancelledOfAll>(({ refused }) => refused),
});

/** The answer to a batch. */
export function listOfOrders<D>({ schema, example }: Shape<D>) {
  return objectOf({ orderList: { schema: Type.Array(schema), example: [example] } });
}

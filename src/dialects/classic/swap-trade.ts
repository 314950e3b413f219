/** Placing and cancelling contract orders, alone and in batches. */
import Type from 'typebox';
import type { Services } from '#api';
import {
  type AccountId,
  type Contract,
  type Event,
  isRefused,
  LIMITS,
  type OrderId,
  type Refused,
  refuse,
} from '#domain';
import { assert } from '#kernel';
import { settleBatch, submitBatch } from '../kit/batch.ts';
import { type SignedEndpoint, signedEndpoint, signedEndpointReadBy } from '../kit/endpoint.ts';
import { ORDER_ID } from '../kit/examples.ts';
import { scalarText } from '../kit/fields.ts';
import { houseReject } from '../kit/house-rejects.ts';
import { clientIdOf, formatId } from '../kit/ids.ts';
import { type Field, readByAnother, requestSchema } from '../kit/request.ts';
import {
  type Column,
  encoded,
  id,
  jsonList,
  objectOf,
  orNull,
  row,
  text,
  truth,
} from '../kit/row.ts';
import * as schema from '../kit/schema.ts';
import { rejectText } from './rejects.ts';
import { ORDER_FIELDS, ORDER_LIST, readBatchItem, readContractOrder } from './swap-new-order.ts';
import {
  EXAMPLE_REFERENCE,
  findClosedOrder,
  ORDER_REFERENCE,
  type OrderReference,
  referenceOf,
} from './swap-orders.ts';
import {
  BASE,
  CHANGING,
  CONTRACT,
  contractColumn,
  type OfContract,
  ORDER_RATE,
  SYMBOL,
} from './swap-terms.ts';

/** The orders that a batch cancel is about. */
const ORDER_IDS: Field<readonly OrderReference[]> = {
  schema: Type.Array(ORDER_REFERENCE.schema, { description: 'Order ids, up to 50', minItems: 1 }),
  read: (fields, name) => {
    const texts = fields.list(name, LIMITS.contractCancelBatchMax).map(scalarText);
    if (texts.includes(undefined))
      fields.refuse('parameter_invalid', `${name} must hold order ids`);
    return texts.map((one) => referenceOf(one ?? ''));
  },
};

/** An order or plan order that got its id. */
export interface PlacedOrder {
  readonly orderId: OrderId;
  readonly clientOrderId: string | undefined;
}

export const PLACED = row<PlacedOrder>()({
  client_oid: text('Id chosen by the client, or the order id', 'drv#1', clientIdOf),
  order_id: id('Order id', ORDER_ID, (placed) => formatId(placed.orderId)),
});

/** What became of an order in a batch, or of a cancel. */
interface Outcome {
  readonly outcome: PlacedOrder | Refused;
}

/** The code of a refusal as for a single call; null without one. */
function code(description: string, example: string | null): Column<Outcome, string | null> {
  return orNull(schema.decimal('Code'), description, example, ({ outcome }) =>
    isRefused(outcome) ? houseReject(outcome.reject).code : null,
  );
}

function reason(description: string, example: string | null): Column<Outcome, string | null> {
  return orNull(Type.String(), description, example, ({ outcome }) =>
    isRefused(outcome) ? rejectText(outcome) : null,
  );
}

const BATCH_ITEM = row<Outcome & { readonly clientOrderId: string }>()({
  result: truth('Whether this order was placed', true, ({ outcome }) => !isRefused(outcome)),
  client_oid: text(
    'As the client sent it, or the order id',
    'drv#1',
    ({ outcome, clientOrderId }) => (isRefused(outcome) ? clientOrderId : clientIdOf(outcome)),
  ),
  order_id: encoded(
    {
      schema: Type.Union([schema.id('Order id'), Type.Literal('')], {
        description: 'Order id; empty when refused',
      }),
      example: ORDER_ID,
    },
    ({ outcome }) => (isRefused(outcome) ? '""' : `"${formatId(outcome.orderId)}"`),
  ),
  error_code: code('Code as for a single order; null when placed', null),
  error_message: reason('Why it was refused; null when placed', null),
});

const WORKED_THROUGH = encoded(
  { schema: Type.Literal(true, { description: 'The batch was worked through' }), example: true },
  () => 'true',
);

/** Whether a batch was worked through: each order succeeds or fails alone. */
const ORDER_BATCH = objectOf({
  result: WORKED_THROUGH,
  order_info: {
    schema: Type.Array(BATCH_ITEM.schema, { description: 'One per order, in request order' }),
    example: [BATCH_ITEM.example],
  },
});

/** What a cancel did; one that could not be done is no error of the call: clients read err_msg. */
export interface CancelOutcome extends Outcome {
  /** As the client sent it. */
  readonly idText: string;
  /** An order of the caller's that is over, which is why it was not cancelled. */
  readonly over?: PlacedOrder | undefined;
}

const CANCEL_COLUMNS = {
  order_id: text<CancelOutcome>('Order id as the client sent it', ORDER_ID, (cancel) =>
    isRefused(cancel.outcome) ? cancel.idText : formatId(cancel.outcome.orderId),
  ),
  client_oid: orNull<CancelOutcome>(
    Type.String(),
    'Its id chosen by the client; null where no order of yours is named',
    'drv#1',
    ({ outcome, over }) => {
      const named = isRefused(outcome) ? over : outcome;
      return named === undefined ? null : clientIdOf(named);
    },
  ),
  result: truth<CancelOutcome>(
    'Whether it was cancelled',
    true,
    ({ outcome }) => !isRefused(outcome),
  ),
  err_code: code('Why it was not cancelled: a code; null when it was', null),
  err_msg: reason('Why it was not cancelled; null when it was', null),
};

const CANCEL = row<CancelOutcome & OfContract>()({
  symbol: contractColumn('Contract'),
  ...CANCEL_COLUMNS,
});

/** The same of a plan order. */
export const PLAN_CANCEL = row<CancelOutcome>()(CANCEL_COLUMNS);

const CANCEL_FAILURE = row<CancelOutcome>()({
  order_id: text('Order id as the client sent it', formatId(99), ({ idText }) => idText),
  err_code: code('Why it was not cancelled: a code; null when it was', '40109'),
  err_msg: reason('Why it was not cancelled; null when it was', 'Order does not exist'),
});

interface CancelledBatch extends OfContract {
  readonly cancelled: readonly OrderId[];
  readonly failures: readonly CancelOutcome[];
}

const CANCEL_BATCH = row<CancelledBatch>()({
  symbol: contractColumn('Contract'),
  result: WORKED_THROUGH,
  order_ids: encoded(
    { schema: Type.Array(schema.id('A cancelled order')), example: [ORDER_ID] },
    ({ cancelled }) => jsonList(cancelled, (one) => `"${formatId(one)}"`),
  ),
  fail_infos: encoded(
    {
      schema: Type.Array(CANCEL_FAILURE.schema, { description: 'The others, and why' }),
      example: [CANCEL_FAILURE.example],
    },
    ({ failures }) => jsonList(failures, CANCEL_FAILURE.write),
  ),
});

/** The ids an order got, or why it got none. */
function placedOrder([first]: readonly Event[]): PlacedOrder | Refused {
  if (first?.kind === 'refused') return first;
  assert(first?.kind === 'contract_order_accepted', 'an order is accepted or refused');
  return first;
}

/** Whether a cancel failed because of the order it names, which is answered with result false. */
export function isAboutOrder({ reject }: Refused): boolean {
  return reject === 'order_unknown' || reject === 'order_state_wrong';
}

async function cancel(
  services: Services,
  accountId: AccountId,
  contract: Contract,
  { orderId }: OrderReference,
): Promise<PlacedOrder | Refused> {
  if (orderId === undefined) return refuse('order_unknown');
  const { instrumentId } = contract;
  const order = { accountId, instrumentId, orderId };
  const events = await services.venue.submit({ kind: 'cancel_contract_order', ...order });
  const [first] = events;
  if (first?.kind !== 'refused') return cancelledOrder(events, orderId);
  if (first.reject !== 'order_unknown') return first;
  const closed = await findClosedOrder(services, accountId, contract, orderId);
  return closed === undefined ? first : refuse('order_state_wrong');
}

function cancelledOrder(events: readonly Event[], orderId: OrderId): PlacedOrder {
  for (const event of events) {
    if (event.kind === 'contract_order_closed' && event.order.orderId === orderId) {
      return event.order;
    }
  }
  assert(false, 'a cancel closes its order or is refused');
}

/** What the endpoints here have in common. */
export const TRADE = { ...CHANGING, rate: ORDER_RATE } as const;

const NEW_ORDER = {
  client_oid: 'drv#1',
  size: '1',
  type: '1',
  order_type: '0',
  match_price: '0',
  price: '29550',
};

export const SWAP_TRADE = {
  placeOrder: signedEndpointReadBy(readContractOrder, {
    ...TRADE,
    path: `${BASE}/order/placeOrder`,
    summary: 'Place an order',
    request: { symbol: CONTRACT, ...ORDER_FIELDS },
    response: PLACED,
    example: { request: { symbol: SYMBOL, ...NEW_ORDER } },
    answer: async ({ venue }: Services, order) => {
      const placed = placedOrder(await venue.submit(order));
      return isRefused(placed) ? placed : PLACED.write(placed);
    },
  }),
  placeBatch: signedEndpoint({
    ...TRADE,
    path: `${BASE}/order/batchOrders`,
    summary: 'Place up to 20 orders of one contract; each succeeds or fails alone',
    request: {
      symbol: CONTRACT,
      orderDataList: ORDER_LIST,
      order_data: readByAnother(
        Type.Optional(
          Type.Union([Type.String(), Type.Array(requestSchema(ORDER_FIELDS), { minItems: 1 })], {
            description: 'The orders, as JSON text or a list, read when there is no orderDataList',
          }),
        ),
      ),
    },
    response: ORDER_BATCH,
    example: { request: { symbol: SYMBOL, orderDataList: [NEW_ORDER] } },
    answer: async ({ venue }: Services, { symbol, orderDataList }, { accountId }) => {
      const items = orderDataList.map((item) => readBatchItem(item, symbol, accountId));
      const orders = items.map(({ order }) => order);
      const outcomes = await submitBatch(venue, orders, placedOrder);
      if (isRefused(outcomes)) return outcomes;
      const rows = outcomes.map((outcome, at) =>
        BATCH_ITEM.write({ outcome, clientOrderId: items[at]?.clientOrderId ?? '' }),
      );
      return `{"result":true,"order_info":[${rows.join(',')}]}`;
    },
  }),
  cancelOrder: signedEndpoint({
    ...TRADE,
    path: `${BASE}/order/cancel_order`,
    summary: 'Cancel an order; result says whether it was cancelled',
    request: { symbol: CONTRACT, orderId: ORDER_REFERENCE },
    response: CANCEL,
    example: { request: EXAMPLE_REFERENCE },
    answer: async (services: Services, { symbol: contract, orderId }, { accountId }) => {
      const outcome = await cancel(services, accountId, contract, orderId);
      if (isRefused(outcome) && !isAboutOrder(outcome)) return outcome;
      const isOver = isRefused(outcome) && orderId.orderId !== undefined;
      const over = isOver
        ? await findClosedOrder(services, accountId, contract, orderId.orderId)
        : undefined;
      return CANCEL.write({ contract, outcome, idText: orderId.idText, over });
    },
  }),
  cancelBatch: signedEndpoint({
    ...TRADE,
    path: `${BASE}/order/cancel_batch_orders`,
    summary: 'Cancel up to 50 orders; fail_infos lists those that were not cancelled',
    request: { symbol: CONTRACT, ids: ORDER_IDS },
    response: CANCEL_BATCH,
    example: { request: { symbol: SYMBOL, ids: [ORDER_ID, CANCEL_FAILURE.example.order_id] } },
    answer: async (services: Services, { symbol: contract, ids }, { accountId }) => {
      const outcomes = await settleBatch(services.venue, ids, (reference) =>
        cancel(services, accountId, contract, reference),
      );
      if (isRefused(outcomes)) return outcomes;
      const cancelled: OrderId[] = [];
      const failures: CancelOutcome[] = [];
      for (const [at, outcome] of outcomes.entries()) {
        if (isRefused(outcome)) failures.push({ idText: ids[at]?.idText ?? '', outcome });
        else cancelled.push(outcome.orderId);
      }
      return CANCEL_BATCH.write({ contract, cancelled, failures });
    },
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;

/** Placing orders, one or a batch, and giving one that rests another price or size. */
import Type from 'typebox';
import type { JsonObject, Services, SignedCall } from '#api';
import {
  type AccountId,
  type Event,
  isRefused,
  type Listings,
  type Refused,
  type RejectKind,
  refuse,
  type VenuePort,
} from '#domain';
import { assert } from '#kernel';
import { submitBatch } from '../kit/batch.ts';
import { type SignedEndpoint, signedEndpointReadBy } from '../kit/endpoint.ts';
import { Fields } from '../kit/fields.ts';
import { type Field, optionalText, requestSchema } from '../kit/request.ts';
import { jsonList, listOf } from '../kit/row.ts';
import { readPrice, readSize } from './amounts.ts';
import { findOpen, type OpenOrder } from './find-order.ts';
import {
  NEW_ORDER_FIELDS,
  type NewOrder,
  ORDER_EXAMPLE,
  readNewOrder,
  refuseStrangers,
} from './new-order.ts';
import { isOfContract } from './order-rows.ts';
import { PLACED, PLACED_ITEM, type Placed } from './results.ts';
import { BASE, marketById } from './terms.ts';

const RATE = { limit: 100, windowMs: 1_000 };
const BATCH_RATE = { limit: 10, windowMs: 1_000 };
/** Orders that one call may place. */
const BATCH_MAX = 50;

const ORDER_LIST: Field<readonly unknown[]> = {
  schema: Type.Array(requestSchema(NEW_ORDER_FIELDS), {
    description: `Orders, up to ${BATCH_MAX}, each as in POST ${BASE}/orders`,
    minItems: 1,
  }),
  read: (fields, name) => fields.list(name, BATCH_MAX),
};

const BATCH_FIELDS = { orders: ORDER_LIST };

type Batch = readonly (NewOrder | Refused)[];

/** A bad order does not spoil the others. */
function readBatch(input: JsonObject, listings: Listings, accountId: AccountId): Batch | Refused {
  const fields = new Fields(input);
  const orders = ORDER_LIST.read(fields, 'orders');
  refuseStrangers(fields, input, BATCH_FIELDS);
  if (fields.fault !== undefined) return fields.fault;
  return orders.map((item) => {
    const { fault } = Fields.ofItem(item, 'orders');
    return fault ?? readNewOrder(item as JsonObject, listings, accountId);
  });
}

const MOVE_FIELDS = {
  price: optionalText('New limit price; left out it stays'),
  size: optionalText('New size of the whole order, what has filled included; left out it stays'),
};

interface Move {
  readonly price: string;
  readonly size: string;
}

function readMove(input: JsonObject): Move | Refused {
  const fields = new Fields(input);
  const [price, size] = [fields.text('price'), fields.text('size')];
  refuseStrangers(fields, input, MOVE_FIELDS);
  return fields.fault ?? { price, size };
}

export const PLACE_ORDERS = {
  placeOrder: signedEndpointReadBy(readNewOrder, {
    method: 'POST',
    path: `${BASE}/orders`,
    rate: RATE,
    permission: 'trade',
    summary:
      'Place an order of a pair or a contract. Fields that are not known are refused. Sent again ' +
      'with the same clientId and terms within a day it places nothing and answers the first one',
    request: NEW_ORDER_FIELDS,
    response: PLACED,
    example: { request: ORDER_EXAMPLE },
    answer: async (services: Services, command: NewOrder) => {
      const placed = await place(services, command);
      return isRefused(placed) ? placed : PLACED.write(placed);
    },
  }),
  placeOrders: signedEndpointReadBy(readBatch, {
    method: 'POST',
    path: `${BASE}/orders/batch`,
    rate: BATCH_RATE,
    permission: 'trade',
    summary: `Place up to ${BATCH_MAX} orders in the order given; each with its outcome`,
    request: BATCH_FIELDS,
    response: listOf(PLACED_ITEM),
    example: { request: { orders: [ORDER_EXAMPLE] } },
    answer: async (services: Services, batch) => {
      const outcomes = await submitBatch(services.venue, batch, placedBy);
      if (isRefused(outcomes)) return outcomes;
      const settled = await Promise.all(
        outcomes.map((outcome, at) => answeredBefore(services, batch[at], outcome)),
      );
      const items = settled.map((outcome, at) => {
        const command = batch[at];
        const clientOrderId = isRefused(command) ? undefined : command?.clientOrderId;
        return { clientOrderId, outcome: isRefused(outcome) ? outcome : outcome.orderId };
      });
      return jsonList(items, PLACED_ITEM.write);
    },
  }),
  moveOrder: signedEndpointReadBy(readMove, {
    method: 'PATCH',
    path: `${BASE}/orders/:id`,
    rate: RATE,
    permission: 'trade',
    summary:
      'Give a resting order another price or size. It keeps its ids, and its place in the queue ' +
      'where only its size falls',
    request: MOVE_FIELDS,
    response: PLACED,
    example: { request: { price: '29410' } },
    answer: async ({ venue }: Services, move, call) => {
      const moved = await moveOrder(venue, move, call);
      return isRefused(moved) ? moved : PLACED.write(moved);
    },
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;

async function place(services: Services, command: NewOrder): Promise<Placed | Refused> {
  const outcome = placedBy(await services.venue.submit(command));
  return answeredBefore(services, command, outcome);
}

function placedBy([first]: readonly Event[]): Placed | Refused {
  if (first?.kind === 'refused') return first;
  assert(
    first?.kind === 'order_accepted' || first?.kind === 'contract_order_accepted',
    'an order is accepted or refused',
  );
  return first;
}

const IN_USE: ReadonlySet<RejectKind> = new Set([
  'client_order_id_in_use',
  'contract_client_id_in_use',
]);

/** An order that has been placed already, under its client's id, is answered as it was then. */
async function answeredBefore(
  services: Services,
  command: NewOrder | Refused | undefined,
  outcome: Placed | Refused,
): Promise<Placed | Refused> {
  if (!isRefused(outcome) || !IN_USE.has(outcome.reject)) return outcome;
  if (command === undefined || isRefused(command) || command.clientOrderId === undefined) {
    return outcome;
  }
  const { accountId, clientOrderId } = command;
  const isPair = command.kind === 'place_spot_order';
  const open = await services.venue.read(
    (state) =>
      isPair
        ? state.openOrderByClientId(accountId, clientOrderId)
        : state.openContractOrderByClientId(accountId, clientOrderId),
    accountId,
  );
  const found = open ?? (await closedNamed(services, command, clientOrderId));
  return found !== undefined && isSame(command, found) ? found : outcome;
}

async function closedNamed(
  { history, historyReady }: Services,
  { kind, accountId, instrumentId }: NewOrder,
  name: string,
): Promise<OpenOrder | undefined> {
  await historyReady();
  return kind === 'place_spot_order'
    ? history.orderByClientId(accountId, instrumentId, name)
    : history.contractOrderByClientId(accountId, instrumentId, name);
}

/** Whether an order is what a command asks for; one that was moved since is another. */
function isSame(command: NewOrder, order: OpenOrder): boolean {
  const { type, force } = order;
  if (order.instrumentId !== command.instrumentId || type !== command.type) return false;
  if (type === 'limit' && command.type === 'limit' && order.priceTicks !== command.priceTicks) {
    return false;
  }
  if (brings(command) !== brings(order)) return false;
  const [asked, has] = [amountOf(command), amountOf(order)];
  return force === command.force && asked === has && directionOf(command) === directionOf(order);
}

/** The take-profit and stop-loss of an order of a contract. */
function brings(order: NewOrder | OpenOrder): string {
  if (!('action' in order)) return '';
  const { takeProfitTicks = 0, stopLossTicks = 0 } = order;
  return `${takeProfitTicks} ${stopLossTicks}`;
}

function amountOf(order: NewOrder | OpenOrder): number | bigint {
  return 'quoteBudget' in order ? order.quoteBudget : order.sizeLots;
}

function directionOf(order: NewOrder | OpenOrder): string {
  return 'action' in order ? order.action : order.side;
}

async function moveOrder(
  venue: VenuePort,
  { price, size }: Move,
  { accountId, caller, path }: SignedCall,
): Promise<Placed | Refused> {
  const found = await venue.read((state) => {
    const order = findOpen(state, accountId, path.id ?? '');
    return order && { order, market: marketById(state.listings, order.instrumentId) };
  }, accountId);
  if (!caller.isLive) return refuse('credentials_wrong');
  if (found === undefined) return refuse('order_unknown');
  const { order, market } = found;
  if (price === '' && size === '') return order;
  if (order.type !== 'limit') return refuse('order_state_wrong');
  const fields = new Fields({});
  const priceTicks = price === '' ? order.priceTicks : readPrice(fields, 'price', price, market);
  const sizeLots = size === '' ? order.sizeLots : readSize(fields, size, market);
  if (fields.fault !== undefined) return fields.fault;
  const { instrumentId, orderId } = order;
  const kind = isOfContract(order) ? 'move_contract_order' : 'move_spot_order';
  const to = { priceTicks, sizeLots };
  const [first] = await venue.submit({ kind, accountId, instrumentId, orderId, ...to });
  return first?.kind === 'refused' ? first : order;
}

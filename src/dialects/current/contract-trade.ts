/** Placing and cancelling contract orders, one or a batch, answered once they are durable. */
import type { JsonObject, Services, SignedCall } from '#api';
import {
  type ContractOrderView,
  type Event,
  isRefused,
  type Listings,
  type OrderId,
  type PlaceContractOrder,
  type Refused,
  refuse,
  type VenuePort,
} from '#domain';
import { assert } from '#kernel';
import { settleBatch, settleCancels } from '../kit/batch.ts';
import { submit } from '../kit/carry-out.ts';
import { type SignedEndpoint, signedEndpoint, signedEndpointReadBy } from '../kit/endpoint.ts';
import { Fields } from '../kit/fields.ts';
import { formatId } from '../kit/ids.ts';
import { requestReader, requiredText } from '../kit/request.ts';
import { ID_NUMBER, jsonList, listOf } from '../kit/row.ts';
import { readContractPrice, readContractSize } from './contract-amounts.ts';
import {
  CONTRACT_ORDER_EXAMPLE,
  NEW_CONTRACT_ORDER_FIELDS,
  NEW_CONTRACT_ORDERS_FIELDS,
  NEW_ORDERS_MAX,
  readNewContractOrder,
  readNewContractOrders,
} from './contract-new-order.ts';
import { contractOf, findOpenOrder } from './contract-order-reference.ts';
import {
  CANCELLED,
  CANCELLED_OF_ALL,
  listOfOrders,
  PLACED,
  PLACED_ITEM,
  type Placed,
} from './contract-results.ts';
import { CONTRACT_BASE, CONTRACT_OR_ALL, EXAMPLE_SYMBOL } from './contract-terms.ts';
import { batchCosts, costs } from './costs.ts';
import { orderNamesReader, referenceOf } from './order-names.ts';
import { idsUpTo } from './parameters.ts';
import {
  ORDER_REFERENCE,
  type OrderReference,
  readOrderReference,
} from './spot-order-reference.ts';

/** Orders that one call may cancel by their ids. */
const CANCELS_MAX = 10;

const NAMED_ORDERS = {
  orderIdList: idsUpTo(CANCELS_MAX, `Order ids, up to ${CANCELS_MAX}`),
  origClientOrderIdList: idsUpTo(CANCELS_MAX, 'Ids chosen by the client, in place of those'),
};

const readNamed = orderNamesReader(NAMED_ORDERS);

/** Answers an open order that already has the client id: sent again, nothing is placed twice. */
async function place(venue: VenuePort, command: PlaceContractOrder): Promise<Placed | Refused> {
  const [first] = await venue.submit(command);
  if (first?.kind !== 'refused') {
    assert(first?.kind === 'contract_order_accepted', 'an order is accepted or refused');
    return first;
  }
  const { accountId, clientOrderId } = command;
  if (clientOrderId === undefined || first.reject !== 'contract_client_id_in_use') return first;
  const open = await venue.read(
    (state) => state.openContractOrderByClientId(accountId, clientOrderId),
    accountId,
  );
  return open ?? first;
}

const MOVE_FIELDS = {
  ...ORDER_REFERENCE,
  price: requiredText('New limit price'),
  quantity: requiredText('New size of the whole order in base coin, what has been filled included'),
};

const readMoveFields = requestReader(MOVE_FIELDS);

/** What an order becomes: in whole units once the order has named its contract. */
interface Move {
  readonly reference: OrderReference;
  readonly price: string;
  readonly quantity: string;
}

function readMove(input: JsonObject, listings: Listings): Move | Refused {
  const values = readMoveFields(input, listings);
  if (isRefused(values)) return values;
  const reference = readOrderReference(input, listings);
  return isRefused(reference) ? reference : { reference, ...values };
}

async function move(
  { venue, live }: Services,
  { reference, price, quantity }: Move,
  { accountId, caller }: SignedCall,
): Promise<Placed | Refused> {
  const order = await venue.read((state) => findOpenOrder(state, accountId, reference), accountId);
  if (!caller.isLive) return refuse('credentials_wrong');
  if (order === undefined) return refuse('order_unknown');
  const { instrumentId, orderId } = order;
  const contract = contractOf(live.listings, instrumentId);
  const fields = new Fields({});
  const priceTicks = readContractPrice(fields, price, contract);
  const sizeLots = readContractSize(fields, quantity, contract);
  if (fields.fault !== undefined) return fields.fault;
  const command = { kind: 'move_contract_order', accountId, instrumentId, orderId } as const;
  const moved = await submit(venue, 'contract_order_moved', { ...command, priceTicks, sizeLots });
  return isRefused(moved) ? moved : moved.order;
}

/** The order that was cancelled, or why there was none. */
async function cancelNamed(
  venue: VenuePort,
  reference: OrderReference,
  { accountId, caller }: SignedCall,
): Promise<ContractOrderView | Refused> {
  const order = await venue.read((state) => findOpenOrder(state, accountId, reference), accountId);
  if (!caller.isLive) return refuse('credentials_wrong');
  return order === undefined ? refuse('order_unknown') : cancel(venue, order);
}

async function cancel(
  venue: VenuePort,
  order: ContractOrderView,
): Promise<ContractOrderView | Refused> {
  const { accountId, instrumentId, orderId } = order;
  const [first]: readonly Event[] = await venue.submit({
    kind: 'cancel_contract_order',
    accountId,
    instrumentId,
    orderId,
  });
  return first?.kind === 'refused' ? first : order;
}

const EXAMPLE = { symbol: EXAMPLE_SYMBOL, ...CONTRACT_ORDER_EXAMPLE };
const EXAMPLE_ID = String(ID_NUMBER);

export const CONTRACT_TRADE = {
  placeContractOrder: signedEndpointReadBy(readNewContractOrder, {
    method: 'POST',
    path: `${CONTRACT_BASE}/order`,
    ...costs(5, 1),
    permission: 'trade',
    summary: 'Place an order; BUY LONG and SELL SHORT open, SELL LONG and BUY SHORT close',
    request: NEW_CONTRACT_ORDER_FIELDS,
    response: PLACED,
    example: { request: EXAMPLE },
    answer: async ({ venue }: Services, command) => {
      const placed = await place(venue, command);
      return isRefused(placed) ? placed : PLACED.write(placed);
    },
  }),
  placeContractBatch: signedEndpointReadBy(readNewContractOrders, {
    method: 'POST',
    path: `${CONTRACT_BASE}/batchOrders`,
    ...batchCosts(10, 'orderList'),
    permission: 'trade',
    summary: `Place up to ${NEW_ORDERS_MAX} orders; each succeeds or fails alone`,
    request: NEW_CONTRACT_ORDERS_FIELDS,
    response: listOfOrders(PLACED_ITEM),
    example: { request: { symbol: EXAMPLE_SYMBOL, orderList: [CONTRACT_ORDER_EXAMPLE] } },
    answer: async ({ venue }: Services, { items, clientOrderIds }) => {
      const placed = await settleBatch(venue, items, async (item) =>
        isRefused(item) ? item : place(venue, item),
      );
      if (isRefused(placed)) return placed;
      const shown = placed.map((outcome, at) => ({
        outcome,
        clientOrderId: clientOrderIds[at] ?? '',
      }));
      return `{"orderList":${jsonList(shown, PLACED_ITEM.write)}}`;
    },
  }),
  moveContractOrder: signedEndpointReadBy(readMove, {
    method: 'POST',
    path: `${CONTRACT_BASE}/order/move`,
    ...costs(5, 1),
    permission: 'trade',
    summary:
      'Give an open order another price and size in one; its place in the queue is kept only ' +
      'when nothing but the size falls. An extension of this venue',
    request: MOVE_FIELDS,
    response: PLACED,
    example: { request: { orderId: EXAMPLE_ID, price: '29500', quantity: '0.001' } },
    answer: async (services: Services, wish, call) => {
      const moved = await move(services, wish, call);
      return isRefused(moved) ? moved : PLACED.write(moved);
    },
  }),
  cancelContractOrder: signedEndpointReadBy(readOrderReference, {
    method: 'DELETE',
    path: `${CONTRACT_BASE}/order`,
    ...costs(3),
    inQuery: true,
    permission: 'trade',
    summary: 'Cancel an order by its id or the id the client chose',
    request: ORDER_REFERENCE,
    response: CANCELLED,
    example: { request: { orderId: EXAMPLE_ID } },
    answer: async ({ venue }: Services, reference, call) => {
      const outcome = await cancelNamed(venue, reference, call);
      if (isRefused(outcome)) return outcome;
      const orderId = formatId(outcome.orderId);
      const clientOrderId = 'clientOrderId' in reference ? reference.clientOrderId : '';
      return CANCELLED.write({ orderId, clientOrderId, refused: undefined });
    },
  }),
  cancelContractBatch: signedEndpointReadBy(readNamed, {
    method: 'DELETE',
    path: `${CONTRACT_BASE}/batchOrders`,
    ...costs(10),
    permission: 'trade',
    summary: `Cancel up to ${CANCELS_MAX} orders, with what became of each`,
    request: NAMED_ORDERS,
    response: listOfOrders(CANCELLED),
    example: { request: { orderIdList: [EXAMPLE_ID] } },
    answer: async ({ venue }: Services, names, call) => {
      const outcomes = await settleBatch(venue, names, (name) =>
        cancelNamed(venue, referenceOf(name), call),
      );
      if (isRefused(outcomes)) return outcomes;
      const shown = names.map((name, at) => {
        const outcome = outcomes[at];
        return {
          orderId: 'orderId' in name ? name.orderId : idIfAny(outcome),
          clientOrderId: 'clientOrderId' in name ? name.clientOrderId : '',
          refused: isRefused(outcome) ? outcome : undefined,
        };
      });
      return `{"orderList":${jsonList(shown, CANCELLED.write)}}`;
    },
  }),
  cancelAllContracts: signedEndpoint({
    method: 'DELETE',
    path: `${CONTRACT_BASE}/allOpenOrders`,
    ...costs(10),
    inQuery: true,
    permission: 'trade',
    summary:
      'Cancel all open orders of a contract or all, with what became of each; trigger orders stay',
    request: { symbol: CONTRACT_OR_ALL },
    response: listOf(CANCELLED_OF_ALL),
    example: { request: { symbol: EXAMPLE_SYMBOL } },
    answer: async ({ venue }: Services, { symbol }, { accountId, caller }) => {
      const open = await venue.read(
        (state) => [...state.openContractOrders(accountId, symbol?.instrumentId)],
        accountId,
      );
      if (!caller.isLive) return refuse('credentials_wrong');
      const settled = await settleCancels(venue, open, (order) => cancel(venue, order));
      return isRefused(settled) ? settled : jsonList(settled, CANCELLED_OF_ALL.write);
    },
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;

function idIfAny(outcome: { readonly orderId: OrderId } | Refused | undefined): string {
  return outcome === undefined || isRefused(outcome) ? '' : formatId(outcome.orderId);
}

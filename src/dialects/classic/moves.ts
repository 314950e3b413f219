/**
 * Moving a resting order: another price and size in one call. An extension of this venue; the
 * order keeps its ids, and its place in the queue when nothing but its size falls.
 */
import type { JsonObject, Services, SignedCall } from '#api';
import {
  type Event,
  isRefused,
  type Listings,
  type Lots,
  type OrderId,
  type Refused,
  refuse,
  type Ticks,
} from '#domain';
import { type SignedEndpoint, signedEndpoint, signedEndpointReadBy } from '../kit/endpoint.ts';
import { ORDER_ID } from '../kit/examples.ts';
import { Fields } from '../kit/fields.ts';
import { clientIdOf } from '../kit/ids.ts';
import { requiredText } from '../kit/request.ts';
import { readContracts, readSize } from './sizes.ts';
import { readPrice as readPairPrice } from './spot-new-order.ts';
import { ORDER_REFERENCE, type OrderReference, readOrderReference } from './spot-orders.ts';
import { perSecond, SPOT_BASE } from './spot-terms.ts';
import { findOpenId, ORDER_IDS, whyGone } from './spot-trade.ts';
import { readPrice } from './swap-new-order.ts';
import { EXAMPLE_REFERENCE, findClosedOrder, ORDER_REFERENCE as NUMBER } from './swap-orders.ts';
import { BASE, CONTRACT } from './swap-terms.ts';
import { PLACED, TRADE } from './swap-trade.ts';

interface SpotMove {
  readonly reference: OrderReference;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
}

const NEW_PRICE = requiredText('New limit price');

const SPOT_FIELDS = {
  ...ORDER_REFERENCE,
  price: NEW_PRICE,
  quantity: requiredText('New quantity of the whole order in base coin, what has filled included'),
};

export const SPOT_MOVES = {
  moveOrder: signedEndpointReadBy(readSpotMove, {
    method: 'POST',
    path: `${SPOT_BASE}/trade/move-order`,
    rate: perSecond(10),
    permission: 'trade',
    summary: 'Give a resting order another price and quantity (not in the contract: an extension)',
    request: SPOT_FIELDS,
    response: ORDER_IDS,
    example: {
      request: {
        symbol: 'BTCUSDT_SPBL',
        orderId: ORDER_ID,
        price: '29300',
        quantity: '0.0007',
      },
    },
    answer: moveSpot,
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;

export const SWAP_MOVES = {
  moveOrder: signedEndpoint({
    ...TRADE,
    path: `${BASE}/order/moveOrder`,
    summary: 'Give a resting order another price and size (not in the contract: an extension)',
    request: {
      symbol: CONTRACT,
      orderId: NUMBER,
      price: NEW_PRICE,
      size: requiredText('New size of the whole order in contracts, what has filled included'),
    },
    response: PLACED,
    example: { request: { ...EXAMPLE_REFERENCE, price: '29300', size: '15' } },
    answer: async (services: Services, { symbol: contract, ...asked }, { accountId }) => {
      const fields = new Fields({});
      const priceTicks = readPrice(fields, 'price', asked.price, contract);
      const sizeLots = readContracts(fields, asked.size, contract);
      if (fields.fault !== undefined) return fields.fault;
      const { orderId } = asked.orderId;
      if (orderId === undefined) return refuse('order_unknown');
      const { instrumentId } = contract;
      const facts = { accountId, instrumentId, orderId, priceTicks, sizeLots };
      const events = await services.venue.submit({ kind: 'move_contract_order', ...facts });
      const moved = movedOrder(events);
      if (!isRefused(moved)) {
        return PLACED.write({ orderId: moved.orderId, clientOrderId: clientIdOf(moved) });
      }
      if (moved.reject !== 'order_unknown') return moved;
      const closed = await findClosedOrder(services, accountId, contract, orderId);
      return closed === undefined ? moved : refuse('order_state_wrong');
    },
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;

function readSpotMove(body: JsonObject, listings: Listings): SpotMove | Refused {
  const fields = new Fields(body);
  const price = SPOT_FIELDS.price.read(fields, 'price');
  const quantity = SPOT_FIELDS.quantity.read(fields, 'quantity');
  const reference = readOrderReference(body, listings);
  if (isRefused(reference)) return reference;
  if (fields.fault !== undefined) return fields.fault;
  const priceTicks = readPairPrice(fields, price, reference.pair);
  const sizeLots = readSize(fields, quantity, reference.pair);
  return fields.fault ?? { reference, priceTicks, sizeLots };
}

async function moveSpot(
  services: Services,
  { reference, priceTicks, sizeLots }: SpotMove,
  { accountId, caller }: SignedCall,
) {
  const { venue } = services;
  const { instrumentId } = reference.pair;
  const orderId = await findOpenId(venue, accountId, reference);
  if (!caller.isLive) return refuse('credentials_wrong');
  if (orderId === undefined) return whyGone(services, accountId, reference);
  const facts = { accountId, instrumentId, orderId, priceTicks, sizeLots };
  const moved = movedOrder(await venue.submit({ kind: 'move_spot_order', ...facts }));
  if (!isRefused(moved)) return ORDER_IDS.write(moved);
  return moved.reject === 'order_unknown'
    ? whyGone(services, accountId, { ...reference, orderId })
    : moved;
}

interface Moved {
  readonly orderId: OrderId;
  readonly clientOrderId: string | undefined;
}

/** The ids of the order that was moved, or why it was not. */
function movedOrder([first]: readonly Event[]): Moved | Refused {
  if (first?.kind === 'order_moved' || first?.kind === 'contract_order_moved') return first.order;
  return first?.kind === 'refused' ? first : refuse('internal_fault');
}

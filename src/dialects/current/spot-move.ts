/** An extension: another price and size for a resting order, in one step. */
import { type JsonObject, refuseSaying, type Services, type SignedCall } from '#api';
import {
  isRefused,
  type Listings,
  type MoveSpotOrder,
  type OrderView,
  type Refused,
  refuse,
  type SpotInstrument,
} from '#domain';
import { assert, present } from '#kernel';
import { type SignedEndpoint, signedEndpointReadBy } from '../kit/endpoint.ts';
import { Fields } from '../kit/fields.ts';
import { optionalText } from '../kit/request.ts';
import { ID_NUMBER } from '../kit/row.ts';
import { readPrice, readSize } from './amounts.ts';
import { costs } from './costs.ts';
import {
  findOpen,
  ORDER_REFERENCE,
  type OrderReference,
  readOrderReference,
} from './spot-order-reference.ts';
import { SPOT_BASE } from './spot-terms.ts';
import { PLACED } from './spot-trade.ts';

const MOVE_FIELDS = {
  ...ORDER_REFERENCE,
  price: optionalText('New limit price; as it is when left out'),
  quantity: optionalText('New size of the whole order, filled or not; as it is when left out'),
};

interface Move {
  readonly reference: OrderReference;
  readonly price: string;
  readonly quantity: string;
}

export const SPOT_MOVE = {
  moveOrder: signedEndpointReadBy(readMove, {
    method: 'POST',
    path: `${SPOT_BASE}/order/move`,
    ...costs(5, 1),
    permission: 'trade',
    summary: 'Another price and size for an open order, in one (not in the original interface)',
    request: MOVE_FIELDS,
    response: PLACED,
    example: { request: { orderId: String(ID_NUMBER), price: '29500', quantity: '0.0004' } },
    answer: async ({ venue }: Services, move, { accountId, caller, nowMs }: SignedCall) => {
      const found = await venue.read((state) => {
        const order = findOpen(state, accountId, move.reference);
        if (order === undefined) return refuse('order_unknown');
        const pair = present(state.listings.spotById(order.instrumentId), 'pair of an order');
        const command = commandOf(move, order, pair);
        return isRefused(command) ? command : { command, order, pair };
      }, accountId);
      if (!caller.isLive) return refuse('credentials_wrong');
      if (isRefused(found)) return found;
      const [first] = await venue.submit(found.command);
      if (first?.kind === 'refused') return first;
      assert(first?.kind === 'order_moved', 'an order is moved or refused');
      const { orderId, clientOrderId } = found.order;
      return PLACED.write({ symbol: found.pair.symbol, orderId, clientOrderId, timeMs: nowMs });
    },
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;

function readMove(input: JsonObject, listings: Listings): Move | Refused {
  const reference = readOrderReference(input, listings);
  if (isRefused(reference)) return reference;
  const fields = new Fields(input);
  const price = MOVE_FIELDS.price.read(fields, 'price');
  const quantity = MOVE_FIELDS.quantity.read(fields, 'quantity');
  if (fields.fault !== undefined) return fields.fault;
  if (price === '' && quantity === '') {
    return refuseSaying('parameters_conflict', 'neither price nor quantity');
  }
  return { reference, price, quantity };
}

function commandOf(move: Move, order: OrderView, pair: SpotInstrument): MoveSpotOrder | Refused {
  assert(order.type === 'limit', 'a market order does not rest');
  const { accountId, instrumentId, orderId } = order;
  const fields = new Fields({});
  const priceTicks =
    move.price === '' ? order.priceTicks : readPrice(fields, move.price, pair.priceScale);
  const sizeLots =
    move.quantity === '' ? order.sizeLots : readSize(fields, move.quantity, pair.quantityScale);
  if (fields.fault !== undefined) return fields.fault;
  return { kind: 'move_spot_order', accountId, instrumentId, orderId, priceTicks, sizeLots };
}

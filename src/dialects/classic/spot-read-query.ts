/**
 * Turns the fields of reads, cancels and transfers into what the venue and its views ask for.
 * Every reader answers with the query or with the first refusal.
 */
import type { JsonObject } from '#api';
import {
  isRefused,
  LIMITS,
  type Listings,
  type OrderId,
  orderId,
  parseId,
  type Refused,
  refuse,
  type SpotInstrument,
} from '#domain';
import { Fields, scalarText, shown } from '../fields.ts';
import { resolvePair } from './spot-read-pair.ts';
import { CLIENT_ORDER_ID_NAMES } from './spot-terms.ts';

/** An order of the caller, by its id or, when that is undefined, by the id the client chose. */
export interface OrderReference {
  readonly pair: SpotInstrument;
  readonly orderId: OrderId | undefined;
  readonly clientOrderId: string;
}

/** The order a cancel or a query is about. An id that cannot be ours counts as unknown. */
export function readOrderReference(body: JsonObject, listings: Listings): OrderReference | Refused {
  const fields = new Fields(body);
  const symbol = fields.requiredText('symbol');
  const idText = fields.text('orderId');
  const clientOrderId = idText === '' ? fields.clientId(...CLIENT_ORDER_ID_NAMES) : '';
  if (idText === '' && clientOrderId === '') fields.refuse('order_id_missing', '');
  const pair = resolvePair(fields, symbol, listings);
  if (isRefused(pair)) return pair;
  if (idText === '') return { pair, orderId: undefined, clientOrderId };
  const id = parseId(idText);
  if (id === undefined) return refuse('order_unknown', shown(idText));
  return { pair, orderId: orderId(id), clientOrderId };
}

export interface CancelBatch {
  readonly pair: SpotInstrument;
  /** In request order; ids that cannot be ours are left out. */
  readonly orderIds: readonly OrderId[];
}

export function readCancelBatch(body: JsonObject, listings: Listings): CancelBatch | Refused {
  const fields = new Fields(body);
  const symbol = fields.requiredText('symbol');
  const texts = fields.list('orderIds', LIMITS.spotBatchMax).map(scalarText);
  if (texts.includes(undefined)) fields.refuse('parameter_invalid', 'orderIds must hold order ids');
  const pair = resolvePair(fields, symbol, listings);
  if (isRefused(pair)) return pair;
  const ids = texts.map((text) => parseId(text ?? '')).filter((id) => id !== undefined);
  return { pair, orderIds: ids.map(orderId) };
}

/** One body of a cancel for each order that a batch names, by its id or the id its client chose. */
export function readNamedCancels(body: JsonObject): JsonObject[] | Refused {
  const fields = new Fields(body);
  const symbol = fields.requiredText('symbol');
  const names = ['orderIds', 'clientOids'].flatMap((list) => {
    if (!fields.has(list)) return [];
    const name = list === 'orderIds' ? 'orderId' : 'clientOrderId';
    return fields.list(list, LIMITS.spotBatchMax).map((item) => ({ symbol, [name]: item }));
  });
  if (names.length === 0) fields.refuse('order_id_missing', '');
  if (names.length > LIMITS.spotBatchMax)
    fields.refuse('batch_too_large', `${names.length} orders`);
  return fields.fault ?? names;
}

/** A pair, or undefined for every pair, which a client asks for with an empty symbol. */
export function readPairOrAll(
  body: JsonObject,
  listings: Listings,
): { readonly pair: SpotInstrument | undefined } | Refused {
  const fields = new Fields(body);
  if (fields.has('symbol') && fields.text('symbol') === '' && fields.fault === undefined) {
    return { pair: undefined };
  }
  const pair = resolvePair(fields, fields.requiredText('symbol'), listings);
  return isRefused(pair) ? pair : { pair };
}

export interface IdPage {
  readonly afterId: number | undefined;
  readonly beforeId: number | undefined;
  readonly limit: number;
}

function readIdPage(fields: Fields): IdPage {
  return {
    afterId: fields.pageId('after'),
    beforeId: fields.pageId('before'),
    limit: fields.limit(LIMITS.pageRowsDefault, LIMITS.pageRowsMax),
  };
}

export interface OrderHistoryQuery extends IdPage {
  readonly pair: SpotInstrument;
}

export function readOrderHistory(
  body: JsonObject,
  listings: Listings,
): OrderHistoryQuery | Refused {
  const fields = new Fields(body);
  const symbol = fields.requiredText('symbol');
  const page = readIdPage(fields);
  const pair = resolvePair(fields, symbol, listings);
  if (isRefused(pair)) return pair;
  return { ...page, pair };
}

export interface FillsQuery extends OrderHistoryQuery {
  /** null when the id given cannot be ours: there are no such fills. */
  readonly orderId: OrderId | null | undefined;
}

export function readFills(body: JsonObject, listings: Listings): FillsQuery | Refused {
  const query = readOrderHistory(body, listings);
  if (isRefused(query)) return query;
  const fields = new Fields(body);
  const idText = fields.text('orderId');
  if (fields.fault !== undefined) return fields.fault;
  if (idText === '') return { ...query, orderId: undefined };
  const id = parseId(idText);
  return { ...query, orderId: id === undefined ? null : orderId(id) };
}

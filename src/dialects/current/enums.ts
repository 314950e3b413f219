/** The closed lists of this interface: what clients send, in any case, and what is answered. */
import type { Force, OrderStatus, OrderType, RejectKind, Side } from '#domain';
import type { Field } from '../kit/request.ts';
import * as schema from '../kit/schema.ts';

export const SIDE_WORDS = ['BUY', 'SELL'] as const;
const SIDES: ReadonlyMap<string, Side> = new Map([
  ['buy', 'buy'],
  ['sell', 'sell'],
]);

export const ORDER_TYPE_WORDS = ['LIMIT', 'MARKET'] as const;
const ORDER_TYPES: ReadonlyMap<string, OrderType> = new Map([
  ['limit', 'limit'],
  ['market', 'market'],
]);

export const FORCE_WORDS = ['GTC', 'IOC', 'FOK', 'POST_ONLY'] as const;
const FORCES: ReadonlyMap<string, Force> = new Map([
  ['gtc', 'gtc'],
  ['ioc', 'ioc'],
  ['fok', 'fok'],
  ['post_only', 'post_only'],
]);

export const STATUS_WORDS = ['NEW', 'FILLED', 'CANCELED'] as const;

export function sideWord(side: Side): 'BUY' | 'SELL' {
  return side === 'buy' ? 'BUY' : 'SELL';
}

export function orderTypeWord(type: OrderType): 'LIMIT' | 'MARKET' {
  return type === 'limit' ? 'LIMIT' : 'MARKET';
}

const FORCE_OF = { gtc: 'GTC', ioc: 'IOC', fok: 'FOK', post_only: 'POST_ONLY' } as const;

/** A market order takes what is there at once. */
export function forceWord(type: OrderType, force: Force): (typeof FORCE_WORDS)[number] {
  return type === 'market' ? 'IOC' : FORCE_OF[force];
}

const STATUS_OF = {
  new: 'NEW',
  partial_fill: 'NEW',
  full_fill: 'FILLED',
  cancelled: 'CANCELED',
} as const;

/** Clients know no word for an order that is partly filled: it is NEW. */
export function statusWord(status: OrderStatus): (typeof STATUS_WORDS)[number] {
  return STATUS_OF[status];
}

export const SIDE = required('BUY or SELL', SIDE_WORDS, SIDES, 'buy', 'side_invalid');
export const ORDER_TYPE = required(
  'LIMIT or MARKET',
  ORDER_TYPE_WORDS,
  ORDER_TYPES,
  'limit',
  'order_type_invalid',
);

/** Good till cancelled when it is left out. */
export const TIME_IN_FORCE: Field<Force> = {
  schema: schema.optional(
    'GTC, the default, IOC, FOK or POST_ONLY; ignored for a market order',
    schema.choices(...FORCE_WORDS),
  ),
  read: (fields, name) => fields.choice(name, FORCES, 'gtc', 'time_in_force_invalid', FORCE_WORDS),
};

/** One of these words in any case, which must be there; any other is refused as `reject`. */
function required<T>(
  description: string,
  words: readonly string[],
  meanings: ReadonlyMap<string, T>,
  harmless: T,
  reject: RejectKind,
): Field<T> {
  return {
    schema: schema.required(description, schema.choices(...words)),
    read: (fields, name) => fields.requiredChoice(name, meanings, harmless, reject, words),
  };
}

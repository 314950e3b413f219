/** Kinds of parameters that calls of both products take. */
import Type from 'typebox';
import type { OrderId } from '#domain';
import { ABOVE_ZERO, scalarText, shown, type WholeBounds } from '../kit/fields.ts';
import { idBound, parseOrderId } from '../kit/ids.ts';
import { ENDS_BY_TIME } from '../kit/page-ends.ts';
import { beforeTrade, type Field, pageId } from '../kit/request.ts';
import * as schema from '../kit/schema.ts';

const ROWS: WholeBounds = { ...ABOVE_ZERO, reject: 'parameter_out_of_range' };
const CLIENT_ID = /^[.A-Z:/a-z0-9_-]+$/;

/** Rows wanted from a list of the market: outside of 1 to `max` it is refused. */
export function rowsWanted(fallback: number, max: number): Field<number> {
  return {
    schema: schema.optional(`Rows wanted, up to ${max}; ${fallback} when left out`, rows(max)),
    read: (fields, name) => fields.wholeNumber(name, { ...ROWS, max }) ?? fallback,
  };
}

/** Rows wanted from a list of the account: above `max` it counts as `max`. */
export function ownRowsWanted(fallback: number, max: number): Field<number> {
  return {
    schema: schema.optional(
      `Rows wanted; above ${max} counts as ${max}, ${fallback} when left out`,
      schema.whole(1),
    ),
    read: (fields, name) => Math.min(fields.wholeNumber(name, ROWS) ?? fallback, max),
  };
}

/** From 1 to a power of ten. */
function rows(max: number): schema.Shape {
  const pattern = `^0*([1-9][0-9]{0,${String(max).length - 2}}|${max})$`;
  return {
    text: Type.String({ pattern, maxLength: 15 }),
    number: Type.Integer({ minimum: 1, maximum: max }),
  };
}

/** The number of a page, the first of which is `first`. */
export function pageFrom(first: 0 | 1): Field<number> {
  return {
    schema: schema.optional(`Page, from ${first} on`, schema.whole(first)),
    read: (fields, name) =>
      fields.wholeNumber(name, { min: first, reject: 'parameter_out_of_range' }) ?? first,
  };
}

/** An id the client chooses for an order. */
export function clientIdOfUpTo(length: number): Field<string | undefined> {
  return {
    schema: schema.optional(
      `Up to ${length} characters of a-z A-Z 0-9 . : / _ -; the order id if absent`,
    ),
    read: (fields, name) => {
      const given = fields.text(name);
      if (given === '') return undefined;
      if (given.length <= length && CLIENT_ID.test(given)) return given;
      const takes = `takes up to ${length} of a-z A-Z 0-9 . : / _ -`;
      fields.refuse('client_id_invalid', `${name} ${takes}: ${shown(given)}`);
      return undefined;
    },
  };
}

/** An order id: undefined when it was not given, null for one that no order here can have. */
export const ORDER_ID: Field<OrderId | null | undefined> = {
  schema: schema.optional('Order id'),
  read: (fields, name) => {
    const given = fields.text(name);
    if (given === '') return undefined;
    if (idBound(given) === undefined) {
      fields.refuse('parameter_invalid', `${name} ${shown(given)} is no id`);
    }
    return parseOrderId(given) ?? null;
  },
};

/** Where a page begins exactly, for which the contract has times only. */
const BEFORE_ID = 'Only rows older than the one with this id (not in the contract: an extension)';
export const BEFORE_BILL = pageId(BEFORE_ID);
export const BEFORE_FILL = beforeTrade(BEFORE_ID);

/** What becomes of rows that even such a page does not hold. */
export const BEYOND = 'what lies beyond that follows by beforeId';
/** How a page of fills ends. */
export const OWN_FILLS_END = `${ENDS_BY_TIME}, with orderId not inside the order; ${BEYOND}`;

/** Ids, in the order given; the schema's list may be left out. */
export function idsUpTo(max: number, description: string): Field<readonly string[] | undefined> {
  return {
    schema: Type.Optional(
      Type.Union(
        [Type.Array(schema.required('One id'), { minItems: 1, maxItems: max }), Type.Null()],
        { description },
      ),
    ),
    read: (fields, name) => {
      if (!fields.has(name)) return undefined;
      const list = fields.list(name, max).map(scalarText);
      if (list.some((text) => text === undefined || text === '')) {
        fields.refuse('parameter_invalid', `${name} must hold ids`);
      }
      return list.map((text) => text ?? '');
    },
  };
}

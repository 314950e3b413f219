/** The orders that a batch of cancels names: by their ids or by the clients', not both. */
import { type JsonObject, refuseSaying } from '#api';
import { isRefused, type Listings, type Refused, refuse } from '#domain';
import { shown } from '../kit/fields.ts';
import { idBound, parseOrderId } from '../kit/ids.ts';
import { requestReader } from '../kit/request.ts';
import type { idsUpTo } from './parameters.ts';
import type { OrderReference } from './spot-order-reference.ts';

export type OrderName = { readonly orderId: string } | { readonly clientOrderId: string };
type Ids = ReturnType<typeof idsUpTo>;

/** The reader of a request with these two fields. */
export function orderNamesReader(fields: Readonly<Record<string, Ids>>) {
  const [idsName = '', clientIdsName = ''] = Object.keys(fields);
  const read = requestReader(fields);
  return (input: JsonObject, listings: Listings): readonly OrderName[] | Refused => {
    const values = read(input, listings);
    if (isRefused(values)) return values;
    const { [idsName]: ids, [clientIdsName]: clientIds } = values;
    if (ids !== undefined && clientIds !== undefined) {
      return refuseSaying('parameters_conflict', `${idsName} and ${clientIdsName}`);
    }
    if (clientIds !== undefined) return clientIds.map((clientOrderId) => ({ clientOrderId }));
    if (ids === undefined) {
      return refuse('parameter_missing', { is: 'missing', parameter: idsName });
    }
    return namedByIds(idsName, ids);
  };
}

function namedByIds(parameter: string, ids: readonly string[]): readonly OrderName[] | Refused {
  const stranger = ids.find((text) => idBound(text) === undefined);
  if (stranger !== undefined) {
    return refuseSaying(
      'parameter_invalid',
      `${parameter} holds ${shown(stranger)}, which is no id`,
    );
  }
  // As a number, which has no zeros in front.
  return ids.map((text) => ({ orderId: String(BigInt(text)) }));
}

export function referenceOf(name: OrderName): OrderReference {
  return 'orderId' in name ? { orderId: parseOrderId(name.orderId) ?? null } : name;
}

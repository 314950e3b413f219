/** The endpoints of the current interface of a house, called as clients do and checked. */
import { strict as assert } from 'node:assert/strict';
import Value from 'typebox/value';
import { type Endpoint, parseJsonObject, readsQuery } from '#api';
import type { House, Reply, Trader } from './house.ts';

/** What clients call a market. */
export const SYMBOL = 'BTCUSDT';

export class CurrentDesk {
  readonly house: House;

  constructor(house: House) {
    this.house = house;
  }

  call(who: Trader, endpoint: Endpoint, fields: object = {}): Promise<Reply> {
    const { method, path } = endpoint;
    const query = readsQuery(endpoint) ? new URLSearchParams(Object.entries(fields)) : undefined;
    const url = query === undefined || query.size === 0 ? path : `${path}?${query}`;
    const body = readsQuery(endpoint) ? undefined : JSON.stringify(fields);
    const headers = {
      ...this.house.sign(who, method, url, body ?? ''),
      // As a client of this interface sends it, with a body or without.
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
    };
    return this.house.call({ method, url, headers, ...(body === undefined ? {} : { body }) });
  }

  /** The body of a success, which must fit the schema of its endpoint; ids keep their digits. */
  async data<T>(who: Trader, endpoint: Endpoint, fields: object = {}): Promise<T> {
    const { status, text } = await this.call(who, endpoint, fields);
    assert.equal(status, 200, text);
    assert.deepEqual([...Value.Errors(endpoint.response, JSON.parse(text))], [], text);
    return parseJsonObject(`{"body":${text}}`)?.body as T;
  }

  /** Status, code and text of a refusal. */
  async refusal(who: Trader, endpoint: Endpoint, fields: object = {}): Promise<unknown[]> {
    const { status, body } = await this.call(who, endpoint, fields);
    return [status, body.code, body.msg];
  }
}

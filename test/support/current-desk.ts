/** The endpoints of the current interface of a house, called as clients do and checked. */
import { strict as assert } from 'node:assert/strict';
import Value from 'typebox/value';
import type { Endpoint } from '#api';
import { Desk } from './desk.ts';
import type { Reply, Trader } from './house.ts';

/** What clients call a market. */
export const SYMBOL = 'BTCUSDT';

export class CurrentDesk extends Desk {
  call(who: Trader, endpoint: Endpoint, fields: object = {}): Promise<Reply> {
    return this.send(who, endpoint, fields);
  }

  /** The body of a success, which must fit the schema of its endpoint. */
  async data<T>(who: Trader, endpoint: Endpoint, fields: object = {}): Promise<T> {
    const { status, text } = await this.call(who, endpoint, fields);
    assert.equal(status, 200, text);
    const body: unknown = JSON.parse(text);
    assert.deepEqual([...Value.Errors(endpoint.response, body)], [], text);
    return body as T;
  }

  /** Status, code and text of a refusal. */
  async refusal(who: Trader, endpoint: Endpoint, fields: object = {}): Promise<unknown[]> {
    const { status, body } = await this.call(who, endpoint, fields);
    return [status, body.code, body.msg];
  }
}

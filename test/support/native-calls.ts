/** Calls of the house's own API as a client makes them, with answers held against the documents. */
import { strict as assert } from 'node:assert/strict';
import Value from 'typebox/value';
import { type Endpoint, readsQuery } from '#api';
import type { House, Reply } from './house.ts';
import type { Credentials } from './signer.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A row of an answer, read by field. */
export interface Row {
  readonly [name: string]: string;
}

export class NativeCalls {
  readonly #house: House;

  constructor(house: House) {
    this.#house = house;
  }

  /** A call of an endpoint; what stands for `:id` in its path is given apart. */
  call(
    who: Credentials | undefined,
    endpoint: Endpoint,
    fields: Fields = {},
    id = '',
  ): Promise<Reply> {
    const { method, path } = endpoint;
    const texts = Object.entries(fields).map(([name, value]) => [name, String(value)] as const);
    const given = new URLSearchParams(Object.fromEntries(texts)).toString();
    const query = readsQuery(endpoint) ? given : '';
    const body = readsQuery(endpoint) ? '' : JSON.stringify(fields);
    const url = path.replace(':id', id) + (query === '' ? '' : `?${query}`);
    const headers = who === undefined ? {} : this.#house.sign(who, method, url, body);
    return this.#house.call({ method, url, headers, ...(body === '' ? {} : { body }) });
  }

  /** The data of a success, which is as documented. */
  async data<T>(
    who: Credentials | undefined,
    endpoint: Endpoint,
    fields: Fields = {},
    id = '',
  ): Promise<T> {
    const { status, text } = await this.call(who, endpoint, fields, id);
    assert.equal(status, 200, text);
    const found = JSON.parse(text);
    assert.deepEqual([...Value.Errors(endpoint.response, found)], [], endpoint.path);
    return found;
  }

  /** The status and error of a refusal. */
  async refusal(
    who: Credentials | undefined,
    endpoint: Endpoint,
    fields: Fields = {},
    id = '',
  ): Promise<readonly [status: number, kind: string]> {
    const { status, text } = await this.call(who, endpoint, fields, id);
    const { error } = JSON.parse(text);
    assert.notEqual(error, undefined, text);
    return [status, error.kind];
  }
}

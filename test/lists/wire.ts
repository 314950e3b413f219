/** Calls of the lists over a socket, as clients make them. */
import { strict as assert } from 'node:assert/strict';
import { type Endpoint, parseJsonObject, readsQuery } from '#api';
import type { House, Trader } from '../support/house.ts';
import type { Row } from './walking.ts';

/** The rows of a page; signed where the endpoint takes nobody else. */
export async function ask(
  house: House,
  endpoint: Endpoint,
  fields: object,
  who: Trader,
  rowsAt?: string,
): Promise<readonly Row[]> {
  const { method, permission } = endpoint;
  const query = readsQuery(endpoint) ? new URLSearchParams(Object.entries(fields)).toString() : '';
  const path = query === '' ? endpoint.path : `${endpoint.path}?${query}`;
  const body = readsQuery(endpoint) ? '' : JSON.stringify(fields);
  const headers = permission === 'none' ? {} : house.sign(who, method, path, body);
  const answer = await fetch(`http://127.0.0.1:${await house.port()}${path}`, {
    method,
    headers: { ...headers, ...(body !== '' && { 'content-type': 'application/json' }) },
    ...(body !== '' && { body }),
  });
  const text = await answer.text();
  assert.equal(answer.status, 200, `${path}: ${text}`);
  const said = parseJsonObject(`{"body":${text}}`)?.body;
  const data = isRecord(said) && 'requestTime' in said ? said.data : said;
  const rows = rowsAt === undefined ? data : isRecord(data) ? data[rowsAt] : undefined;
  assert.ok(Array.isArray(rows), `${path}: ${text}`);
  return rows;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

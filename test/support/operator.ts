/** The operator over HTTP: every success is held against what its table row promises. */
import { strict as assert } from 'node:assert/strict';
import { Value } from 'typebox/value';
import { ADMIN_ENDPOINTS, type AdminEndpointName } from '#dialects';
import { eventually } from './until.ts';

export type Json = Readonly<Record<string, unknown>>;

export interface AdminAnswer {
  readonly status: number;
  readonly code: string;
  readonly msg: string;
  readonly data: Json;
  /** The data when it is a list; empty otherwise. */
  readonly rows: readonly Json[];
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export class Operator {
  readonly #url: string;
  readonly #authorization: string;

  constructor(serverUrl: string, token: string) {
    this.#url = `${serverUrl}/admin/v1`;
    this.#authorization = `Bearer ${token}`;
  }

  async call(
    method: Method,
    path: string,
    body?: Json | string,
    authorization = this.#authorization,
  ): Promise<AdminAnswer> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await fetch(this.#url + path, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(text === undefined ? {} : { body: text }),
    });
    const { code, msg, data } = (await answer.json()) as AdminAnswer;
    return { status: answer.status, code, msg, data, rows: Array.isArray(data) ? data : [] };
  }

  /** The path of the link that waits for somebody, once it is there: handed out. */
  async linkFor(email: string, kind?: string): Promise<string> {
    const link = await eventually(
      async () => {
        const { rows } = await this.call('GET', '/people-links');
        return rows.find((one) => one.email === email && one.kind === (kind ?? one.kind));
      },
      (found) => assert.ok(found, `a link for ${email}`),
    );
    const reason = 'handed over in class';
    const { code, msg, data } = await this.call('POST', handOutPath(Object(link)), { reason });
    assert.equal(code, '00000', msg);
    return String(data.path);
  }

  /** A successful call whose data has the shape its table row promises. */
  async done(name: AdminEndpointName, path: string, body?: Json): Promise<AdminAnswer> {
    const { method, response } = ADMIN_ENDPOINTS[name];
    const answer = await this.call(method, path, body);
    assert.equal(answer.code, '00000', answer.msg);
    assert.equal(answer.status, 200);
    assert.deepEqual(Value.Errors(response, answer.data), [], `${name} has its promised shape`);
    return answer;
  }
}

/** Where a link that is listed is handed out. */
export function handOutPath({ personId, linkId }: Json): string {
  return `/people/${personId}/links/${linkId}/hand-out`;
}

/** What is behind the sign of a link. */
export function tokenOf(path: string): string {
  const [, token = ''] = /^\/account#\w+=([\w-]{43})$/.exec(path) ?? [];
  return token;
}

/** The least that listing a contract must say. */
export const SHORT_CONTRACT = {
  symbol: 'SHORT-PERP',
  kind: 'linear',
  base: 'BTC',
  quote: 'USDT',
  contractValue: '0.001',
  priceScale: 1,
  referencePrice: '30000',
  tiers: [
    { contracts: '1000', maintenanceRate: '0.005', maxLeverage: 50 },
    { contracts: '5000', maintenanceRate: '0.01', maxLeverage: 20 },
  ],
};

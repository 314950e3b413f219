/**
 * The ccxt client as it comes from its package, pointed at a venue: only the address and the
 * credentials are given, as a user of the client would. Nothing of it is replaced.
 */
import { strict as assert } from 'node:assert/strict';
import ccxt from 'ccxt';

export interface Credentials {
  readonly apiKey?: string;
  readonly secret?: string;
  readonly password?: string;
}

export type Client = InstanceType<typeof ccxt.bitget>;

/** What a refusal is called in the client's words. */
export type ErrorName =
  | 'ExchangeError'
  | 'AuthenticationError'
  | 'PermissionDenied'
  | 'BadRequest'
  | 'BadSymbol'
  | 'InsufficientFunds'
  | 'InvalidOrder'
  | 'OrderNotFound'
  | 'InvalidNonce'
  | 'DDoSProtection'
  | 'ExchangeNotAvailable';

export const DEMO = { apiKey: 'demo-key', secret: 'demo-secret', password: 'demo-pass' };
export const MAKER = { apiKey: 'maker-key', secret: 'maker-secret', password: 'maker-pass' };

/** A client of the venue at this address, without a brake of its own unless asked for. */
export function connect(url: string, credentials: Credentials = {}): Client {
  const client = new ccxt.bitget({
    ...credentials,
    enableRateLimit: false,
    timeout: 10_000,
    options: { fetchMarkets: ['spot'], defaultType: 'spot' },
  });
  client.urls = { ...client.urls, api: { spot: url, mix: url } };
  return client;
}

/** The error that a call ends in. Fails unless it is of exactly this class. */
export async function errorOf(name: string, call: Promise<unknown>): Promise<Error> {
  const error = await call.then(
    (answer) => assert.fail(`answered ${JSON.stringify(answer)}`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Error);
  assert.equal(error.constructor.name, name, error.message);
  return error;
}

/**
 * The code that came with a refusal: a bot tells "retry", "give up" and "my order is gone" apart by
 * the class of the error.
 */
export async function refusedAs(name: ErrorName, call: Promise<unknown>): Promise<string> {
  const error = await errorOf(name, call);
  assert.ok(error instanceof ccxt[name]);
  return /"code":"([0-9]+)"/.exec(error.message)?.[1] ?? '';
}

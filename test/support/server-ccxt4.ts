/**
 * The ccxt client of today as it comes from its package, pointed at a venue: only the addresses and
 * the credentials are given, as a user of the client would. Nothing of it is replaced.
 */
import ccxt from 'ccxt4';
import { type Credentials, errorOf } from './server-ccxt.ts';

export type Client = InstanceType<typeof ccxt.pro.weex>;

/** What a refusal is called in the client's words. */
export type ErrorName =
  | 'ArgumentsRequired'
  | 'AuthenticationError'
  | 'BadRequest'
  | 'BadSymbol'
  | 'ExchangeError'
  | 'ExchangeNotAvailable'
  | 'InsufficientFunds'
  | 'InvalidOrder'
  | 'OrderNotFound'
  | 'PermissionDenied'
  | 'RateLimitExceeded';

/** A client of the venue at this address, without a brake of its own. */
export function connect(url: string, credentials: Credentials = {}): Client {
  const client = new ccxt.pro.weex({ ...credentials, enableRateLimit: false, timeout: 10_000 });
  const streams = url.replace(/^http/, 'ws');
  const ws = { spot: `${streams}/spot/v3/ws`, contract: `${streams}/contract/v3/ws` };
  const api = { public: url, private: url, contract: url, contractPrivate: url, ws };
  client.urls = { ...client.urls, api };
  return client;
}

/** Fails unless the call ends in exactly this class of error. */
export async function refusedAs(name: ErrorName, call: Promise<unknown>): Promise<string> {
  return (await errorOf(name, call)).message;
}

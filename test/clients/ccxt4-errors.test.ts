/** What an unmodified ccxt client of today throws when it is refused: bots go by the class. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { closedAtEnd } from '../support/at-end.ts';
import { DEMO } from '../support/server-ccxt.ts';
import { type Client, connect, type ErrorName, refusedAs } from '../support/server-ccxt4.ts';
import { startHere } from '../support/server-here.ts';

const PAIR = 'BTC/USDT';
const server = closedAtEnd(await startHere());
const limited = closedAtEnd(await startHere({ rateLimits: true }));

async function client(changes: object = {}, url = server.url): Promise<Client> {
  const connected = connect(url, { ...DEMO, ...changes });
  await connected.loadMarkets();
  return connected;
}

const demo = await client();
const late = await client();
late.nonce = () => Date.now() - 60_000;

const REFUSED: readonly [what: string, name: ErrorName, call: () => Promise<unknown>][] = [
  [
    'a key that nobody has',
    'AuthenticationError',
    async () => (await client({ apiKey: 'nobody' })).fetchBalance(),
  ],
  [
    'a wrong secret',
    'AuthenticationError',
    async () => (await client({ secret: 'guess' })).fetchBalance(),
  ],
  [
    'a wrong passphrase',
    'AuthenticationError',
    async () => (await client({ password: 'guess' })).fetchBalance(),
  ],
  ['a request of a minute ago', 'BadRequest', () => late.fetchBalance()],
  [
    'a symbol that the venue does not list',
    'BadSymbol',
    () => demo.publicGetApiV3MarketTicker24hr({ symbol: 'NOPEUSDT' }),
  ],
  [
    'an order that does not exist',
    'OrderNotFound',
    () => demo.fetchOrder('1000000000999999', PAIR),
  ],
  [
    'a cancel of an order that does not exist',
    'OrderNotFound',
    () => demo.cancelOrder('1000000000999999', PAIR),
  ],
  [
    'more than there is',
    'InsufficientFunds',
    () => demo.createOrder(PAIR, 'limit', 'buy', 9_000, 29_000),
  ],
  [
    'a time in force that does not exist',
    'InvalidOrder',
    () => demo.createOrder(PAIR, 'limit', 'buy', 1, 29_000, { timeInForce: 'DAY' }),
  ],
  [
    'a client id that is too long',
    'InvalidOrder',
    () => demo.createOrder(PAIR, 'limit', 'buy', 1, 29_000, { clientOrderId: 'x'.repeat(41) }),
  ],
];

for (const [what, name, call] of REFUSED) {
  test(`${what} is a ${name}`, async () => {
    await refusedAs(name, call());
  });
}

test('a call too many is a RateLimitExceeded, and nothing else is', async () => {
  const connected = await client({}, limited.url);
  const calls = Array.from({ length: 120 }, () => connected.fetchBalance());
  const outcomes = await Promise.allSettled(calls);
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  assert.equal(refused.length, 20, 'of 120 calls of weight 5');
  for (const { reason } of refused) assert.equal(reason.constructor.name, 'RateLimitExceeded');
});

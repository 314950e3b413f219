/** Whatever a client sends to the current dialect's streams, nothing breaks and nothing changes. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { closedAtEnd } from '../support/at-end.ts';
import { CurrentStream, type Product, refusedHandshake } from '../support/current-stream.ts';
import { House } from '../support/house.ts';

const house = closedAtEnd(await House.open());
const ann = await house.trader('ann', { USDT: '1000' });
const port = await house.port();

/** Names of properties that every object has, and values where others are expected. */
const WORDS = fc.constantFrom(
  ...['SUBSCRIBE', 'UNSUBSCRIBE', 'PING', 'PONG', 'constructor', '__proto__', 'toString', ''],
  ...['BTCUSDT@ticker', 'BTCUSDT@', '@', '@ticker', 'BTCUSDT@depth-1', 'BTCUSDT@depth15@'],
  ...['BTCUSDT@kline_', 'BTCUSDT@kline_1m_', 'BTCUSDT@kline_1M_MARK_PRICE', 'orders', 'account'],
  ...['BTC-USDT@trade', 'btcusdt_spbl@trade', 'BTCUSDT@depth00015', '../BTCUSDT@ticker'],
);
const VALUE = fc.oneof(WORDS, fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 3 }));
const REQUEST = fc.record(
  {
    id: VALUE,
    method: fc.oneof({ weight: 3, arbitrary: WORDS }, VALUE),
    params: fc.oneof(fc.array(VALUE, { maxLength: 4 }), VALUE),
    event: VALUE,
    type: VALUE,
  },
  { requiredKeys: [] },
);
const MESSAGE: fc.Arbitrary<string | Buffer> = fc.oneof(
  { weight: 4, arbitrary: REQUEST.map((request) => JSON.stringify(request)) },
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom('['.repeat(5_000), '{"id":'.repeat(2_000), `{"id":"${'9'.repeat(9_000)}"}`),
  fc.constant(`{"method":"SUBSCRIBE","params":${JSON.stringify(Array(900).fill('x@y'))}}`),
);

const OPENED: readonly (readonly [string, (product: Product) => Promise<CurrentStream>])[] = [
  ['public', (product) => CurrentStream.public(house, product)],
  ['private', (product) => CurrentStream.private(house, product, ann)],
];

for (const [access, open] of OPENED) {
  test(`the ${access} streams answer anything, and end only with a code`, async () => {
    const before = house.venue.releasedSeq;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<Product>('spot', 'contract'),
        fc.array(MESSAGE, { minLength: 1, maxLength: 5 }),
        async (product, messages) => {
          const stream = await open(product);
          for (const message of messages) stream.send(message);
          const answer = await stream.request('PING');
          assert.equal(answer.result, true);
          for (const { result, id } of stream.messages) {
            if (result === false) assert.ok(['undefined', 'string', 'number'].includes(typeof id));
          }
          await stream.close();
        },
      ),
      { numRuns: 150 },
    );
    assert.equal(house.venue.releasedSeq, before);
  });
}

test('a message that is far too long closes the connection', async () => {
  const stream = await CurrentStream.public(house, 'spot');
  stream.send('x'.repeat(20_000));
  assert.equal((await stream.gone).code, 1009);
});

test('any headers of a handshake are answered', async () => {
  const text = fc.string({ maxLength: 60 }).map((value) => value.replace(/[^ -~]/g, '?'));
  const headers = fc.record({
    'ACCESS-KEY': text,
    'ACCESS-SIGN': text,
    'ACCESS-TIMESTAMP': fc.oneof(text, fc.constant(String(house.clock.nowMs()))),
    'ACCESS-PASSPHRASE': text,
  });
  await fc.assert(
    fc.asyncProperty(headers, async (given) => {
      const { status, body } = await refusedHandshake(port, '/contract/v3/ws/private', given);
      assert.equal(status, 401, body);
      assert.ok(Number.isInteger(JSON.parse(body).code));
    }),
    { numRuns: 50 },
  );
});

/** The house's own stream: what a client may say on it, and what is public. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { bookChecksum } from '#api/testing';
import { NATIVE_ENDPOINTS as CALLS } from '#dialects';
import { LIMITS } from '#domain';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import type { Trader } from '../support/house.ts';
import { loginFields, type Message, NativeStream, type Row } from '../support/native-stream.ts';
import { SwapDesk } from '../support/swap-desk.ts';

const desk = await SwapDesk.open();
const house = closedAtEnd(desk.house);
const ann = await house.trader('ann', { USDT: '1000000', BTC: '20' });
const bob = await house.trader('bob', { USDT: '1000000', BTC: '20' });

const ASK = { symbol: 'BTC-USDT', side: 'sell', type: 'limit', price: '30000', size: '0.01' };
const BID = { ...ASK, side: 'buy', price: '29000' };

async function place(who: Trader, order: object): Promise<string> {
  const { status, text } = await house.signedPost(who, CALLS.placeOrder.path, order);
  assert.equal(status, 200, text);
  return JSON.parse(text).id;
}

async function rest<T = Row[]>(url: string): Promise<T> {
  const { status, text } = await house.get(url);
  assert.equal(status, 200, text);
  return JSON.parse(text);
}

/** A stream that follows these, with the first message of each. */
async function follow(...channels: string[]): Promise<[NativeStream, ...Message[]]> {
  const stream = await NativeStream.at(house);
  await stream.done('subscribe', { channels });
  const first = channels.map((channel) => stream.until(channel, () => stream.pushes(channel)[0]));
  return [stream, ...(await Promise.all(first))];
}

test('every frame with an id has one answer with it, in the type it came in', async () => {
  const stream = await NativeStream.at(house);
  for (const id of [7, 'seven', 0, '12345678901234567890', -1.5]) {
    stream.send({ id, op: 'ping' });
    const answer = await stream.until('answer', () => stream.messages.find((one) => one.id === id));
    assert.deepEqual(answer, { id, data: { time: house.clock.nowMs() } });
  }
  stream.send({ op: 'ping' });
  await stream.until('answer without an id', () => stream.messages[5]);
  assert.deepEqual(stream.messages[5], { data: { time: house.clock.nowMs() } });
  await stream.close();
});

test('channels are followed in one spelling and left again', async () => {
  const stream = await NativeStream.at(house);
  const asked = ['trades:btc-usdt', 'book:200:Btc-Usdt-Perp', 'tickers', 'candles:1min:BTC-USDT'];
  const { channels } = await stream.done('subscribe', { channels: asked });
  assert.deepEqual(channels, [
    'trades:BTC-USDT',
    'book:200:BTC-USDT-PERP',
    'tickers',
    'candles:1min:BTC-USDT',
  ]);
  await stream.until('a first message', () => stream.pushes('trades:BTC-USDT')[0]);
  await stream.done('unsubscribe', { channels: asked });
  const before = stream.pushes('trades:BTC-USDT').length;
  await place(ann, ASK);
  await place(bob, { ...ASK, side: 'buy' });
  await stream.done('ping');
  assert.equal(stream.pushes('trades:BTC-USDT').length, before);
  await stream.close();
});

test('trades: the last ones, then each once, as REST has them', async () => {
  const [stream, first] = await follow('trades:BTC-USDT');
  assert.deepEqual(
    [first?.type, first?.data],
    ['snapshot', await rest('/v1/trades?symbol=BTC-USDT&limit=50')],
  );
  const count = ((first?.data ?? []) as Row[]).length;
  for (let at = 0; at < 3; at += 1) {
    await place(ann, ASK);
    await place(bob, { ...ASK, side: 'buy' });
  }
  const told = () =>
    stream
      .pushes('trades:BTC-USDT')
      .flatMap(({ data }) => (data as Row[]).toReversed())
      .slice(count);
  await stream.until('three trades', () => (told().length === 3 ? true : undefined));
  assert.deepEqual(told().toReversed(), await rest('/v1/trades?symbol=BTC-USDT&limit=3'));
  const seqs = stream.pushes('trades:BTC-USDT').map(({ seq = 0 }) => seq - (first?.seq ?? 0));
  assert.deepEqual(
    seqs,
    seqs.map((_, at) => at),
    'and a gap would be seen',
  );
  await stream.close();
});

interface Book {
  readonly symbol: string;
  readonly version: number;
  readonly checksum: number;
  readonly bids: [string, string][];
  readonly asks: [string, string][];
}

test('a book is kept by levels, with its version and checksum', async () => {
  const [stream, first] = await follow('book:5:BTC-USDT');
  assert.equal(first?.type, 'snapshot');
  for (let at = 1; at <= 7; at += 1) await place(ann, { ...BID, price: String(28_000 + at) });
  const ids = [await place(ann, BID), await place(ann, { ...ASK, price: '31000' })];
  for (const id of ids) {
    const path = `/v1/orders/${id}`;
    const headers = house.sign(ann, 'DELETE', path, '');
    assert.equal((await house.call({ method: 'DELETE', url: path, headers })).status, 200);
  }
  const wanted = await rest<Book>('/v1/book?symbol=BTC-USDT&limit=5');
  const sides = { bids: new Map<string, string>(), asks: new Map<string, string>() };
  let copy: Book | undefined;
  let seq = (first?.seq ?? 0) - 1;
  let read = 0;
  await stream.until('the book of REST', () => {
    for (const push of stream.pushes('book:5:BTC-USDT').slice(read)) {
      read += 1;
      assert.equal(push.seq, seq + 1);
      seq += 1;
      copy = folded(sides, push.data as Book);
    }
    return copy?.version === wanted.version ? true : undefined;
  });
  const { checksum, ...book } = present(copy, 'book');
  assert.deepEqual(book, wanted);
  assert.equal(checksum, bookChecksum(book.asks, book.bids));
  assert.ok(book.bids.length === 5 && read > 1);
  await stream.close();
});

function folded(sides: Record<'bids' | 'asks', Map<string, string>>, message: Book): Book {
  for (const side of ['bids', 'asks'] as const) {
    for (const [price, size] of message[side]) {
      if (size === '0') sides[side].delete(price);
      else sides[side].set(price, size);
    }
  }
  const by = (sign: number) => (one: [string, string], other: [string, string]) =>
    sign * (Number(one[0]) - Number(other[0]));
  return {
    ...message,
    bids: [...sides.bids].sort(by(-1)),
    asks: [...sides.asks].sort(by(1)),
  };
}

test('a ticker is the row of REST, of a contract with mark, index and funding', async () => {
  const [stream, first] = await follow('ticker:BTC-USDT-PERP');
  assert.deepEqual([first?.data], await rest('/v1/tickers?symbol=BTC-USDT-PERP'));
  await desk.setIndex(30_500);
  const [wanted] = await rest('/v1/tickers?symbol=BTC-USDT-PERP');
  assert.equal(wanted?.index, '30500.0');
  await stream.until('the new index', () =>
    JSON.stringify(stream.pushes('ticker:BTC-USDT-PERP').at(-1)?.data) === JSON.stringify(wanted)
      ? true
      : undefined,
  );
  await desk.setIndex(30_000);
  await stream.close();
});

test('the tickers of all markets: whole, then those that changed', async () => {
  const [stream, first] = await follow('tickers');
  assert.deepEqual(first?.data, await rest('/v1/tickers'));
  await desk.setIndex(30_100);
  const second = await stream.until('an update', () => stream.pushes('tickers')[1]);
  const symbols = (second.data as Row[]).map(({ symbol }) => symbol);
  assert.deepEqual([second.type, symbols], ['update', ['BTC-USDT-PERP']]);
  await desk.setIndex(30_000);
  await stream.close();
});

test('candles: those of REST, then the current one as it changes', async () => {
  const [stream, first] = await follow('candles:1min:BTC-USDT');
  const read = () => rest('/v1/candles?symbol=BTC-USDT&period=1min');
  assert.deepEqual(first?.data, await read());
  await place(ann, ASK);
  await place(bob, { ...ASK, side: 'buy' });
  const [now] = (await read()).slice(-1);
  await stream.until('the candle of now', () => {
    const rows = (stream.pushes('candles:1min:BTC-USDT').at(-1)?.data ?? []) as Row[];
    return JSON.stringify(rows.at(-1)) === JSON.stringify(now) ? true : undefined;
  });
  await stream.close();
});

test('candles begin anew, up to the current one, after a leap over more than a page', async () => {
  const trade = async () => {
    await place(ann, ASK);
    await place(bob, { ...ASK, side: 'buy' });
  };
  await trade();
  const [stream] = await follow('candles:1min:BTC-USDT');
  house.clock.advance((LIMITS.candlePageMax + 500) * 60_000);
  await trade();
  const pushed = () => stream.pushes('candles:1min:BTC-USDT').slice(1);
  const rowsOf = (push: Message | undefined) => (push?.data ?? []) as Row[];
  await stream.until('a trade', () =>
    pushed().find((push) => rowsOf(push).at(-1)?.volume === ASK.size),
  );
  const [first] = pushed();
  assert.equal(first?.type, 'snapshot');
  const shown = await rest('/v1/candles?symbol=BTC-USDT&period=1min&limit=300');
  assert.deepEqual(
    rowsOf(first).map(({ time }) => time),
    shown.map(({ time }) => time),
  );
  await stream.close();
});

const REFUSED: readonly (readonly [fields: object, kind: string])[] = [
  [{ op: 'nothing' }, 'parameter_invalid'],
  [{ op: 7 }, 'parameter_invalid'],
  [{ op: 'ping', more: 1 }, 'parameter_invalid'],
  [{ op: 'subscribe' }, 'parameter_invalid'],
  [{ op: 'subscribe', channels: [] }, 'parameter_invalid'],
  [{ op: 'subscribe', channels: 'tickers' }, 'parameter_invalid'],
  [{ op: 'subscribe', channels: ['trades'] }, 'parameter_invalid'],
  [{ op: 'subscribe', channels: ['nothing:BTC-USDT'] }, 'parameter_invalid'],
  [{ op: 'subscribe', channels: ['trades:5:BTC-USDT'] }, 'parameter_invalid'],
  [{ op: 'subscribe', channels: ['book:7:BTC-USDT'] }, 'parameter_invalid'],
  [{ op: 'subscribe', channels: ['book:05:BTC-USDT'] }, 'parameter_invalid'],
  [{ op: 'subscribe', channels: ['candles:BTC-USDT'] }, 'parameter_invalid'],
  [{ op: 'subscribe', channels: ['candles:1m:BTC-USDT'] }, 'parameter_invalid'],
  [{ op: 'subscribe', channels: ['trades:BTC-USDT', 'trades:NO-SUCH'] }, 'symbol_unknown'],
  [{ op: 'subscribe', channels: ['book:5:BTC-USDT:1'] }, 'parameter_invalid'],
  [{ op: 'subscribe', channels: [{}] }, 'parameter_invalid'],
  [{ op: 'subscribe', channels: ['account'] }, 'key_missing'],
  [{ op: 'subscribe', channels: ['tickers'], since: 1 }, 'parameters_conflict'],
  [{ op: 'subscribe', channels: ['account'], since: -1 }, 'parameter_invalid'],
  [{ op: 'subscribe', channels: ['account'], since: '1' }, 'parameter_invalid'],
  [{ op: 'subscribe', channels: ['account'], since: 0.5 }, 'parameter_invalid'],
  [{ op: 'unsubscribe', channels: ['tickers'], since: 1 }, 'parameter_invalid'],
  [{ op: 'subscribe', channels: Array(201).fill('tickers') }, 'batch_too_large'],
];

test('what is wrong is refused as REST words it, and nothing of it is done', async () => {
  const stream = await NativeStream.at(house);
  for (const [fields, kind] of REFUSED) {
    const { op, ...others } = fields as { op: string };
    assert.equal(await stream.refused(op, others), kind, JSON.stringify(fields).slice(0, 80));
  }
  await place(ann, { ...BID, price: '27000' });
  await stream.done('ping');
  assert.deepEqual(
    stream.messages.filter(({ channel }) => channel !== undefined),
    [],
  );
  await stream.close();
});

const HOSTILE = [
  '',
  'ping',
  '[]',
  'null',
  '7',
  '{"op":"ping"',
  '{"op":"ping","op":"ping"}',
  `{"op":${'['.repeat(5_000)}`,
  '{"id":{},"op":"ping"}',
  `{"id":"${'x'.repeat(65)}","op":"ping"}`,
  '{"id":[1],"op":"ping"}',
  '{"__proto__":{"op":"ping"}}',
  '{"op":"constructor"}',
  '\u0000',
];

test('hostile frames are refused without an id, and the connection goes on', async () => {
  const stream = await NativeStream.at(house);
  for (const text of HOSTILE) stream.send(text);
  await stream.done('ping');
  const refused = stream.messages.filter(
    ({ error, id }) => error !== undefined && id === undefined,
  );
  // An empty list is taken for an object without fields.
  assert.equal(refused.length, HOSTILE.length);
  stream.send(Buffer.from('{"op":"ping"}'));
  assert.equal((await stream.gone).code, 1003);
});

test('a frame that is too long ends the connection', async () => {
  const stream = await NativeStream.at(house);
  stream.send(`{"op":"ping","id":"${'x'.repeat(17_000)}"}`);
  assert.equal((await stream.gone).code, 1009);
});

test('a login by HMAC and by Ed25519; a wrong one ends the connection', async () => {
  const { generateKeyPairSync } = await import('node:crypto');
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
  const made = await house.addKey(ann.accountId, 'ann-ed', { publicKey: raw });
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  for (const who of [ann, { ...made, secret: pem }]) {
    const stream = await NativeStream.at(house);
    const { data } = await stream.login(house, who);
    assert.deepEqual(data, { time: house.clock.nowMs() });
    assert.equal((await stream.login(house, bob)).error?.kind, 'parameter_invalid', 'one alone');
    await stream.close();
  }
  const right = loginFields(house, ann);
  const late = String(house.clock.nowMs() - LIMITS.requestAgeMaxMs - 1);
  const blind = await house.addKey(ann.accountId, 'ann-blind', { permissions: ['trade'] });
  const wrong: readonly (readonly [fields: object, kind: string])[] = [
    [{ ...right, signature: 'AAAA' }, 'credentials_wrong'],
    [{ ...right, key: 'nobody' }, 'credentials_wrong'],
    [{ ...right, passphrase: 'wrong' }, 'credentials_wrong'],
    [{ ...right, time: late }, 'timestamp_expired'],
    [{ ...right, time: 'now' }, 'timestamp_malformed'],
    [{ ...right, key: undefined }, 'key_missing'],
    [loginFields(house, blind), 'permission_missing'],
  ];
  for (const [fields, kind] of wrong) {
    const stream = await NativeStream.at(house);
    assert.equal(await stream.refused('login', fields), kind);
    assert.equal((await stream.gone).code, 1008);
  }
});

test('what is sent behind a login waits for it, however much it is', async () => {
  const stream = await NativeStream.at(house);
  stream.send({ id: 'in', op: 'login', ...loginFields(house, ann) });
  for (let id = 0; id < 100; id += 1)
    stream.send({ id, op: 'call', method: 'GET', path: '/v1/time' });
  stream.send({ id: 'mine', op: 'call', method: 'GET', path: '/v1/balances' });
  await stream.until('the last answer', () => stream.messages.find(({ id }) => id === 'mine'));
  assert.deepEqual(
    stream.messages.map(({ id }) => id),
    ['in', ...Array.from({ length: 100 }, (_, at) => at), 'mine'],
  );
  assert.equal(stream.messages.at(-1)?.error, undefined);
  await stream.close();
});

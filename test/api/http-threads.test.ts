/**
 * Threads that speak HTTP for the venue: what they answer is what the venue answers by itself, to
 * the byte, and what bounds callers holds over all of them.
 */
import { strict as assert } from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { HttpThreads } from '#api';
import { boundConnections } from '#api/testing';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { House } from '../support/house.ts';
import { startHere } from '../support/server-here.ts';
import { StreamClient, topic } from '../support/streams-client.ts';
import { until } from '../support/until.ts';

const TIME = '/api/spot/v1/public/time';
const BOOK = '/api/v3/market/depth?symbol=BTCUSDT&limit=200';
const OLDER_BOOK = '/api/spot/v1/market/depth?symbol=BTCUSDT_SPBL';
/** Makes books that are kept as bytes. */
const LEVELS = 140;
const ORDERS = '/api/spot/v1/trade/orders';
const HOST = 'Host: localhost\r\n';
const CLOSE = 'Connection: close\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';
const LARGE = 'x'.repeat(70_000);

const direct = closedAtEnd(await House.open());
const threaded = closedAtEnd(await House.open({ httpThreads: 2 }));
for (const house of [direct, threaded]) await placeBids(house);

async function placeBids(house: House): Promise<void> {
  const who = await house.trader('bidder', { USDT: '100000' });
  const terms = { side: 'buy', orderType: 'limit', quantity: '0.001' };
  for (let level = 0; level < LEVELS; level += 1) {
    const fields = { symbol: 'BTCUSDT', ...terms, price: `${20_000 + level}` };
    const { status, text } = await house.signedPost(who, ORDERS, fields);
    assert.equal(status, 200, text);
  }
}

function posted(body: string, more = ''): string {
  const length = `Content-Length: ${body.length}\r\n`;
  return `POST ${ORDERS} HTTP/1.1\r\n${HOST}${CLOSE}${JSON_TYPE}${more}${length}\r\n${body}`;
}

function chunked(body: string): string {
  const head = `POST ${ORDERS} HTTP/1.1\r\n${HOST}${CLOSE}${JSON_TYPE}`;
  const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  return `${head}Transfer-Encoding: chunked\r\n\r\n${chunks}`;
}

function asked(line: string, fields = ''): string {
  return `${line} HTTP/1.1\r\n${HOST}${CLOSE}${fields}\r\n`;
}

/** What a client sends, in the pieces in which it sends it. */
const TEXTS: readonly (readonly [name: string, ...pieces: string[]])[] = [
  ['a read', asked(`GET ${TIME}`)],
  ['a read of the head alone', asked(`HEAD ${TIME}`)],
  ['a read of bytes that are kept', asked(`GET ${BOOK}`)],
  ['the head of bytes that are kept', asked(`HEAD ${BOOK}`)],
  ['bytes that are kept in a frame', asked(`GET ${OLDER_BOOK}`)],
  ['the head of bytes in a frame', asked(`HEAD ${OLDER_BOOK}`)],
  ['the allowed methods', asked(`OPTIONS ${TIME}`)],
  ['a wrong method', asked(`PATCH ${TIME}`)],
  ['a method nobody has', asked(`PURGE ${TIME}`)],
  ['an unknown path', asked('GET /nowhere')],
  ['a broken escape', asked('GET /%zz')],
  ['a whole address', asked(`GET http://localhost${TIME}`)],
  ['the target *', asked('OPTIONS *')],
  ['a name that is not ours', `GET ${TIME} HTTP/1.1\r\nHost: evil.example\r\n${CLOSE}\r\n`],
  ['an origin that is not ours', asked(`GET ${TIME}`, 'Origin: https://evil.example\r\n')],
  ['two hosts', asked(`GET ${TIME}`, 'HOST: evil.example\r\n')],
  ['no host', `GET ${TIME} HTTP/1.1\r\n${CLOSE}\r\n`],
  ['an old client', `GET ${TIME} HTTP/1.0\r\n\r\n`],
  ['a field twice', asked(`GET ${TIME}`, 'Accept: a\r\naccept: b\r\nOrigin: null\r\n')],
  ['a field on two lines', asked(`GET ${TIME}`, 'X: a\r\n Origin: null\r\n')],
  ['a line feed in a field', asked(`GET ${TIME}`, 'X: a\nOrigin: null\r\n')],
  ['a field of no name', asked(`GET ${TIME}`, ': a\r\n__proto__: b\r\n')],
  ['a field that is a trap', asked(`GET ${TIME}`, '__proto__: a\r\nconstructor: b\r\n')],
  ['fields without end', asked(`GET ${TIME}`, `X: ${LARGE}\r\n`)],
  ['a body', posted('{"symbol":"BTCUSDT_SPBL"}')],
  ['a body in pieces', posted('{"symbol":').slice(0, -3), 'bol', '":'],
  ['a body in chunks', chunked('{"a":1}')],
  ['an empty body', posted('')],
  ['a body that is no JSON', posted('}{')],
  ['a body of another type', posted('a=1').replace('application/json', 'text/plain')],
  ['a body of a type that is none', posted('a=1').replace('application/json', '///')],
  ['a body that is too large', posted(LARGE)],
  ['chunks that are too large', chunked(LARGE)],
  ['a body where none belongs', posted('{}').replace(`POST ${ORDERS}`, `GET ${TIME}`)],
  ['a body for nobody', posted('{}').replace(ORDERS, '/nowhere')],
  ['an expectation', posted('{}', 'Expect: 100-continue\r\n')],
  ['an expectation nobody has', posted('{}', 'Expect: a miracle\r\n')],
  ['an upgrade to nothing', asked(`GET ${TIME}`, 'Upgrade: websocket\r\n')],
  ['an upgrade without a key', asked('GET /ws/v1', 'Upgrade: websocket\r\n')],
  ['no HTTP', 'hello\r\n\r\n'],
  ['no HTTP behind a good request', `${asked(`GET ${TIME}`)}\u0001\r\n\r\n`],
  ['a length that is none', posted('{}').replace('Content-Length: 2', 'Content-Length: -2')],
  ['both kinds of length', chunked('{}').replace(JSON_TYPE, 'Content-Length: 2\r\n')],
];

async function connected(house: House, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port: await house.port(), host: '127.0.0.1', localAddress });
  await once(socket, 'connect');
  return socket.setEncoding('latin1').on('error', () => undefined);
}

/** All that comes back on a connection, once it is closed, without the time of day and its id. */
async function answerTo(house: House, pieces: readonly string[]): Promise<string> {
  const socket = await connected(house);
  let text = '';
  socket.on('data', (part: string) => {
    text += part;
  });
  for (const piece of pieces) {
    socket.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await once(socket, 'close');
  return text.replace(/^(?:Date|x-request-id): .*\r\n/gim, '');
}

for (const [name, ...pieces] of TEXTS) {
  test(`${name}: answered to the byte as without HTTP threads`, async () => {
    const [theirs, ours] = await Promise.all([
      answerTo(direct, pieces),
      answerTo(threaded, pieces),
    ]);
    assert.match(theirs, /^HTTP\/1\.1 [1-5]/);
    assert.equal(ours, theirs);
  });
}

test('a book is as long as its head says and whole, many or few levels of it', async () => {
  for (const path of [BOOK, OLDER_BOOK, `${OLDER_BOOK}&limit=2`]) {
    const text = await answerTo(direct, [asked(`GET ${path}`)]);
    const [head = '', body = ''] = text.split('\r\n\r\n', 2);
    assert.match(head, new RegExp(`^content-length: ${body.length}$`, 'm'));
    const { bids, data } = JSON.parse(body);
    const levels: unknown[] = bids ?? data.bids;
    assert.equal(levels.length, path.endsWith('limit=2') ? 2 : LEVELS);
    if (data !== undefined) assert.equal(data.timestamp, String(direct.clock.nowMs()));
  }
});

test('what comes on one connection at once is answered in order', async () => {
  const rounds = 200;
  const round = [`GET ${TIME}`, 'GET /nowhere', `POST ${ORDERS}`];
  const once = round.map((line) => `${line} HTTP/1.1\r\n${HOST}\r\n`).join('');
  const last = asked('GET /health/live');
  const text = await answerTo(threaded, [once.repeat(rounds), last]);
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  const expected = Array.from({ length: rounds }, () => ['200', '404', '400']).flat();
  assert.deepEqual(statuses, [...expected, '200']);
});

test('a large answer comes whole to a client that reads late', async () => {
  const socket = await connected(threaded);
  socket.write(asked('GET /openapi.json'));
  await once(socket.pause(), 'readable');
  let text = '';
  socket.on('data', (part: string) => {
    text += part;
  });
  await once(socket, 'close');
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  assert.ok(body.length > 400_000);
  assert.match(head, new RegExp(`^content-length: ${body.length}$`, 'm'));
});

test('the address of a client counts as it is', async () => {
  const who = await threaded.trader('abroad', {}, { ipAllowList: ['127.0.0.2'] });
  const path = '/api/spot/v1/account/assets';
  const signed = Object.entries(threaded.sign(who, 'GET', path, ''));
  const text = asked(
    `GET ${path}`,
    signed.map(([name, value]) => `${name}: ${value}\r\n`).join(''),
  );
  const statusFrom = async (address: string) => {
    const socket = await connected(threaded, address);
    socket.write(text);
    const [answer]: string[] = await once(socket, 'data');
    socket.destroy();
    return /^HTTP\/1\.1 (\d+)/.exec(answer ?? '')?.[1];
  };
  assert.deepEqual([await statusFrom('127.0.0.2'), await statusFrom('127.0.0.1')], ['200', '400']);
});

test('a stream carries what both sides say, large and small', async () => {
  const client = await StreamClient.at(threaded);
  client.send('ping');
  assert.equal((await client.any()).event, 'pong');
  client.subscribe(topic('books'));
  const book = await client.push('books');
  assert.equal(book.action, 'snapshot');
  client.send('x'.repeat(100_000));
  assert.equal((await client.gone).code, 1009);
});

test('the connections of an address count over all HTTP threads', async () => {
  const house = await House.open({ httpThreads: 2 });
  boundConnections(house.listener, [], 3);
  const sockets: Socket[] = [];
  for (let count = 0; count < 6; count += 1) sockets.push(await connected(house));
  await until('three are closed', () => sockets.filter(({ closed }) => closed).length === 3);
  const { listener } = house;
  assert.ok(listener instanceof HttpThreads);
  await until('three are known', () => listener.connectionsCount === 3);
  const [open] = sockets.filter(({ closed }) => !closed);
  present(open, 'open one').write(asked(`GET ${TIME}`));
  assert.match(String(await once(present(open, 'open one'), 'data')), /^HTTP\/1\.1 200 /);
  for (const socket of sockets) socket.destroy();
  await house.close();
});

test('an HTTP thread that dies takes its connections with it, and another follows', async () => {
  const threads: Worker[] = [];
  const note = (worker: Worker) => threads.push(worker);
  process.on('worker', note);
  after(() => process.off('worker', note));
  const server = await startHere({ server: { httpThreads: 1 } });
  const thread = present(threads.at(-1), 'thread');
  const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
  const gone = once(socket, 'close');
  socket.write(`GET ${TIME} HTTP/1.1\r\n${HOST}\r\n`);
  await once(socket, 'data');
  await thread.terminate();
  await gone;
  const statusOf = async () => (await fetch(`${server.url}${TIME}`)).status;
  await until('another serves', async () => (await statusOf().catch(() => 0)) === 200);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  assert.match(metrics, /^outcry_http_thread_connections\{thread="1"\} [12]$/m);
  assert.match(metrics, /^outcry_http_thread_lag_ms\{thread="1"\} 0$/m);
  assert.deepEqual(
    server.errors.map(({ msg }) => msg),
    ['an HTTP thread has ended: another one starts'],
  );
  await server.stop();
  await until('all have ended', () => threads.every(({ threadId }) => threadId < 0));
});

/**
 * What a hostile program can do with a bare socket: half a request, a flood of headers, garbage
 * behind a good request. No connection is kept for ever, and the server goes on serving others.
 */
import { strict as assert } from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, test } from 'node:test';
import { SPOT_ENDPOINTS } from '#dialects';
import { closedAtEnd } from '../support/at-end.ts';
import { House } from '../support/house.ts';
import { urlOf } from '../support/streams-client.ts';
import { Site, successData } from './bad-input-site.ts';

const TIME = SPOT_ENDPOINTS.time.path;
const ORDERS = SPOT_ENDPOINTS.placeOrder.path;
const GET_TIME = `GET ${TIME} HTTP/1.1\r\nhost: localhost\r\n`;
const JSON_TYPE = 'content-type: application/json\r\n';
const POST_ORDER = `POST ${ORDERS} HTTP/1.1\r\nhost: localhost\r\n${JSON_TYPE}`;
/** The server gives a request 10 seconds and looks for late ones once a second. */
const CUT_OFF_MAX_MS = 14_000;

const site = closedAtEnd(await Site.open());
const atStart = await site.fingerprint();

afterEach(async () => {
  successData(await site.send({ method: 'GET', target: TIME }), 'the next caller');
  assert.equal(await site.fingerprint(), atStart);
});

class Line {
  readonly socket: Socket;
  received = '';
  readonly #closed: Promise<unknown>;

  constructor() {
    this.socket = connect(site.server.port, '127.0.0.1');
    this.#closed = once(this.socket, 'close');
    this.socket.setEncoding('utf8').on('data', (text: string) => {
      this.received += text;
    });
    // A reset by the server is one of the ways in which it may hang up.
    this.socket.on('error', () => undefined);
  }

  /** Resolves with the status of every answer once the server has hung up. */
  async statuses(): Promise<string[]> {
    await this.#closed;
    return [...this.received.matchAll(/HTTP\/1\.1 ([0-9]{3}) /g)].map(([, code = '']) => code);
  }

  /** Resolves once this text has come. */
  async until(text: string): Promise<void> {
    while (!this.received.includes(text)) await once(this.socket, 'data');
  }
}

function send(...parts: readonly (string | Buffer)[]): Line {
  const line = new Line();
  for (const part of parts) line.socket.write(part);
  return line;
}

const BROKEN: readonly (readonly [string, string | Buffer, string])[] = [
  ['no HTTP at all', 'hello\r\n\r\n', '400'],
  ['a TLS hello', Buffer.from('16030100c8010000c40303', 'hex'), '400'],
  ['the start of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '400'],
  ['zero bytes', Buffer.alloc(1_000), '400'],
  ['an unknown method', `BREW ${TIME} HTTP/1.1\r\nhost: localhost\r\n\r\n`, '400'],
  ['an unknown version', `GET ${TIME} HTTP/9.9\r\nhost: localhost\r\n\r\n`, '400'],
  ['a header without a name', `${GET_TIME}: x\r\n\r\n`, '400'],
  ['a header without a colon', `${GET_TIME}nonsense\r\n\r\n`, '400'],
  ['a zero byte in a header', `${GET_TIME}x: a\u0000b\r\n\r\n`, '400'],
  ['a folded header', `${GET_TIME}x: a\r\n b\r\n\r\n`, '400'],
  ['a length that is no number', `${POST_ORDER}content-length: ten\r\n\r\n{}`, '400'],
  ['a negative length', `${POST_ORDER}content-length: -1\r\n\r\n{}`, '400'],
  ['two lengths', `${POST_ORDER}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`, '400'],
  [
    'a length and chunks',
    `${POST_ORDER}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    '400',
  ],
  ['a broken chunk', `${POST_ORDER}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n`, '400'],
  ['an unknown transfer', `${POST_ORDER}transfer-encoding: lzw\r\n\r\n{}`, '400'],
  ['no host', `GET ${TIME} HTTP/1.1\r\n\r\n`, '400'],
  ['a space in the target', `GET ${TIME} x HTTP/1.1\r\nhost: localhost\r\n\r\n`, '400'],
  ['one endless header', `${GET_TIME}x: ${'y'.repeat(20_000)}\r\n\r\n`, '431'],
  ['a flood of headers', `${GET_TIME}${'x: y\r\n'.repeat(5_000)}\r\n`, '431'],
];

for (const [what, bytes, status] of BROKEN) {
  test(`${what} is answered ${status} and hung up on`, async () => {
    const line = send(bytes);
    assert.deepEqual(await line.statuses(), [status]);
  });
}

test('a JSON answer tells why, whenever the server still has words', async () => {
  const line = send('hello\r\n\r\n');
  await line.statuses();
  const body = JSON.parse(line.received.slice(line.received.indexOf('{')));
  assert.deepEqual([body.code, body.data], ['40017', null]);
});

test('a client that is hung up on and does not hang up is cut off', async () => {
  const house = await House.open();
  const { hostname, port } = new URL(await urlOf(house));
  for (const words of ['hello\r\n\r\n', `${GET_TIME}\r\n\u0001garbage\r\n`]) {
    const arrived = once(house.listener, 'connection');
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    socket.on('error', () => undefined).resume();
    socket.write(words);
    const [theirs] = await arrived;
    await once(theirs, 'close');
    socket.destroy();
  }
  await house.close();
});

test('garbage behind a good request does not spoil its answer', async () => {
  const line = send(`${GET_TIME}\r\n${'\u0001garbage\r\n'.repeat(100)}`);
  assert.deepEqual(await line.statuses(), ['200']);
  // Sent once the answer is there, it is answered for itself.
  const later = send(`${GET_TIME}\r\n`);
  await later.until('"code":"00000"');
  later.socket.write('\u0001garbage\r\n');
  assert.deepEqual(await later.statuses(), ['200', '400']);
});

test('a hundred requests sent at once are answered in order on one connection', async () => {
  const line = send(`${GET_TIME}\r\n`.repeat(99), `${GET_TIME}connection: close\r\n\r\n`);
  assert.deepEqual(await line.statuses(), new Array(100).fill('200'));
});

test('a request to become something else is answered like any other, or hung up on', async () => {
  const upgrade = 'connection: upgrade\r\nupgrade: websocket\r\n';
  const line = send(`${GET_TIME}${upgrade}\r\n`);
  await line.until('"code":"00000"');
  line.socket.destroy();
  assert.deepEqual(
    await send('CONNECT localhost:80 HTTP/1.1\r\nhost: localhost\r\n\r\n').statuses(),
    [],
  );
});

test('an expectation that is not known is passed over', async () => {
  const line = send(`${GET_TIME}expect: the inquisition\r\nconnection: close\r\n\r\n`);
  assert.deepEqual(await line.statuses(), ['200']);
});

test('a body that was announced too long is refused before it comes', async () => {
  const line = send(`${POST_ORDER}content-length: 99999999999\r\n\r\n{`);
  await line.until('"code":"40017"');
  assert.match(line.received, /^HTTP\/1\.1 413 /);
  line.socket.destroy();
});

test('a client that leaves in the middle of a body is forgotten', async () => {
  const line = send(`${POST_ORDER}content-length: 100\r\n\r\n{"symbol":`);
  await once(line.socket, 'connect');
  line.socket.resetAndDestroy();
  assert.deepEqual(await line.statuses(), []);
});

test('five hundred connections that say nothing keep nobody out', async () => {
  const lines = Array.from({ length: 500 }, () => new Line());
  await Promise.all(lines.map(({ socket }) => once(socket, 'connect')));
  successData(await site.send({ method: 'GET', target: TIME }), 'one more');
  for (const { socket } of lines) socket.destroy();
});

test('a request that never ends is cut off, however slowly it drips', async () => {
  const startMs = performance.now();
  const silent = send(GET_TIME);
  const halfBody = send(`${POST_ORDER}content-length: 100\r\n\r\n{"symbol":`);
  const halfChunk = send(`${POST_ORDER}transfer-encoding: chunked\r\n\r\n64\r\n{"symbol":`);
  const dripping = send(GET_TIME);
  const drip = setInterval(() => dripping.socket.write('x: y\r\n'), 500);
  const lines = [silent, halfBody, halfChunk, dripping];
  const answers = await Promise.all(lines.map((line) => line.statuses()));
  clearInterval(drip);
  assert.deepEqual(
    answers,
    lines.map(() => ['408']),
  );
  const tookMs = performance.now() - startMs;
  assert.ok(tookMs >= 9_000 && tookMs <= CUT_OFF_MAX_MS, `cut off after ${tookMs} ms`);
});

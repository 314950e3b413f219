/** Requests as the venue reads them: their heads as Node does, their bodies past the stream. */
import { strict as assert } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, IncomingMessage } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { Incoming } from '#api/testing';
import { eventually } from '../support/until.ts';

const NAMES = ['Host', 'host', 'ACCESS-KEY', 'Cookie', 'Set-Cookie', 'Authorization', 'X-Own'];
const STRANGE = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'x'.repeat(40)];

const lines = fc
  .array(
    fc.tuple(
      fc.oneof(fc.constantFrom(...NAMES, ...STRANGE), fc.stringMatching(/^[A-Za-z0-9-]{1,12}$/)),
      fc.string({ maxLength: 5 }),
    ),
    { maxLength: 40 },
  )
  .map((pairs) => pairs.flat());

function fieldsOf(message: IncomingMessage, raw: readonly string[]) {
  const { _addHeaderLines: add }: { _addHeaderLines?: unknown } = Object(message);
  assert.ok(typeof add === 'function', 'Node adds lines as it did');
  add.call(message, [...raw], raw.length);
  return message.headers;
}

test('whatever the head is, its fields are those of node:http, and every Host is shown', () => {
  fc.assert(
    fc.property(lines, (raw) => {
      const wanted = { ...fieldsOf(new IncomingMessage(new Socket()), raw) };
      const hosts = raw.filter((_, at) => at % 2 === 1 && raw[at - 1]?.toLowerCase() === 'host');
      if (hosts.length > 1) wanted.host = hosts.join(', ');
      assert.deepEqual(fieldsOf(new Incoming(new Socket()), raw), wanted);
    }),
  );
});

interface Given {
  /** Whether the body is taken only once it is here. */
  readonly isLate?: boolean;
  /** Bytes that the taker wants at most. */
  readonly mostBytes?: number;
  /** Requests that are answered before the connection is looked at: whether it counts as idle. */
  readonly answers?: number;
}

/** What is said by whoever takes the body of a request that is written in these parts. */
async function heard(
  parts: readonly string[],
  { isLate = false, mostBytes = 99, answers = 0 }: Given = {},
) {
  const said: string[] = [];
  const server = createServer({ IncomingMessage: Incoming }, (request, response) => {
    response.on('close', () => said.push(response.writableFinished ? 'answered' : 'lost'));
    const say = (word: string) => said.push(word) && response.end();
    let length = 0;
    const add = (part: Buffer) => {
      length += part.length;
      if (length > mostBytes) say('too long');
      return length <= mostBytes;
    };
    const taker = { add, end: () => say(String(length)), fail: () => said.push('failed') };
    const take = () => {
      if (request.handBody(taker)) return;
      said.push('buffered');
      request.resume().on('end', () => response.end());
    };
    if (!isLate) take();
    else eventually(() => request.complete, assert.ok).then(take, assert.ifError);
  });
  const connected = once(server, 'connection');
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port }: AddressInfo = Object(server.address());
  const client = connect({ port, host: '127.0.0.1', noDelay: true });
  const [socket]: Socket[] = await connected;
  for (const part of parts) {
    if (part === 'hang up') client.destroy();
    else client.write(part);
    // The next part comes by itself.
    await eventually(
      () => socket?.bytesRead,
      (count) => assert.equal(count, client.bytesWritten),
    );
  }
  await eventually(
    () => said.at(-1) ?? '',
    (last) => assert.match(last, /answered|lost|failed/),
  );
  if (answers > 0) {
    await eventually(
      () => said.filter((word) => word === 'answered').length,
      (count) => assert.equal(count, answers),
    );
    server.closeIdleConnections();
    await eventually(() => socket?.destroyed, assert.ok);
    said.push('idle');
  }
  client.destroy();
  server.close();
  return said;
}

const HEAD = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n';
const CHUNKED = 'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n';

test('a body is taken as it comes', async () => {
  assert.deepEqual(await heard([`${HEAD}0123456789`]), ['10', 'answered']);
  assert.deepEqual(await heard([HEAD, '01234', '56789']), ['10', 'answered']);
  const chunks = [CHUNKED, '4\r\nabcd\r\n', '2\r\nef\r\n0\r\n\r\n'];
  assert.deepEqual(await heard(chunks), ['6', 'answered']);
});

test('one that is here before somebody takes it is left to its stream', async () => {
  const said = await heard([`${HEAD}0123456789`], { isLate: true });
  assert.deepEqual(said, ['buffered', 'answered']);
});

test('of one that is too long the rest is thrown away', async () => {
  assert.deepEqual(await heard([HEAD, '01234', '56789'], { mostBytes: 4 }), [
    'too long',
    'answered',
  ]);
});

test('one that breaks off has failed', async () => {
  const said = await heard([HEAD, '01234', 'hang up']);
  assert.ok(said.includes('failed'), said.join());
});

test('one after the other is read on a connection, which is idle after each', async () => {
  const said = await heard([`${HEAD}0123456789`, `${HEAD}0123456789${CHUNKED}`, '0\r\n\r\n'], {
    answers: 3,
  });
  assert.deepEqual(said, ['10', 'answered', '10', 'answered', '0', 'answered', 'idle']);
});

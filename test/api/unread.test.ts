/** Connections whose clients take nothing of what they asked for: cut off; slow ones are not. */
import { strict as assert } from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createListener } from '#api/testing';

const UNREAD_MAX_MS = 300;
/** More than the buffers of two sockets hold. */
const LARGE = Buffer.alloc(32 * 1024 * 1024, 'a');
const ASKED = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

async function listening(handler: RequestListener): Promise<Server> {
  const options = { tls: undefined, isUpgraded: () => false, unreadMaxMs: UNREAD_MAX_MS };
  const server = createListener(options, handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return server;
}

/** The two ends of a connection. */
async function connected(server: Server): Promise<readonly [client: Socket, served: Socket]> {
  const opened = once(server, 'connection');
  const { port } = server.address() as AddressInfo;
  const client = connect(port, '127.0.0.1').on('error', () => undefined);
  const [served] = await opened;
  return [client.pause(), served];
}

for (const requests of [1, 20]) {
  test(`who reads nothing of ${requests} answers is cut off`, async () => {
    const server = await listening((_request, response) => response.end(LARGE));
    const [client, served] = await connected(server);
    const closed = once(served, 'close');
    const startMs = performance.now();
    client.write(ASKED.repeat(requests));
    await closed;
    assert.ok(performance.now() - startMs >= UNREAD_MAX_MS);
    client.destroy();
  });
}

test('who reads slowly gets all of it', async () => {
  const server = await listening((_request, response) => response.end(LARGE));
  const [client] = await connected(server);
  client.write(ASKED);
  let count = 0;
  const startMs = performance.now();
  while (count < LARGE.length) {
    if (client.readableLength === 0) await once(client, 'readable');
    const part: Buffer | null = client.read();
    count += part?.length ?? 0;
    // Four times as long as who reads nothing would stay.
    const dueMs = (count / LARGE.length) * 4 * UNREAD_MAX_MS;
    await pause(Math.max(dueMs - (performance.now() - startMs), 0));
  }
  assert.ok(performance.now() - startMs > 3 * UNREAD_MAX_MS);
  client.destroy();
});

test('who waits for an answer that takes its time gets it', async () => {
  const server = await listening((_request, response) => {
    setTimeout(() => response.end('late'), 3 * UNREAD_MAX_MS);
  });
  const [client] = await connected(server);
  client.write(ASKED);
  client.resume().setEncoding('latin1');
  const [answer] = await once(client, 'data');
  assert.match(String(answer), /^HTTP\/1\.1 200 .*late/s);
  client.destroy();
});

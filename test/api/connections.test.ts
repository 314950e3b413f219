/** How many connections one address may have open. */
import { strict as assert } from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { boundConnections } from '#api/testing';

/** The server's side of the connections that it has kept. */
async function opened(trustedProxies: readonly string[], count: number) {
  const server = createServer();
  const accepted: Socket[] = [];
  server.on('connection', (socket) => accepted.push(socket.resume()));
  boundConnections(server, trustedProxies, 3);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const open = async (): Promise<Socket> => {
    const before = accepted.length;
    const socket = connect({ port, host: '127.0.0.1' });
    await once(socket, 'connect');
    while (accepted.length === before) await new Promise((resolve) => setImmediate(resolve));
    return socket;
  };
  const clients: Socket[] = [];
  for (let at = 0; at < count; at += 1) clients.push(await open());
  const kept = () => accepted.filter(({ destroyed }) => !destroyed).length;
  const close = (): void => {
    for (const socket of [...clients, ...accepted]) socket.destroy();
    server.close();
  };
  return { accepted, clients, kept, open, close };
}

test('one more connection of an address is closed, until another one has gone', async (context) => {
  const { accepted, clients, kept, open, close } = await opened([], 4);
  context.after(close);
  assert.equal(kept(), 3);
  const [first, second] = [clients[0], accepted[0]];
  first?.destroy();
  if (second !== undefined && !second.closed) await once(second, 'close');
  clients.push(await open());
  assert.equal(kept(), 3);
  clients.push(await open());
  assert.equal(kept(), 3);
});

test('a trusted proxy has as many as it needs', async (context) => {
  const { kept, close } = await opened(['127.0.0.1'], 8);
  context.after(close);
  assert.equal(kept(), 8);
});

/** What strangers can send to the address of a member: they are refused, and it goes on. */
import { strict as assert } from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { LinkServer } from '#cluster/testing';

const SECRET = 's'.repeat(32);

async function openServer(): Promise<{ server: LinkServer; port: number }> {
  const snapshots = { newestFile: () => undefined };
  const own = { host: '127.0.0.1', port: 0, secret: SECRET, snapshots };
  const server = new LinkServer({ ...own, statusText: () => '{"role":"leader"}' });
  return { server, port: await server.listen() };
}

/** The first line of the answer to an upgrade of this target. */
async function upgrade(port: number, target: string, secret = 'wrong'): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  const head = [
    `GET ${target} HTTP/1.1`,
    'Host: member',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    `Authorization: Bearer ${secret}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  const [text] = await once(socket, 'data');
  socket.destroy();
  return String(text).split('\r\n', 1)[0] ?? '';
}

for (const [target, answer] of [
  ['//', 'HTTP/1.1 404 Not Found'],
  ['http://[', 'HTTP/1.1 404 Not Found'],
  ['/link', 'HTTP/1.1 404 Not Found'],
  ['/link?gateway=%ff%00', 'HTTP/1.1 404 Not Found'],
  [`/link?gateway=${'x'.repeat(65)}`, 'HTTP/1.1 404 Not Found'],
  ['/link?gateway=gw-1', 'HTTP/1.1 401 Unauthorized'],
] as const) {
  test(`an upgrade of ${target.slice(0, 24)} is refused`, async () => {
    const { server, port } = await openServer();
    assert.equal(await upgrade(port, target), answer);
    assert.match(await upgrade(port, '/link?gateway=gw-1', SECRET), /^HTTP\/1\.1 101 /);
    await server.close();
  });
}

for (const [secret, status, text] of [
  ['wrong', 401, ''],
  [SECRET, 200, '{"role":"leader"}'],
] as const) {
  test(`what a process says of itself is answered ${status} to the secret ${secret}`, async () => {
    const { server, port } = await openServer();
    const headers = { authorization: `Bearer ${secret}` };
    const answer = await fetch(`http://127.0.0.1:${port}/status`, { headers });
    assert.deepEqual([answer.status, await answer.text()], [status, text]);
    await server.close();
  });
}

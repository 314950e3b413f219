/**
 * The address of a member: what strangers send is refused, and followers wait there for a leader.
 */
import { strict as assert } from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { type Led, LinkClient, type LinkEnd, LinkServer } from '#cluster/testing';
import { accountId, type Command, encodeCommand, refuse } from '#domain';
import { until } from '../support/until.ts';

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

/** As a member that leads, or takes the lead, is connected to. */
const LED: Led = {
  claim: 1,
  releasedSeq: 0,
  contactAgeMs: 0,
  submit: async () => [],
  answer: async () => undefined,
  left: () => undefined,
};

/** A follower's connection, what becomes of it first, and what is refused to it. */
function follow(port: number): {
  readonly link: LinkClient;
  readonly first: Promise<'open' | LinkEnd>;
  readonly refused: string[];
} {
  const refused: string[] = [];
  const { promise: first, resolve } = Promise.withResolvers<'open' | LinkEnd>();
  const url = `ws://127.0.0.1:${port}`;
  const unheard = (): void => undefined;
  const link = new LinkClient({
    ...{ url, secret: SECRET, gateway: 'gw-1' },
    ...{ onBeat: unheard, onAnswers: unheard },
    onRefused: (rows) => {
      for (const [request, , text] of rows) refused.push(`${request} ${text}`);
    },
    onOpen: () => resolve('open'),
    onEnd: resolve,
  });
  return { link, first, refused };
}

test('a follower that comes during a takeover is there the moment it is over', async () => {
  const { server, port } = await openServer();
  const { link, first } = follow(port);
  // Whoever comes later has been answered: the follower waits.
  assert.match(await upgrade(port, '/link?gateway=gw-2', SECRET), /^HTTP\/1\.1 101 /);
  server.lead(LED);
  assert.equal(await first, 'open');
  link.close();
  await server.close();
});

test('one that comes when it leads no more is sent away at once', async () => {
  const { server, port } = await openServer();
  server.lead(LED);
  server.retire();
  assert.equal(await follow(port).first, 'not leading');
  await server.close();
});

test('a command that the leader cannot read is refused, and those beside it are not', async () => {
  const { server, port } = await openServer();
  const commands: Command[] = [];
  server.lead({
    ...LED,
    submit: async (command) => {
      commands.push(command);
      return [refuse('account_unknown')];
    },
  });
  const { link, first, refused } = follow(port);
  assert.equal(await first, 'open');
  const known = encodeCommand(0, { kind: 'cancel_all_spot_orders', accountId: accountId(1) });
  link.send([
    [1, 1, known],
    [2, 1, '["of_a_later_release",0,1]'],
    [3, 1, 'no JSON'],
    [4, 1, known],
  ]);
  await until('all are answered', () => refused.length === 4);
  assert.ok(link.isOpen);
  const reasons = refused.toSorted().map((row) => /(account_unknown|venue_busy)/.exec(row)?.[0]);
  assert.deepEqual(reasons, ['account_unknown', 'venue_busy', 'venue_busy', 'account_unknown']);
  assert.equal(commands.length, 2);
  link.close();
  await server.close();
});

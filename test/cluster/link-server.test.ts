/**
 * The address of a member: what strangers send is refused, and followers wait there for a leader.
 */
import { strict as assert } from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import {
  httpOf,
  introduce,
  type Led,
  LinkClient,
  type LinkEnd,
  LinkServer,
} from '#cluster/testing';
import { accountId, type Command, encodeCommand, refuse } from '#domain';
import { until } from '../support/until.ts';

const SECRET = 's'.repeat(32);

async function openServer(): Promise<{ server: LinkServer; url: string }> {
  const snapshots = { newestFile: () => undefined };
  const own = { host: '127.0.0.1', port: 0, secret: SECRET, snapshots };
  const server = new LinkServer({ ...own, statusText: () => '{"role":"leader"}' });
  return { server, url: await server.listen() };
}

/** The first line of the answer to an upgrade of this target. */
async function upgrade(url: string, target: string, authorization = ''): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8');
  const head = [
    `GET ${target} HTTP/1.1`,
    'Host: member',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    `Authorization: ${authorization}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  const [text] = await once(socket, 'data');
  socket.destroy();
  return String(text).split('\r\n', 1)[0] ?? '';
}

/** The proof that somebody who holds this secret shows for a request. */
function proof(url: string, request: string, secret = SECRET): Promise<string> {
  return introduce(url, secret, request, AbortSignal.timeout(5_000));
}

async function upgradeOf(url: string, sender: string): Promise<string> {
  const target = `/link?sender=${sender}`;
  return upgrade(url, target, await proof(url, `GET ${target}`));
}

for (const [target, answer] of [
  ['//', 'HTTP/1.1 404 Not Found'],
  ['http://[', 'HTTP/1.1 404 Not Found'],
  ['/link', 'HTTP/1.1 404 Not Found'],
  ['/link?sender=%ff%00', 'HTTP/1.1 404 Not Found'],
  [`/link?sender=${'x'.repeat(65)}`, 'HTTP/1.1 404 Not Found'],
  ['/link?sender=gw-1', 'HTTP/1.1 401 Unauthorized'],
] as const) {
  test(`an upgrade of ${target.slice(0, 24)} is refused`, async () => {
    const { server, url } = await openServer();
    assert.equal(await upgrade(url, target), answer);
    assert.match(await upgradeOf(url, 'gw-1'), /^HTTP\/1\.1 101 /);
    await server.close();
  });
}

test('what a process says of itself is answered to who proves to hold the secret', async () => {
  const { server, url } = await openServer();
  const ask = async (authorization: string) => {
    const answer = await fetch(`${httpOf(url)}/status`, { headers: { authorization } });
    return [answer.status, await answer.text()];
  };
  const right = await proof(url, 'GET /status');
  assert.deepEqual(await ask(right), [200, '{"role":"leader"}']);
  for (const wrong of [
    right,
    '',
    `Bearer ${SECRET}`,
    await proof(url, 'GET /snapshot'),
    `${await proof(url, 'GET /status')}x`,
    (await proof(url, 'GET /status')).replace(/ [\w-]+$/, ` ${'A'.repeat(43)}`),
    (await proof(url, 'GET /status')).replace(/(?<= )[\w-]{22}(?= )/, 'A'.repeat(22)),
  ]) {
    assert.deepEqual(await ask(wrong), [401, ''], wrong);
  }
  await assert.rejects(proof(url, 'GET /status', 'w'.repeat(32)), /not prove/);
  await server.close();
});

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
function follow(url: string): {
  readonly link: LinkClient;
  readonly first: Promise<'open' | LinkEnd>;
  readonly refused: string[];
} {
  const refused: string[] = [];
  const { promise: first, resolve } = Promise.withResolvers<'open' | LinkEnd>();
  const unheard = (): void => undefined;
  const link = new LinkClient({
    ...{ url, secret: SECRET, sender: 'gw-1' },
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
  const { server, url } = await openServer();
  const { link, first } = follow(url);
  // Whoever comes later has been answered: the follower waits.
  assert.match(await upgradeOf(url, 'gw-2'), /^HTTP\/1\.1 101 /);
  server.lead(LED);
  assert.equal(await first, 'open');
  link.close();
  await server.close();
});

test('one that comes when it leads no more is sent away at once', async () => {
  const { server, url } = await openServer();
  server.lead(LED);
  server.retire();
  assert.equal(await follow(url).first, 'not leading');
  await server.close();
});

test('a command that the leader cannot read is refused, and those beside it are not', async () => {
  const { server, url } = await openServer();
  const commands: Command[] = [];
  server.lead({
    ...LED,
    submit: async (command) => {
      commands.push(command);
      return [refuse('account_unknown')];
    },
  });
  const { link, first, refused } = follow(url);
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

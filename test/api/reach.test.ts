/** Under which names, spellings, ports and protocols a venue is reached, and under which not. */
import { strict as assert } from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { WebSocket } from 'ws';
import { startVenue } from '#testing';
import { ADMIN_TOKEN } from '../support/program.ts';
import { type ServerHere, startHere } from '../support/server-here.ts';

const TIME = '/api/spot/v1/public/time';
const BEARER = { authorization: `Bearer ${ADMIN_TOKEN}` };

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

type Fields = Readonly<Record<string, string>> | readonly string[];

/** A call whose target and headers go out as they are; a list is names and values in turn. */
async function call(port: number, path: string, fields: Fields = {}): Promise<Answer> {
  const headers = Array.isArray(fields) ? [...fields] : { ...fields };
  const options = { host: '127.0.0.1', port, path, headers, agent: false };
  const request = httpRequest(options).end();
  const [reply]: IncomingMessage[] = await once(request, 'response');
  assert.ok(reply !== undefined);
  let text = '';
  for await (const part of reply) text += part;
  return { status: reply.statusCode, headers: reply.headers, text };
}

async function upgradeStatus(port: number, headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/v1`, { headers });
  const outcome = await Promise.race([
    once(socket, 'open').then(() => 101),
    once(socket, 'unexpected-response').then(([, { statusCode }]) => statusCode),
  ]);
  socket.on('error', () => undefined);
  socket.terminate();
  return outcome;
}

describe('names and spellings', () => {
  let server: ServerHere;
  before(async () => {
    server = await startHere({ sandbox: true, server: { hosts: ['venue.example'] } });
  });
  after(() => server.close());

  const HOSTS = [
    ['localhost', true],
    ['LOCALHOST:8787', true],
    ['localhost.', true],
    ['127.0.0.1:1', true],
    ['127.9.9.9', true],
    ['[::1]:8787', true],
    ['venue.example', true],
    ['Venue.Example:443', true],
    ['evil.example', false],
    ['venue.example.evil.example', false],
    ['localhost.evil.example', false],
    ['127.0.0.1.evil.example', false],
    ['venue.example@evil.example', false],
    ['evil.example#localhost', false],
  ] as const;

  for (const [name, isOurs] of HOSTS) {
    test(`the name ${name} is ${isOurs ? 'ours' : 'not ours'}`, async () => {
      const expected = isOurs ? [200, 101] : [421, 421];
      const called = await call(server.port, TIME, { host: name });
      const upgraded = await upgradeStatus(server.port, { host: name });
      assert.deepEqual([called.status, upgraded], expected);
      const origin = `https://${name}`;
      const page = await call(server.port, TIME, { host: 'localhost', origin });
      const stream = await upgradeStatus(server.port, { host: 'localhost', origin });
      assert.deepEqual([page.status, stream], expected, origin);
    });
  }

  const PAGES = [
    ['http://10.1.2.3', '10.1.2.3', true],
    ['http://10.1.2.3:8787', '10.1.2.3:8787', true],
    ['https://[fd00::1]:8787', '[FD00::1]:8787', true],
    ['http://10.1.2.3', 'localhost', false],
    ['http://10.1.2.3', '10.1.2.4', false],
    ['http://10.1.2.3:9000', '10.1.2.3:8787', false],
    ['http://[fd00::2]', '[fd00::1]', false],
    ['http://93.184.216.34', 'venue.example', false],
  ] as const;

  for (const [origin, host, isOurs] of PAGES) {
    test(`a page of ${origin} ${isOurs ? 'may' : 'may not'} call ${host}`, async () => {
      const expected = isOurs ? [200, 101] : [421, 421];
      const page = await call(server.port, TIME, { host, origin });
      const stream = await upgradeStatus(server.port, { host, origin });
      assert.deepEqual([page.status, stream], expected);
    });
  }

  test('a name that is not ours is said, with what would take it', async () => {
    const { status, text } = await call(server.port, TIME, { host: 'venue.in.docker:8787' });
    assert.equal(status, 421);
    assert.match(text, /: Host venue\.in\.docker:8787 \(add the name to server\.hosts/);
  });

  for (const origin of ['null', 'file://', 'chrome-extension://abc', 'localhost', '']) {
    test(`the origin "${origin}" is not ours`, async () => {
      assert.equal((await call(server.port, TIME, { host: 'localhost', origin })).status, 421);
    });
  }

  for (const [first, second] of [
    ['localhost', 'evil.example'],
    ['evil.example', 'localhost'],
    ['localhost', 'localhost'],
  ]) {
    test(`the names ${first} and ${second} in one request are refused`, async () => {
      const headers = ['Host', `${first}`, 'hOST', `${second}`];
      const { status, text } = await call(server.port, TIME, headers);
      assert.deepEqual([status, JSON.parse(text).code], [400, '40017']);
      const upgrade = ['Connection', 'Upgrade', 'Upgrade', 'websocket', 'Sec-WebSocket-Version'];
      const key = ['13', 'Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='];
      const stream = await call(server.port, '/ws/v1', [...headers, ...upgrade, ...key]);
      assert.equal(stream.status, 400);
    });
  }

  const MISSPELLED = [
    '/%61dmin/v1/audit',
    '/admin%2Fv1/audit',
    '/admin/v1/%61udit',
    '/api/spot/v1/public/tim%65',
    '/%6Fps',
    '/metric%73',
    '/sandbox/v1/st%61te',
    'http://localhost/admin/v1/audit',
    'http://localhost/api/spot/v1/public/time',
    'https://localhost/metrics',
    '//admin/v1/audit',
    '/admin//v1/audit',
    '/./admin/v1/audit',
    '/x/../admin/v1/audit',
    '/admin/v1/audit;x',
    '/admin/v1/audit/',
    '/ADMIN/v1/audit',
  ];

  for (const target of MISSPELLED) {
    test(`${target} is no path of ours`, async () => {
      const { status, text } = await call(server.port, target, { host: 'localhost', ...BEARER });
      assert.deepEqual([status, JSON.parse(text).code], [404, '40404']);
    });
  }

  test('what stands for a name in a path may be escaped', async () => {
    const headers = { host: 'localhost', ...BEARER };
    const { status, text } = await call(server.port, '/admin/v1/accounts/dem%6f', headers);
    assert.deepEqual([status, JSON.parse(text).data.name], [200, 'demo']);
  });

  test('what is the same for everybody may be kept, and is said so', async () => {
    const page = await call(server.port, '/', { host: 'localhost' });
    assert.equal(page.headers['cache-control'], 'no-cache');
    const [script = ''] = /\/assets\/[\w-]+\.js/.exec(page.text) ?? [];
    for (const [path, kept] of [
      [script, 'public, max-age=31536000, immutable'],
      ['/openapi.json', 'public, max-age=300'],
    ] as const) {
      const { status, headers } = await call(server.port, path, { host: 'localhost' });
      assert.deepEqual([status, headers['cache-control']], [200, kept], path);
    }
  });

  test('answers are of the type they say, and private ones are not kept', async () => {
    for (const path of [TIME, '/admin/v1/audit', '/api/spot/v1/account/assets', '/nowhere']) {
      const { headers } = await call(server.port, path, { host: 'localhost', ...BEARER });
      assert.equal(headers['x-content-type-options'], 'nosniff', path);
      assert.equal(headers['cache-control'], 'no-store', path);
    }
  });
});

describe('a listener for the operator', () => {
  let server: ServerHere;
  let operatorPort: number;
  before(async () => {
    const adminListener = { host: '127.0.0.1', port: 0 };
    server = await startHere({ sandbox: true, server: { adminListener, httpThreads: 2 } });
    operatorPort = Number(new URL(server.operatorUrl).port);
  });
  after(() => server.close());

  for (const path of ['/admin/v1/audit', '/sandbox/v1/state', '/ops', '/metrics']) {
    test(`${path} is served there and nowhere else`, async () => {
      assert.notEqual(operatorPort, server.port);
      assert.equal((await call(operatorPort, path, BEARER)).status, 200);
      assert.equal((await call(server.port, path, BEARER)).status, 404);
    });
  }

  test('everything else is served on both', async () => {
    for (const port of [operatorPort, server.port]) {
      assert.equal((await call(port, TIME)).status, 200);
      assert.equal(await upgradeStatus(port, {}), 101);
    }
  });

  test('what is broken is answered there, too', async () => {
    const { status } = await call(operatorPort, '/metrics', { host: 'evil.example' });
    assert.equal(status, 421);
  });
});

test('the admin token of a venue for a test does not show in the list of processes', async () => {
  await using venue = await startVenue({ participants: false });
  const words = readFileSync(`/proc/${venue.pid}/cmdline`, 'utf8');
  assert.ok(words.includes('serve'));
  assert.ok(!words.includes(venue.adminToken));
  await venue.admin.audit();
});

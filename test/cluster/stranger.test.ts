/**
 * A stranger's address stands among the members of the log: the processes that find it there tell
 * it nothing, and what they say helps it nowhere else.
 */
import { strict as assert } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer as createPlainServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import {
  askForSnapshot,
  Doorkeeper,
  httpOf,
  introduce,
  LinkClient,
  LinkServer,
  Roster,
} from '#cluster/testing';

const SECRET = 'between-the-members-of-this-cluster';
const SNAPSHOTS = { newestFile: () => undefined };

/** All that anybody of a cluster asks of an address in the log. */
async function askAll(url: string): Promise<void> {
  const asked = Promise.withResolvers<void>();
  const unheard = (): void => undefined;
  const link = new LinkClient({
    ...{ url, secret: SECRET, sender: 'gw-1', onOpen: unheard, onBeat: unheard },
    ...{ onRefused: unheard, onAnswers: unheard, onEnd: () => asked.resolve() },
  });
  const record = {
    name: 'member-2',
    kind: 'member',
    isCandidate: true,
    url,
    release: '1',
  } as const;
  const roster = new Roster({
    ...{ name: 'member-1', secret: SECRET, records: () => [record], reports: () => [] },
    ...{ agreed: () => ({ format: 1, rules: 1 }), claim: () => undefined },
  });
  const { rows } = await roster.look();
  assert.equal(rows[0]?.status, undefined);
  await assert.rejects(askForSnapshot(url, SECRET, 1_000));
  await asked.promise;
  link.close();
}

test('it hears no secret, and nobody goes on with it', async (context) => {
  const heard: string[] = [];
  const server = createPlainServer((socket) => {
    socket.setEncoding('latin1').once('data', (text: string) => {
      heard.push(text);
      // It lets everybody in.
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nOutcry-Seq: 1\r\n\r\n{}');
    });
    socket.on('error', () => undefined);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  await askAll(`ws://127.0.0.1:${port}`);
  assert.equal(heard.length, 3);
  for (const text of heard) {
    assert.ok(!text.includes(SECRET));
    assert.match(text, /^GET \/hello HTTP/, 'what is asked is not even said');
  }
});

async function member(context: TestContext): Promise<string> {
  const options = { host: '127.0.0.1', port: 0, secret: SECRET, snapshots: SNAPSHOTS };
  const server = new LinkServer({ ...options, statusText: () => '{}' });
  context.after(() => server.close());
  return server.listen();
}

test('it cannot pass on what a member proves, nor pose as one in front of it', async (context) => {
  const real = await member(context);
  const passed: string[] = [];
  const server = createServer((request, response) => {
    passed.push(String(request.url));
    const { url: path, method, headers } = request;
    const onwards = httpRequest(`${httpOf(real)}${path}`, { method, headers, agent: false });
    onwards.on('response', (answer: IncomingMessage) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    onwards.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  await askAll(`ws://127.0.0.1:${port}`);
  assert.deepEqual(passed, ['/hello', '/hello', '/hello']);
});

test('a proof is good once, for a while, and for one process', async (context) => {
  let nowMs = 0;
  const [first, second] = [
    new Doorkeeper(SECRET, () => nowMs),
    new Doorkeeper(SECRET, () => nowMs),
  ];
  const server = createServer((request, response) => first.hello(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const url = `ws://127.0.0.1:${port}`;
  first.standAt(url);
  second.standAt(url);
  const proved = () => introduce(url, SECRET, 'GET /status', AbortSignal.timeout(5_000));
  const isLetIn = (doorkeeper: Doorkeeper, authorization: string) =>
    doorkeeper.isProved({ method: 'GET', url: '/status', headers: { authorization } });
  const proof = await proved();
  assert.equal(isLetIn(second, proof), false);
  assert.equal(isLetIn(first, proof), true);
  assert.equal(isLetIn(first, proof), false);
  const late = await proved();
  nowMs = 10_001;
  assert.equal(isLetIn(first, late), false);
  assert.equal(isLetIn(first, await proved()), true);
});

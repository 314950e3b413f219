/** Many requests on one connection: answered in order, and of those that nobody reads but few. */
import { strict as assert } from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { closedAtEnd } from '../support/at-end.ts';
import { startVenueProcess } from '../support/venue-process.ts';

const MIB = 1_048_576;
/** As many as come in one read of a socket. */
const REQUESTS = 1_200;
const CONNECTIONS = 3;

const server = closedAtEnd(await startVenueProcess({ participants: false }));

async function connected(): Promise<Socket> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

function requests(target: string, count: number): string {
  return `GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(count);
}

async function residentBytes(): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes ([0-9]+)$/m.exec(text)?.[1]);
}

/** Large, and not limited. */
async function scriptOfPage(): Promise<string> {
  const page = await (await fetch(server.url)).text();
  const [script = ''] = /\/assets\/[\w-]+\.js/.exec(page) ?? [];
  const answer = await fetch(server.url + script);
  assert.ok(answer.ok && (await answer.text()).length > 10_000, script);
  return script;
}

test('answers that nobody reads are bounded, however many are asked for', async () => {
  const script = await scriptOfPage();
  const before = await residentBytes();
  const sockets: Socket[] = [];
  for (let count = 0; count < CONNECTIONS; count += 1) {
    const socket = await connected();
    socket.pause().on('error', () => undefined);
    sockets.push(socket);
  }
  let peak = 0;
  for (const socket of sockets) socket.write(requests(script, REQUESTS));
  for (let look = 0; look < 10; look += 1) peak = Math.max(peak, await residentBytes());
  for (const socket of sockets) socket.destroy();
  // Without a bound each has a part in memory; a young process grows by some of it by itself.
  assert.ok(peak - before < 150 * MIB, `${((peak - before) / MIB).toFixed(0)} MiB more`);
});

test('whoever reads gets every answer, in order', async () => {
  const socket = await connected();
  const paths = ['/health/live', '/nowhere', '/api/spot/v1/public/time'];
  const statuses = ['200', '404', '200'];
  const rounds = 500;
  let text = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    text += part;
  });
  for (let round = 0; round < rounds; round += 1) {
    for (const path of paths) socket.write(requests(path, 1));
  }
  while ((text.match(/HTTP\/1\.1 /g) ?? []).length < rounds * paths.length) {
    await once(socket, 'data');
  }
  const got = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  assert.deepEqual(got, Array.from({ length: rounds }, () => statuses).flat());
  socket.destroy();
});

/** The documentation: made once off the market thread, cached, limited, and confined. */
import { strict as assert } from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { House } from '../support/house.ts';
import { startVenueProcess } from '../support/venue-process.ts';

const FILES = [
  '/openapi.json',
  '/docs/',
  '/docs/openapi.json',
  '/docs/js/storage.js',
  '/docs/js/scalar.js',
  '/docs/js/page.js',
];
const MIB = 1_048_576;

describe('files', () => {
  let house: House;
  before(async () => {
    house = await House.open({ rateLimits: false });
  });
  after(() => house.close());

  test('the market thread goes on while they are made', async () => {
    const before = process.threadCpuUsage();
    const { statusCode } = await house.app.inject('/docs/');
    const { user, system } = process.threadCpuUsage(before);
    assert.equal(statusCode, 200);
    const busyMs = (user + system) / 1_000;
    assert.ok(busyMs < 250, `busy for ${busyMs.toFixed(0)} ms`);
  });

  for (const path of FILES) {
    test(`${path} is compressed, kept by its reader and confined`, async () => {
      const plain = await house.app.inject(path);
      assert.equal(plain.statusCode, 200);
      assert.equal(plain.headers['content-encoding'], undefined);
      const gzip = await house.app.inject({
        url: path,
        headers: { 'accept-encoding': 'br, gzip' },
      });
      assert.equal(gzip.headers['content-encoding'], 'gzip');
      assert.ok(gunzipSync(gzip.rawPayload).equals(plain.rawPayload));
      assert.match(String(plain.headers['cache-control']), /max-age=[1-9]/);
      assert.equal(plain.headers['x-content-type-options'], 'nosniff');
      assert.equal(plain.headers.vary, 'accept-encoding');
      const etag = String(plain.headers.etag);
      const again = await house.app.inject({ url: path, headers: { 'if-none-match': etag } });
      assert.deepEqual([again.statusCode, again.payload], [304, '']);
      const policy = String(plain.headers['content-security-policy']).split('; ');
      assert.ok(policy.includes('sandbox allow-scripts'), 'an origin of its own');
      assert.ok(policy.includes("script-src 'self'"), 'no script in the text, nothing evaluated');
      assert.ok(policy.includes("default-src 'none'"), 'no connection to anywhere');
    });
  }

  test('the same bytes go to everybody', async () => {
    const answers = await Promise.all(FILES.map((path) => house.app.inject(path)));
    const again = await Promise.all(FILES.map((path) => house.app.inject(path)));
    const etags = answers.map(({ headers }) => headers.etag);
    assert.deepEqual(
      again.map(({ headers }) => headers.etag),
      etags,
    );
  });
});

test('one address may ask so often and no more', async () => {
  const house = await House.open({ rateLimits: true });
  const statuses: number[] = [];
  for (let call = 0; call < 41; call += 1) {
    const { statusCode, headers } = await house.app.inject('/docs/');
    statuses.push(statusCode);
    if (statusCode === 429) assert.match(String(headers['retry-after']), /^[0-9]+$/);
  }
  assert.deepEqual(statuses, [...Array<number>(40).fill(200), 429]);
  await house.close();
});

test('120 requests in a row that nobody reads the answers of cost next to nothing', async () => {
  const server = await startVenueProcess({ participants: false });
  await (await fetch(`${server.url}/docs/js/scalar.js`)).arrayBuffer();
  const before = await residentBytes(server.url);
  const socket: Socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  try {
    await once(socket, 'connect');
    socket.pause();
    const call = 'GET /docs/js/scalar.js HTTP/1.1\r\nHost: localhost\r\n\r\n';
    socket.write(call.repeat(120));
    let peak = 0;
    for (let look = 0; look < 20; look += 1) {
      peak = Math.max(peak, await residentBytes(server.url));
      assert.equal((await fetch(`${server.url}/openapi.json`)).status, 200);
    }
    assert.ok(peak - before < 100 * MIB, `${((peak - before) / MIB).toFixed(0)} MiB more`);
  } finally {
    socket.destroy();
    await server.close();
  }
});

async function residentBytes(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes ([0-9]+)$/m.exec(text)?.[1]);
}

/** `outcry/testing` from the sources: what a test gets, and what happens when things go wrong. */
import { strict as assert } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { startVenue } from '#testing';
import { until } from '../support/until.ts';
import { availableUsdt, restBid } from './signed.ts';

const TESTING = resolve(import.meta.dirname, '../../src/app/testing/mod.ts');

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The data directories of a venue, as docs/CI.md says they are called. */
function dataOf(pid: number): string[] {
  const places = ['/dev/shm', tmpdir()].filter((place) => existsSync(place));
  return places.flatMap((place) =>
    readdirSync(place)
      .filter((name) => name.startsWith(`outcry-${pid}-`))
      .map((name) => join(place, name)),
  );
}

function gone(pid: number): Promise<void> {
  return until(`the end of process ${pid}`, () => !isRunning(pid));
}

test('a venue takes orders of its keys and calls of its operator', async () => {
  await using venue = await startVenue({ participants: false });
  assert.match(await restBid(venue.url, venue.keys.demo), /^1[0-9]{15}$/);
  await restBid(venue.url, venue.keys.maker);
  assert.equal(await availableUsdt(venue), '990000.00000000');
  await venue.admin.deposit({ account: 'demo', coin: 'USDT', amount: '2.5' });
  assert.equal(await availableUsdt(venue), '990002.50000000');
  await venue.admin.reportIndex({ symbol: 'BTC-USDT-PERP', price: '31000.5' });
  const prices = await venue.admin.contract({ symbol: 'BTC-USDT-PERP' });
  assert.equal(Object(prices).prices?.index, '31000.5');
});

test('what the operator is refused rejects with the reason', async () => {
  await using venue = await startVenue({ participants: false });
  const { deposit, reportIndex } = venue.admin;
  await assert.rejects(deposit({ account: 'nobody', coin: 'USDT', amount: '1' }), /nobody/);
  await assert.rejects(
    reportIndex({ symbol: 'BTC-USDT-PERP', price: 'high' }),
    /price .high. is not a plain decimal number/,
  );
});

test('four at once know nothing of each other', async () => {
  const startMs = performance.now();
  const venues = await Promise.all(
    [1, 2, 3, 4].map(() => startVenue({ participants: false, rateLimits: true })),
  );
  const readyMs = Math.round(performance.now() - startMs);
  console.log(`four venues were ready after ${readyMs} ms`);
  await Promise.all(
    venues.map(({ admin }, at) =>
      admin.deposit({ account: 'demo', coin: 'USDT', amount: `${at + 1}` }),
    ),
  );
  assert.deepEqual(await Promise.all(venues.map(availableUsdt)), [
    '1000001.00000000',
    '1000002.00000000',
    '1000003.00000000',
    '1000004.00000000',
  ]);
  assert.equal(new Set(venues.map(({ url }) => url)).size, 4);
  assert.equal(new Set(venues.map(({ pid }) => pid)).size, 4);
  await Promise.all(venues.map((venue) => venue.stop()));
  for (const { pid } of venues) assert.ok(!isRunning(pid));
});

test('a venue that cannot start rejects with what it said', async () => {
  await assert.rejects(
    startVenue({ config: '/nowhere.yaml' }),
    /did not start, exit code 2: .*\/nowhere\.yaml/s,
  );
  await assert.rejects(startVenue({ flags: ['--fast'] }), /unknown option '--fast'/);
  await assert.rejects(startVenue({ startMaxMs: 1 }), /did not start, exit code null/);
});

test('a venue that ends by itself makes stop reject', async () => {
  const venue = await startVenue({ participants: false });
  process.kill(venue.pid, 'SIGKILL');
  await assert.rejects(venue.stop(), /ended with exit code null/);
  await assert.rejects(venue.admin.audit(), /cannot reach a venue/);
  const left = dataOf(venue.pid);
  assert.equal(left.length, 1, 'nothing can tidy after SIGKILL');
  for (const directory of left) rmSync(directory, { recursive: true });
});

/** A program that starts a venue, prints its number, and does not stop it. */
async function forgetful(then: string): Promise<{ readonly pid: number; end(): Promise<unknown> }> {
  const program = `
    const { startVenue } = await import(${JSON.stringify(TESTING)});
    const { pid } = await startVenue({ participants: false });
    process.stdout.write(pid + '\\n');
    ${then}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const [line] = await once(child.stdout, 'data');
  const end = () => {
    child.kill('SIGKILL');
    return exited;
  };
  return { pid: Number(line), end };
}

test('a forgotten venue holds nobody up and ends with its parent', async () => {
  const { pid } = await forgetful('');
  await gone(pid);
  assert.deepEqual(dataOf(pid), []);
});

test('a venue ends in order when its parent is killed', async () => {
  const parent = await forgetful('setInterval(() => undefined, 1_000);');
  assert.ok(isRunning(parent.pid));
  await parent.end();
  await gone(parent.pid);
  assert.deepEqual(dataOf(parent.pid), []);
});

/**
 * What the first use of a key costs after a start: every client comes back at once, and none is
 * refused or waits longer than for its next call. Keys whose passphrase was made up, and chosen.
 */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { present } from '#kernel';
import { Operator } from '../support/operator.ts';
import { ADMIN_TOKEN } from '../support/program.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { ServerHere } from '../support/server-here.ts';
import { type Credentials, signedHeaders } from '../support/signer.ts';
import { StreamClient } from '../support/streams-client.ts';

const ASSETS = '/api/spot/v1/account/assets';
const ACCOUNTS = 2;
const KEYS_PER_ACCOUNT = 50;
const SPARE = 20;
const WARM_ROUNDS = 4;
const STARTS = 2;
const RATIO_MAX = 4;

const chosen = (at: number) => ({ passphrase: `chosen by hand ${at}`.replaceAll(' ', '-') });

/** Half of them with a passphrase that somebody has chosen. */
async function makeKeys({ url }: ServerHere): Promise<Credentials[]> {
  const operator = new Operator(url, ADMIN_TOKEN);
  const keys: Credentials[] = [];
  for (let account = 0; account < ACCOUNTS; account += 1) {
    await operator.done('createAccount', '/accounts', { name: `bots-${account}` });
    for (let at = 0; at < KEYS_PER_ACCOUNT; at += 1) {
      const path = `/accounts/bots-${account}/keys`;
      const { data } = await operator.done('createKey', path, at % 2 === 0 ? {} : chosen(at));
      const { key, secret, passphrase } = data;
      keys.push({ key: String(key), secret: String(secret), passphrase: String(passphrase) });
    }
  }
  return keys;
}

/** All at once; the processor time of it, the client's included. */
async function callAll({ url, clock }: ServerHere, keys: readonly Credentials[]): Promise<number> {
  const before = process.cpuUsage();
  const codes = await Promise.all(
    keys.map(async (key) => {
      const timeMs = clock.nowMs();
      const headers = signedHeaders(key, { method: 'GET', target: ASSETS, timeMs });
      const answer = await fetch(url + ASSETS, { headers });
      return Object(await answer.json()).code;
    }),
  );
  const { user, system } = process.cpuUsage(before);
  assert.deepEqual(new Set(codes), new Set(['00000']), 'nobody is refused');
  return user + system;
}

/** What the first call of each key costs beside the second. */
async function ratioAfterStart(server: ServerHere, keys: readonly Credentials[]): Promise<number> {
  await server.stop();
  await server.start();
  // Connections, and what client and venue compile at first, are no cost of keys.
  const [spare, others] = [keys.slice(0, SPARE), keys.slice(SPARE)];
  const warm = others.map((_, at) => present(spare[at % SPARE], 'key'));
  for (let round = 0; round < WARM_ROUNDS; round += 1) await callAll(server, warm);
  const firstUs = await callAll(server, others);
  return firstUs / (await callAll(server, others));
}

test('after a start each key is used at once, by calls and by streams', async (context) => {
  const server = ServerHere.still(context, scratchDirectory());
  await server.start();
  const keys = await makeKeys(server);
  const ratios: number[] = [];
  for (let start = 0; start < STARTS; start += 1) ratios.push(await ratioAfterStart(server, keys));
  // Other work of the process falls on either call; with a slow hash each of them was above 50.
  assert.ok(Math.min(...ratios) < RATIO_MAX, ratios.join(' '));
  await server.stop();
  await server.start();
  const clients = await Promise.all(keys.map(() => StreamClient.connect(server.url)));
  await Promise.all(clients.map((client, at) => client.login(server, present(keys[at], 'key'))));
  await Promise.all(clients.map((client) => client.close()));
});

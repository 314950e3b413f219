/**
 * Keys after a start: every client comes back at once, with the first call of each key, beside the
 * second call of each in the same run; and the same of streams that log in. Ratio one: a key costs
 * nothing at first. Keys whose passphrase the venue made up, and keys with a chosen one.
 */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { present } from '#kernel';
import { sendAll, type Target } from './load.ts';
import { median } from './measure.ts';
import {
  askOperator,
  type RealServer,
  removeDirectory,
  scratchDirectory,
  startServer,
  waitForHistory,
} from './real-server.ts';
import { type Client, DEMO, signedLogin, signedReadsOf } from './requests.ts';
import type { BenchResult } from './result.ts';

const KEYS = 5_000;
const KEYS_PER_ACCOUNT = 50;
const CONNECTIONS = 64;
const STREAMS = 1_000;
const WARM_CALLS = 20_000;
/** A key has so many connections at most. */
const WARM_LOGINS = 100;
const WARM_ROUNDS = 10;
/** Starts of each measure. */
const STARTS = 3;
const BODY_START = '{"code":"00000"';
const STREAM = '/spot/v1/stream';
const TARGET = '/api/spot/v1/account/assets?coin=USDT';
/** A first call may take four times as long as the second. */
const FLOOR = 0.25;
const AIM = 0.5;
const KINDS = ['made-up', 'chosen'] as const;
type Kind = (typeof KINDS)[number];

/** Prints each figure as it comes. */
export async function run(print: (line: string) => void): Promise<BenchResult[]> {
  const results: BenchResult[] = [];
  for (const kind of KINDS) {
    const directory = scratchDirectory();
    try {
      const keys = await makeKeys(directory, kind);
      results.push(await callsAfterStart(directory, kind, keys));
      results.push(await loginsAfterStart(directory, kind, keys.slice(0, STREAMS)));
    } finally {
      removeDirectory(directory);
    }
    for (const { name, size, value, peer, unit } of results.slice(-2)) {
      print(`  ${name} ${size}: ${Math.round(value)} ${unit}, then ${Math.round(peer ?? 0)}`);
    }
  }
  return results;
}

async function makeKeys(directory: string, kind: Kind): Promise<Client[]> {
  const server = await startServer(directory);
  try {
    const accounts = Array.from({ length: KEYS / KEYS_PER_ACCOUNT }, (_, at) => `bots-${at}`);
    const made = await Promise.all(accounts.map((name) => keysOf(server, name, kind)));
    await waitForHistory(server);
    return made.flat();
  } finally {
    await server.kill();
  }
}

async function keysOf(server: RealServer, name: string, kind: Kind): Promise<Client[]> {
  await askOperator(server, 'POST', '/accounts', { name });
  const keys: Client[] = [];
  for (let at = 0; at < KEYS_PER_ACCOUNT; at += 1) {
    const wanted = kind === 'chosen' ? { passphrase: `${name}-chosen-${at}` } : {};
    const made = await askOperator(server, 'POST', `/accounts/${name}/keys`, wanted);
    keys.push(JSON.parse(made).data);
  }
  return keys;
}

/** Starts it anew; its code is compiled by calls of another key. */
async function started<T>(directory: string, measure: (server: RealServer) => Promise<T>) {
  const server = await startServer(directory);
  try {
    await waitForHistory(server);
    const warm = Array.from({ length: WARM_CALLS }, () => DEMO);
    await sendAll(targetOf(server), signedReadsOf(warm, TARGET), CONNECTIONS);
    return await measure(server);
  } finally {
    await server.kill();
  }
}

function targetOf({ port }: RealServer): Target {
  return { port, bodyStart: BODY_START };
}

async function callsAfterStart(directory: string, kind: Kind, keys: readonly Client[]) {
  const name = `first call of each key after a start, ${kind}`;
  const callAll = async (server: RealServer) => {
    const requests = signedReadsOf(keys, TARGET);
    return (await sendAll(targetOf(server), requests, CONNECTIONS)).perSecond;
  };
  return compared({ name, size: keys.length, unit: 'requests/s' }, () =>
    started(directory, async (server) => [await callAll(server), await callAll(server)]),
  );
}

async function loginsAfterStart(directory: string, kind: Kind, keys: readonly Client[]) {
  const name = `first login of each key after a start, ${kind}`;
  return compared({ name, size: keys.length, unit: 'logins/s' }, () =>
    started(directory, async (server) => {
      // The code of logins is compiled by another key, too.
      for (let round = 0; round < WARM_ROUNDS; round += 1) {
        await logIn(server, new Array<Client>(WARM_LOGINS).fill(DEMO));
      }
      return [await logIn(server, keys), await logIn(server, keys)];
    }),
  );
}

/** On a connection each, all at once; how many a second, once they are connected. */
async function logIn({ port }: RealServer, keys: readonly Client[]): Promise<number> {
  const sockets = keys.map(() => new WebSocket(`ws://127.0.0.1:${port}${STREAM}`));
  await Promise.all(sockets.map((socket) => once(socket, 'open')));
  const answers = sockets.map((socket) => once(socket, 'message'));
  const startMs = performance.now();
  for (const [at, socket] of sockets.entries()) {
    socket.send(signedLogin(present(keys[at], 'key')));
  }
  const texts = (await Promise.all(answers)).map(String);
  const seconds = (performance.now() - startMs) / 1_000;
  const refused = texts.find((text) => !text.includes('"code":0'));
  if (refused !== undefined) throw new Error(`a login was refused: ${refused}`);
  for (const socket of sockets) socket.terminate();
  return keys.length / seconds;
}

/** Of each start how many a second there were at first, and then. */
async function compared(
  about: Pick<BenchResult, 'name' | 'size' | 'unit'>,
  start: () => Promise<[first: number, second: number]>,
): Promise<BenchResult> {
  const rounds: (readonly [number, number])[] = [];
  for (let round = 0; round < STARTS; round += 1) rounds.push(await start());
  const value = median(rounds.map(([first]) => first));
  const peer = median(rounds.map(([, second]) => second));
  const ratio = median(rounds.map(([first, second]) => first / second));
  return { ...about, value, peer, ratio, floor: FLOOR, aim: AIM };
}

if (import.meta.main) await run((line) => process.stdout.write(`${line}\n`));

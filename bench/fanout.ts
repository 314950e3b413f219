/**
 * One book update to many subscribers: the streams of the API against a bare `ws` broadcast of the
 * same bytes, in one run on one machine, rounds in turn. An update is asked for when every
 * subscriber has the one before. The interval that the server otherwise keeps between two updates
 * is switched off, and steps come from memory: journal and engine are measured elsewhere.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import type { FanoutAnswer } from './fanout-server.ts';
import { median } from './measure.ts';
import type { BenchResult } from './result.ts';

const SERVER = join(import.meta.dirname, 'fanout-server.ts');
const SIZES = [100, 1_000];
const ROUNDS = 5;
const MESSAGES_PER_ROUND = 100_000;
const WARM_PART = 0.25;
const SUBSCRIBE = JSON.stringify({
  op: 'subscribe',
  args: [{ instType: 'SP', channel: 'books', instId: 'BTCUSDT' }],
});

type Kind = 'ours' | 'bare';

interface Round {
  readonly perSecond: number;
  readonly delayP99Ms: number;
}

/** A server in a process of its own with its subscribers in this one. */
class Audience {
  readonly #server: ChildProcess;
  readonly #sockets: WebSocket[] = [];
  readonly #delaysMs: number[] = [];
  #askedMs = 0;
  #missing = 0;
  #complete: () => void = () => undefined;
  connectionBytes = 0;

  private constructor(server: ChildProcess) {
    this.#server = server;
  }

  static async open(kind: Kind, size: number): Promise<Audience> {
    const server = fork(SERVER, [kind], { execArgv: ['--expose-gc'] });
    const audience = new Audience(server);
    const { port } = await audience.#answer();
    const before = await audience.#memoryBytes();
    for (let count = 0; count < size; count += 1) await audience.#connect(port);
    audience.connectionBytes = Math.round(((await audience.#memoryBytes()) - before) / size);
    return audience;
  }

  /** Asks for updates one after the other. */
  async round(updates: number): Promise<Round> {
    this.#delaysMs.length = 0;
    const startMs = performance.now();
    for (let count = 0; count < updates; count += 1) {
      this.#missing = this.#sockets.length;
      this.#askedMs = performance.now();
      const complete = new Promise<void>((resolve) => {
        this.#complete = resolve;
      });
      this.#server.send({ kind: 'update' });
      await complete;
    }
    const seconds = (performance.now() - startMs) / 1_000;
    const sorted = Float64Array.from(this.#delaysMs).sort();
    const delayP99Ms = sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
    return { perSecond: updates / seconds, delayP99Ms };
  }

  close(): void {
    for (const socket of this.#sockets) socket.terminate();
    this.#server.kill('SIGKILL');
  }

  /** Connects and subscribes; the first message that is no confirmation is the snapshot. */
  async #connect(port: number): Promise<void> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/spot/v1/stream`);
    socket.once('open', () => socket.send(SUBSCRIBE));
    await new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer) => {
        if (data.includes('"action":"snapshot"')) resolve();
        else if (data.includes('"action":"update"')) this.#take();
      });
    });
    this.#sockets.push(socket);
  }

  #take(): void {
    this.#delaysMs.push(performance.now() - this.#askedMs);
    this.#missing -= 1;
    assert(this.#missing >= 0, 'every subscriber gets every update once');
    if (this.#missing === 0) this.#complete();
  }

  async #memoryBytes(): Promise<number> {
    this.#server.send({ kind: 'memory' });
    return (await this.#answer()).memoryBytes;
  }

  async #answer(): Promise<FanoutAnswer> {
    const [answer] = await once(this.#server, 'message');
    return answer as FanoutAnswer;
  }
}

/** Measures every size and prints each result as it comes. */
export async function run(print: (line: string) => void): Promise<BenchResult[]> {
  const results: BenchResult[] = [];
  for (const size of SIZES) results.push(await compare(size, print));
  return results;
}

async function compare(size: number, print: (line: string) => void): Promise<BenchResult> {
  const ours = await Audience.open('ours', size);
  const bare = await Audience.open('bare', size);
  try {
    const updates = Math.ceil(MESSAGES_PER_ROUND / size);
    for (const audience of [bare, ours]) await audience.round(Math.ceil(updates * WARM_PART));
    const rounds: { ours: Round; bare: Round }[] = [];
    for (let count = 0; count < ROUNDS; count += 1) {
      const peer = await bare.round(updates);
      rounds.push({ bare: peer, ours: await ours.round(updates) });
    }
    return summary(size, rounds, { ours, bare }, print);
  } finally {
    ours.close();
    bare.close();
  }
}

function summary(
  size: number,
  rounds: readonly { readonly ours: Round; readonly bare: Round }[],
  audiences: Readonly<Record<Kind, Audience>>,
  print: (line: string) => void,
): BenchResult {
  const value = median(rounds.map(({ ours }) => ours.perSecond));
  const peer = median(rounds.map(({ bare }) => bare.perSecond));
  const ratio = median(rounds.map(({ ours, bare }) => ours.perSecond / bare.perSecond));
  const delayMs = (kind: Kind) => median(rounds.map((round) => round[kind].delayP99Ms)).toFixed(1);
  const kilobytes = (kind: Kind) => (audiences[kind].connectionBytes / 1_000).toFixed(1);
  const name = 'book update to every subscriber';
  print(
    `  ${name} ${size}: ${Math.round(value)} updates/s, bare ws ${Math.round(peer)}, ` +
      `ratio ${ratio.toFixed(2)}, p99 delay ${delayMs('ours')} ms (${delayMs('bare')}), ` +
      `${kilobytes('ours')} kB per connection (${kilobytes('bare')})`,
  );
  return { name, size, value, unit: 'updates/s', peer, ratio, floor: 0.6, aim: 0.9 };
}

if (import.meta.main) await run((line) => process.stdout.write(`${line}\n`));

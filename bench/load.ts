/**
 * The load generator: raw sockets, one request in flight on each, requests made beforehand. It
 * shares the machine with the server it measures, so it does as little as it can: it reads the
 * status, the length and the first bytes of every answer, and stops at the first wrong one.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Target {
  readonly port: number;
  /** What the body of every good answer starts with. */
  readonly bodyStart: string;
}

export interface LoadOutcome {
  readonly perSecond: number;
  /** Sorted: from the writing of a request to the end of its answer. */
  readonly latenciesMs: Float64Array;
}

const READ_BYTES = 262_144;
const HEAD_BYTES_MAX = 1_024;
const HEAD_END = '\r\n\r\n';

/** Sends every request once, over this many connections, as fast as the answers come. */
export async function sendAll(
  target: Target,
  requests: readonly Buffer[],
  connectionsCount: number,
): Promise<LoadOutcome> {
  const queue = new Queue(requests);
  const connections = Array.from({ length: connectionsCount }, () => new Connection(target, queue));
  await Promise.all(connections.map((connection) => connection.opened()));
  const startMs = performance.now();
  for (const connection of connections) connection.sendNext();
  try {
    await queue.finished;
    const seconds = (performance.now() - startMs) / 1_000;
    const latenciesMs = queue.latenciesMs.toSorted();
    return { perSecond: requests.length / seconds, latenciesMs };
  } finally {
    for (const connection of connections) connection.close();
  }
}

/**
 * Sends requests for so many seconds, each once, and tells how many were answered in each of them.
 * Rejects when there were too few.
 */
export async function sendFor(
  target: Target,
  requests: readonly Buffer[],
  connectionsCount: number,
  seconds: number,
): Promise<readonly number[]> {
  const stretch = new Stretch(requests, seconds);
  const connections = Array.from(
    { length: connectionsCount },
    () => new Connection(target, stretch),
  );
  await Promise.all(connections.map((connection) => connection.opened()));
  stretch.begin();
  for (const connection of connections) connection.sendNext();
  try {
    await stretch.finished;
    return stretch.answeredCounts;
  } finally {
    for (const connection of connections) connection.close();
  }
}

/** Where connections get their requests, and say what became of them. */
interface Feed {
  /** Undefined when there is nothing more to send. */
  next(): Buffer | undefined;
  answered(latencyMs: number): void;
  fail(error: Error): void;
}

/** The requests of some seconds. */
class Stretch implements Feed {
  readonly answeredCounts: number[];
  readonly #requests: readonly Buffer[];
  readonly #done = Promise.withResolvers<void>();
  #startMs = 0;
  #sent = 0;

  constructor(requests: readonly Buffer[], seconds: number) {
    this.#requests = requests;
    this.answeredCounts = new Array<number>(seconds).fill(0);
  }

  get finished(): Promise<void> {
    return this.#done.promise;
  }

  begin(): void {
    this.#startMs = performance.now();
  }

  next(): Buffer | undefined {
    const request = this.#requests[this.#sent];
    this.#sent += 1;
    if (request === undefined) this.fail(new Error('there were not enough requests'));
    return request;
  }

  answered(): void {
    const second = Math.floor((performance.now() - this.#startMs) / 1_000);
    const before = this.answeredCounts[second];
    if (before === undefined) this.#done.resolve();
    else this.answeredCounts[second] = before + 1;
  }

  fail(error: Error): void {
    this.#done.reject(error);
  }
}

/** The requests still to send, and how long those that were answered took. */
class Queue implements Feed {
  readonly latenciesMs: Float64Array;
  readonly #requests: readonly Buffer[];
  readonly #done = Promise.withResolvers<void>();
  #sent = 0;
  #answered = 0;

  constructor(requests: readonly Buffer[]) {
    this.#requests = requests;
    this.latenciesMs = new Float64Array(requests.length);
  }

  get finished(): Promise<void> {
    return this.#done.promise;
  }

  next(): Buffer | undefined {
    const request = this.#requests[this.#sent];
    this.#sent += 1;
    return request;
  }

  answered(latencyMs: number): void {
    this.latenciesMs[this.#answered] = latencyMs;
    this.#answered += 1;
    if (this.#answered === this.#requests.length) this.#done.resolve();
  }

  fail(error: Error): void {
    this.#done.reject(error);
  }
}

class Connection {
  readonly #bodyStart: string;
  readonly #feed: Feed;
  readonly #socket: Socket;
  #sentMs = 0;
  /** The beginning of an answer whose end has not arrived. */
  #held: Buffer | undefined;
  #closing = false;

  constructor({ port, bodyStart }: Target, feed: Feed) {
    this.#bodyStart = bodyStart;
    this.#feed = feed;
    const buffer = Buffer.allocUnsafe(READ_BYTES);
    const callback = (size: number) => {
      this.#hear(buffer.subarray(0, size));
      return true;
    };
    this.#socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: { buffer, callback },
    });
    this.#socket.on('error', (error) => feed.fail(error));
    this.#socket.on('close', () => {
      if (!this.#closing) feed.fail(new Error('the server closed a connection'));
    });
  }

  async opened(): Promise<void> {
    await once(this.#socket, 'connect');
  }

  sendNext(): void {
    const request = this.#feed.next();
    if (request === undefined) return;
    this.#sentMs = performance.now();
    this.#socket.write(request);
  }

  close(): void {
    this.#closing = true;
    this.#socket.destroy();
  }

  #hear(bytes: Buffer): void {
    const answer = this.#held === undefined ? bytes : Buffer.concat([this.#held, bytes]);
    const head = answer.toString('latin1', 0, HEAD_BYTES_MAX);
    const bodyAt = head.indexOf(HEAD_END) + HEAD_END.length;
    if (bodyAt < HEAD_END.length || answer.length < bodyAt + bodyLength(head)) {
      this.#held = Buffer.from(answer);
      return;
    }
    this.#held = undefined;
    if (!head.startsWith('HTTP/1.1 200') || !head.startsWith(this.#bodyStart, bodyAt)) {
      this.#feed.fail(new Error(`a request was not answered well: ${head}`));
      return;
    }
    this.#feed.answered(performance.now() - this.#sentMs);
    this.sendNext();
  }
}

function bodyLength(head: string): number {
  const digits = /\r\ncontent-length: ([0-9]+)/i.exec(head)?.[1];
  assert(digits !== undefined, 'an answer tells its length');
  return Number(digits);
}

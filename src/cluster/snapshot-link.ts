/**
 * How a snapshot travels between two processes of a cluster: over the member's own address, to who
 * holds the secret of the cluster, as the bytes of its file. Who takes it proves it.
 */
import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Snapshots } from '#log';
import { httpOf, introduce } from './handshake.ts';

export const SNAPSHOT_PATH = '/snapshot';
const SEQ_HEADER = 'outcry-seq';
/** Each reads the disk that the log is on. */
const TRANSFERS_MAX = 2;
/** A transfer that takes longer is given up: the log may be trimmed by then. */
const TRANSFER_TIMEOUT_MS = 600_000;
/** Who says nothing for so long is suspended, or cut off: another one is asked. */
const SILENCE_MAX_MS = 15_000;
const SNAPSHOT_BYTES_MAX = 16 * 1024 ** 3;

/** Serves the newest snapshot of this process. */
export class SnapshotDoor {
  readonly #snapshots: Pick<Snapshots, 'newestFile'>;
  #transfersCount = 0;

  constructor(snapshots: Pick<Snapshots, 'newestFile'>) {
    this.#snapshots = snapshots;
  }

  /** The caller has been authenticated. */
  serve(request: IncomingMessage, response: ServerResponse): void {
    const newest = this.#snapshots.newestFile();
    if (request.method !== 'GET' || newest === undefined) end(response, 404);
    else if (this.#transfersCount >= TRANSFERS_MAX) end(response, 503);
    else void this.#send(newest, response);
  }

  async #send({ seq, file }: { seq: number; file: string }, response: ServerResponse) {
    this.#transfersCount += 1;
    response.setTimeout(TRANSFER_TIMEOUT_MS, () => response.destroy());
    response.setHeader(SEQ_HEADER, String(seq));
    // A failure cuts the answer off, and what is cut off does not prove.
    await pipeline(createReadStream(file), response).catch(() => response.destroy());
    this.#transfersCount -= 1;
  }
}

function end(response: ServerResponse, statusCode: number): void {
  response.statusCode = statusCode;
  response.end();
}

export interface SentSnapshot {
  readonly seq: number;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Asks a member for its newest snapshot; undefined when it has none to give now. */
export async function askForSnapshot(
  url: string,
  secret: string,
  silenceMaxMs = SILENCE_MAX_MS,
): Promise<SentSnapshot | undefined> {
  const silence = new Silence(silenceMaxMs);
  try {
    const signal = AbortSignal.any([silence.signal, AbortSignal.timeout(TRANSFER_TIMEOUT_MS)]);
    const authorization = await introduce(url, secret, `GET ${SNAPSHOT_PATH}`, signal);
    const response = await fetch(new URL(SNAPSHOT_PATH, httpOf(url)), {
      headers: { authorization },
      redirect: 'error',
      signal,
    });
    const seq = Number(response.headers.get(SEQ_HEADER));
    if (response.ok && response.body !== null && Number.isSafeInteger(seq) && seq > 0) {
      silence.heard();
      return { seq, bytes: bounded(Readable.fromWeb(response.body), silence) };
    }
    await response.body?.cancel();
  } catch (error) {
    silence.end();
    throw error;
  }
  silence.end();
  return undefined;
}

async function* bounded(
  bytes: AsyncIterable<Uint8Array>,
  silence: Silence,
): AsyncGenerator<Uint8Array, void> {
  let left = SNAPSHOT_BYTES_MAX;
  try {
    for await (const piece of bytes) {
      silence.heard();
      left -= piece.length;
      if (left < 0) throw new Error('the snapshot is larger than any can be');
      yield piece;
    }
  } finally {
    silence.end();
  }
}

/** Aborts when nothing was heard for so long. */
class Silence {
  readonly #maxMs: number;
  readonly #ending = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(maxMs: number) {
    this.#maxMs = maxMs;
    this.heard();
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  heard(): void {
    this.end();
    const reason = new Error(`it has said nothing for ${this.#maxMs} ms`);
    this.#timer = setTimeout(() => this.#ending.abort(reason), this.#maxMs);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

/**
 * How a snapshot travels between two processes of a cluster: over the member's own address, with
 * the secret of the cluster, as the bytes of its file. Who takes it proves it.
 */
import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Snapshots } from '#log';

export const SNAPSHOT_PATH = '/snapshot';
const SEQ_HEADER = 'outcry-seq';
/** Each reads the disk that the log is on. */
const TRANSFERS_MAX = 2;
/** A transfer that takes longer is given up: the log may be trimmed by then. */
const TRANSFER_TIMEOUT_MS = 600_000;
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
): Promise<SentSnapshot | undefined> {
  const response = await fetch(new URL(SNAPSHOT_PATH, url.replace(/^ws/, 'http')), {
    headers: { authorization: `Bearer ${secret}` },
    signal: AbortSignal.timeout(TRANSFER_TIMEOUT_MS),
  });
  const seq = Number(response.headers.get(SEQ_HEADER));
  if (response.ok && response.body !== null && Number.isSafeInteger(seq) && seq > 0) {
    return { seq, bytes: bounded(Readable.fromWeb(response.body)) };
  }
  await response.body?.cancel();
  return undefined;
}

async function* bounded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let left = SNAPSHOT_BYTES_MAX;
  for await (const piece of bytes) {
    left -= piece.length;
    if (left < 0) throw new Error('the snapshot is larger than any can be');
    yield piece;
  }
}

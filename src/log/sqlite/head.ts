/**
 * The head: the last durable command and its hash, kept a second time beside the journal, so that
 * an end of the journal that is missing differs from one that was never written. It is written
 * after each commit without waiting for the disk and synced now and then: it may lag behind the
 * journal, and never says more than the journal has had. Two lines take turns, each with a checksum
 * of its own, so that one is whole even if the other was being written in a power cut.
 */
import {
  closeSync,
  constants,
  fdatasync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { ChainLink, Head } from '../chain.ts';

const LINE_BYTES = 128;
const LINE = /^([0-9]+) ([0-9a-f]{64}) ([0-9]+) *\n$/;

export function headFile(directory: string): string {
  return join(directory, 'journal.head');
}

/** The newest line that is whole; undefined when there is none, or no file. */
export function readHead(directory: string): Head | undefined {
  const text = readIfThere(headFile(directory));
  const heads = [text.slice(0, LINE_BYTES), text.slice(LINE_BYTES)].map(parseLine);
  return heads.reduce((one, other) => {
    if (one === undefined || other === undefined) return one ?? other;
    return one.lastSeq > other.lastSeq ? one : other;
  }, undefined);
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

function parseLine(line: string): Head | undefined {
  const [, seq = '', hash = '', sum = ''] = LINE.exec(line) ?? [];
  return sum !== '' && sumOf(seq, hash) === Number(sum)
    ? { lastSeq: Number(seq), hash }
    : undefined;
}

function sumOf(seq: string, hash: string): number {
  return crc32(`${seq} ${hash}`);
}

function lineOf({ nextSeq, hash }: ChainLink): string {
  const seq = String(nextSeq - 1);
  return `${`${seq} ${hash} ${sumOf(seq, hash)}`.padEnd(LINE_BYTES - 1)}\n`;
}

export class HeadWriter {
  readonly #handle: number;
  #turn = 0;
  #isSynced = true;

  constructor(directory: string, link: ChainLink) {
    this.#handle = openSync(headFile(directory), constants.O_RDWR | constants.O_CREAT, 0o600);
    this.#put(link);
    this.#put(link);
    ftruncateSync(this.#handle, 2 * LINE_BYTES);
  }

  /** After the commit of the entry that ends at this link, which stands whatever happens here. */
  write(link: ChainLink): void {
    try {
      this.#put(link);
    } catch {
      // A head that lags is as good as one that a power cut has taken back.
    }
  }

  #put(link: ChainLink): void {
    writeSync(this.#handle, lineOf(link), this.#turn * LINE_BYTES, 'latin1');
    this.#turn = 1 - this.#turn;
    this.#isSynced = false;
  }

  /** Away from the way of the orders. A head that fails to reach the disk only lags. */
  sync(): void {
    if (this.#isSynced) return;
    this.#isSynced = true;
    fdatasync(this.#handle, () => undefined);
  }

  close(): void {
    fdatasyncSync(this.#handle);
    closeSync(this.#handle);
  }
}

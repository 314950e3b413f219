/**
 * Snapshots: the state after some command, as rows of text that this room does not understand.
 * `snapshots/snapshot-<seq, 16 digits>.ndjson` holds one row per line and a last line with the
 * sequence number, the row count and the SHA-256 of all bytes before it. A snapshot only saves
 * time: without one, the journal is replayed from its start.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  createWriteStream,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { assert } from '#kernel';
import { fileFault, syncDirectory, syncFile } from './files.ts';

export interface Snapshot {
  readonly file: string;
  readonly seq: number;
  /** Read from the file as they are taken, a piece at a time. */
  readonly rows: Iterable<string>;
}

interface Seal {
  readonly seq: number;
  readonly rows: number;
  readonly sha256: string;
}

const SNAPSHOTS_KEPT = 3;
const SEQ_DIGITS = 16;
const PIECE_BYTES = 1024 * 1024;
/** The last line is far shorter than this. */
const SEAL_BYTES_MAX = 256;
const LINE_FEED = 10;

/** The snapshots of one data directory; a log that is elsewhere leaves them here, too. */
export class Snapshots {
  readonly #folder: string;

  constructor(directory: string) {
    this.#folder = join(directory, 'snapshots');
  }

  /**
   * Stores the rows as the snapshot of `seq`, durably and all or nothing, and removes all but the
   * newest three. Rows hold no line feed. Throws a JournalFault 'disk' when they cannot be stored.
   */
  write(seq: number, rows: Iterable<string>): { readonly hash: string } {
    assert(Number.isSafeInteger(seq) && seq >= 0, 'a snapshot has a sequence number');
    const file = this.#fileOf(seq);
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      const hash = writeFile(`${file}.tmp`, seq, rows);
      renameSync(`${file}.tmp`, file);
      syncDirectory(this.#folder);
      removeOld(this.#folder);
      return { hash };
    } catch (error) {
      throw fileFault(file, error);
    }
  }

  /**
   * The newest snapshot of at most `seqMax` that proves to be whole, or undefined. A damaged one is
   * reported and passed over in favour of the next older one: the journal makes up for it.
   */
  newest(seqMax: number, onDamaged: (reason: string) => void): Snapshot | undefined {
    for (const seq of snapshotSeqs(this.#folder)) {
      if (seq > seqMax) continue;
      const file = this.#fileOf(seq);
      const proof = proveSnapshot(file, seq);
      if (typeof proof !== 'string') return { file, seq, rows: rowsOf(file, proof.rows) };
      onDamaged(`snapshot ${file} is not used: ${proof}`);
    }
    return undefined;
  }

  /** The sequence numbers of all that prove to be whole, newest first. */
  soundSeqs(): number[] {
    return snapshotSeqs(this.#folder).filter(
      (seq) => typeof proveSnapshot(this.#fileOf(seq), seq) !== 'string',
    );
  }

  /**
   * Takes a snapshot in that another machine has sent, durably and all or nothing. Gives what is
   * wrong with it, of itself or by the hash of its rows; undefined when it is kept. Rejects with a
   * JournalFault 'disk', or as `bytes` does.
   */
  async receive(
    seq: number,
    bytes: AsyncIterable<Uint8Array>,
    refusal: (rowsHash: string) => string | undefined,
  ): Promise<string | undefined> {
    const file = this.#fileOf(seq);
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      await pipeline(bytes, createWriteStream(`${file}.tmp`, { mode: 0o600, flush: true }));
      const proof = proveSnapshot(`${file}.tmp`, seq);
      const damage = typeof proof === 'string' ? proof : refusal(proof.sha256);
      if (damage !== undefined) return damage;
      renameSync(`${file}.tmp`, file);
      syncDirectory(this.#folder);
      return undefined;
    } catch (error) {
      throw fileFault(file, error);
    } finally {
      rmSync(`${file}.tmp`, { force: true });
    }
  }

  /** Before another state takes its place. */
  removeAll(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** The newest snapshot as a file, damaged or not. */
  newestFile(): { readonly seq: number; readonly file: string } | undefined {
    const seq = this.newestSeq();
    return seq === 0 ? undefined : { seq, file: this.#fileOf(seq) };
  }

  /** The sequence number of the newest snapshot, damaged or not; 0 without one. */
  newestSeq(): number {
    return snapshotSeqs(this.#folder)[0] ?? 0;
  }

  /**
   * Copies what is there into another data directory, newest first, but for one that makes room
   * for a newer one meanwhile. Gives how many there are.
   */
  copyTo(directory: string): number {
    const target = new Snapshots(directory);
    let copied = 0;
    for (const seq of snapshotSeqs(this.#folder)) {
      mkdirSync(target.#folder, { recursive: true, mode: 0o700 });
      try {
        copyFileSync(this.#fileOf(seq), target.#fileOf(seq));
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') continue;
        throw error;
      }
      syncFile(target.#fileOf(seq));
      copied += 1;
    }
    return copied;
  }

  #fileOf(seq: number): string {
    return join(this.#folder, snapshotName(seq));
  }
}

function snapshotName(seq: number): string {
  return `snapshot-${String(seq).padStart(SEQ_DIGITS, '0')}.ndjson`;
}

/** Newest first. */
function snapshotSeqs(folder: string): number[] {
  // A snapshot is optional: what is no folder holds none.
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder)
    .map((name) => /^snapshot-([0-9]{16})\.ndjson$/.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .sort((left, right) => right - left);
}

/** Also removes what a crash in the middle of writing has left. */
function removeOld(folder: string): void {
  const kept = new Set(snapshotSeqs(folder).slice(0, SNAPSHOTS_KEPT).map(snapshotName));
  for (const name of readdirSync(folder)) {
    if (name.startsWith('snapshot-') && !kept.has(name)) rmSync(join(folder, name));
  }
}

/** Leaves no half-written file behind when it fails. */
function writeFile(file: string, seq: number, rows: Iterable<string>): string {
  const handle = openSync(file, 'w', 0o600);
  try {
    const seal = writeRows(handle, seq, rows);
    writeAll(handle, Buffer.from(`${JSON.stringify(seal)}\n`));
    fsyncSync(handle);
    return seal.sha256;
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
}

function writeRows(handle: number, seq: number, rows: Iterable<string>): Seal {
  const hash = createHash('sha256');
  let count = 0;
  let piece = '';
  const flush = (): void => {
    const bytes = Buffer.from(piece);
    hash.update(bytes);
    writeAll(handle, bytes);
    piece = '';
  };
  for (const row of rows) {
    assert(!row.includes('\n'), 'a row is one line');
    piece += `${row}\n`;
    count += 1;
    if (piece.length >= PIECE_BYTES) flush();
  }
  flush();
  return { seq, rows: count, sha256: hash.digest('hex') };
}

/** A write may take only part of what it is given. */
function writeAll(handle: number, bytes: Buffer): void {
  let written = 0;
  while (written < bytes.length) written += writeSync(handle, bytes, written);
}

/** The last line of the file if all it says is true, or else what is wrong with the file. */
function proveSnapshot(file: string, seq: number): Seal | string {
  try {
    const seal = proveFile(file);
    if (typeof seal === 'string' || seal.seq === seq) return seal;
    return `it is the snapshot of ${seal.seq}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function proveFile(file: string): Seal | string {
  const handle = openSync(file, 'r');
  try {
    const size = fstatSync(handle).size;
    const sealAt = findSeal(handle, size);
    const seal = sealAt === undefined ? undefined : parseSeal(readAt(handle, sealAt, size));
    if (sealAt === undefined || seal === undefined) return 'it ends too early';
    const hash = createHash('sha256');
    let rows = 0;
    for (const piece of piecesOf(handle, sealAt)) {
      hash.update(piece);
      rows += lineFeedsIn(piece);
    }
    if (rows !== seal.rows) return `it holds ${rows} rows instead of ${seal.rows}`;
    return hash.digest('hex') === seal.sha256 ? seal : 'its rows are not what was written';
  } finally {
    closeSync(handle);
  }
}

function lineFeedsIn(piece: Buffer): number {
  let count = 0;
  for (let at = piece.indexOf(LINE_FEED); at !== -1; at = piece.indexOf(LINE_FEED, at + 1)) {
    count += 1;
  }
  return count;
}

/** Where the last line starts; undefined when the file does not end with a short whole line. */
function findSeal(handle: number, size: number): number | undefined {
  const start = Math.max(0, size - SEAL_BYTES_MAX);
  const end = readAt(handle, start, size);
  if (end.at(-1) !== LINE_FEED) return undefined;
  const before = end.lastIndexOf(LINE_FEED, end.length - 2);
  if (before === -1 && start > 0) return undefined;
  return start + before + 1;
}

function parseSeal(line: Buffer): Seal | undefined {
  const match = /^\{"seq":([0-9]+),"rows":([0-9]+),"sha256":"([0-9a-f]{64})"\}\n$/.exec(
    line.toString('latin1'),
  );
  if (match === null) return undefined;
  const [, seq = '', rows = '', sha256 = ''] = match;
  return { seq: Number(seq), rows: Number(rows), sha256 };
}

function rowsOf(file: string, rowsCount: number): Iterable<string> {
  return { [Symbol.iterator]: () => readRows(file, rowsCount) };
}

function* readRows(file: string, rowsCount: number): Generator<string, void> {
  const handle = openSync(file, 'r');
  try {
    let left = rowsCount;
    for (const row of linesOf(handle)) {
      if (left === 0) return;
      left -= 1;
      yield row;
    }
  } finally {
    closeSync(handle);
  }
}

/** Every line, decoded a piece at a time; a piece is cut after its last line feed. */
function* linesOf(handle: number): Generator<string, void> {
  let rest: Buffer = Buffer.alloc(0);
  for (const piece of piecesOf(handle, fstatSync(handle).size)) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    const end = bytes.lastIndexOf(LINE_FEED);
    if (end !== -1) yield* bytes.toString('utf8', 0, end).split('\n');
    rest = Buffer.from(bytes.subarray(end + 1));
  }
}

/** The file up to `end`, a piece at a time. Each piece is valid until the next one is taken. */
function* piecesOf(handle: number, end: number): Generator<Buffer, void> {
  const room = Buffer.allocUnsafe(PIECE_BYTES);
  let at = 0;
  while (at < end) {
    const read = readSync(handle, room, 0, Math.min(PIECE_BYTES, end - at), at);
    if (read === 0) return;
    at += read;
    yield room.subarray(0, read);
  }
}

function readAt(handle: number, start: number, end: number): Buffer {
  const bytes = Buffer.alloc(end - start);
  const read = readSync(handle, bytes, 0, bytes.length, start);
  return bytes.subarray(0, read);
}

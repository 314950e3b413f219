/**
 * Snapshots: text rows in a file of their own, `snapshots/snapshot-<seq>.ndjson`, whose last line
 * holds the number of rows and the SHA-256 over them. A snapshot only saves time at start: when all
 * are lost or damaged the journal is replayed from its first command.
 */
import { createHash, type Hash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { assert } from '#kernel';

/** How many snapshots are kept: a damaged one still leaves others. */
const KEPT = 3;
const SEQ_DIGITS = 16;
const CHUNK_BYTES = 1 << 20;
const NAME = /^snapshot-([0-9]{16})\.ndjson$/;
const TRAILER = /^\{"rows":([0-9]+),"sha256":"([0-9a-f]{64})"\}$/;

export interface Snapshot {
  readonly seq: number;
  /** Read from the file as they are asked for. */
  readonly rows: Iterable<string>;
}

/** Writes a snapshot, durably and all or nothing, and returns the hash of its rows. */
export function writeSnapshot(directory: string, seq: number, rows: Iterable<string>): string {
  const folder = join(directory, 'snapshots');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `snapshot-${String(seq).padStart(SEQ_DIGITS, '0')}.ndjson`);
  const unfinished = `${file}.unfinished`;
  const hash = writeRows(unfinished, rows);
  renameSync(unfinished, file);
  syncFolder(folder);
  forgetOld(folder);
  return hash;
}

/**
 * The newest sound snapshot up to this command. A damaged one is told about and passed over.
 */
export function readSnapshot(
  directory: string,
  seqMax: number,
  onDamaged: (reason: string) => void,
): Snapshot | undefined {
  const folder = join(directory, 'snapshots');
  for (const { seq, name } of listSnapshots(folder)) {
    if (seq > seqMax) continue;
    const file = join(folder, name);
    const damage = findDamage(file);
    if (damage === undefined) return { seq, rows: dataRows(file) };
    onDamaged(`${file} is passed over: ${damage}`);
  }
  return undefined;
}

/** Newest first. */
function listSnapshots(folder: string): { seq: number; name: string }[] {
  const found: { seq: number; name: string }[] = [];
  for (const name of readFolder(folder)) {
    const digits = NAME.exec(name)?.[1];
    if (digits !== undefined) found.push({ seq: Number(digits), name });
  }
  return found.sort((left, right) => right.seq - left.seq);
}

function readFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function writeRows(file: string, rows: Iterable<string>): string {
  const descriptor = openSync(file, 'w');
  try {
    const hash = createHash('sha256');
    let count = 0;
    let chunk = '';
    for (const row of rows) {
      assert(!row.includes('\n'), 'a snapshot row is one line');
      count += 1;
      chunk += `${row}\n`;
      if (chunk.length >= CHUNK_BYTES) chunk = flush(descriptor, hash, chunk);
    }
    flush(descriptor, hash, chunk);
    const sha256 = hash.digest('hex');
    writeSync(descriptor, `{"rows":${count},"sha256":"${sha256}"}\n`);
    fsyncSync(descriptor);
    return sha256;
  } finally {
    closeSync(descriptor);
  }
}

function flush(descriptor: number, hash: Hash, chunk: string): string {
  hash.update(chunk);
  for (let bytes = Buffer.from(chunk); bytes.length > 0; ) {
    bytes = bytes.subarray(writeSync(descriptor, bytes));
  }
  return '';
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Removes all but the newest snapshots, and what an interrupted writer left. */
function forgetOld(folder: string): void {
  const kept = new Set(
    listSnapshots(folder)
      .slice(0, KEPT)
      .map(({ name }) => name),
  );
  for (const name of readFolder(folder)) {
    const ours = NAME.test(name) || name.endsWith('.unfinished');
    if (ours && !kept.has(name)) rmSync(join(folder, name));
  }
}

/** Why the file is not the snapshot its name says, or undefined when it is. */
function findDamage(file: string): string | undefined {
  try {
    const hash = createHash('sha256');
    let count = 0;
    let last: string | undefined;
    for (const line of lines(file)) {
      if (last !== undefined) {
        hash.update(last).update('\n');
        count += 1;
      }
      last = line;
    }
    const trailer = TRAILER.exec(last ?? '');
    if (trailer === null) return 'it ends too early';
    if (Number(trailer[1]) !== count) return `it holds ${count} rows instead of ${trailer[1]}`;
    return hash.digest('hex') === trailer[2] ? undefined : 'its rows are not what was written';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Every line but the trailer. */
function* dataRows(file: string): Generator<string> {
  let held: string | undefined;
  for (const line of lines(file)) {
    if (held !== undefined) yield held;
    held = line;
  }
}

function* lines(file: string): Generator<string> {
  const descriptor = openSync(file, 'r');
  try {
    const decoder = new TextDecoder();
    const bytes = Buffer.allocUnsafe(CHUNK_BYTES);
    let rest = '';
    for (;;) {
      const size = readSync(descriptor, bytes, 0, CHUNK_BYTES, null);
      if (size === 0) break;
      const parts = (rest + decoder.decode(bytes.subarray(0, size), { stream: true })).split('\n');
      rest = parts.pop() ?? '';
      yield* parts;
    }
    if (rest !== '') yield rest;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * What a disk may have kept when the power went: a program's writes and syncs, recorded by strace
 * as the kernel saw them, replayed up to a moment. What was synced by then is there; what was not
 * is there, is not, or in part, whatever came after it. Names of a directory keep their order.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { present } from '#kernel';
import type { Random } from '../../tools/random.ts';

const SECTOR_BYTES = 512;
const RECORDED = [
  ...['pwrite64', 'write', 'writev', 'pwritev', 'sendto', 'fsync', 'fdatasync', 'ftruncate'],
  ...['openat', 'mkdir', 'rename', 'link', 'unlink', 'rmdir'],
];

/** The words in front of a program that make strace record it. */
export function recorder(file: string): string[] {
  const calls = `trace=${RECORDED.join(',')}`;
  return ['-f', '-y', '-xx', '-s', '4000000', '-e', calls, '-e', 'signal=none', '-o', file];
}

type Change =
  | { readonly kind: 'write'; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'size'; readonly bytesCount: number };

/** One call of the program, as it ended. */
export type Step =
  | { readonly kind: 'change'; readonly path: string; readonly change: Change }
  | { readonly kind: 'sync'; readonly path: string }
  | { readonly kind: 'name'; readonly path: string; readonly from?: string }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'sent'; readonly text: string };

const CALL = /^\d+ +(\w+)\((.*)\) += (-?\d+)/s;
const UNFINISHED = /^(\d+ +)(\w+\(.*) <unfinished \.\.\.>$/s;
const RESUMED = /^(\d+) +<\.\.\. \w+ resumed>(.*)$/s;

/** The steps of a recording that concern this directory, and what went to sockets between them. */
export function stepsOf(recording: string, directory: string): Step[] {
  const begun = new Map<string, string>();
  const positions = new Map<string, number>();
  return recording.split('\n').flatMap((line) => {
    const unfinished = UNFINISHED.exec(line);
    if (unfinished !== null) {
      begun.set(present(unfinished[1], 'process').trim(), present(unfinished[2], 'call'));
      return [];
    }
    const resumed = RESUMED.exec(line);
    const whole = resumed ? `${resumed[1]} ${begun.get(resumed[1] ?? '')}${resumed[2]}` : line;
    const [, call = '', words = '', result = '-1'] = CALL.exec(whole) ?? [];
    if (Number(result) < 0) return [];
    return stepOf(call, words, Number(result), directory, positions);
  });
}

function stepOf(
  call: string,
  words: string,
  result: number,
  directory: string,
  positions: Map<string, number>,
): Step[] {
  const isHere = (path: string): boolean =>
    (path === directory || path.startsWith(`${directory}/`)) && !path.endsWith('-shm');
  const opened = bytesOf(/^\d+<([^>]*)>/.exec(words)?.[1] ?? '').toString();
  const texts = [...words.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex = '']) => bytesOf(hex));
  const paths = texts.map((bytes) => bytes.toString());
  const [first = '', second = ''] = paths;
  switch (call) {
    case 'pwrite64': {
      const at = Number(/, (\d+)$/.exec(words)?.[1]);
      return isHere(opened) ? [written(opened, at, texts[0], result)] : [];
    }
    case 'write':
    case 'writev':
    case 'sendto': {
      if (opened.startsWith('socket:') || opened.startsWith('TCP:')) {
        return [{ kind: 'sent', text: Buffer.concat(texts).toString() }];
      }
      if (!isHere(opened)) return [];
      const at = positions.get(opened) ?? 0;
      positions.set(opened, at + result);
      return [written(opened, at, Buffer.concat(texts), result)];
    }
    case 'fsync':
    case 'fdatasync':
      return isHere(opened) ? [{ kind: 'sync', path: opened }] : [];
    case 'ftruncate': {
      const bytesCount = Number(/, (\d+)$/.exec(words)?.[1]);
      const change = { kind: 'size', bytesCount } as const;
      return isHere(opened) ? [{ kind: 'change', path: opened, change }] : [];
    }
    case 'openat':
      if (!words.includes('O_CREAT') || !isHere(first)) return [];
      positions.delete(first);
      return [{ kind: 'name', path: first }];
    case 'mkdir':
      return isHere(first) ? [{ kind: 'folder', path: first }] : [];
    case 'rename':
      return isHere(first)
        ? [
            { kind: 'name', path: second, from: first },
            { kind: 'remove', path: first },
          ]
        : [];
    case 'link':
      return isHere(first) ? [{ kind: 'name', path: second, from: first }] : [];
    case 'unlink':
    case 'rmdir':
      return isHere(first) ? [{ kind: 'remove', path: first }] : [];
    default:
      throw new Error(`${call} is not replayed: ${words.slice(0, 200)}`);
  }
}

function written(path: string, at: number, bytes: Buffer | undefined, result: number): Step {
  const kept = present(bytes, 'bytes').subarray(0, result);
  return { kind: 'change', path, change: { kind: 'write', at, bytes: kept } };
}

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.replaceAll('\\x', ''), 'hex');
}

/** The bytes of a file, with room to grow: a log is made of thousands of small writes. */
class Content {
  #room = Buffer.alloc(0);
  #bytesCount = 0;

  get bytes(): Buffer {
    return this.#room.subarray(0, this.#bytesCount);
  }

  apply(change: Change): void {
    if (change.kind === 'size') {
      this.#reserve(change.bytesCount);
      this.#room.fill(0, change.bytesCount);
      this.#bytesCount = change.bytesCount;
      return;
    }
    const { at, bytes } = change;
    this.#reserve(at + bytes.length);
    bytes.copy(this.#room, at);
    this.#bytesCount = Math.max(this.#bytesCount, at + bytes.length);
  }

  #reserve(bytesCount: number): void {
    if (bytesCount <= this.#room.length) return;
    const room = Buffer.alloc(2 * bytesCount);
    this.#room.copy(room);
    this.#room = room;
  }
}

/** A file, whatever it is called. */
interface File {
  readonly synced: Content;
  unsynced: Change[];
}

/** What is known of a name in a folder: a file, a folder, or nothing. */
type Entry = File | 'folder' | undefined;

/** The disk of one directory: what is safe, and what was only asked for. */
class Disk {
  /** As the program sees it. */
  readonly #seen = new Map<string, Entry>();
  readonly #safe = new Map<string, Entry>();
  /** By folder: what became of names since it was synced. */
  readonly #pending = new Map<string, (readonly [path: string, entry: Entry])[]>();

  take(step: Step): void {
    switch (step.kind) {
      case 'change':
        this.#file(step.path).unsynced.push(step.change);
        break;
      case 'sync':
        this.#sync(step.path);
        break;
      case 'name':
        if (step.from !== undefined) this.#rename(step.path, this.#file(step.from));
        else if (this.#seen.get(step.path) === undefined) {
          this.#rename(step.path, { synced: new Content(), unsynced: [] });
        }
        break;
      case 'folder':
        this.#rename(step.path, 'folder');
        break;
      case 'remove':
        this.#rename(step.path, undefined);
        break;
      case 'sent':
        break;
    }
  }

  #file(path: string): File {
    const entry = this.#seen.get(path);
    if (entry === undefined || entry === 'folder') throw new Error(`${path} is no file`);
    return entry;
  }

  #rename(path: string, entry: Entry): void {
    this.#seen.set(path, entry);
    const folder = dirname(path);
    this.#pending.set(folder, [...(this.#pending.get(folder) ?? []), [path, entry]]);
  }

  #sync(path: string): void {
    const entry = this.#seen.get(path);
    if (entry !== undefined && entry !== 'folder') {
      for (const change of entry.unsynced) entry.synced.apply(change);
      entry.unsynced = [];
      return;
    }
    for (const [name, named] of this.#pending.get(path) ?? []) this.#safe.set(name, named);
    this.#pending.delete(path);
  }

  /** Writes what a power cut may leave now below `target`. */
  cut(directory: string, target: string, random: Random): void {
    const names = new Map(this.#safe);
    for (const pending of this.#pending.values()) {
      const keptCount = Math.floor(random() * (pending.length + 1));
      for (const [name, entry] of pending.slice(0, keptCount)) names.set(name, entry);
    }
    const folders = [...names].filter(([, entry]) => entry === 'folder');
    for (const [path] of folders.toSorted()) {
      mkdirSync(join(target, relative(directory, path)), { recursive: true, mode: 0o700 });
    }
    for (const [path, entry] of names) {
      const folder = dirname(path);
      if (entry === undefined || entry === 'folder') continue;
      if (folder !== directory && names.get(folder) !== 'folder') continue;
      const left = entry.unsynced.flatMap((change) => fateOf(change, random));
      for (const change of left) entry.synced.apply(change);
      const file = join(target, relative(directory, path));
      writeFileSync(file, entry.synced.bytes, { mode: 0o600 });
    }
  }
}

/** What is left of a change that was not synced: all, nothing, or some sectors. */
function fateOf(change: Change, random: Random): Change[] {
  const fate = random();
  if (fate < 0.4) return [change];
  if (fate < 0.7 || change.kind === 'size') return [];
  const { at, bytes } = change;
  const starts = Array.from({ length: Math.ceil(bytes.length / SECTOR_BYTES) }, (_, sector) => {
    return sector * SECTOR_BYTES;
  });
  return starts
    .filter(() => random() < 0.5)
    .map((start) => {
      const part = bytes.subarray(start, start + SECTOR_BYTES);
      return { kind: 'write', at: at + start, bytes: part };
    });
}

/** Builds below `target` what may be left after so many steps; resolves with what was sent. */
export function cutAfter(
  steps: readonly Step[],
  stepsCount: number,
  directory: string,
  target: string,
  random: Random,
): string {
  const disk = new Disk();
  let sent = '';
  for (const step of steps.slice(0, stepsCount)) {
    disk.take(step);
    if (step.kind === 'sent') sent += step.text;
  }
  disk.cut(directory, target, random);
  return sent;
}

/** Stands in for node:fs where a process keeps its snapshots and its record of failures. */
import { basename, dirname } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { File, type Files } from '../files.ts';
import { here } from '../here.ts';

/** A handle is an object: the callers only pass it on. */
class Handle {
  readonly file: File | undefined;
  readonly path: string;
  at = 0;

  constructor(path: string, file: File | undefined) {
    this.path = path;
    this.file = file;
  }
}

function failure(code: string, syscall: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${syscall} '${path}'`), { code, syscall, path });
}

function files(): Files {
  return here().files;
}

function fileAt(path: string, syscall: string): File {
  const file = files().names.get(path);
  if (file === undefined) throw failure('ENOENT', syscall, path);
  return file;
}

function opened(handle: Handle): File {
  if (handle.file === undefined) throw failure('EISDIR', 'read', handle.path);
  return handle.file;
}

export function openSync(path: string, flags: string): Handle {
  if (files().folders.has(path)) return new Handle(path, undefined);
  if (flags === 'w' || (flags === 'a' && !files().names.has(path))) {
    const file = new File();
    files().names.set(path, file);
    return new Handle(path, file);
  }
  return new Handle(path, fileAt(path, 'open'));
}

export function closeSync(): void {}

export function writeSync(handle: Handle, piece: Uint8Array): number {
  if (files().isFull) throw failure('ENOSPC', 'write', handle.path);
  opened(handle).write(handle.at, piece);
  handle.at += piece.length;
  return piece.length;
}

export function readSync(
  handle: Handle,
  room: Buffer,
  offset: number,
  length: number,
  position: number,
): number {
  return opened(handle).bytes.copy(room, offset, position, position + length);
}

export function fsyncSync({ file, path }: Handle): void {
  if (file === undefined) files().syncFolder(path);
  else file.sync();
}

export function fstatSync(handle: Handle): { readonly size: number } {
  return { size: opened(handle).bytes.length };
}

export function existsSync(path: string): boolean {
  return files().names.has(path) || files().folders.has(path);
}

export function statSync(path: string): { isDirectory(): boolean } | undefined {
  if (!existsSync(path)) return undefined;
  return { isDirectory: () => files().folders.has(path) };
}

export function mkdirSync(path: string): void {
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
    files().folders.add(folder);
  }
}

export function readdirSync(path: string): string[] {
  return [...files().names.keys()]
    .filter((name) => dirname(name) === path)
    .map((name) => basename(name));
}

export function renameSync(from: string, to: string): void {
  const file = fileAt(from, 'rename');
  files().names.delete(from);
  files().names.set(to, file);
}

export function rmSync(path: string): void {
  for (const name of [...files().names.keys()]) {
    if (name === path || name.startsWith(`${path}/`)) files().names.delete(name);
  }
}

export function copyFileSync(from: string, to: string): void {
  const copied = new File();
  copied.write(0, fileAt(from, 'copyfile').bytes);
  files().names.set(to, copied);
}

export function readFileSync(path: string): string {
  return fileAt(path, 'open').bytes.toString();
}

export function writeFileSync(path: string, text: string, options?: { flush?: boolean }): void {
  const handle = openSync(path, 'w');
  writeSync(handle, Buffer.from(text));
  if (options?.flush === true) fsyncSync(handle);
}

export function createReadStream(path: string): Readable {
  return Readable.from([fileAt(path, 'open').bytes]);
}

export function createWriteStream(path: string, { flush = false } = {}): Writable {
  const handle = openSync(path, 'w');
  return new Writable({
    write: (piece: Buffer, _encoding, done) => {
      try {
        writeSync(handle, piece);
        done();
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
    final: (done) => {
      if (flush) fsyncSync(handle);
      done();
    },
  });
}

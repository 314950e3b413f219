/**
 * A backup as one file: a tar archive, compressed when its name ends with .gz. It is read back and
 * compared before it has its name, and what is laid down from one has the names of a backup only.
 */
import { createHash } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import { syncDirectory, syncFile } from '#log';

/** Every name that a backup has, so that nothing is written anywhere else. */
const NAMES: ReadonlySet<string> = new Set([
  'journal.sqlite',
  'journal.head',
  'history.sqlite',
  'people.sqlite',
  'operators.sqlite',
  'engine-faults.json',
  'master.key',
  'admin.token',
]);
const SNAPSHOT = /^snapshots\/snapshot-[0-9]{16}\.ndjson$/;
const OWNER_ONLY = 0o600;

/** A file of an archive, as it is read. */
interface Entry extends AsyncIterable<unknown> {
  readonly header: { readonly name: string; readonly type?: unknown };
  resume(): void;
}

/** Writes the files of a directory, durably and all or nothing. Rejects when they differ. */
export async function archive(directory: string, file: string): Promise<void> {
  const names = filesOf(directory);
  const partial = `${file}.partial`;
  try {
    const packed = pack();
    const target = createWriteStream(partial, { mode: OWNER_ONLY });
    const written = isCompressed(file)
      ? pipeline(packed, createGzip(), target)
      : pipeline(packed, target);
    for (const name of names) await addFile(packed, join(directory, name), name);
    packed.finalize();
    await written;
    await requireSame(partial, isCompressed(file), directory, names);
    syncFile(partial);
    renameSync(partial, file);
    syncDirectory(dirname(resolve(file)));
  } finally {
    rmSync(partial, { force: true });
  }
}

/** Lays the files of an archive down in a directory that is empty. Rejects what is no backup. */
export async function unarchive(file: string, directory: string): Promise<void> {
  for await (const entry of entriesOf(file, isCompressed(file))) {
    const { name, type } = entry.header;
    if (type === 'directory') {
      entry.resume();
      continue;
    }
    if (type !== 'file' || !(NAMES.has(name) || SNAPSHOT.test(name))) {
      throw new Error(`${file} is no backup: it has ${JSON.stringify(name)} in it`);
    }
    const target = join(directory, name);
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    await pipeline(entry, createWriteStream(target, { mode: OWNER_ONLY, flags: 'wx' }));
  }
}

function isCompressed(file: string): boolean {
  return file.endsWith('.gz');
}

function filesOf(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(directory, join(parentPath, name)))
    .toSorted();
}

async function addFile(packed: ReturnType<typeof pack>, file: string, name: string): Promise<void> {
  const { size, mtime } = statSync(file);
  const entry = packed.entry({ name, size, mtime, mode: OWNER_ONLY });
  await pipeline(createReadStream(file), entry);
}

async function* entriesOf(file: string, compressed: boolean): AsyncGenerator<Entry> {
  const extracting = extract();
  const source = createReadStream(file);
  const read = compressed
    ? pipeline(source, createGunzip(), extracting)
    : pipeline(source, extracting);
  // What is wrong with the file ends the loop below; it must not end the process first.
  read.catch(() => undefined);
  yield* extracting;
  await read;
}

async function requireSame(
  file: string,
  compressed: boolean,
  directory: string,
  names: readonly string[],
): Promise<void> {
  const found: string[] = [];
  for await (const entry of entriesOf(file, compressed)) {
    const { name } = entry.header;
    found.push(name);
    const [one, other] = [
      await hashOf(entry),
      await hashOf(createReadStream(join(directory, name))),
    ];
    if (one !== other) throw new Error(`${file} has another ${name} than was written`);
  }
  if (found.join() === names.join()) return;
  throw new Error(`${file} does not hold all that was written`);
}

async function hashOf(bytes: AsyncIterable<unknown>): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of bytes) if (piece instanceof Uint8Array) hash.update(piece);
  return hash.digest('hex');
}

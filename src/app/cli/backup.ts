/**
 * Backup and restore: a copy of a data directory as of one moment, of a running venue too, that is
 * verified after it was written, and the way back. Keys are copied only when that is asked for.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Environment, findMasterKey, logPlaceOf } from '#config';
import { checkHistory, copyHistory } from '#history';
import {
  anchorText,
  type CommandLog,
  copyJournal,
  JournalFault,
  logAt,
  syncDirectory,
  verifyJournal,
} from '#log';
import { checkPeople, copyPeople } from '#people';
import { isArchive } from './archive-name.ts';
import { type Output, Progress } from './output.ts';

const PROBLEM_FOUND = 1;
const COULD_NOT_RUN = 2;
const JOURNAL = 'journal.sqlite';
const HISTORY = 'history.sqlite';
/** People, and what operators did where people have no database that a cluster shares. */
const PEOPLE = ['people.sqlite', 'operators.sqlite'];
const SECRETS = ['master.key', 'admin.token'];
/** What a directory may hold beside the databases that belongs to the venue. */
const OTHERS = ['engine-faults.json'];

export interface BackupFlags {
  readonly data: string;
  readonly withKeys?: boolean;
  readonly env: Environment;
}

/** Copies the venue of a data directory into a file, or a directory that is empty or missing. */
export async function backup(target: string, flags: BackupFlags, output: Output): Promise<number> {
  if (isArchive(target)) return backupToFile(target, flags, output);
  return backupToDirectory(target, flags, output);
}

/** The copy is verified as a directory beside the file, and packed then. */
async function backupToFile(file: string, flags: BackupFlags, output: Output): Promise<number> {
  if (existsSync(file)) {
    output.notice(`${resolve(file)} is there already: name another file`);
    return COULD_NOT_RUN;
  }
  const directory = `${file}.copy-${process.pid}`;
  try {
    const found = await backupToDirectory(directory, flags, output);
    if (found !== 0) return found;
    output.notice(`packing ${resolve(file)}`);
    const { archive } = await import('./archive.ts');
    await archive(directory, file);
    output.result(`in ${resolve(file)}, ${megabytes(file)}`);
    return 0;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Under another name until it is verified, so that what has the name is a backup. */
async function backupToDirectory(
  target: string,
  flags: BackupFlags,
  output: Output,
): Promise<number> {
  if (refuseFilled(target, output)) return COULD_NOT_RUN;
  // One that is there may be a disk of its own, which nothing takes the place of.
  const isThere = existsSync(target);
  const name = `partial-${process.pid}`;
  const partial = isThere ? join(target, name) : `${resolve(target)}.${name}`;
  try {
    const found = await copyVerified(partial, flags, output);
    if (found !== 0) return found;
    if (isThere) moveInto(partial, target);
    else renameSync(partial, target);
    syncDirectory(isThere ? target : dirname(resolve(target)));
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  const fate = flags.withKeys
    ? 'master.key and admin.token are in it: whoever has the copy has the secrets'
    : 'master.key and admin.token are not in it: keep the master key elsewhere, for the copy ' +
      'cannot be verified or served without it';
  output.result(fate);
  return 0;
}

/** The journal last: without it a directory is no backup. */
function moveInto(from: string, to: string): void {
  const names = readdirSync(from).filter((name) => name !== JOURNAL);
  for (const name of [...names, JOURNAL]) renameSync(join(from, name), join(to, name));
}

async function copyVerified(target: string, flags: BackupFlags, output: Output): Promise<number> {
  const { data, withKeys = false } = flags;
  const masterKey = masterKeyOf(data, flags.env);
  mkdirSync(target, { recursive: true, mode: 0o700 });
  // In this order: neither a snapshot nor the history may know more than the journal.
  const { snapshots } = logAt(logPlaceOf(data, masterKey));
  output.notice(`copying ${snapshots.copyTo(target)} snapshots`);
  const history = join(data, HISTORY);
  if (existsSync(history)) {
    output.notice(`copying the history, ${megabytes(history)}`);
    copyHistory(history, join(target, HISTORY));
  }
  // Before the journal: what people refer to is in it.
  for (const name of PEOPLE) {
    const people = join(data, name);
    if (existsSync(people)) copyPeople(people, join(target, name));
  }
  output.notice(`copying the journal, ${megabytes(join(data, JOURNAL))}`);
  await copyJournal(data, target, masterKey);
  copyIfThere(data, target, withKeys ? [...OTHERS, ...SECRETS] : OTHERS);
  return verified(target, masterKey, output);
}

/** Lays a backup down in a directory that is empty or missing, and verifies it there. */
export async function restore(source: string, flags: BackupFlags, output: Output): Promise<number> {
  if (!(isArchive(source) && existsSync(source))) return restoreDirectory(source, flags, output);
  if (refuseFilled(flags.data, output)) return COULD_NOT_RUN;
  const directory = `${resolve(flags.data)}.unpacked-${process.pid}`;
  try {
    mkdirSync(directory, { mode: 0o700 });
    const { unarchive } = await import('./archive.ts');
    await unarchive(source, directory);
    return await restoreDirectory(directory, flags, output);
  } catch (error) {
    output.notice(`nothing was restored: ${error instanceof Error ? error.message : error}`);
    return COULD_NOT_RUN;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function restoreDirectory(
  source: string,
  flags: BackupFlags,
  output: Output,
): Promise<number> {
  const { data, env } = flags;
  if (!existsSync(join(source, JOURNAL))) {
    output.notice(`there is no backup in ${source}: it has no ${JOURNAL}`);
    return COULD_NOT_RUN;
  }
  if (refuseFilled(data, output)) return COULD_NOT_RUN;
  const masterKey = masterKeyOf(source, env);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  let found = COULD_NOT_RUN;
  try {
    found = await layDown(source, data, masterKey, output);
  } finally {
    if (found !== 0) {
      for (const name of readdirSync(data)) rmSync(join(data, name), { recursive: true });
      output.notice(`nothing was restored: ${resolve(data)} is empty again`);
    }
  }
  if (found === 0) output.result(`restored in ${resolve(data)}`);
  return found;
}

async function layDown(
  source: string,
  data: string,
  masterKey: Buffer | undefined,
  output: Output,
): Promise<number> {
  const names = [JOURNAL, 'journal.head', HISTORY, ...PEOPLE, ...OTHERS, ...SECRETS];
  copyIfThere(source, data, names);
  logAt(logPlaceOf(source, masterKey)).snapshots.copyTo(data);
  return verified(data, masterKey, output);
}

/** The chain from its first entry to the head, the snapshots it covers, and the history. */
async function verified(
  directory: string,
  masterKey: Buffer | undefined,
  output: Output,
): Promise<number> {
  const progress = new Progress(output, 'commands verified:');
  const onProgress = (seq: number, lastSeq: number) => progress.update(seq, lastSeq);
  const log = logAt(logPlaceOf(directory, masterKey));
  const result = await verifyJournal(log, onProgress);
  if (result.kind === 'unreadable') {
    output.notice(`cannot verify the copy: ${result.reason}`);
    return COULD_NOT_RUN;
  }
  if (result.kind === 'faulty') {
    output.result(`FAULTY: ${result.fault.message}`);
    return PROBLEM_FOUND;
  }
  const { lastSeq, lastHash: hash, entriesCount } = result;
  await requireHistory(directory, lastSeq, log);
  for (const name of PEOPLE) {
    const people = join(directory, name);
    if (existsSync(people)) checkPeople(people);
  }
  output.result(`sound: ${entriesCount} entries, ${lastSeq} commands`);
  output.result(`anchor: ${anchorText({ lastSeq, hash })}`);
  return 0;
}

async function requireHistory(directory: string, lastSeq: number, log: CommandLog): Promise<void> {
  const file = join(directory, HISTORY);
  if (!existsSync(file)) return;
  const { venueId, projectedSeq } = checkHistory(file);
  const reader = await log.openReader();
  const { id } = reader;
  await reader.close();
  if (venueId === id && projectedSeq <= lastSeq) return;
  const reason = `the history ${file} belongs to another journal, or goes further than this one`;
  throw new JournalFault({ kind: 'torn_tail', file, reason });
}

function masterKeyOf(dataDirectory: string, env: Environment): Buffer | undefined {
  return findMasterKey({ dataDirectory, masterKeyText: env.OUTCRY_MASTER_KEY });
}

function refuseFilled(directory: string, output: Output): boolean {
  if (!existsSync(directory) || readdirSync(directory).length === 0) return false;
  output.notice(`${resolve(directory)} is not empty: name a directory that is empty or missing`);
  return true;
}

/** Modes go with the files, which are their owner's alone. */
function copyIfThere(from: string, to: string, names: readonly string[]): void {
  for (const name of names) {
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
  }
}

function megabytes(file: string): string {
  return `${(statSync(file).size / 1_000_000).toFixed(1)} MB`;
}

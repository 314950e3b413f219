/**
 * Before a process of a cluster follows the log: whether its copy is a part of it. A copy that the
 * log goes on after is used as it is. Where there is none, or the log was trimmed beyond it, the
 * newest snapshot of another member takes its place, and the copy begins there. A copy that knows
 * more than the log, or something else, is a matter for people.
 */
import { setTimeout } from 'node:timers/promises';
import {
  type ChainLink,
  type CommandLog,
  GENESIS,
  JournalFault,
  type JournalReader,
  type Knowledge,
  type MemberReport,
  type Seal,
  type SharedLog,
} from '#log';
import { OwnHold } from './holds.ts';
import { signed } from './seals.ts';
import { askForSnapshot } from './snapshot-link.ts';
import type { Suspension } from './suspension.ts';
import { isReadable, requireReadable, THIS_RELEASE } from './versions.ts';

export interface JoinOptions {
  readonly name: string;
  readonly kind: 'member' | 'gateway';
  readonly secret: string;
  readonly release: string;
  /** Which entries this process reads: as this release when left out. */
  readonly knows?: Knowledge | undefined;
  readonly log: SharedLog;
  readonly copy: CommandLog;
  readonly suspension: Suspension;
  /** A log of more commands than this is not replayed from its start. */
  readonly replayMax: number;
  readonly onNotice: (text: string) => void;
}

/** The copy of the log cannot be followed on; the message says why and what to do. */
export class CopyFault extends Error {
  override readonly name = 'CopyFault';
}

/** How long a process waits for a member that has a snapshot for it. */
const PATIENCE_MS = 60_000;
const ASK_EVERY_MS = 500;

/**
 * Resolves when the copy ends where the log can be followed from, with what holds the log there
 * until it is followed. The copy of a process that is suspended stays as it is, for an inquiry.
 */
export async function prepareCopy(options: JoinOptions): Promise<OwnHold | undefined> {
  const { log, name, copy, suspension, knows = THIS_RELEASE } = options;
  if (!copy.exists()) suspension.lift();
  if (suspension.reason !== undefined) return undefined;
  const agreed = await log.agreed();
  if (agreed !== undefined) requireReadable(agreed, knows, `the cluster at ${log.place} writes`);
  const hold = await OwnHold.take(log, name);
  try {
    await prepareHeld(options);
    return hold;
  } catch (error) {
    await hold.end();
    throw error;
  }
}

async function prepareHeld(options: JoinOptions): Promise<void> {
  const { log, copy, knows = THIS_RELEASE } = options;
  const [{ lastSeq }, base] = await Promise.all([log.head(), log.base()]);
  if (!copy.exists()) {
    await forget(options);
    copy.snapshots.removeAll();
    const isShort = base.nextSeq === GENESIS.nextSeq && lastSeq <= options.replayMax;
    if (!isShort || !(await startIsReadable(log, knows))) await joinAtSnapshot(options, base);
    return;
  }
  await using opened = new AsyncDisposableStack();
  const reader = opened.adopt(await openedCopy(copy), (one) => one.close());
  const end = await reader.end();
  if (end.nextSeq >= base.nextSeq) {
    await requireWhole(reader);
    await requirePartOfLog(options, end, lastSeq);
    return;
  }
  await opened.disposeAsync();
  await joinAnew(options, base, end);
}

/** Rules only rise: where the first entry can be replayed, all can. */
async function startIsReadable(log: SharedLog, knows: Knowledge): Promise<boolean> {
  for await (const [first] of log.read(1)) {
    return first === undefined || isReadable(first, knows);
  }
  return true;
}

/**
 * What an earlier life of this process has held is not here any more. Its word on the versions it
 * reads stays, until this life gives its own.
 */
async function forget({ log, name }: JoinOptions): Promise<void> {
  const earlier = (await log.reports()).find(({ member }) => member === name);
  if (earlier !== undefined) await log.report({ ...earlier, heldSeq: 0, seals: [] });
}

async function openedCopy(copy: CommandLog): Promise<JournalReader> {
  try {
    return await copy.openReader();
  } catch (cause) {
    if (!(cause instanceof JournalFault) || cause.kind !== 'key') throw cause;
    throw new CopyFault(
      'this data directory belongs to a venue of one process: name an empty one to join the ' +
        'cluster, or begin the cluster with what it holds (`outcry serve --cluster FILE --seed`)',
      { cause },
    );
  }
}

/** A power cut may take the end of a copy: the others and the log still have it. */
async function requireWhole(reader: JournalReader): Promise<void> {
  try {
    await reader.proveEnd();
  } catch (cause) {
    if (!(cause instanceof JournalFault)) throw cause;
    const advice = 'Start this process on an empty data directory: it joins the cluster again';
    throw new CopyFault(`${cause.message}. ${advice}`, { cause });
  }
}

async function requirePartOfLog(
  { log }: JoinOptions,
  { nextSeq, hash }: ChainLink,
  lastSeq: number,
): Promise<void> {
  const advice =
    `Either ${log.place} is not the log of this data directory, or it lost what it had ` +
    'acknowledged. Restore the log, or, to go on with what it holds now, keep this directory for ' +
    'an inquiry and start on an empty one';
  if (nextSeq - 1 > lastSeq) {
    throw new CopyFault(
      `the copy on this machine goes to command ${nextSeq - 1}, the log of the cluster only to ` +
        `${lastSeq}. ${advice}`,
    );
  }
  if ((await hashAt(log, nextSeq - 1)) === hash) return;
  throw new CopyFault(
    `the log of the cluster has another command ${nextSeq - 1} than the copy on this machine. ` +
      advice,
  );
}

/** The hash of the entry that ends at this command; undefined where none does. */
async function hashAt(log: SharedLog, seq: number): Promise<string | undefined> {
  const base = await log.base();
  if (base.nextSeq - 1 === seq) return base.hash;
  for await (const [entry] of log.read(seq)) {
    return entry !== undefined && entry.firstSeq + entry.count - 1 === seq ? entry.hash : undefined;
  }
  return undefined;
}

async function joinAnew(options: JoinOptions, base: ChainLink, end: ChainLink): Promise<void> {
  options.onNotice(
    `the copy on this machine ends at command ${end.nextSeq - 1}, and the log starts at ` +
      `${base.nextSeq} now: a snapshot of another member takes its place`,
  );
  await forget(options);
  await joinAtSnapshot(options, base);
}

/** A log that is whole can be replayed where nobody has a snapshot. */
async function joinAtSnapshot(options: JoinOptions, base: ChainLink): Promise<void> {
  const { onNotice } = options;
  const mayReplay = base.nextSeq === GENESIS.nextSeq;
  const deadlineMs = performance.now() + (mayReplay ? 0 : PATIENCE_MS);
  for (;;) {
    const seq = await fetchedFromAny(options);
    if (seq !== undefined) {
      onNotice(`joined the cluster with the snapshot of command ${seq}`);
      return;
    }
    if (performance.now() >= deadlineMs) break;
    await setTimeout(ASK_EVERY_MS);
  }
  if (mayReplay) return;
  throw new CopyFault(
    `the log of the cluster starts at command ${base.nextSeq}, and no member that is there has a ` +
      'snapshot to join with: start a member that has one first',
  );
}

/** Those that hold most are asked first. */
async function fetchedFromAny(options: JoinOptions): Promise<number | undefined> {
  const { log, name, onNotice, knows = THIS_RELEASE } = options;
  const [members, reports] = await Promise.all([log.members(), log.reports()]);
  const reportOf = (name: string) => reports.find(({ member }) => member === name);
  const heldBy = (member: string): number => reportOf(member)?.heldSeq ?? 0;
  const asked = members
    .filter((member) => member.kind === 'member' && member.name !== name)
    .filter((member) => !isNewer(reportOf(member.name), knows))
    .toSorted((left, right) => heldBy(right.name) - heldBy(left.name));
  for (const member of asked) {
    try {
      const seq = await fetched(options, member.url, reports);
      if (seq !== undefined) return seq;
    } catch (error) {
      onNotice(`no snapshot of ${member.name}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return undefined;
}

/** A snapshot of a newer release may say what this one does not know. */
function isNewer(report: MemberReport | undefined, own: Knowledge): boolean {
  const knows = report?.process.knows;
  if (knows === undefined) return false;
  return knows.formatMax > own.formatMax || knows.rulesMax > own.rulesMax;
}

/** The number of the snapshot that is here now, with a copy that begins at it. */
async function fetched(
  { log, copy, secret, release }: JoinOptions,
  url: string,
  reports: readonly MemberReport[],
): Promise<number | undefined> {
  const sent = await askForSnapshot(url, secret);
  if (sent === undefined) return undefined;
  const { seq } = sent;
  const damage = await copy.snapshots.receive(seq, sent.bytes, (rowsHash) =>
    isSealed({ seq, stateHash: signed(release, rowsHash) }, reports)
      ? undefined
      : 'most members have another state after that command',
  );
  if (damage !== undefined) throw new Error(`the one of command ${seq}: ${damage}`);
  const hash = await hashAt(log, seq);
  if (hash === undefined) throw new Error(`no entry of the log ends at its command ${seq}`);
  await copy.beginAt({ nextSeq: seq + 1, hash });
  return seq;
}

/** Where members have sealed that state, most of them have sealed this one. */
function isSealed({ seq, stateHash }: Seal, reports: readonly MemberReport[]): boolean {
  const release = stateHash.slice(0, stateHash.lastIndexOf(':') + 1);
  const hashes = reports
    .flatMap(({ seals }) => seals.filter((seal) => seal.seq === seq))
    .map((seal) => seal.stateHash)
    .filter((hash) => hash.startsWith(release));
  const equalCount = hashes.filter((hash) => hash === stateHash).length;
  return hashes.length - equalCount <= equalCount;
}

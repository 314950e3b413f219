/**
 * Start and crash recovery are this one path: the newest sound snapshot, then every later command
 * of the journal through the same apply that ran it the first time.
 */

import {
  decodeEntry,
  KNOWN_RULES,
  type KnownRules,
  type Origin,
  type Step,
  type TimedCommand,
  UnknownCommand,
} from '#domain';
import { Engine } from '#engine';
import { assert } from '#kernel';
import { type CommandLog, type JournalEntry, JournalFault, type JournalReader } from '#log';

export interface ReplayProgress {
  readonly seq: number;
  readonly lastSeq: number;
}

export interface RecoverOptions {
  readonly log: CommandLog;
  /** Snapshots beyond this command are not used; the journal is always replayed to its end. */
  readonly snapshotSeqMax: number;
  readonly onProgress?: ((progress: ReplayProgress) => void) | undefined;
  /** Called with a snapshot that is damaged and therefore passed over. */
  readonly onDamagedSnapshot?: (reason: string) => void;
  /** Is told where the replay begins and ends, and gives what follows it. */
  readonly follow?: (engine: Engine, lastSeq: number) => ReplayFollower;
  /** Those of this release when left out. */
  readonly knows?: KnownRules | undefined;
}

/** How many commands pass between two progress reports. */
const PROGRESS_EVERY_COMMANDS = 50_000;

/** The engine of this log as its journal left it. */
export async function recoverEngine(options: RecoverOptions): Promise<Engine> {
  const engine = engineFromSnapshot(options);
  await using opened = new AsyncDisposableStack();
  const reader = opened.adopt(await options.log.openReader(), (one) => one.close());
  const follower = options.follow?.(engine, await reader.lastSeq());
  const { onProgress, knows } = options;
  await replay(engine, reader, { ...follower, onProgress, knows });
  return engine;
}

/**
 * The engine as the newest usable snapshot has it, or empty without one. A snapshot that is whole
 * and yet not understood, because another release wrote it, is passed over like a damaged one.
 */
export function engineFromSnapshot(options: RecoverOptions): Engine {
  const { log, onDamagedSnapshot } = options;
  let seqMax = options.snapshotSeqMax;
  for (;;) {
    const found = log.snapshots.newest(seqMax, (reason) => onDamagedSnapshot?.(reason));
    if (found === undefined) return Engine.empty();
    try {
      const engine = Engine.restore(found.rows);
      assert(engine.seq === found.seq, 'it holds another command than its name says');
      return engine;
    } catch (error) {
      onDamagedSnapshot?.(`snapshot ${found.file} is not used: ${messageOf(error)}`);
      seqMax = found.seq - 1;
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What follows a replay. */
export interface ReplayFollower {
  /** Called with the time of each command before it is applied. */
  readonly beforeCommand?: ((timeMs: number) => void) | undefined;
  readonly onStep?: ((step: Step) => void) | undefined;
  /** Called after each entry. The replay goes on when the promise, if there is one, resolves. */
  readonly afterEntry?: () => Promise<void> | undefined;
  readonly onProgress?: ((progress: ReplayProgress) => void) | undefined;
  readonly knows?: KnownRules | undefined;
}

/** Applies every journaled command the engine has not seen yet, in order. */
export async function replay(
  engine: Engine,
  reader: JournalReader,
  { beforeCommand, onStep, afterEntry, onProgress, knows }: ReplayFollower,
): Promise<void> {
  let reportAt = engine.seq + PROGRESS_EVERY_COMMANDS;
  for await (const chunk of reader.chunks(engine.seq + 1)) {
    for (const entry of chunk) {
      replayEntry(engine, entry, reader.file, { beforeCommand, onStep, knows });
      const underWay = afterEntry?.();
      if (underWay !== undefined) await underWay;
      if (engine.seq < reportAt) continue;
      reportAt = engine.seq + PROGRESS_EVERY_COMMANDS;
      onProgress?.({ seq: engine.seq, lastSeq: await reader.lastSeq() });
    }
  }
}

/** Not by way of `stepsOf`: a replay is measured by what it costs beside the engine. */
function replayEntry(
  engine: Engine,
  entry: JournalEntry,
  file: string,
  { beforeCommand, onStep, knows }: Pick<ReplayFollower, 'beforeCommand' | 'onStep' | 'knows'>,
): void {
  const rules = requireKnown(entry, engine.seq + 1, file, knows);
  for (const timed of unseenOf(engine, entry, file)) {
    beforeCommand?.(timed.timeMs);
    const step = applied(engine, timed, rules, file);
    onStep?.(step);
  }
}

/** What a command of the log has done, and the sender's request that it answers, if any. */
export interface ReplayedStep {
  readonly step: Step;
  readonly origin: Origin | undefined;
}

/** Applies the commands of an entry that the engine has not seen yet, one when it is asked for. */
export function* stepsOf(
  engine: Engine,
  entry: JournalEntry,
  file: string,
  knows: KnownRules = KNOWN_RULES,
): Generator<ReplayedStep> {
  const rules = requireKnown(entry, engine.seq + 1, file, knows);
  for (const timed of unseenOf(engine, entry, file)) {
    yield { step: applied(engine, timed, rules, file), origin: timed.origin };
  }
}

function unseenOf(engine: Engine, entry: JournalEntry, file: string): readonly TimedCommand[] {
  const commands = decoded(entry, file);
  assert(commands.length === entry.count, 'an entry holds as many commands as it says');
  const seenCount = engine.seq - entry.firstSeq + 1;
  return seenCount > 0 ? commands.slice(seenCount) : commands;
}

function decoded(entry: JournalEntry, file: string): TimedCommand[] {
  try {
    return decodeEntry(entry.payload);
  } catch (cause) {
    const place = cause instanceof UnknownCommand ? cause.place : 0;
    const reason =
      `${messageOf(cause)}, which this release does not know: ` +
      'start the release that wrote it, or a newer one';
    const seq = entry.firstSeq + place;
    throw new JournalFault({ kind: 'not_understood', file, seq, reason }, { cause });
  }
}

function applied(engine: Engine, timed: TimedCommand, rules: number, file: string): Step {
  const { command, timeMs, origin } = timed;
  const seq = engine.seq + 1;
  try {
    return engine.apply(command, timeMs, rules, origin);
  } catch (cause) {
    const reason = `the engine fails at a command of kind ${command.kind}: ${messageOf(cause)}`;
    throw new JournalFault({ kind: 'not_understood', file, seq, reason }, { cause });
  }
}

function isKnown(rules: number, { rulesMin, rulesMax }: KnownRules): boolean {
  return rules >= rulesMin && rules <= rulesMax;
}

/** Under other rules the same commands would lead to another venue than the one clients know. */
function requireKnown(
  { rules, firstSeq }: JournalEntry,
  nextSeq: number,
  file: string,
  knows: KnownRules = KNOWN_RULES,
): number {
  if (isKnown(rules, knows)) return rules;
  const { rulesMin, rulesMax } = knows;
  const seq = Math.max(firstSeq, nextSeq);
  const reason =
    rules > rulesMax
      ? `it was written under rules ${rules}, and this release knows ${rulesMax}: start the ` +
        'release that wrote it, or a newer one'
      : `it was written under rules ${rules}, and this release knows none below ${rulesMin}: ` +
        'start the release that wrote it once more on this directory and stop it with SIGTERM, ' +
        'so that it leaves a snapshot of every command, then start this one';
  throw new JournalFault({ kind: 'not_understood', file, seq, reason });
}

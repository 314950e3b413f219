/**
 * Start and crash recovery are this one path: the newest sound snapshot, then every later command
 * of the journal through the same apply that ran it the first time.
 */

import {
  type Command,
  decodeEntry,
  RULES_VERSION,
  type Step,
  type TimedCommand,
  UnknownCommand,
} from '#domain';
import { Engine } from '#engine';
import { assert } from '#kernel';
import {
  type JournalEntry,
  JournalFault,
  type JournalReader,
  openJournalReader,
  readSnapshot,
} from '#log';

export interface ReplayProgress {
  readonly seq: number;
  readonly lastSeq: number;
}

export interface RecoverOptions {
  readonly directory: string;
  /** Opens a keyed journal. */
  readonly masterKey?: Uint8Array | undefined;
  /** Snapshots beyond this command are not used; the journal is always replayed to its end. */
  readonly snapshotSeqMax: number;
  readonly onProgress?: (progress: ReplayProgress) => void;
  /** Called with a snapshot that is damaged and therefore passed over. */
  readonly onDamagedSnapshot?: (reason: string) => void;
}

/** How many commands pass between two progress reports. */
const PROGRESS_EVERY_COMMANDS = 50_000;

/** The engine of this directory as its journal left it. */
export function recoverEngine(options: RecoverOptions): Engine {
  const engine = engineFromSnapshot(options);
  const reader = openJournalReader(options.directory, options.masterKey);
  try {
    replay(engine, reader, () => undefined, options.onProgress);
  } finally {
    reader.close();
  }
  return engine;
}

/**
 * The engine as the newest usable snapshot has it, or empty without one. A snapshot that is whole
 * and yet not understood, because another release wrote it, is passed over like a damaged one.
 */
export function engineFromSnapshot(options: RecoverOptions): Engine {
  const { directory, onDamagedSnapshot } = options;
  let seqMax = options.snapshotSeqMax;
  for (;;) {
    const found = readSnapshot(directory, seqMax, (reason) => onDamagedSnapshot?.(reason));
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

/** Applies every journaled command the engine has not seen yet, in order. */
export function replay(
  engine: Engine,
  reader: JournalReader,
  onStep: (step: Step) => void,
  onProgress?: (progress: ReplayProgress) => void,
): void {
  let reportAt = engine.seq + PROGRESS_EVERY_COMMANDS;
  for (const entry of reader.entries(engine.seq + 1)) {
    let seq = entry.firstSeq;
    requireRules(entry, engine.seq + 1, reader.file);
    for (const { timeMs, command } of decoded(entry, reader.file)) {
      if (seq > engine.seq) onStep(applied(engine, command, timeMs, reader.file));
      seq += 1;
    }
    assert(seq === entry.firstSeq + entry.count, 'an entry holds as many commands as it says');
    if (engine.seq >= reportAt) {
      reportAt = engine.seq + PROGRESS_EVERY_COMMANDS;
      onProgress?.({ seq: engine.seq, lastSeq: reader.lastSeq });
    }
  }
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

function applied(engine: Engine, command: Command, timeMs: number, file: string): Step {
  const seq = engine.seq + 1;
  try {
    return engine.apply(command, timeMs);
  } catch (cause) {
    const reason = `the engine fails at a command of kind ${command.kind}: ${messageOf(cause)}`;
    throw new JournalFault({ kind: 'not_understood', file, seq, reason }, { cause });
  }
}

/** Under other rules the same commands would lead to another venue than the one clients know. */
function requireRules({ rules, firstSeq }: JournalEntry, nextSeq: number, file: string): void {
  if (rules === RULES_VERSION) return;
  const seq = Math.max(firstSeq, nextSeq);
  const reason =
    rules > RULES_VERSION
      ? `it was written under rules ${rules}, and this release knows ${RULES_VERSION}: start the ` +
        'release that wrote it, or a newer one'
      : `it was written under rules ${rules}, and this release has ${RULES_VERSION}: start the ` +
        'release that wrote it once more on this directory and stop it with SIGTERM, so that it ' +
        'leaves a snapshot of every command (under rules 1 it does once there are 1000 since the ' +
        'last snapshot), then start this one';
  throw new JournalFault({ kind: 'not_understood', file, seq, reason });
}

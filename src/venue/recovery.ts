/**
 * Start and crash recovery are this one path: the newest sound snapshot, then every later command
 * of the journal through the same apply that ran it the first time.
 */

import { decodeEntry, type Step } from '#domain';
import { Engine } from '#engine';
import { type JournalReader, openJournalReader, readSnapshot } from '#journal';
import { assert } from '#kernel';

export interface ReplayProgress {
  readonly seq: number;
  readonly lastSeq: number;
}

export interface RecoverOptions {
  readonly directory: string;
  /** Snapshots beyond this command are not used; the journal is always replayed to its end. */
  readonly snapshotSeqMax: number;
  readonly onProgress?: (progress: ReplayProgress) => void;
  /** Told about a snapshot that is damaged and therefore passed over. */
  readonly onDamagedSnapshot?: (reason: string) => void;
}

/** How many commands pass between two progress reports. */
const PROGRESS_EVERY_COMMANDS = 50_000;

/** The engine of this directory as its journal left it. */
export function recoverEngine(options: RecoverOptions): Engine {
  const engine = engineFromSnapshot(options);
  const reader = openJournalReader(options.directory);
  try {
    replay(engine, reader, () => undefined, options.onProgress);
  } finally {
    reader.close();
  }
  return engine;
}

/** The engine as the newest usable snapshot has it, or empty without one. */
export function engineFromSnapshot(options: RecoverOptions): Engine {
  const found = readSnapshot(options.directory, options.snapshotSeqMax, (reason) =>
    options.onDamagedSnapshot?.(reason),
  );
  if (found === undefined) return Engine.empty();
  const engine = Engine.restore(found.rows);
  assert(engine.seq === found.seq, 'a snapshot holds the command its name says');
  return engine;
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
    for (const { timeMs, command } of decodeEntry(entry.payload)) {
      if (seq > engine.seq) onStep(engine.apply(command, timeMs));
      seq += 1;
    }
    assert(seq === entry.firstSeq + entry.count, 'an entry holds as many commands as it says');
    if (engine.seq >= reportAt) {
      reportAt = engine.seq + PROGRESS_EVERY_COMMANDS;
      onProgress?.({ seq: engine.seq, lastSeq: reader.lastSeq });
    }
  }
}

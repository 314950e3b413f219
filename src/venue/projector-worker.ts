/**
 * The projector: a second engine on its own thread that follows the journal. It writes the history
 * and the snapshots, so that neither ever pauses the market, and it needs nothing from the market
 * but the word that the journal has grown. The journal is its queue: however far it lags, the
 * backlog lies on disk and not in memory.
 */
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { Step } from '#domain';
import { openJournalReader, writeSnapshot } from '#journal';
import { present } from '#kernel';
import { openHistoryWriter } from '#views';
import type { FromProjector, ProjectorData, ToProjector } from './projection.ts';
import { engineFromSnapshot, replay } from './recovery.ts';

/** Steps per history transaction: large enough to share its cost, small enough to stay current. */
const STEPS_PER_TRANSACTION = 5_000;

// On Linux a priority belongs to the thread: when the processors are busy, the market goes first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const port = present(parentPort, 'parent port of the projector');
const data: ProjectorData = workerData;

const reader = openJournalReader(data.directory);
const writer = openHistoryWriter(data.historyFile, reader.id);
const engine = engineFromSnapshot({
  directory: data.directory,
  snapshotSeqMax: writer.projectedSeq,
  onDamagedSnapshot: (reason) => tell({ kind: 'warning', text: reason }),
});
let snapshotSeq = engine.seq;
let waiting: Step[] = [];

function tell(message: FromProjector): void {
  port.postMessage(message);
}

/** Applies and projects whatever the journal holds beyond this engine. */
function follow(): void {
  replay(engine, reader, keep, (progress) => {
    tell({ kind: 'progress', seq: progress.seq, lastSeq: progress.lastSeq });
  });
  project();
  tell({ kind: 'projected', seq: writer.projectedSeq });
}

function keep(step: Step): void {
  if (step.seq <= writer.projectedSeq) return;
  waiting.push(step);
  if (waiting.length >= STEPS_PER_TRANSACTION) project();
}

function project(): void {
  if (waiting.length === 0) return;
  try {
    writer.project(waiting);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`cannot write the history ${data.historyFile}: ${why}`, { cause });
  }
  waiting = [];
}

/** What is in the history was acknowledged once: a journal without it would do other things. */
function requireWholeJournal(): void {
  if (engine.seq >= writer.projectedSeq) return;
  throw new Error(
    `the journal of ${data.directory} ends at command ${engine.seq}, but its history goes to ` +
      `${writer.projectedSeq}: the journal has lost acknowledged commands. Restore it from a ` +
      'copy; `outcry verify-journal` tells what it holds',
  );
}

function snapshotIfDue(everyCommands: number): void {
  if (engine.seq - snapshotSeq < everyCommands) return;
  writeSnapshot(data.directory, engine.seq, engine.dump());
  snapshotSeq = engine.seq;
}

function close(): void {
  follow();
  snapshotIfDue(data.snapshotOnCloseAfterCommands);
  writer.close();
  reader.close();
  tell({ kind: 'closed' });
  port.close();
}

port.on('message', (message: ToProjector) => {
  if (message.kind === 'close') return close();
  follow();
  snapshotIfDue(data.snapshotEveryCommands);
});

follow();
requireWholeJournal();
tell({ kind: 'caught_up', seq: engine.seq });

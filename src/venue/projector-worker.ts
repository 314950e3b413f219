/**
 * The projector: a second engine on its own thread that follows the journal. It writes the history
 * and the snapshots, so that neither ever pauses the market, and it needs nothing from the market
 * but the word that the journal has grown. The journal is its queue: however far it lags, the
 * backlog lies on disk and not in memory.
 */
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { Step } from '#domain';
import type { Engine } from '#engine';
import {
  HistoryDamaged,
  HistoryScrub,
  type HistoryWriter,
  openHistoryWriter,
  setHistoryAside,
} from '#history';
import { present } from '#kernel';
import { JournalFault, openJournalReader, writeSnapshot } from '#log';
import type { FromProjector, ProjectorData, ToProjector } from './projection.ts';
import { engineFromSnapshot, replay } from './recovery.ts';
import { JournalScrub } from './scrub.ts';

/** Steps per history transaction: large enough to share its cost, small enough to stay current. */
const STEPS_PER_TRANSACTION = 5_000;
/** How often the scrub reads a few entries and rows more. */
const SCRUB_EVERY_MS = 250;
/** After a snapshot that could not be written, the next one waits so long, and then twice that. */
const SNAPSHOT_RETRY_MIN_MS = 1_000;
const SNAPSHOT_RETRY_MAX_MS = 300_000;

// On Linux a priority belongs to the thread: when the processors are busy, the market goes first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const port = present(parentPort, 'parent port of the projector');
const data: ProjectorData = workerData;

const reader = openJournalReader(data.directory, data.masterKey);

const scrub = new JournalScrub(reader);

function post(message: FromProjector): void {
  port.postMessage(message);
}

/** One history file and the engine that writes it. */
class Projector {
  readonly #writer: HistoryWriter;
  readonly #engine: Engine;
  #snapshotSeq: number;
  #waiting: Step[] = [];
  #snapshotNotBeforeMs = 0;
  /** Zero while the last one was written. */
  #snapshotRetryMs = 0;

  constructor(writer: HistoryWriter) {
    this.#writer = writer;
    this.#engine = engineFromSnapshot({
      directory: data.directory,
      snapshotSeqMax: writer.projectedSeq,
      onDamagedSnapshot: (reason) => post({ kind: 'warning', text: reason }),
    });
    this.#snapshotSeq = this.#engine.seq;
  }

  /** Applies and projects whatever the journal holds beyond this engine. */
  follow(): void {
    replay(
      this.#engine,
      reader,
      (step) => this.#keep(step),
      (progress) => post({ kind: 'progress', seq: progress.seq, lastSeq: progress.lastSeq }),
    );
    this.#project();
    post({ kind: 'projected', seq: this.#writer.projectedSeq });
  }

  /** What is in the history was acknowledged once: a journal without it would do other things. */
  requireWholeJournal(): void {
    const { projectedSeq } = this.#writer;
    if (this.#engine.seq >= projectedSeq) return;
    throw new Error(
      `${reader.file} ends at command ${this.#engine.seq}, but its history ${data.historyFile} ` +
        `goes to ${projectedSeq}: the journal has lost acknowledged commands. Restore it from a ` +
        'copy; `outcry verify-journal` tells what it holds',
    );
  }

  /** A snapshot only saves time: one that cannot be written is reported and tried again later. */
  snapshotIfDue(everyCommands: number): void {
    if (performance.now() < this.#snapshotNotBeforeMs) return;
    const failure = this.snapshotFailure(everyCommands);
    if (failure === undefined) {
      if (this.#snapshotRetryMs > 0) post({ kind: 'snapshot_written' });
      this.#snapshotRetryMs = 0;
      return;
    }
    const doubledMs = Math.max(SNAPSHOT_RETRY_MIN_MS, 2 * this.#snapshotRetryMs);
    this.#snapshotRetryMs = Math.min(doubledMs, SNAPSHOT_RETRY_MAX_MS);
    this.#snapshotNotBeforeMs = performance.now() + this.#snapshotRetryMs;
    post({ kind: 'snapshot_failed', reason: failure, retryInMs: this.#snapshotRetryMs });
  }

  /** Writes one if so many commands have come since the last; returns why it could not. */
  snapshotFailure(everyCommands: number): string | undefined {
    if (this.#engine.seq - this.#snapshotSeq < everyCommands) return undefined;
    try {
      writeSnapshot(data.directory, this.#engine.seq, this.#engine.dump());
    } catch (error) {
      if (error instanceof JournalFault) return error.message;
      throw error;
    }
    this.#snapshotSeq = this.#engine.seq;
    return undefined;
  }

  close(): void {
    this.#writer.close();
  }

  #keep(step: Step): void {
    if (step.seq <= this.#writer.projectedSeq) return;
    this.#waiting.push(step);
    if (this.#waiting.length >= STEPS_PER_TRANSACTION) this.#project();
  }

  #project(): void {
    if (this.#waiting.length === 0) return;
    this.#writer.project(this.#waiting);
    this.#waiting = [];
  }
}

/** On the history that is there, or on a new one when the damage of the old one shows. */
function started(): Projector {
  try {
    return caughtUp();
  } catch (error) {
    if (!(error instanceof HistoryDamaged) || !data.mayRebuild) throw error;
    return rebuilt(error.message);
  }
}

function rebuilt(reason: string): Projector {
  const aside = setHistoryAside(data.historyFile);
  const text = `${reason}. It is kept as ${aside}, and the history is rebuilt from the journal`;
  post({ kind: 'warning', text });
  return caughtUp();
}

function caughtUp(): Projector {
  const writer = openHistoryWriter(data.historyFile, reader.id);
  try {
    const opened = new Projector(writer);
    opened.follow();
    opened.requireWholeJournal();
    return opened;
  } catch (error) {
    writer.close();
    throw error;
  }
}

function close(): void {
  clearInterval(scrubTimer);
  projector.follow();
  const failure = projector.snapshotFailure(data.snapshotOnCloseAfterCommands);
  historyScrub?.close();
  projector.close();
  reader.close();
  post({ kind: 'closed', failure });
  port.close();
}

function rebuild(reason: string): void {
  historyScrub?.close();
  projector.close();
  projector = rebuilt(reason);
  historyScrub = openedScrub();
  post({ kind: 'caught_up' });
}

function openedScrub(): HistoryScrub | undefined {
  return data.scrub === false ? undefined : new HistoryScrub(data.historyFile);
}

function scrubABit(): void {
  const reason = scrub.step();
  if (reason !== undefined) post({ kind: 'scrub_failed', reason });
  const findings = historyScrub?.step() ?? [];
  if (findings.length > 0) post({ kind: 'history_damaged', findings });
}

let projector = started();
let historyScrub = openedScrub();
/** Also in a venue that stands still. */
const scrubTimer = data.scrub === false ? undefined : setInterval(scrubABit, SCRUB_EVERY_MS);

port.on('message', (message: ToProjector) => {
  if (message.kind === 'close') return close();
  if (message.kind === 'rebuild') return rebuild(message.reason);
  projector.follow();
  projector.snapshotIfDue(data.snapshotEveryCommands);
});

post({ kind: 'caught_up' });

/**
 * The projector: a second engine on its own thread that follows the journal. It writes the history
 * and the snapshots, so that neither ever pauses the market, and it needs nothing from the market
 * but the word that the journal has grown. The journal is its queue: however far it lags, the
 * backlog lies on disk and not in memory.
 */
import { flushCompileCache } from 'node:module';
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { type Event, listingEvents, type StateReader } from '#domain';
import type { Engine } from '#engine';
import {
  HistoryAway,
  HistoryDamaged,
  type HistoryScrub,
  HistoryUnusable,
  type HistoryWriter,
  historyAt,
  type Removed,
} from '#history';
import { present } from '#kernel';
import { JournalFault, logAt } from '#log';
import { projectJournal } from './projecting.ts';
import type { FromProjector, LackingSteps, ProjectorData, ToProjector } from './projection.ts';
import { engineFromSnapshot } from './recovery.ts';
import { Rests } from './rests.ts';
import { Retention } from './retention.ts';
import { JournalScrub } from './scrub.ts';

/** How often the scrub reads a few entries and rows more. */
const SCRUB_EVERY_MS = 250;
/** How often a few rows more are removed that are older than the history is kept. */
const REMOVE_EVERY_MS = 50;
/** A removal begins when the venue has come so far since the last one began. */
const REMOVALS_APART_MS = 3_600_000;
/** After a snapshot that could not be written, the next one waits so long, and then twice that. */
/** Of the venue's time, in a cluster: what a quiet one writes can be trimmed before long, too. */
const SNAPSHOT_EVERY_MS = 3_600_000;
const SNAPSHOT_COMMANDS_MIN = 1_000;
const SNAPSHOT_RETRY_MIN_MS = 1_000;
const SNAPSHOT_RETRY_MAX_MS = 300_000;

// On Linux a priority belongs to the thread: when the processors are busy, the market goes first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

/** What is done one after the other. */
type Task = Exclude<ToProjector, { readonly kind: 'begin' | 'lacking' | 'serving' }>;

const port = present(parentPort, 'parent port of the projector');
const data: ProjectorData = workerData;

let isClosed = false;
/** The newest snapshot when it was last looked what may go. */
let retainedBySeq = 0;
let scrubTimer: NodeJS.Timeout | undefined;
let removalTimer: NodeJS.Timeout | undefined;
/** The time of the venue when the last removal began. */
let removalMs = 0;
let isRemoving = false;
const journalIsThere = Promise.withResolvers<void>();
/** What the market hands over; another one once it is taken, so that no step is kept. */
let handedOver = Promise.withResolvers<LackingSteps | undefined>();
/** The venue serves, or somebody asks for more than what was handed over. */
const isAsked = Promise.withResolvers<void>();
const started = Promise.withResolvers<void>();
let underWay = started.promise;
port.on('message', hear);
await journalIsThere.promise;

const log = logAt(data.log);
const history = historyAt(data.history);
const reader = await log.openReader();
const scrub = new JournalScrub(reader);
const { keepMs } = data;
const retention = keepMs === undefined ? undefined : new Retention({ log, reader, keepMs });

function post(message: FromProjector): void {
  port.postMessage(message);
}

/** One history and the engine that writes it. */
class Projector {
  readonly #writer: HistoryWriter;
  readonly #engine: Engine;
  #snapshotSeq: number;
  #snapshotNotBeforeMs = 0;
  /** Zero while the last one was written. */
  #snapshotRetryMs = 0;

  readonly #milestones = {
    everyCommands: data.snapshotEveryCommands,
    everyMs: SNAPSHOT_EVERY_MS,
    onReached: (by: 'commands' | 'time') => this.#snapshotAtMilestone(by),
  };

  constructor(writer: HistoryWriter) {
    this.#writer = writer;
    this.#engine = engineFromSnapshot({
      log,
      snapshotSeqMax: writer.projectedSeq,
      onDamagedSnapshot: (reason) => post({ kind: 'warning', text: reason }),
    });
    this.#snapshotSeq = this.#engine.seq;
  }

  /** Applies and projects whatever the journal holds beyond this engine. */
  async follow(rests?: Rests): Promise<void> {
    await projectJournal(this.#engine, reader, this.#writer, {
      ...(data.snapshotsAtMultiples === true && { milestones: this.#milestones }),
      ...(rests !== undefined && { rests }),
      onProgress: ({ seq, lastSeq }) => post({ kind: 'progress', seq, lastSeq }),
    });
    post({ kind: 'projected', seq: this.#writer.projectedSeq });
  }

  /** What is in the history was acknowledged once: a journal without it would do other things. */
  requireWholeJournal(): void {
    // The copies of one log are not all equally long.
    if (data.sharedAs !== undefined) return;
    const { projectedSeq } = this.#writer;
    if (this.#engine.seq >= projectedSeq) return;
    throw new Error(
      `${reader.file} ends at command ${this.#engine.seq}, but its history ${history.place} ` +
        `goes to ${projectedSeq}: the journal has lost acknowledged commands. Restore it from a ` +
        'copy; `outcry verify-journal` tells what it holds',
    );
  }

  /** A snapshot only saves time: one that cannot be written is reported and tried again later. */
  snapshotIfDue(everyCommands: number): void {
    if (performance.now() < this.#snapshotNotBeforeMs) return;
    const failure = this.snapshotFailure(everyCommands);
    if (failure === undefined) {
      this.#snapshotRetryMs = 0;
      return;
    }
    const doubledMs = Math.max(SNAPSHOT_RETRY_MIN_MS, 2 * this.#snapshotRetryMs);
    this.#snapshotRetryMs = Math.min(doubledMs, SNAPSHOT_RETRY_MAX_MS);
    this.#snapshotNotBeforeMs = performance.now() + this.#snapshotRetryMs;
    const next = `in ${this.#snapshotRetryMs} ms`;
    post({ kind: 'snapshot_failed', reason: failure, next });
  }

  /** By time only where that lets the log forget something worth a snapshot. */
  #snapshotAtMilestone(by: 'commands' | 'time'): void {
    const reason = this.snapshotFailure(by === 'time' ? SNAPSHOT_COMMANDS_MIN : 1);
    if (reason === undefined) return;
    const next = `in ${data.snapshotEveryCommands} commands, or in an hour`;
    post({ kind: 'snapshot_failed', reason, next });
  }

  /** Writes one if so many commands have come since the last; returns why it could not. */
  snapshotFailure(everyCommands: number): string | undefined {
    if (this.#engine.seq - this.#snapshotSeq < everyCommands) return undefined;
    try {
      const { seq } = this.#engine;
      const { hash: stateHash } = log.snapshots.write(seq, this.#engine.dump());
      post({ kind: 'snapshot_written', seq, stateHash });
    } catch (error) {
      if (error instanceof JournalFault) return error.message;
      throw error;
    }
    this.#snapshotSeq = this.#engine.seq;
    return undefined;
  }

  get snapshotSeq(): number {
    return this.#snapshotSeq;
  }

  removeBefore(timeMs: number): Promise<Removed> {
    return this.#writer.removeBefore(timeMs);
  }

  /** The time of the venue at its last command. */
  get timeMs(): number {
    return this.#engine.timeMs;
  }

  close(): Promise<void> {
    return this.#writer.close();
  }
}

/**
 * The market's side has to know why this thread ends. It ends in order then: a message is heard
 * before an end like that, but not always before a failure.
 */
async function endingIfAway<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof HistoryAway)) throw error;
    post({ kind: 'history_away', reason: error.message });
    return process.exit();
  }
}

function hear(message: ToProjector): void {
  if (message.kind === 'begin') journalIsThere.resolve();
  else if (message.kind === 'lacking') handedOver.resolve(message.lacking);
  else {
    // One that ends before it has replayed the journal hands nothing over.
    handedOver.resolve(undefined);
    isAsked.resolve();
    if (message.kind !== 'serving') inTurn(() => act(message));
  }
}

/**
 * Whether the history is whole by what the market hands over. Where it is not, for whatever reason,
 * it is made by the replay of this thread, which also tells why.
 */
async function isMadeWhole(): Promise<boolean> {
  let writer: HistoryWriter | undefined;
  try {
    writer = await history.openWriter(reader.id);
    const lacking = await handedOver.promise;
    handedOver = Promise.withResolvers();
    if (writer.projectedSeq !== lacking?.afterSeq) return false;
    await writer.project(lacking.steps);
    post({ kind: 'projected', seq: writer.projectedSeq });
    return true;
  } catch (error) {
    if (error instanceof HistoryUnusable) return false;
    throw error;
  } finally {
    await writer?.close();
  }
}

/** On the history that is there, or on a new one when the damage of the old one shows. */
async function startedProjector(mayRebuild: boolean): Promise<Projector> {
  try {
    return await caughtUp();
  } catch (error) {
    if (!(error instanceof HistoryDamaged) || !mayRebuild) throw error;
    return rebuilt(error.message);
  }
}

async function rebuilt(reason: string): Promise<Projector> {
  const aside = await history.setAside();
  const text = `${reason}. It is kept as ${aside}, and the history is rebuilt from the journal`;
  post({ kind: 'warning', text });
  return caughtUp();
}

async function caughtUp(): Promise<Projector> {
  const writer = await openedWriter();
  try {
    if (writer.projectedSeq < reader.base.nextSeq - 1) await beginAtSnapshot(writer);
    const opened = new Projector(writer);
    await opened.follow(isWhole ? rests : undefined);
    opened.requireWholeJournal();
    return opened;
  } catch (error) {
    await writer.close();
    throw error;
  }
}

/** A history that ends before the journal begins cannot go on; it is kept all the same. */
async function openedWriter(): Promise<HistoryWriter> {
  const writer = await history.openWriter(data.sharedAs ?? reader.id);
  const { projectedSeq } = writer;
  const isBehind = projectedSeq < reader.base.nextSeq - 1;
  if (!isBehind || (projectedSeq === 0 && data.sharedAs === undefined)) return writer;
  await writer.close();
  if (data.sharedAs !== undefined) {
    const why = `ends at command ${projectedSeq}, before this copy of the log begins`;
    throw new HistoryUnusable(`${history.place} ${why}: another member has to go on with it`);
  }
  const aside = await history.setAside();
  const text = `${history.place} ends at command ${projectedSeq}: it is kept as ${aside}`;
  post({ kind: 'warning', text });
  return history.openWriter(reader.id);
}

/** Of what was before, this machine has no command: a history of its own begins here. */
async function beginAtSnapshot(writer: HistoryWriter): Promise<void> {
  const state = engineFromSnapshot({
    log,
    snapshotSeqMax: Number.MAX_SAFE_INTEGER,
    onDamagedSnapshot: (reason) => post({ kind: 'warning', text: reason }),
  });
  const { seq, timeMs } = state;
  const events = [...listingEvents(state.listings), ...accountEvents(state)];
  await writer.beginAfter({ seq, timeMs, events });
  const text =
    `${history.place} begins after command ${seq}, as the journal does: rows of before are in ` +
    'backups, or in the histories of the other machines of the cluster';
  post({ kind: 'warning', text });
}

function* accountEvents(state: StateReader): Generator<Event> {
  for (const account of state.accounts()) {
    const { accountId, name, frozen, selfTradePrevention, openOrdersMax, wallets } = account;
    const { takerFeePpm, makerFeePpm } = account;
    const rights = { name, frozen, selfTradePrevention, openOrdersMax, wallets };
    const settings = { ...rights, takerFeePpm, makerFeePpm };
    yield { kind: 'account_created', accountId, settings };
  }
}

async function close(): Promise<void> {
  clearTimeout(scrubTimer);
  clearTimeout(removalTimer);
  await projector.follow();
  const failure = projector.snapshotFailure(data.snapshotOnCloseAfterCommands);
  await historyScrub?.close();
  await projector.close();
  await reader.close();
  isClosed = true;
  post({ kind: 'closed', failure });
  port.close();
}

async function rebuild(reason: string): Promise<void> {
  await historyScrub?.close();
  await projector.close();
  projector = await rebuilt(reason);
  [removalMs, isRemoving] = [0, false];
  historyScrub = await openedScrub();
  post({ kind: 'caught_up' });
}

async function openedScrub(): Promise<HistoryScrub | undefined> {
  return data.scrub === false ? undefined : history.openScrub();
}

async function scrubABit(): Promise<void> {
  const reason = await scrub.step();
  if (reason !== undefined) post({ kind: 'scrub_failed', reason });
  const findings = (await historyScrub?.step()) ?? [];
  if (findings.length > 0) post({ kind: 'history_damaged', findings });
  scrubLater();
}

async function act(message: Task): Promise<void> {
  if (message.kind === 'close') return close();
  if (message.kind === 'rebuild') return rebuild(message.reason);
  await projector.follow(rests);
  if (data.snapshotsAtMultiples !== true) projector.snapshotIfDue(data.snapshotEveryCommands);
  await trimIfDue();
}

/** Each new snapshot may be one that older commands are no longer needed for. */
async function trimIfDue(): Promise<void> {
  if (retention === undefined || projector.snapshotSeq === retainedBySeq) return;
  retainedBySeq = projector.snapshotSeq;
  try {
    const beforeSeq = await retention.trimmableBefore(projector.timeMs);
    if (beforeSeq !== undefined) post({ kind: 'trimmable', beforeSeq });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    post({ kind: 'warning', text: `the journal is not trimmed: ${why}` });
  }
}

/** The next few rows that are too old. Their room in the database goes to rows that come. */
async function removeABit(keepMs: number): Promise<void> {
  const { timeMs } = projector;
  if (!isRemoving && timeMs - removalMs >= REMOVALS_APART_MS) {
    isRemoving = true;
    removalMs = timeMs;
  }
  if (isRemoving) {
    const { rowsCount, isDone } = await projector.removeBefore(removalMs - keepMs);
    isRemoving = !isDone;
    if (rowsCount > 0) post({ kind: 'rows_removed', rowsCount });
  }
  removeLater(keepMs);
}

function removeLater(keepMs: number): void {
  removalTimer = setTimeout(() => inTurn(() => removeABit(keepMs)), REMOVE_EVERY_MS);
}

/** One thing after the other, in the order in which they came. What fails ends the thread. */
function inTurn(work: () => Promise<void>): void {
  underWay = underWay.then(() => (isClosed ? undefined : endingIfAway(work)));
}

/** Also in a venue that stands still. */
function scrubLater(): void {
  scrubTimer = setTimeout(() => inTurn(scrubABit), SCRUB_EVERY_MS);
}

/** Taken while the venue serves. */
const rests = new Rests({ monotonicMs: () => performance.now() });
const isWhole = data.isHandedSteps === true && (await isMadeWhole());
if (isWhole) {
  // The market fills its views from the history and serves; the replay would only hinder it.
  post({ kind: 'caught_up' });
  await isAsked.promise;
}
let projector = await endingIfAway(() => startedProjector(data.mayRebuild && !isWhole));
let historyScrub = await openedScrub();
if (data.scrub !== false) scrubLater();
if (data.historyKeepMs !== undefined) removeLater(data.historyKeepMs);
if (!isWhole) post({ kind: 'caught_up' });
started.resolve();
// The next start compiles less, also when this process is killed.
flushCompileCache();

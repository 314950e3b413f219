/** A journal replayed into a history, in transactions of many steps. */
import type { Engine } from '#engine';
import type { HistoryWriter, ProjectedStep } from '#history';
import type { JournalReader } from '#log';
import { DayWatch } from './day-watch.ts';
import { type ReplayProgress, replay } from './recovery.ts';
import type { Rests } from './rests.ts';

/**
 * Steps per history transaction: large enough to share its cost, small enough to stay current. A
 * transaction writes each page of an index once, however many rows of it are new: 5,000 steps at a
 * time cost 53 microseconds of processor time a contract trade, 20,000 cost 43.
 */
const STEPS_PER_TRANSACTION = 20_000;
/**
 * So few are kept at a time: they die young, and no collection has thousands of them to move (4,000
 * at a time took the collector 8 to 15 ms at a go, and 1.14 of the time with orders of pairs). Rows
 * of so many are made in a millisecond or two, after which there may be a rest.
 */
const STEPS_KEPT = 64;

/** Places that are the same wherever the same entries are projected. */
export interface Milestones {
  readonly everyCommands: number;
  readonly everyMs: number;
  /**
   * Called after each entry that contains a multiple of so many commands, or that takes the venue's
   * time past a multiple of so many milliseconds; its rows are written.
   */
  readonly onReached: (by: 'commands' | 'time') => void;
}

export interface ProjectOptions {
  /** Later steps are not written. */
  readonly seqMax?: number;
  readonly milestones?: Milestones;
  /** Taken between entries, where others are not to wait for this. */
  readonly rests?: Rests;
  readonly onProgress: (progress: ReplayProgress) => void;
}

/** Applies whatever the journal holds beyond the engine, and writes what the history lacks. */
export async function projectJournal(
  engine: Engine,
  reader: JournalReader,
  writer: HistoryWriter,
  { seqMax = Number.MAX_SAFE_INTEGER, milestones, rests, onProgress }: ProjectOptions,
): Promise<void> {
  const days = new DayWatch(engine);
  let steps: ProjectedStep[] = [];
  let preparedCount = 0;
  const taken = (): readonly ProjectedStep[] => {
    const batch = steps;
    steps = [];
    return batch;
  };
  const write = (): Promise<void> => {
    preparedCount = 0;
    return writer.project(taken());
  };
  const prepare = (): Promise<void> => {
    preparedCount += steps.length;
    return writer.prepare(taken());
  };
  rests?.begin();
  const passed = passing(engine);
  await replay(engine, reader, {
    beforeCommand: (timeMs) => days.look(timeMs),
    onStep: (step) => {
      const dayOpening = days.take();
      // Kept until a transaction is full, the collector would carry them all along for nothing.
      if (step.seq <= writer.projectedSeq || step.seq > seqMax) return;
      steps.push(dayOpening === undefined ? step : { ...step, dayOpening });
    },
    afterEntry: () => {
      rests?.take();
      const by = milestones && passed(milestones);
      if (by !== undefined) return write().then(() => milestones?.onReached(by));
      if (steps.length < STEPS_KEPT) return undefined;
      return preparedCount + steps.length < STEPS_PER_TRANSACTION ? prepare() : write();
    },
    onProgress,
  });
  await write();
}

/** Says of each entry which milestone it has passed, if any. */
function passing(engine: Engine): (every: Milestones) => 'commands' | 'time' | undefined {
  let { seq, timeMs } = engine;
  return ({ everyCommands, everyMs }) => {
    const before = { seq, timeMs };
    ({ seq, timeMs } = engine);
    if (Math.floor(seq / everyCommands) > Math.floor(before.seq / everyCommands)) return 'commands';
    return Math.floor(timeMs / everyMs) > Math.floor(before.timeMs / everyMs) ? 'time' : undefined;
  };
}

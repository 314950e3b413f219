/**
 * Recovery by which the history needs no replay of its own before the venue serves. A venue that
 * was killed has a history that lacks its last moments at most: the market replays them anyway, so
 * it keeps these steps and hands them over to the projector, whose engine then follows later.
 */
import type { Step } from '#domain';
import type { Engine } from '#engine';
import type { History, ProjectedStep } from '#history';
import { DayWatch } from './day-watch.ts';
import type { LackingSteps, Projection } from './projection.ts';
import { type RecoverOptions, type ReplayFollower, recoverEngine } from './recovery.ts';

/** More would be carried along by the collector, and copied to the other thread at one go. */
const STEPS_MAX = 10_000;
/** A step that is kept and copied costs as much as so many that are replayed on both threads. */
const REPLAYED_PER_STEP_MIN = 8;

/** As recoverEngine, with a projection that waits for what is handed over to it. */
export async function recoverHandingOver(
  options: RecoverOptions,
  history: History,
  projection: Projection,
): Promise<Engine> {
  const afterSeq = await history.projectedSeq();
  let keeper: StepKeeper | undefined;
  const follow = (engine: Engine, lastSeq: number): ReplayFollower => {
    if (afterSeq !== undefined && isFew(afterSeq, engine.seq, lastSeq)) {
      keeper = new StepKeeper(engine, afterSeq);
      return keeper;
    }
    // At once: the projector replays the journal while this thread does.
    projection.handOver(undefined);
    return {};
  };
  const engine = await recoverEngine({ ...options, follow });
  if (keeper !== undefined) projection.handOver(keeper.lacking);
  return engine;
}

function isFew(afterSeq: number, replayedAfterSeq: number, lastSeq: number): boolean {
  const count = lastSeq - afterSeq;
  if (count < 0 || count > STEPS_MAX || afterSeq < replayedAfterSeq) return false;
  return count * REPLAYED_PER_STEP_MIN <= lastSeq - replayedAfterSeq;
}

class StepKeeper implements ReplayFollower {
  readonly #afterSeq: number;
  readonly #days: DayWatch;
  readonly #steps: ProjectedStep[] = [];

  constructor(engine: Engine, afterSeq: number) {
    this.#afterSeq = afterSeq;
    this.#days = new DayWatch(engine);
  }

  readonly beforeCommand = (timeMs: number): void => this.#days.look(timeMs);

  readonly onStep = (step: Step): void => {
    const dayOpening = this.#days.take();
    if (step.seq <= this.#afterSeq) return;
    this.#steps.push(dayOpening === undefined ? step : { ...step, dayOpening });
  };

  get lacking(): LackingSteps {
    return { afterSeq: this.#afterSeq, steps: this.#steps };
  }
}

/**
 * When a follower takes its leader for gone: it says nothing any more, or that it does not hear
 * from the log, and its heartbeat in the log does not move either. One whom this process alone does
 * not hear is left in place, and so is one whose log nobody reaches.
 */
import type { SharedLog } from '#log';

/** A leader that was silent for so long is suspected, unless its heartbeat moves meanwhile. */
const SILENT = { doubtMs: 250, suspicionMs: 500, watchedMs: 250 };
/**
 * Since the leader has heard from the log. Where servers of the log elect a leader or are slow
 * nobody hears from it, and one that does again needs a moment for a heartbeat.
 */
const CUT_OFF = { doubtMs: 500, suspicionMs: 1_500, watchedMs: 1_000 };

/** The leader's heartbeat in the log; undefined when the log did not say. */
type Heartbeat = string | undefined;

interface Doubt {
  readonly before: Promise<Heartbeat>;
  readonly sinceMs: number;
  /** When the log had said it. */
  knownMs: number;
}

export class Suspicion {
  readonly #log: Pick<SharedLog, 'lastHeartbeat'>;
  #heardMs = 0;
  /** When the leader last heard from the log, as it says. */
  #contactMs = 0;
  #doubt: Doubt | undefined;
  #isAsking = false;

  constructor(log: Pick<SharedLog, 'lastHeartbeat'>) {
    this.#log = log;
  }

  /** The leader is there, and so long ago it has heard from the log; or another one is. */
  heard(contactAgeMs = 0): void {
    this.#heardMs = performance.now();
    this.#contactMs = this.#heardMs - contactAgeMs;
    if (contactAgeMs < CUT_OFF.doubtMs) this.#doubt = undefined;
  }

  /** Asked again and again; resolves with true when somebody should take the leader's place. */
  async isDue(): Promise<boolean> {
    const nowMs = performance.now();
    const isSilent = nowMs - this.#heardMs >= SILENT.doubtMs;
    if (!isSilent && nowMs - this.#contactMs < CUT_OFF.doubtMs) return false;
    this.#doubt ??= this.#newDoubt(nowMs);
    if (this.#isAsking) return false;
    this.#isAsking = true;
    return this.#isSuspect(this.#doubt).finally(() => {
      this.#isAsking = false;
    });
  }

  /** What is true before the log is asked has to be true when it has answered. */
  async #isSuspect(doubt: Doubt): Promise<boolean> {
    const suspected = this.#suspected(doubt);
    if (suspected === undefined) return false;
    const [before, now] = await Promise.all([doubt.before, this.#lastHeartbeat()]);
    if (this.#doubt !== doubt || this.#suspected(doubt) !== suspected) return false;
    // The claim against a silent one waits for a log that does not answer.
    if (before === now && (now !== undefined || suspected === 'silent')) return true;
    // It lives, or that cannot be known: doubted again from here on.
    this.#doubt = undefined;
    if (before !== undefined && now !== undefined) this.heard();
    return false;
  }

  /** A process that slept itself has watched nobody meanwhile. */
  #suspected({ sinceMs, knownMs }: Doubt): 'silent' | 'cut off' | undefined {
    const nowMs = performance.now();
    const silentMs = nowMs - this.#heardMs;
    if (silentMs >= SILENT.suspicionMs && nowMs - sinceMs >= SILENT.watchedMs) return 'silent';
    const cutOffMs = nowMs - this.#contactMs;
    const isCutOff = cutOffMs >= CUT_OFF.suspicionMs && nowMs - knownMs >= CUT_OFF.watchedMs;
    return isCutOff ? 'cut off' : undefined;
  }

  #newDoubt(sinceMs: number): Doubt {
    const before = this.#lastHeartbeat();
    const doubt = { before, sinceMs, knownMs: Number.POSITIVE_INFINITY };
    void before.then(() => {
      doubt.knownMs = performance.now();
    });
    return doubt;
  }

  async #lastHeartbeat(): Promise<Heartbeat> {
    return this.#log.lastHeartbeat().then(
      (beat) => JSON.stringify(beat ?? null),
      () => undefined,
    );
  }
}

/**
 * When a follower takes its leader for gone: it says nothing any more, or that it does not hear
 * from the log, and its heartbeat in the log does not move either. One whom this process alone does
 * not hear is left in place, and so is one whose log nobody reaches.
 */
import type { SharedLog } from '#log';

/** A leader that was silent for so long is suspected, or without an answer of its log. */
const SUSPICION_MS = 500;
/** A silent leader is asked for its heartbeat in the log so long after its last word. */
const DOUBT_SILENT_MS = 250;
/** One that speaks, so long after its last answer of the log; it asks several times a second. */
const DOUBT_CUT_OFF_MS = 400;
/** What a leader that reaches the log again needs to write a heartbeat. */
const HEARTBEAT_MAX_MS = 300;

/** The leader's heartbeat in the log; undefined when the log did not say. */
type Heartbeat = string | undefined;

interface Doubt {
  readonly before: Promise<Heartbeat>;
  /** When that was known. */
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
    if (contactAgeMs < DOUBT_CUT_OFF_MS) this.#doubt = undefined;
  }

  /** Asked again and again; resolves with true when somebody should take the leader's place. */
  async isDue(): Promise<boolean> {
    const nowMs = performance.now();
    const [silentMs, cutOffMs] = [nowMs - this.#heardMs, nowMs - this.#contactMs];
    if (silentMs < DOUBT_SILENT_MS && cutOffMs < DOUBT_CUT_OFF_MS) return false;
    this.#doubt ??= this.#newDoubt();
    const isSilent = silentMs >= SUSPICION_MS;
    const isOld = nowMs - this.#doubt.knownMs >= HEARTBEAT_MAX_MS;
    if (this.#isAsking || !(isSilent || (isOld && cutOffMs >= SUSPICION_MS))) return false;
    this.#isAsking = true;
    return this.#hasStopped(this.#doubt, isSilent).finally(() => {
      this.#isAsking = false;
    });
  }

  /** One that is silent may be claimed before the log answers: the claim waits for it. */
  async #hasStopped(doubt: Doubt, isSilent: boolean): Promise<boolean> {
    const [before, now] = await Promise.all([doubt.before, this.#lastHeartbeat()]);
    if (this.#doubt !== doubt) return false;
    if (before === now && (now !== undefined || isSilent)) return true;
    // It lives, or that cannot be known: doubted again from here on.
    this.#doubt = undefined;
    if (before !== undefined && now !== undefined) this.heard();
    return false;
  }

  #newDoubt(): Doubt {
    const doubt = { before: this.#lastHeartbeat(), knownMs: Number.POSITIVE_INFINITY };
    void doubt.before.then(() => {
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

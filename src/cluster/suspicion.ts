/**
 * When a follower takes its leader for gone: it says nothing any more, and its heartbeat in the log
 * does not move either. One whom this process alone does not hear is left in place.
 */
import type { SharedLog } from '#log';

/** A leader that was silent for so long is suspected. */
const SUSPICION_MS = 500;
/** A silent leader is asked for its heartbeat in the log so long after its last word. */
const DOUBT_MS = 250;

export class Suspicion {
  readonly #log: Pick<SharedLog, 'lastHeartbeat'>;
  #heardMs = 0;
  /** What the leader's heartbeat in the log was when it was first doubted. */
  #doubt: Promise<string> | undefined;

  constructor(log: Pick<SharedLog, 'lastHeartbeat'>) {
    this.#log = log;
  }

  /** The leader, or somebody who takes its place, is there. */
  heard(): void {
    this.#heardMs = performance.now();
    this.#doubt = undefined;
  }

  /** Asked again and again; resolves with true when somebody should take the leader's place. */
  async isDue(): Promise<boolean> {
    const silentMs = performance.now() - this.#heardMs;
    if (silentMs < DOUBT_MS) return false;
    this.#doubt ??= this.#lastHeartbeat();
    const doubt = this.#doubt;
    if (silentMs < SUSPICION_MS) return false;
    const [before, now] = await Promise.all([doubt, this.#lastHeartbeat()]);
    if (this.#doubt !== doubt) return false;
    if (before === now) return true;
    // It lives, and only we do not hear it: doubted again from here on.
    this.heard();
    return false;
  }

  async #lastHeartbeat(): Promise<string> {
    const beat = await this.#log.lastHeartbeat().catch(() => undefined);
    return JSON.stringify(beat ?? null);
  }
}

/**
 * How far the thread is behind with its work: how late a timer is. One long turn is no overload, so
 * it is the least lateness of some in a row that counts: what stays, however short the turns are.
 */

const INTERVAL_MS = 50;
const SAMPLES_COUNT = 10;

export class LoopLag {
  readonly #samplesMs = new Float64Array(SAMPLES_COUNT);
  #next = 0;
  #lagMs = 0;
  #lastMs = performance.now();
  readonly #timer: NodeJS.Timeout;

  constructor() {
    this.#timer = setInterval(() => this.note(performance.now()), INTERVAL_MS).unref();
  }

  /** Zero while the thread keeps up. */
  get lagMs(): number {
    return this.#lagMs;
  }

  /** The timer has run at this time. */
  note(nowMs: number): void {
    this.#samplesMs[this.#next] = Math.max(nowMs - this.#lastMs - INTERVAL_MS, 0);
    this.#next = (this.#next + 1) % SAMPLES_COUNT;
    this.#lastMs = nowMs;
    this.#lagMs = Math.min(...this.#samplesMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

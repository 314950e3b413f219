/** How far a process is behind the log as far as it has heard of it, in commands and in time. */

interface Heard {
  lastSeq: number;
  readonly atMs: number;
}

/** Heard of several times a second; what comes on top of so many joins the last of them. */
const HEARD_MAX = 64;

export class Lag {
  readonly #appliedSeq: () => number;
  readonly #nowMs: () => number;
  /** What is not applied yet, oldest first. */
  readonly #heard: Heard[] = [];

  constructor(appliedSeq: () => number, nowMs: () => number = () => performance.now()) {
    this.#appliedSeq = appliedSeq;
    this.#nowMs = nowMs;
  }

  /** The log held so much a moment ago. */
  hear(lastSeq: number): void {
    this.#forget();
    const last = this.#heard.at(-1);
    if (lastSeq <= (last?.lastSeq ?? this.#appliedSeq())) return;
    if (last !== undefined && this.#heard.length >= HEARD_MAX) last.lastSeq = lastSeq;
    else this.#heard.push({ lastSeq, atMs: this.#nowMs() });
  }

  get commands(): number {
    this.#forget();
    const last = this.#heard.at(-1);
    return last === undefined ? 0 : last.lastSeq - this.#appliedSeq();
  }

  /** Since when the process has known of what it has not applied; 0 when it has applied all. */
  get ms(): number {
    this.#forget();
    const first = this.#heard[0];
    return first === undefined ? 0 : this.#nowMs() - first.atMs;
  }

  #forget(): void {
    const appliedSeq = this.#appliedSeq();
    const open = this.#heard.findIndex(({ lastSeq }) => lastSeq > appliedSeq);
    this.#heard.splice(0, open === -1 ? this.#heard.length : open);
  }
}

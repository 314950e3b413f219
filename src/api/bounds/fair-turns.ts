/**
 * Whose request is worked on next. A caller with few requests in a turn of the event loop is served
 * as they come. What one sends beyond that waits in a line of its own; the lines are served round
 * robin, few at a time and with pauses in which the thread is free for others. So whoever floods
 * slows himself down: his next requests are answered when his earlier ones have had their turns.
 */
import { FairQueue } from '#kernel';

type Go = () => void;

/** Who asks: an address or network and the key it shows, its own or not; or an account. */
export interface Asker {
  readonly from: string;
  /** Empty where none is shown. */
  readonly key: string;
}

/** Requests of one asker, and of one address under many keys, that a turn takes as they come. */
const PER_ASKER_MAX = 32;
const PER_ADDRESS_MAX = 64;
/** A turn that has taken so long takes no more as they come. */
const TURN_MS = 2;
/** Requests that may wait in one line, and in all lines. */
const WAITING_IN_LINE_MAX = 4_096;
const WAITING_MAX = 16_384;
/** Of the lines so many are served at once, fewer while the thread is late, and after a pause. */
const SERVED_MAX = 8;
const SERVED_MIN = 2;
const SLICE_MS = 0.5;
const PAUSE_MS = 4;
const LATE_MS = 2;

export class FairTurns {
  /** Requests in this turn: by asker, and by where they come from. */
  readonly #taken = new Map<string, number>();
  /** Of those with few, for a turn that has time for them. */
  #few: Go[] = [];
  readonly #many = new FairQueue<string, Go>(0);
  #turnStartMs = 0;
  #isTurnOpen = false;
  #servedAtOnce = SERVED_MAX;
  #servedMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #deferredCount = 0;

  get waitingCount(): number {
    return this.#few.length + this.#many.size;
  }

  /** Requests that had to wait since the start. */
  get deferredCount(): number {
    return this.#deferredCount;
  }

  /** Calls `go` in the asker's turn, usually at once; false when too many of them wait. */
  enter({ from, key }: Asker, go: Go): boolean {
    if (this.#isClosed) {
      go();
      return true;
    }
    this.#begin();
    const asker = `${from} ${key}`;
    const ofAddress = this.#taken.get(from) ?? 0;
    // Whoever shows many keys does not get a line for each of them.
    const isMasked = ofAddress >= PER_ADDRESS_MAX || this.#many.countOf(from) > 0;
    const line = isMasked ? from : asker;
    const ofAsker = this.#taken.get(asker) ?? 0;
    if (isMasked || ofAsker >= PER_ASKER_MAX || this.#many.countOf(line) > 0) {
      return this.#wait(line, go);
    }
    this.#taken.set(from, ofAddress + 1);
    this.#taken.set(asker, ofAsker + 1);
    return this.#take(go);
  }

  /** The turn of an account: true at once when it need not wait, false when too many wait. */
  turnOf(account: string): boolean | Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    let isNow = false;
    const isIn = this.enter({ from: account, key: '' }, () => {
      isNow = true;
      resolve(true);
    });
    return !isIn || isNow ? isIn : promise;
  }

  /** Nobody waits from now on. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const go of this.#few.splice(0)) go();
    while (this.#many.size > 0) this.#many.take()?.();
  }

  #begin(): void {
    if (this.#isTurnOpen) return;
    this.#isTurnOpen = true;
    this.#turnStartMs = performance.now();
    setImmediate(() => this.#end());
  }

  get #isTurnLong(): boolean {
    return performance.now() - this.#turnStartMs >= TURN_MS;
  }

  #take(go: Go): boolean {
    if (this.#few.length === 0 && !this.#isTurnLong) {
      go();
      return true;
    }
    if (this.#few.length >= WAITING_IN_LINE_MAX) return false;
    this.#deferredCount += 1;
    this.#few.push(go);
    return true;
  }

  /** The turn is over: the next one begins with those who had to wait for it. */
  #end(): void {
    this.#isTurnOpen = false;
    this.#taken.clear();
    if (this.#few.length === 0) return;
    this.#begin();
    let servedCount = 0;
    for (const go of this.#few) {
      if (this.#isTurnLong) break;
      servedCount += 1;
      go();
    }
    this.#few.splice(0, servedCount);
  }

  #wait(line: string, go: Go): boolean {
    if (this.#many.countOf(line) >= WAITING_IN_LINE_MAX) return false;
    if (this.#many.size >= WAITING_MAX) return false;
    this.#deferredCount += 1;
    this.#many.add(line, go);
    this.#schedule();
    return true;
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#many.size === 0) return;
    this.#servedMs = performance.now();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#serve();
      this.#schedule();
    }, PAUSE_MS);
  }

  #serve(): void {
    // Those with few come first, and what they asked before they had many, too.
    if (this.#few.length > 0) return;
    const startMs = performance.now();
    const isLate = startMs - this.#servedMs > PAUSE_MS + LATE_MS;
    const wanted = isLate ? Math.floor(this.#servedAtOnce / 2) : this.#servedAtOnce + 1;
    this.#servedAtOnce = Math.min(Math.max(wanted, SERVED_MIN), SERVED_MAX);
    for (let count = 0; count < this.#servedAtOnce; count += 1) {
      this.#many.take()?.();
      if (performance.now() - startMs >= SLICE_MS) return;
    }
  }
}

/**
 * What bounds an account over all processes that serve one venue: its calls, the signatures of its
 * strict keys and its stream connections. Whoever leads counts and remembers, the others ask. A
 * next leader begins to count anew; what may have been signed before it is refused.
 */
import type { Clock } from '#kernel';
import type { ReplayVerdict, SignatureUse } from '../keys/replay-guard.ts';
import { ConnectionTally, type OwnerCount } from './connection-tally.ts';
import { isTaken, type Question, readQuestion, readVerdict } from './questions.ts';
import { type CallCounts, CallWindows, type Taken, type WindowUse } from './windows.ts';

/** How to reach the process that counts for all. */
export interface CountingProcess {
  /** Whether it is this one. */
  readonly isHere: boolean;
  /** What it says; undefined when it cannot be known. */
  ask(question: string): Promise<string | undefined>;
}

/** What remembers signatures here. */
interface Signatures {
  sign(use: SignatureUse, nowMs: number): ReplayVerdict;
  takeOver(timeMs: number): void;
}

/** A refusal that stands until its wait is over. */
interface Standing {
  readonly used: Taken['used'];
  readonly endMs: number;
}

/** Beyond so many they are forgotten together, and asked for again. */
const STANDING_MAX = 10_000;
/** By how much the clocks of two processes may differ. */
const CLOCKS_APART_MAX_MS = 1_000;

export class SharedBounds implements CallCounts {
  readonly #counting: CountingProcess;
  readonly #signatures: Signatures;
  readonly #clock: Clock;
  /** Those of all processes while this one counts, of this one alone while nobody does. */
  readonly #windows = new CallWindows();
  /** What the counting process has refused, by call: whoever floods does not reach it each time. */
  readonly #standing = new Map<string, Standing>();
  #tally = new ConnectionTally();
  #onBegun: () => void = () => undefined;

  constructor(counting: CountingProcess, signatures: Signatures, clock: Clock) {
    this.#counting = counting;
    this.#signatures = signatures;
    this.#clock = clock;
  }

  /** A call is counted here while nobody is there to ask: it is not kept waiting for that. */
  take(caller: string, uses: readonly WindowUse[]): Taken | Promise<Taken> {
    if (this.#counting.isHere) return this.#windows.take(caller, uses);
    return this.#takeThere(caller, uses);
  }

  /** A word that is lost leaves the caller a little less until the window ends. */
  giveBack(caller: string, uses: readonly WindowUse[], agoMs: number): void {
    if (this.#counting.isHere) this.#windows.giveBack(caller, uses, agoMs);
    else void this.#ask(['give', caller, uses, agoMs]);
  }

  /** Always asked for: one who was deposed and has not noticed must not take a signature. */
  async sign(use: SignatureUse): Promise<ReplayVerdict> {
    const { key, createdMs, signature, timestampMs } = use;
    const said = await this.#ask(['sign', key, createdMs, signature, timestampMs]);
    return readVerdict(said) ?? 'unknown';
  }

  /** Whether owners may have so many connections here; what is not known is taken for granted. */
  async enter(counts: readonly OwnerCount[], max: number): Promise<boolean> {
    return (await this.#ask(['enter', max, counts])) !== false;
  }

  /** Owners have so many connections here, whatever others have. */
  hold(counts: readonly OwnerCount[]): void {
    if (counts.length > 0) void this.#ask(['hold', counts, false]);
  }

  /** All that owners have here: what was lost on the way before is mended by it. */
  holdAll(counts: readonly OwnerCount[]): void {
    void this.#ask(['hold', counts, true]);
  }

  /** Called when somebody counts who knows nothing of this process: it is to hold its own. */
  onBegun(listener: () => void): void {
    this.#onBegun = listener;
  }

  begun(): void {
    this.#standing.clear();
    this.#onBegun();
  }

  /** This process counts for all from now on. */
  takeOver(): void {
    this.#tally = new ConnectionTally();
    this.#signatures.takeOver(this.#clock.nowMs() + CLOCKS_APART_MAX_MS);
  }

  left(asker: string): void {
    this.#tally.forget(asker);
  }

  answer(asker: string, text: string): string | undefined {
    const question = readQuestion(text);
    return question && JSON.stringify(this.#answer(asker, question));
  }

  #answer(asker: string, question: Question): Taken | ReplayVerdict | boolean {
    switch (question[0]) {
      case 'take':
        return this.#windows.take(question[1], question[2]);
      case 'give':
        this.#windows.giveBack(question[1], question[2], question[3]);
        return true;
      case 'sign': {
        const [, key, createdMs, signature, timestampMs] = question;
        const use = { key, createdMs, signature, timestampMs };
        return this.#signatures.sign(use, this.#clock.nowMs());
      }
      case 'enter':
        return this.#tally.enter(asker, question[2], question[1]);
      case 'hold':
        this.#tally.hold(asker, question[1], question[2]);
        return true;
    }
  }

  async #takeThere(caller: string, uses: readonly WindowUse[]): Promise<Taken> {
    const question = ['take', caller, uses] as const;
    const call = JSON.stringify(question);
    const standing = this.#standing.get(call);
    if (standing !== undefined) {
      const waitMs = standing.endMs - performance.now();
      if (waitMs > 0) return { waitMs, used: standing.used };
      this.#standing.delete(call);
    }
    const said = await this.#ask(question);
    if (!isTaken(said)) return this.#windows.take(caller, uses);
    if (said.waitMs > 0) this.#keep(call, said);
    return said;
  }

  #keep(call: string, { waitMs, used }: Taken): void {
    if (this.#standing.size >= STANDING_MAX) this.#standing.clear();
    this.#standing.set(call, { used, endMs: performance.now() + waitMs });
  }

  async #ask(question: Question): Promise<unknown> {
    const said = await this.#counting.ask(JSON.stringify(question));
    return said === undefined ? undefined : JSON.parse(said);
  }
}

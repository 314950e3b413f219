/**
 * Simulated time: what happens, happens in the order of a queue, and every process that runs here
 * has its own clock, its own timers and its own end. Between two events everything that the first
 * has set off has come to wait.
 */
import type { EventEmitter } from 'node:events';
import { Heap } from '#kernel';
import { Coverage } from '../coverage.ts';
import { Draw } from '../world/draw.ts';
import { Finding } from '../world/finding.ts';
import { drain } from './drain.ts';
import type { Files } from './files.ts';

interface Happening {
  heapIndex: number;
  readonly dueMs: number;
  readonly number: number;
  readonly life: Life | undefined;
  readonly act: () => void;
}

/** One life of a process, from its start to its end. */
export class Life {
  readonly world: World;
  /** Of its machine: there it is reached, and there its disk is. */
  readonly host: string;
  readonly files: Files;
  readonly #bornMs: number;
  /** Its clock runs so many times as fast as it should. */
  readonly #rate: number;
  readonly #timers = new Map<number, { readonly everyMs: number | undefined }>();
  readonly #endings: (() => void)[] = [];
  #lastTimer = 0;
  #held: (() => void)[] = [];
  isAlive = true;
  isPaused = false;

  constructor(world: World, host: string, files: Files, rate: number) {
    this.world = world;
    this.host = host;
    this.files = files;
    this.#bornMs = world.nowMs;
    this.#rate = rate;
  }

  monotonicMs(): number {
    return (this.world.nowMs - this.#bornMs) * this.#rate;
  }

  /** Looks at something of this process without letting it run. */
  within<T>(look: () => T): T {
    const { here } = this.world;
    this.world.here = this;
    try {
      return look();
    } finally {
      this.world.here = here;
    }
  }

  setTimer(ms: number, ring: () => void, isRepeated: boolean): number {
    this.#lastTimer += 1;
    const id = this.#lastTimer;
    const delayMs = Math.max(1, ms) / this.#rate;
    this.#timers.set(id, { everyMs: isRepeated ? delayMs : undefined });
    this.#wind(id, delayMs, ring);
    return id;
  }

  clearTimer(id: number): void {
    this.#timers.delete(id);
  }

  #wind(id: number, delayMs: number, ring: () => void): void {
    this.world.at(
      delayMs,
      () => {
        const timer = this.#timers.get(id);
        if (timer === undefined) return;
        if (timer.everyMs === undefined) this.#timers.delete(id);
        else this.#wind(id, timer.everyMs, ring);
        ring();
      },
      this,
    );
  }

  /** The process is stopped: what reaches it waits. */
  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
    for (const act of this.#held.splice(0)) this.world.at(0, act, this);
  }

  hold(act: () => void): void {
    this.#held.push(act);
  }

  /** What its machine does when it is gone. */
  onEnd(ending: () => void): void {
    this.#endings.push(ending);
  }

  /** Without a word: nothing of it runs again. */
  kill(): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    this.#timers.clear();
    this.#held = [];
    for (const ending of this.#endings) ending();
  }
}

export class World {
  readonly seed: number;
  readonly coverage = new Coverage();
  readonly #events = new Heap<Happening>((one, other) =>
    one.dueMs === other.dueMs ? one.number < other.number : one.dueMs < other.dueMs,
  );
  #nowMs = 0;
  #eventsMade = 0;
  #eventsDone = 0;
  #trace = 0;
  #found: Error | undefined;
  /** Whose code runs now. */
  here: Life | undefined;
  /** Hears what a process says on a connection, at the moment it does. */
  onSent: (host: string, text: string) => void = () => undefined;
  /** Who listens where, by host:port. */
  readonly listeners = new Map<string, { readonly life: Life; readonly server: EventEmitter }>();
  #lastNonce = 0;
  readonly #sent = new Set<string>();

  constructor(seed: number) {
    this.seed = seed;
  }

  /** Never the same twice. */
  nonce(): string {
    this.#lastNonce += 1;
    return this.#lastNonce.toString(16).padStart(12, '0');
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  get found(): Error | undefined {
    return this.#found;
  }

  get eventsDone(): number {
    return this.#eventsDone;
  }

  /** Of everything that has happened, in its order. */
  get trace(): string {
    return (this.#trace >>> 0).toString(16);
  }

  draw(label: string): Draw {
    return new Draw(this.seed, label);
  }

  /** Has this happen later, in this life or, without one, outside all of them. */
  at(delayMs: number, act: () => void, life?: Life): void {
    this.#eventsMade += 1;
    const dueMs = this.#nowMs + Math.max(0, delayMs);
    this.#events.add({ heapIndex: -1, dueMs, number: this.#eventsMade, life, act });
  }

  /** Something that must not be: nothing happens after it. */
  fail(error: unknown): void {
    this.#found ??= error instanceof Error ? error : new Error(String(error));
  }

  check(holds: boolean, rule: string, what: () => string): void {
    if (!holds) this.fail(new Finding(rule, `${what()} (at ${Math.round(this.#nowMs)} ms)`));
  }

  /** Counts commands that a gateway sends again, to the same leader or the next one. */
  noteSent(gateway: string, text: string): void {
    if (!text.startsWith('["do"')) return;
    const [, rows] = JSON.parse(text) as [string, [number, number, string][]];
    for (const [request] of rows) {
      const key = `${gateway} ${request}`;
      this.coverage.count(this.#sent.has(key) ? 'command sent again' : 'command sent on');
      this.#sent.add(key);
    }
  }

  note(text: string): void {
    for (let at = 0; at < text.length; at += 1) this.#mix(text.charCodeAt(at));
  }

  #mix(value: number): void {
    this.#trace = Math.imul(this.#trace ^ value, 0x01000193) + 0x9e3779b1;
  }

  /** Lets so much time pass, or less when something is found. */
  async run(ms: number): Promise<void> {
    const endMs = this.#nowMs + ms;
    for (;;) {
      const next = this.#events.first;
      if (this.#found !== undefined || next === undefined || next.dueMs > endMs) break;
      this.#events.remove(next);
      this.#nowMs = next.dueMs;
      await this.#carryOut(next);
    }
    this.#nowMs = Math.max(this.#nowMs, endMs);
  }

  async #carryOut({ life, act, number }: Happening): Promise<void> {
    if (life?.isAlive === false) return;
    if (life?.isPaused === true) {
      life.hold(act);
      return;
    }
    this.#eventsDone += 1;
    this.#mix(number);
    this.#mix(Math.floor(this.#nowMs * 1_000));
    this.here = life;
    try {
      act();
    } catch (error) {
      this.fail(error);
    }
    await drain();
    this.here = undefined;
  }
}

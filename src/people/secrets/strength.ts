/**
 * How many guesses a password takes, as whoever knows what people choose would guess. Estimated on
 * a thread that begins with the first question and ends when nobody has asked for a while.
 */
import { Worker } from 'node:worker_threads';

const WAITING_MAX = 32;
const IDLE_MS = 30_000;

export interface AskedStrength {
  readonly id: number;
  readonly password: string;
}

export interface FoundStrength {
  readonly id: number;
  readonly guesses: number;
}

type Resolve = (guesses: number | 'busy') => void;

export class Strength {
  readonly #waiting = new Map<number, Resolve>();
  #worker: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastId = 0;

  /** `busy` where too many ask at once, and where the thread has ended. */
  guesses(password: string): Promise<number | 'busy'> {
    if (this.#waiting.size >= WAITING_MAX) return Promise.resolve('busy');
    this.#lastId += 1;
    const asked: AskedStrength = { id: this.#lastId, password };
    return new Promise((resolve) => {
      this.#waiting.set(asked.id, resolve);
      this.#thread().postMessage(asked);
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#worker?.terminate();
  }

  #thread(): Worker {
    clearTimeout(this.#timer);
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(new URL('./strength-worker.ts', import.meta.url));
    worker.on('message', (found: FoundStrength) => this.#take(found));
    worker.on('error', () => undefined);
    worker.once('exit', () => this.#ended(worker));
    this.#worker = worker;
    return worker;
  }

  #take({ id, guesses }: FoundStrength): void {
    this.#waiting.get(id)?.(guesses);
    this.#waiting.delete(id);
    if (this.#waiting.size > 0) return;
    const worker = this.#worker;
    this.#timer = setTimeout(() => {
      if (this.#worker === worker) this.#worker = undefined;
      void worker?.terminate();
    }, IDLE_MS).unref();
  }

  #ended(worker: Worker): void {
    if (this.#worker !== undefined && this.#worker !== worker) return;
    this.#worker = undefined;
    for (const resolve of this.#waiting.values()) resolve('busy');
    this.#waiting.clear();
  }
}

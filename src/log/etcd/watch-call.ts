/** One watch call: its responses one at a time, with a bound on those that wait, and silences. */
import { assert } from '#kernel';
import type { Exchange } from './endpoints.ts';
import type { WatchResponse } from './protocol.ts';

/** Responses that wait here; more wait at the other end, where they cost nothing. */
const WAITING_MAX = 8;

export class WatchCall {
  readonly #stream: Exchange<'Watch/Watch'>['stream'];
  readonly #waiting: WatchResponse[] = [];
  readonly #signal: AbortSignal;
  #wake: (() => void) | undefined;
  #isEnded = false;
  #error: unknown;

  constructor(stream: Exchange<'Watch/Watch'>['stream'], request: object, signal: AbortSignal) {
    this.#stream = stream;
    this.#signal = signal;
    stream.on('data', (response: WatchResponse) => this.#hear(response));
    stream.on('error', (error) => this.#end(error));
    stream.on('end', () => this.#end(undefined));
    signal.addEventListener('abort', this.close, { once: true });
    stream.write(request);
  }

  /** Undefined after so long a silence, or when it has ended without an error. */
  async next(silenceMs: number): Promise<WatchResponse | undefined> {
    if (this.#waiting.length === 0 && !this.#isEnded) await this.#news(silenceMs);
    const response = this.#waiting.shift();
    if (response !== undefined) {
      if (this.#waiting.length === 0) this.#stream.resume();
      return response;
    }
    if (this.#error !== undefined) throw this.#error;
    return undefined;
  }

  get isEnded(): boolean {
    return this.#isEnded && this.#waiting.length === 0;
  }

  readonly close = (): void => {
    this.#signal.removeEventListener('abort', this.close);
    this.#stream.cancel();
    this.#end(undefined);
  };

  #hear(response: WatchResponse): void {
    if (this.#isEnded) return;
    this.#waiting.push(response);
    if (this.#waiting.length >= WAITING_MAX) this.#stream.pause();
    this.#wake?.();
  }

  /** Cancelling is an error to the stream, after its end. */
  #end(error: unknown): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#error = error;
    this.#wake?.();
  }

  #news(silenceMs: number): Promise<void> {
    assert(this.#wake === undefined, 'one reader at a time');
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(wake, silenceMs);
      this.#wake = wake;
    });
  }
}

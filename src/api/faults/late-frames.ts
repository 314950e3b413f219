/** Messages of one connection that a fault rule sends late; those behind them may come before. */
import type { Frame } from '../streams/frame.ts';

export class LateFrames {
  readonly #timers = new Set<NodeJS.Timeout>();
  #bytes = 0;

  /** Bytes of the messages that wait. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Sends a message after a time of the system's clock. */
  add(frame: Frame, delayMs: number, send: (frame: Frame) => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#bytes -= frame.length;
      send(frame);
    }, delayMs);
    this.#timers.add(timer);
    this.#bytes += frame.length;
  }

  /** Forgets what waits: the connection is gone. */
  clear(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#bytes = 0;
  }
}

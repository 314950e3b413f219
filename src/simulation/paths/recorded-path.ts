/**
 * A price that was: points of a recording, played at a chosen speed. Between two points the earlier
 * one counts, but only for so long; then the recording has a gap.
 */
import { assert, present } from '#kernel';
import type { PricePath } from './path.ts';

export interface Recording {
  /** Unix milliseconds, ascending. */
  readonly timesMs: readonly number[];
  /** In whole 10^-8, above zero; one for each time. */
  readonly prices: readonly number[];
  /** How long a point counts while no next one comes. */
  readonly validMs: number;
}

const PERCENT = 100;

export class RecordedPath implements PricePath {
  readonly #recording: Recording;
  readonly #speed: number;
  #at = 0;
  #nowMs: number;

  /** Speed is recorded time per time: at 60 a minute passes in a second. */
  constructor(recording: Recording, speed: number) {
    assert(recording.timesMs.length > 0, 'a recording has a point');
    assert(speed > 0, 'a recording moves on');
    this.#recording = recording;
    this.#speed = speed;
    this.#nowMs = present(recording.timesMs[0], 'first time');
  }

  get price(): number {
    return present(this.#recording.prices[this.#at], 'price');
  }

  get isLive(): boolean {
    const { timesMs, validMs } = this.#recording;
    return this.#nowMs - present(timesMs[this.#at], 'time') <= validMs;
  }

  get progress(): string {
    const { timesMs } = this.#recording;
    const firstMs = present(timesMs[0], 'first time');
    const lastMs = present(timesMs.at(-1), 'last time');
    if (this.#nowMs > lastMs && !this.isLive) return 'at its end';
    const part = lastMs === firstMs ? 1 : (this.#nowMs - firstMs) / (lastMs - firstMs);
    const percent = Math.min(PERCENT, Math.floor(part * PERCENT));
    const gap = this.isLive ? '' : ', in a gap';
    return `${percent} %, ${new Date(this.#nowMs).toISOString()}${gap}`;
  }

  advance(deltaMs: number): void {
    const { timesMs } = this.#recording;
    this.#nowMs += deltaMs * this.#speed;
    while ((timesMs[this.#at + 1] ?? Number.POSITIVE_INFINITY) <= this.#nowMs) this.#at += 1;
  }

  moveTo(): void {}
}

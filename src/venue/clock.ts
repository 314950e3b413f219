/**
 * The clock of the venue: the system's, until a sandbox sets it. From then on it runs at the speed
 * it was given from wherever it stood, whatever the system's is set to, and it stands still while
 * the process is down. Commands carry its time into the journal; it keeps nothing itself.
 */
import { CLOCK, type SandboxView, type VenueClockSetting } from '#domain';
import type { Clock, SteadyClock } from '#kernel';

export class VenueClock implements Clock {
  readonly #system: SteadyClock;
  #setting: VenueClockSetting | undefined;
  /** Two moments that are the same one. */
  #setMonotonicMs = 0;
  #venueMs = 0;

  constructor(system: SteadyClock) {
    this.#system = system;
  }

  nowMs(): number {
    if (this.#setting === undefined) return this.#system.nowMs();
    const passedMs = this.#system.monotonicMs() - this.#setMonotonicMs;
    return this.#venueMs + Math.floor((passedMs * this.#setting.speedPermille) / 1_000);
  }

  /** True once it has been set. */
  get isControlled(): boolean {
    return this.#setting !== undefined;
  }

  get speedPermille(): number {
    return this.#setting?.speedPermille ?? CLOCK.speedPermilleReal;
  }

  /** Goes on from the last command of a recovered venue. */
  restore({ clock }: SandboxView, timeMs: number): void {
    if (clock !== undefined) this.set(clock, timeMs);
  }

  /** From this moment on runs as the setting says. */
  set(setting: VenueClockSetting, timeMs: number): void {
    this.#setting = setting;
    this.#setMonotonicMs = this.#system.monotonicMs();
    this.#venueMs = timeMs;
  }

  /** It is this time now, unless it is later already. */
  leapTo(timeMs: number): void {
    this.set({ speedPermille: this.speedPermille }, Math.max(timeMs, this.nowMs()));
  }
}

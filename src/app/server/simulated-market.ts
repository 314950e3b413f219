/** All that trades by itself, as far as the configuration wants it. */
import type { Logger } from 'pino';
import { Participants } from '#simulation';
import type { Venue, VenueClock } from '#venue';
import type { Config } from '../config.ts';
import type { Recovered } from './recovered.ts';

/** Participants that stop for a reset and begin anew after it. */
export class SimulatedMarket {
  readonly #config: Config;
  readonly #venue: Venue;
  readonly #clock: VenueClock;
  readonly #log: Logger;
  #participants: Participants | undefined;
  #isOver = false;

  constructor(config: Config, { venue, clock, listeners }: Recovered, log: Logger) {
    this.#config = config;
    this.#venue = venue;
    this.#clock = clock;
    this.#log = log;
    listeners.push((step) => this.#participants?.onStep(step));
  }

  async start(): Promise<void> {
    const { participants, liquidity, crowd, paths } = this.#config;
    if (!participants || this.#isOver) return;
    const plan = { liquidity, crowd, paths };
    const [venue, clock, log] = [this.#venue, this.#clock, this.#log];
    this.#participants = new Participants({ venue, clock, log, ...plan });
    await this.#participants.start();
  }

  async pause(): Promise<void> {
    await this.#participants?.stop();
    this.#participants = undefined;
  }

  /** For good: a reset that is under way does not begin it again. */
  stop(): Promise<void> {
    this.#isOver = true;
    return this.pause();
  }
}

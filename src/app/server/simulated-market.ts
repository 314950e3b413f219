/** All that trades by itself, as far as the configuration wants it. */
import type { Logger } from 'pino';
import type { Config } from '#config';
import { SimulatedTraders } from '#simulation';
import type { ServedVenue, VenueClock } from '#venue';
import type { Recovered } from './recovered.ts';

/** Traders that stop for a reset and begin anew after it. */
export class SimulatedMarket {
  readonly #config: Config;
  readonly #venue: ServedVenue;
  readonly #clock: VenueClock;
  readonly #log: Logger;
  #traders: SimulatedTraders | undefined;
  #isOver = false;

  constructor(config: Config, { venue, clock, listeners }: Recovered, log: Logger) {
    this.#config = config;
    this.#venue = venue;
    this.#clock = clock;
    this.#log = log;
    listeners.push((step) => this.#traders?.onStep(step));
  }

  async start(): Promise<void> {
    const { participants, liquidity, crowd, paths } = this.#config;
    if (!participants || this.#isOver) return;
    const plan = { liquidity, crowd, paths };
    const [venue, clock, log] = [this.#venue, this.#clock, this.#log];
    this.#traders = new SimulatedTraders({ venue, clock, log, ...plan });
    await this.#traders.start();
  }

  async pause(): Promise<void> {
    await this.#traders?.stop();
    this.#traders = undefined;
  }

  /** For good: a reset that is under way does not begin it again. */
  stop(): Promise<void> {
    this.#isOver = true;
    return this.pause();
  }
}

/**
 * What only the process does that orders commands: brings the venue up to its configuration, lets
 * its time pass, has the simulated market trade, and does what the desk has planned. A single
 * process does it from its start on, a member of a cluster from the moment on at which it leads.
 */
import type { Logger } from 'pino';
import { bootstrap, type Config, refuseDemoOnNetwork } from '#config';
import { Timekeeper } from '#venue';
import type { DeskDuties } from './desk-duties.ts';
import type { Recovered } from './recovered.ts';
import type { SimulatedMarket } from './simulated-market.ts';
import { suspendFailed } from './suspensions.ts';

export class LeaderDuties {
  readonly #config: Config;
  readonly #parts: Recovered;
  readonly #market: SimulatedMarket;
  readonly #log: Logger;
  readonly #timekeeper: Timekeeper;
  #begun: Promise<void> | undefined;
  #served = false;
  #serving: Promise<void> | undefined;
  #desk: DeskDuties | undefined;

  constructor(config: Config, parts: Recovered, market: SimulatedMarket, log: Logger) {
    this.#config = config;
    this.#parts = parts;
    this.#market = market;
    this.#log = log;
    const { venue, clock } = parts;
    this.#timekeeper = new Timekeeper(venue, clock);
    venue.onApplied(({ timeMs, events }) => {
      for (const event of events) {
        if (event.kind !== 'clock_set') continue;
        clock.set(event.clock, timeMs);
        if (this.#begun !== undefined) this.#timekeeper.paceChanged();
      }
    });
  }

  /** Resolves once the venue is as configured and its time passes; then it can be served. */
  begin(): Promise<void> {
    this.#begun ??= this.#begin();
    return this.#begun;
  }

  /**
   * The API is served: from here on the simulated market trades where this process leads, and what
   * the desk has planned is done.
   */
  async serve(desk: DeskDuties | undefined): Promise<void> {
    this.#served = true;
    this.#desk = desk;
    if (this.#begun !== undefined) await this.#begun.then(() => this.#serveAsLeader());
  }

  async stop(): Promise<void> {
    await this.#desk?.stop();
    await this.#market.stop();
    await this.#timekeeper.stop();
  }

  async #begin(): Promise<void> {
    const { venue, faults, vault } = this.#parts;
    await suspendFailed(venue, faults, this.#log);
    venue.resumeWork();
    refuseDemoOnNetwork(this.#config, (key) => vault.has(key));
    await bootstrap(this.#config, {
      venue,
      hasKey: (key) => vault.has(key),
      sealKey: (key) => vault.seal(key, 'chosen'),
    });
    await this.#timekeeper.start();
    if (this.#served) await this.#serveAsLeader();
  }

  /** Once, whichever comes last: that it leads or that it serves. */
  #serveAsLeader(): Promise<void> {
    this.#serving ??= this.#market.start().then(() => this.#desk?.start());
    return this.#serving;
  }
}

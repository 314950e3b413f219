/**
 * The resident market maker: keeps a ladder of quotes around each pair's reference price, from an
 * account of its own and through the same port as everybody. It acts when released events give it
 * a reason and at a bounded rate; at rest it sends nothing.
 */
import {
  type AccountId,
  type Command,
  type Event,
  type Step,
  VenueHalted,
  type VenuePort,
} from '#domain';
import { type Ladder, planLadder } from './ladder.ts';

export interface ParticipantLog {
  warn(fields: object, text: string): void;
}

export interface MarketMakerOptions {
  readonly venue: VenuePort;
  readonly accountName: string;
  readonly ladders: readonly Ladder[];
  readonly log: ParticipantLog;
}

const PASS_INTERVAL_MS = 100;
const BACKOFF_MIN_MS = 1_000;
const BACKOFF_MAX_MS = 60_000;

interface Pair {
  readonly ladder: Ladder;
  /** Something happened that may ask for other quotes. */
  stale: boolean;
  /** Levels are missing: any change of the book or the account may let them in. */
  incomplete: boolean;
  notBeforeMs: number;
  backoffMs: number;
}

export class MarketMaker {
  readonly #venue: VenuePort;
  readonly #accountName: string;
  readonly #log: ParticipantLog;
  readonly #pairs: readonly Pair[];
  readonly #pairById: (Pair | undefined)[] = [];
  #accountId: AccountId | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isRunning = false;
  #stopped = false;
  #nextRunMs = 0;

  constructor(options: MarketMakerOptions) {
    this.#venue = options.venue;
    this.#accountName = options.accountName;
    this.#log = options.log;
    this.#pairs = options.ladders.map((ladder) => ({
      ladder,
      stale: true,
      incomplete: false,
      notBeforeMs: 0,
      backoffMs: BACKOFF_MIN_MS,
    }));
  }

  /** Takes up its account and whatever it left in the books, and begins to quote. */
  async start(): Promise<void> {
    await this.#venue.read((state) => {
      this.#accountId = state.accountByName(this.#accountName)?.accountId;
      for (const { symbol, instrumentId } of state.listings.spot) {
        this.#pairById[instrumentId] = this.#pairOf(symbol);
      }
    });
    if (this.#accountId === undefined) {
      this.#log.warn({ account: this.#accountName }, 'market maker has no account and stays idle');
    }
    this.#schedule();
  }

  /** Stops quoting and leaves its orders in the book. Resolves when nothing is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Follows the venue; called with every released step, so it only takes notes. */
  onStep(step: Step): void {
    for (const event of step.events) this.#notice(event);
  }

  #notice(event: Event): void {
    const own = this.#accountId;
    switch (event.kind) {
      case 'trade':
        this.#wake(event.instrumentId, event.makerAccountId === own);
        return;
      case 'order_closed':
        this.#wake(event.order.instrumentId, event.order.accountId === own);
        return;
      case 'spot_listed':
      case 'spot_updated':
        this.#pairById[event.instrument.instrumentId] = this.#pairOf(event.instrument.symbol);
        this.#wake(event.instrument.instrumentId, true);
        return;
      case 'account_updated':
      case 'balance_changed':
      case 'lock_set':
        if (event.accountId === own) this.#wakeAll();
        return;
      case 'refused':
      case 'order_accepted':
      case 'order_rested':
      case 'orders_cancelled':
      case 'transferred':
      case 'account_created':
      case 'key_created':
      case 'key_revoked':
      case 'asset_listed':
      case 'contract_listed':
    }
  }

  #pairOf(symbol: string): Pair | undefined {
    return this.#pairs.find(({ ladder }) => ladder.symbol === symbol);
  }

  /** An event of others matters only to a pair that is waiting for room. */
  #wake(instrumentId: number, concernsUs: boolean): void {
    const pair = this.#pairById[instrumentId];
    if (pair === undefined || pair.stale) return;
    if (!concernsUs && !pair.incomplete) return;
    pair.stale = true;
    this.#schedule();
  }

  #wakeAll(): void {
    for (const pair of this.#pairs) pair.stale = true;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#stopped || this.#isRunning || this.#timer !== undefined) return;
    const stale = this.#pairs.filter((pair) => pair.stale);
    if (stale.length === 0 || this.#accountId === undefined) return;
    const soonestMs = Math.min(...stale.map(({ notBeforeMs }) => notBeforeMs));
    const delayMs = Math.max(0, soonestMs - performance.now(), this.#nextRunMs - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#running = this.#run();
    }, delayMs);
    this.#timer.unref();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    this.#nextRunMs = performance.now() + PASS_INTERVAL_MS;
    for (const pair of this.#pairs) {
      if (this.#stopped || !pair.stale || performance.now() < pair.notBeforeMs) continue;
      await this.#pass(pair);
    }
    this.#isRunning = false;
    this.#schedule();
  }

  async #pass(pair: Pair): Promise<void> {
    const own = this.#accountId;
    if (own === undefined) return;
    pair.stale = false;
    try {
      const plan = await this.#venue.read((state) => planLadder(state, own, pair.ladder));
      pair.incomplete = plan.incomplete;
      await this.#carryOut(pair, plan.commands);
    } catch (error) {
      this.#backOff(pair, error instanceof Error ? error.message : String(error));
      if (error instanceof VenueHalted) this.#stopped = true;
    }
  }

  async #carryOut(pair: Pair, commands: readonly Command[]): Promise<void> {
    const answers = await Promise.all(commands.map((command) => this.#venue.submit(command)));
    const refusal = answers
      .flat()
      .find((event) => event.kind === 'refused' && event.reject !== 'order_unknown');
    if (refusal?.kind !== 'refused') {
      pair.backoffMs = BACKOFF_MIN_MS;
      return;
    }
    this.#backOff(pair, refusal.reject);
    // A busy venue is asked again; other refusals stand until something happens.
    if (refusal.reject === 'venue_busy') pair.stale = true;
    pair.incomplete = true;
  }

  #backOff(pair: Pair, reason: string): void {
    const { backoffMs } = pair;
    pair.notBeforeMs = performance.now() + backoffMs;
    pair.backoffMs = Math.min(backoffMs * 2, BACKOFF_MAX_MS);
    const { symbol } = pair.ladder;
    this.#log.warn({ symbol, reason, backoffMs }, 'market maker was refused and waits');
  }
}

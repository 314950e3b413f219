/**
 * All that trades in the venue without being a client: price paths, the market maker that follows
 * them, and the traders. Time reaches them in ticks of one length. `start` ticks by the system's
 * timer; `attach` and `tick` let the caller drive, and then the same seeds and the same venue
 * give the same commands.
 */
import {
  CLOCK,
  type Command,
  type Event,
  type InstrumentId,
  type Refused,
  type SpotInstrument,
  type StateReader,
  type Step,
  VenueHalted,
  type VenuePort,
} from '#domain';
import { planSettings } from './contract-ladder.ts';
import { bestOpposite, type Ladder } from './ladder.ts';
import { MarketMaker, type WarningLog } from './market-maker.ts';
import { IndexReports } from './paths/index-reports.ts';
import { type PathPlan, PriceBoard } from './paths/price-board.ts';
import { Mood } from './traders/mood.ts';
import { Trader, type TraderCommand, type TraderPlan } from './traders/trader.ts';

export interface LiquidityPlan {
  readonly accountName: string;
  readonly ladders: readonly Ladder[];
}

export interface CrowdPlan {
  readonly seed: number;
  readonly traders: readonly TraderPlan[];
}

/** What is to be in the venue; null for a part that is not. */
export interface SimulationPlan {
  readonly liquidity: LiquidityPlan | null;
  readonly crowd: CrowdPlan | null;
  readonly paths: PathPlan | null;
}

export interface SimulationLog extends WarningLog {
  info(fields: object, text: string): void;
}

export interface SimulatedTradersOptions extends SimulationPlan {
  readonly venue: VenuePort;
  readonly log: SimulationLog;
  /** The venue's clock: prices move with it, and no trader acts while it stands still. */
  readonly clock?: { readonly speedPermille: number };
}

/** Paths move and traders decide at this pace. */
const TICK_MS = 250;
const PROGRESS_TICKS = 40;
/** How long a trader stays away from a market that refused its order. */
const REFUSED_TICKS = 240;

export class SimulatedTraders {
  readonly #venue: VenuePort;
  readonly #log: SimulationLog;
  readonly #clock: { readonly speedPermille: number };
  readonly #maker: MarketMaker | undefined;
  readonly #traders: readonly Trader[];
  readonly #moods = new Map<string, Mood>();
  readonly #board: PriceBoard | undefined;
  readonly #reports: IndexReports | undefined;
  readonly #referenceTicks = new Map<InstrumentId, number>();
  #timer: NodeJS.Timeout | undefined;
  #underWay: Promise<void> | undefined;
  #tick = 0;
  /** How much of the venue's time has passed. */
  #passedMs = 0;

  constructor({ venue, log, clock, liquidity, crowd, paths }: SimulatedTradersOptions) {
    this.#venue = venue;
    this.#clock = clock ?? { speedPermille: CLOCK.speedPermilleReal };
    this.#log = log;
    const seed = crowd?.seed ?? 0;
    const moodOf = (symbol: string) => this.#moodOf(symbol, seed);
    this.#traders = (crowd?.traders ?? []).map((plan) => new Trader(plan, seed, TICK_MS, moodOf));
    if (paths !== null) {
      this.#board = new PriceBoard(paths);
      this.#reports = new IndexReports(this.#board, paths.feed);
    }
    if (liquidity !== null) {
      const pathTicks = (pair: SpotInstrument) => this.#board?.priceOf(pair)?.priceTicks;
      this.#maker = new MarketMaker({ venue, log, pathTicks, ...liquidity });
    }
  }

  /** Takes up what is there and begins to trade. */
  async start(): Promise<void> {
    await this.#takeUp();
    await this.#maker?.start();
    if (this.#board === undefined && this.#traders.length === 0) return;
    this.#timer = setInterval(() => void this.#tickByTimer(), TICK_MS);
    this.#timer.unref();
  }

  /** As start, for a caller that ticks. */
  async attach(): Promise<void> {
    await this.#takeUp();
    await this.#maker?.attach();
  }

  /** One step of time for an attached crowd; resolves when all that came of it is durable. */
  async tick(): Promise<void> {
    this.#advance();
    await this.#maker?.look();
    await this.#act();
    await this.#maker?.look();
  }

  /** Stops, leaving the market maker's orders in the books. Resolves when nothing is under way. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#underWay;
    await this.#maker?.stop();
  }

  /** Follows the venue; called with every released step. */
  onStep(step: Step): void {
    this.#maker?.onStep(step);
    for (const event of step.events) {
      if (event.kind === 'spot_listed' || event.kind === 'spot_updated') {
        this.#noticeReference(event.instrument);
      }
    }
  }

  /** A tick that takes longer than a tick is not followed by another one on top of it. */
  async #tickByTimer(): Promise<void> {
    if (this.#underWay !== undefined || this.#clock.speedPermille === 0) return;
    this.#advance();
    this.#underWay = this.#actUnlessHalted();
    await this.#underWay;
    this.#underWay = undefined;
  }

  /** A halted venue ends the timer; whoever stops it meanwhile is not to hear of that. */
  async #actUnlessHalted(): Promise<void> {
    try {
      await this.#act();
    } catch (error) {
      if (!(error instanceof VenueHalted)) throw error;
      clearInterval(this.#timer);
    }
  }

  #advance(): void {
    this.#tick += 1;
    for (const mood of this.#moods.values()) mood.advance();
    const deltaMs = (TICK_MS * this.#clock.speedPermille) / CLOCK.speedPermilleReal;
    this.#passedMs += deltaMs;
    if (this.#board === undefined) return;
    this.#board.advance(deltaMs);
    this.#maker?.pathsMoved();
    if (this.#tick % PROGRESS_TICKS !== 1) return;
    for (const fields of this.#board.progress()) this.#log.info(fields, 'playing recorded prices');
  }

  #moodOf(symbol: string, seed: number): Mood {
    const mood = this.#moods.get(symbol) ?? new Mood(seed, symbol);
    this.#moods.set(symbol, mood);
    return mood;
  }

  /** Reports first, so that all orders meet the newest prices. */
  async #act(): Promise<void> {
    const { reports, orders } = await this.#venue.read((state) => ({
      reports: this.#reports?.plan(state, this.#passedMs) ?? [],
      orders: this.#traders.flatMap((trader) => trader.plan(state, this.#tick)),
    }));
    await Promise.all([
      ...reports.map((command) => this.#submit(command)),
      ...orders.map((order) => this.#carryOut(order)),
    ]);
  }

  async #carryOut({ trader, symbol, command }: TraderCommand): Promise<void> {
    const refusal = refusalIn(await this.#venue.submit(command));
    if (refusal === undefined || refusal.reject === 'venue_halted') return;
    trader.rest(symbol, this.#tick + REFUSED_TICKS);
    const { accountName } = trader;
    this.#log.warn({ account: accountName, symbol, reason: refusal.reject }, 'trader was refused');
  }

  async #submit(command: Command): Promise<void> {
    const refusal = refusalIn(await this.#venue.submit(command));
    if (refusal === undefined || refusal.reject === 'venue_halted') return;
    const { reject, detail } = refusal;
    this.#log.warn(
      { command: command.kind, reason: reject, detail },
      'simulated trader was refused',
    );
  }

  /** Prices go on from where the books are, so that a restart is no jump. */
  async #takeUp(): Promise<void> {
    const commands = await this.#venue.read((state) => {
      for (const pair of state.listings.spot) {
        this.#referenceTicks.set(pair.instrumentId, pair.referencePriceTicks);
        const middle = middleTicks(state, pair.instrumentId);
        if (middle !== undefined) this.#board?.moveTo(pair, middle);
      }
      const feeds = this.#reports?.planFeeds(state) ?? [];
      return [...feeds, ...this.#traders.flatMap((trader) => settingsOf(state, trader))];
    });
    await Promise.all(commands.map((command) => this.#submit(command)));
  }

  /** The operator's new reference price is where a path goes on from. */
  #noticeReference(pair: SpotInstrument): void {
    const { instrumentId, referencePriceTicks } = pair;
    const isKnown = this.#referenceTicks.get(instrumentId) === referencePriceTicks;
    this.#referenceTicks.set(instrumentId, referencePriceTicks);
    if (!isKnown && referencePriceTicks > 0) this.#board?.moveTo(pair, referencePriceTicks);
  }
}

/** Crossed margin, so that all of a trader's money in a contract stands behind its position. */
function settingsOf(state: StateReader, trader: Trader): readonly Command[] {
  const account = state.accountByName(trader.accountName);
  if (account === undefined) return [];
  return trader.symbols.flatMap((symbol) => planSettings(state, account.accountId, symbol) ?? []);
}

function middleTicks(state: StateReader, instrumentId: InstrumentId): number | undefined {
  const ask = bestOpposite(state, instrumentId, 'buy');
  const bid = bestOpposite(state, instrumentId, 'sell');
  return ask === undefined || bid === undefined ? undefined : (ask + bid) / 2;
}

function refusalIn(events: readonly Event[]): Refused | undefined {
  const [first] = events;
  return first?.kind === 'refused' ? first : undefined;
}

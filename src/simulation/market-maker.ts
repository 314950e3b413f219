/**
 * The resident market maker: keeps a ladder of quotes around each pair's reference price and each
 * contract's mark price, from an account of its own and through the same port as all. It
 * acts when released events give it a reason and at a bounded rate; at rest it sends nothing.
 */
import {
  type AccountId,
  type Command,
  type ContractTrade,
  type Event,
  type InstrumentId,
  isOfContract,
  PPM,
  type Refused,
  type RejectKind,
  type SpotInstrument,
  type StateReader,
  type Step,
  ticks,
  VenueHalted,
  type VenuePort,
} from '#domain';
import { unreachable } from '#kernel';
import { planContractLadder, planSettings } from './contract-ladder.ts';
import type { Ladder, LadderPlan } from './ladder.ts';
import { planSpotLadder } from './spot-ladder.ts';

export interface WarningLog {
  warn(fields: object, text: string): void;
}

/** Where a pair's price path is, in ticks; undefined for a pair that has none. */
export type PathTicks = (pair: SpotInstrument) => number | undefined;

export interface MarketMakerOptions {
  readonly venue: VenuePort;
  readonly accountName: string;
  readonly ladders: readonly Ladder[];
  readonly log: WarningLog;
  /** Absent: pairs are quoted around their reference prices. */
  readonly pathTicks?: PathTicks;
  /** Between two passes over the markets: a tenth of a second when absent. */
  readonly passIntervalMs?: number;
}

const PASS_INTERVAL_MS = 100;
const BACKOFF_MIN_MS = 1_000;
const BACKOFF_MAX_MS = 60_000;

interface Market {
  readonly ladder: Ladder;
  readonly isContract: boolean;
  /** A contract's margin mode and leverage have not been looked at since the start. */
  settingsDue: boolean;
  /** Something happened that may ask for other quotes. */
  stale: boolean;
  /** Levels are missing: any change of the book or the account may let them in. */
  incomplete: boolean;
  notBeforeMs: number;
  backoffMs: number;
  /** Where the path was when it was last followed. */
  pathTicks: number | undefined;
}

interface Listed {
  readonly symbol: string;
  readonly instrumentId: InstrumentId;
}

/** The venue has too much to do, or too much of this account. */
const BUSY: ReadonlySet<RejectKind> = new Set(['venue_busy', 'rate_exceeded']);
/** Refused because a path is further from the last price than the pair's band. */
const BEYOND: readonly RejectKind[] = ['price_above_ceiling', 'price_below_floor'];
/** An order that closed by itself before its cancel came is what the cancel wanted. */
const GONE: readonly RejectKind[] = ['order_unknown', 'order_already_closed', 'order_state_wrong'];

function isParty({ taker, maker }: ContractTrade, own: AccountId | undefined): boolean {
  return taker.accountId === own || maker.accountId === own;
}

/**
 * A path is followed once it is half a spacing away: a price that trembles around the edge of a
 * level would have the same orders cancelled and placed for ever.
 */
function followed(
  pathTicks: number | undefined,
  lastTicks: number | undefined,
  spacingPpm: number,
): number | undefined {
  if (pathTicks === undefined || lastTicks === undefined) return pathTicks;
  const isNear = Math.abs(pathTicks - lastTicks) * PPM * 2 < lastTicks * spacingPpm;
  return isNear ? lastTicks : pathTicks;
}

export class MarketMaker {
  readonly #venue: VenuePort;
  readonly #accountName: string;
  readonly #log: WarningLog;
  readonly #pathTicks: PathTicks;
  readonly #passIntervalMs: number;
  readonly #markets: readonly Market[];
  readonly #marketById: (Market | undefined)[] = [];
  #accountId: AccountId | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isRunning = false;
  /** Runs by itself, and not only when called. */
  #timed = false;
  #stopped = false;
  #nextRunMs = 0;

  constructor(options: MarketMakerOptions) {
    this.#venue = options.venue;
    this.#accountName = options.accountName;
    this.#log = options.log;
    this.#pathTicks = options.pathTicks ?? (() => undefined);
    this.#passIntervalMs = options.passIntervalMs ?? PASS_INTERVAL_MS;
    this.#markets = options.ladders.map((ladder) => ({
      ladder,
      isContract: isOfContract(ladder.symbol),
      settingsDue: isOfContract(ladder.symbol),
      stale: true,
      incomplete: false,
      notBeforeMs: 0,
      backoffMs: BACKOFF_MIN_MS,
      pathTicks: undefined,
    }));
  }

  /** Takes up its account and whatever it left in the books, and begins to quote. */
  async start(): Promise<void> {
    await this.attach();
    this.#timed = true;
    this.#schedule();
  }

  /** As start, for a caller that says when to look: it sends nothing by itself. */
  async attach(): Promise<void> {
    await this.#venue.read((state) => {
      this.#accountId = state.accountByName(this.#accountName)?.accountId;
      for (const pair of state.listings.spot) this.#follow(pair);
      for (const contract of state.listings.contracts.values()) this.#follow(contract);
    });
    if (this.#accountId === undefined) {
      this.#log.warn({ account: this.#accountName }, 'market maker has no account and stays idle');
    }
  }

  /** The price paths of pairs moved on. */
  pathsMoved(): void {
    for (const market of this.#markets) if (!market.isContract) market.stale = true;
    this.#schedule();
  }

  /** Looks at every market that asks for it, for a market maker that is only attached. */
  async look(): Promise<void> {
    for (const market of this.#markets) if (market.stale) await this.#pass(market);
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
      case 'contract_order_closed':
        this.#wake(event.order.instrumentId, event.order.accountId === own);
        return;
      case 'spot_listed':
      case 'spot_updated':
        this.#relist(event.instrument);
        return;
      case 'contract_listed':
      case 'contract_updated':
        this.#relist(event.contract);
        return;
      case 'contract_priced':
        this.#wake(event.prices.instrumentId, true);
        return;
      case 'contract_trade':
        this.#wake(event.instrumentId, isParty(event, own));
        return;
      case 'liquidated':
      case 'insurance_moved':
      case 'margin_adjusted':
      case 'contract_settings_changed':
        this.#wake(event.instrumentId, event.accountId === own);
        return;
      case 'account_updated':
      case 'balance_changed':
      case 'lock_set':
        if (event.accountId === own) this.#wakeAll();
        return;
      case 'refused':
      case 'order_accepted':
      case 'order_rested':
      case 'order_moved':
      case 'contract_order_moved':
      case 'orders_cancelled':
      case 'money_held':
      case 'transferred':
      case 'account_created':
      case 'key_created':
      case 'key_revoked':
      case 'asset_listed':
      case 'asset_updated':
      case 'contract_order_accepted':
      case 'reversal_refused':
      case 'trigger_order_accepted':
      case 'trigger_order_grown':
      case 'trigger_order_modified':
      case 'trigger_order_closed':
      case 'funding_settled':
      case 'index_reported':
      case 'insurance_funded':
      case 'ticked':
      case 'work_continued':
      case 'clock_set':
      case 'checkpoint_saved':
      case 'checkpoint_dropped':
      case 'venue_reset':
      case 'fault_added':
      case 'faults_removed':
        return;
      default:
        unreachable(event);
    }
  }

  #relist(listed: Listed): void {
    this.#follow(listed);
    this.#wake(listed.instrumentId, true);
  }

  #follow({ symbol, instrumentId }: Listed): void {
    this.#marketById[instrumentId] = this.#markets.find(({ ladder }) => ladder.symbol === symbol);
  }

  /** An event of others matters only to a market that is waiting for room. */
  #wake(instrumentId: number, concernsUs: boolean): void {
    const market = this.#marketById[instrumentId];
    if (market === undefined || market.stale) return;
    if (!concernsUs && !market.incomplete) return;
    market.stale = true;
    this.#schedule();
  }

  #wakeAll(): void {
    for (const market of this.#markets) market.stale = true;
    this.#schedule();
  }

  #schedule(): void {
    if (!this.#timed || this.#stopped || this.#isRunning || this.#timer !== undefined) return;
    const stale = this.#markets.filter((market) => market.stale);
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
    this.#nextRunMs = performance.now() + this.#passIntervalMs;
    for (const market of this.#markets) {
      if (this.#stopped || !market.stale || performance.now() < market.notBeforeMs) continue;
      await this.#pass(market);
    }
    this.#isRunning = false;
    this.#schedule();
  }

  async #pass(market: Market): Promise<void> {
    const own = this.#accountId;
    if (own === undefined) return;
    market.stale = false;
    try {
      if (market.settingsDue) await this.#setUp(market, own);
      const plan = await this.#venue.read((state) => this.#planLadder(state, own, market));
      market.incomplete = plan.incomplete;
      await this.#carryOut(market, plan.commands);
    } catch (error) {
      this.#backOff(market, error instanceof Error ? error.message : String(error));
      if (error instanceof VenueHalted) this.#stopped = true;
    }
  }

  #planLadder(state: StateReader, own: AccountId, market: Market): LadderPlan {
    const { ladder, isContract } = market;
    if (isContract) return planContractLadder(state, own, ladder);
    const pair = state.listings.spotBySymbol(ladder.symbol);
    const pathTicks = pair === undefined ? undefined : this.#pathTicks(pair);
    market.pathTicks = followed(pathTicks, market.pathTicks, ladder.spacingPpm);
    return planSpotLadder(state, own, ladder, market.pathTicks);
  }

  /** Once after the start; where it is refused, what the account has is used. */
  async #setUp(market: Market, own: AccountId): Promise<void> {
    const { symbol } = market.ladder;
    const commands = await this.#venue.read((state) => planSettings(state, own, symbol));
    if (commands === undefined) return;
    const refusal = await this.#submitAll(commands);
    market.settingsDue = refusal !== undefined && BUSY.has(refusal.reject);
    if (refusal === undefined) return;
    this.#log.warn({ symbol, reason: refusal.reject }, 'market maker keeps the settings it has');
  }

  async #carryOut(market: Market, commands: readonly Command[]): Promise<void> {
    const refusal = await this.#submitAll(commands);
    if (refusal === undefined) {
      market.backoffMs = BACKOFF_MIN_MS;
      return;
    }
    this.#backOff(market, refusal.reject);
    if (BEYOND.includes(refusal.reject)) await this.#bringReference(market);
    // A busy venue is asked again; other refusals stand until something happens.
    if (BUSY.has(refusal.reject)) market.stale = true;
    market.incomplete = true;
  }

  /**
   * A path that jumped further than the pair's price band would leave it without quotes for ever:
   * no order could trade there. What the path says is what the pair is worth.
   */
  async #bringReference({ ladder, pathTicks }: Market): Promise<void> {
    if (pathTicks === undefined) return;
    const commands = await this.#venue.read(({ listings }): Command[] => {
      const pair = listings.spotBySymbol(ladder.symbol);
      if (pair === undefined) return [];
      const changes = { referencePriceTicks: ticks(Math.max(1, Math.round(pathTicks))) };
      return [{ kind: 'update_spot', instrumentId: pair.instrumentId, changes }];
    });
    await this.#submitAll(commands);
  }

  /** Submits in order and returns the first refusal that counts. */
  async #submitAll(commands: readonly Command[]): Promise<Refused | undefined> {
    const answers = await Promise.all(commands.map((command) => this.#venue.submit(command)));
    for (const event of answers.flat()) {
      if (event.kind === 'refused' && !GONE.includes(event.reject)) return event;
    }
    return undefined;
  }

  #backOff(market: Market, reason: string): void {
    const { backoffMs } = market;
    market.notBeforeMs = performance.now() + backoffMs;
    market.backoffMs = Math.min(backoffMs * 2, BACKOFF_MAX_MS);
    const { symbol } = market.ladder;
    this.#log.warn({ symbol, reason, backoffMs }, 'market maker was refused and waits');
  }
}

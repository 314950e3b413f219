/**
 * Fee levels: whoever has traded more in thirty days pays less. Once a day, and at a start, volumes
 * are counted from the history and rates set by ordinary commands. An account has one rate for
 * taking and one for making, which hold in every market. Rates that the operator set by hand are
 * nobody's level: they stay.
 */
import {
  type AccountId,
  type AccountView,
  type Amount,
  accountId,
  type Listings,
  type VenuePort,
} from '#domain';
import type { PeopleContext } from '../context.ts';
import type { PeopleStore } from '../port.ts';
import type { FeeLevel, FeeLevelSettings } from '../settings.ts';
import type { AccountLevel, LevelRates } from './port.ts';

export type { AccountLevel } from './port.ts';

export const COUNTED_DAYS = 30;
const DAY_MS = 86_400_000;
/** Trades that are read at once, on the thread that orders wait for. */
const PAGE_ROWS = 500;
const LEVELS_PAGE = 500;
const NO_RATES: LevelRates = { takerFeePpm: null, makerFeePpm: null };

/** A trade as it is counted. */
export interface VolumeTrade {
  readonly tradeId: number;
  readonly timeMs: number;
  readonly instrumentId: number;
  readonly value: Amount;
  readonly parties: readonly [AccountId, AccountId];
  readonly inBook: boolean;
}

/** A page of trades of a day, in the order of their time; each once. */
export type ReadTrades = (page: {
  readonly product: 'spot' | 'contract';
  readonly fromMs: number;
  readonly beforeMs: number;
  readonly after: VolumeTrade | undefined;
  readonly limit: number;
}) => Promise<readonly VolumeTrade[]>;

export interface FeeLevelContext extends Pick<PeopleContext, 'people' | 'nowMs'> {
  readonly venue: VenuePort;
  readonly settings: FeeLevelSettings | undefined;
  readonly readTrades: ReadTrades;
  /** Lets others in between two pages. */
  readonly pause: () => Promise<void>;
}

/** The highest level whose threshold is reached; 0 for none. */
export function levelOf(levels: readonly FeeLevel[], volume: Amount): number {
  return levels.filter((level) => volume >= level.volume).length;
}

export function ratesOf(levels: readonly FeeLevel[], level: number): LevelRates {
  const { takerFeePpm, makerFeePpm } = levels[level - 1] ?? NO_RATES;
  return { takerFeePpm, makerFeePpm };
}

function isSame(one: LevelRates, other: LevelRates): boolean {
  return one.takerFeePpm === other.takerFeePpm && one.makerFeePpm === other.makerFeePpm;
}

/** Whether rates are those of the markets or of a level, and so a level's to change. */
export function areOfLevel(
  now: LevelRates,
  known: Pick<AccountLevel, 'applied' | 'wanted'> | undefined,
  levels: readonly FeeLevel[],
): boolean {
  if (isSame(now, NO_RATES)) return true;
  if (known !== undefined && (isSame(now, known.applied) || isSame(now, known.wanted))) return true;
  return levels.some((level) => isSame(now, level));
}

type Sums = ReadonlyMap<AccountId, Amount>;

export class FeeLevels {
  readonly #context: FeeLevelContext;
  /** What each account has traded on each day (UTC) that is over. */
  readonly #days = new Map<number, Sums>();
  #doneDay: number | undefined;

  constructor(context: FeeLevelContext) {
    this.#context = context;
  }

  /** The venue has gone back: what was counted may not have happened. */
  forget(): void {
    this.#days.clear();
    this.#doneDay = undefined;
  }

  /** Does what a new day brings, once. Rejects where history or store cannot be asked now. */
  async run(isOver: () => boolean): Promise<void> {
    const { people, nowMs, settings } = this.#context;
    const today = Math.floor(nowMs() / DAY_MS);
    if (this.#doneDay === today) return;
    const store = await people.get();
    const volumes = settings === undefined ? new Map() : await this.#volumes(today, isOver);
    const known = await levelsOf(store);
    for (const id of new Set([...known.keys(), ...volumes.keys()])) {
      if (isOver()) return;
      await this.#set(store, id, volumes.get(id) ?? 0n, known.get(id), today * DAY_MS);
    }
    if (!isOver()) this.#doneDay = today;
  }

  /** Of the days that are over, those that are not known are read. */
  async #volumes(today: number, isOver: () => boolean): Promise<Sums> {
    for (const day of this.#days.keys()) {
      if (day < today - COUNTED_DAYS || day >= today) this.#days.delete(day);
    }
    const sums = new Map<AccountId, Amount>();
    for (let day = today - COUNTED_DAYS; day < today && !isOver(); day += 1) {
      const ofDay = this.#days.get(day) ?? (await this.#read(day, isOver));
      if (!isOver()) this.#days.set(day, ofDay);
      for (const [id, volume] of ofDay) sums.set(id, (sums.get(id) ?? 0n) + volume);
    }
    return sums;
  }

  async #read(day: number, isOver: () => boolean): Promise<Sums> {
    const { readTrades, pause, venue, settings } = this.#context;
    const markets = await venue.read(({ listings }) => marketsIn(listings, settings?.coin));
    const sums = new Map<AccountId, Amount>();
    const span = { fromMs: day * DAY_MS, beforeMs: (day + 1) * DAY_MS };
    for (const product of ['spot', 'contract'] as const) {
      let after: VolumeTrade | undefined;
      do {
        const page = await readTrades({ product, ...span, after, limit: PAGE_ROWS });
        for (const trade of page) if (markets.has(trade.instrumentId)) count(sums, trade);
        after = page.length < PAGE_ROWS ? undefined : page.at(-1);
        await pause();
      } while (after !== undefined && !isOver());
    }
    return sums;
  }

  /** What is being set is noted before, so that a restart takes both for the level's own. */
  async #set(
    store: PeopleStore,
    id: AccountId,
    volume: Amount,
    known: AccountLevel | undefined,
    countedMs: number,
  ): Promise<void> {
    const { venue, settings } = this.#context;
    const levels = settings?.levels ?? [];
    const level = levelOf(levels, volume);
    const wanted = ratesOf(levels, level);
    const now = await venue.read((state) => ratesIn(state.account(id)));
    // A venue that has gone back may have had more accounts.
    if (now === undefined) return;
    const row = { accountId: id, level, volume, countedMs };
    if (!areOfLevel(now, known, levels)) {
      const { applied = NO_RATES, wanted: before = NO_RATES } = known ?? {};
      await store.putFeeLevel({ ...row, applied, wanted: before });
      return;
    }
    await store.putFeeLevel({ ...row, applied: now, wanted });
    if (isSame(now, wanted)) return;
    const command = { kind: 'update_account', accountId: id, changes: wanted } as const;
    const [event] = await venue.submit(command);
    if (event?.kind === 'refused') throw new Error(`fee level of ${id}: ${event.reject}`);
    await store.putFeeLevel({ ...row, applied: wanted, wanted });
  }
}

/** Markets whose trades are valued in the coin. */
function marketsIn({ instruments }: Listings, coin: string | undefined): ReadonlySet<number> {
  const counted = instruments.filter((market) =>
    'margin' in market ? market.margin.code === coin : market.quoteCode === coin,
  );
  return new Set(counted.map(({ instrumentId }) => instrumentId));
}

/** A trade with oneself is nobody's volume, nor is deleveraging. */
function count(sums: Map<AccountId, Amount>, { parties, value, inBook }: VolumeTrade): void {
  const [one, other] = parties;
  if (one === other || !inBook) return;
  for (const id of parties) sums.set(id, (sums.get(id) ?? 0n) + value);
}

function ratesIn(account: AccountView | undefined): LevelRates | undefined {
  if (account === undefined) return undefined;
  const { takerFeePpm, makerFeePpm } = account;
  return { takerFeePpm, makerFeePpm };
}

async function levelsOf(store: PeopleStore): Promise<ReadonlyMap<AccountId, AccountLevel>> {
  const found = new Map<AccountId, AccountLevel>();
  for (let after: AccountId | undefined; ; ) {
    const page = await store.feeLevels(after, LEVELS_PAGE);
    for (const level of page) found.set(level.accountId, level);
    if (page.length < LEVELS_PAGE) return found;
    after = accountId(page.at(-1)?.accountId ?? 0);
  }
}

export async function seeFeeLevel(
  { people }: Pick<PeopleContext, 'people'>,
  id: AccountId,
): Promise<AccountLevel | undefined> {
  return (await people.get()).feeLevel(id);
}

export async function listFeeLevels(
  { people }: Pick<PeopleContext, 'people'>,
  after: AccountId | undefined,
  limit: number,
): Promise<readonly AccountLevel[]> {
  return (await people.get()).feeLevels(after, limit);
}

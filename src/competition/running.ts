/**
 * A round that runs, on the process that orders commands: it is shown every step, takes a sample of
 * all equities at each interval, and the last one when the round ends. Money of its accounts is
 * held meanwhile: what they have is what they have made of it.
 */
import type { AccountId, Event, StateReader } from '#domain';
import { accountId } from '#domain';
import { present } from '#kernel';
import { type Board, boardRows, type Standing, teamsOf } from './board.ts';
import type { PastSpan, PastTrades } from './past.ts';
import type { CompetitionTerms, Round, Sample } from './port.ts';
import { Score } from './score.ts';
import { equityOf, Valuer } from './valuation.ts';

/** A sample that was taken; it may be kept once its step is durable. */
export interface Taken {
  readonly sample: Sample;
  readonly board: Board;
  readonly isLast: boolean;
}

interface Player {
  readonly accountId: AccountId;
  equity: bigint;
  trades: number;
  score: Score | undefined;
}

interface Team {
  readonly name: string;
  readonly members: readonly Player[];
  score: Score | undefined;
}

/** As a sample keeps a seat: equity in units, and trades. */
type Kept = readonly [equity: string, trades: number];

/** Who has a seat is read from the seats when a leaderboard is shown: there a name can go. */
const UNNAMED = { name: '', team: '' } as const;

export class Running {
  readonly roundId: string;
  readonly #round: Round;
  readonly #rankBy: CompetitionTerms['rankBy'];
  readonly #coinScale: number;
  readonly #valuer: Valuer;
  readonly #players: readonly Player[];
  readonly #byAccount: ReadonlyMap<AccountId, Player>;
  readonly #teams: readonly Team[];
  readonly #startedMs: number;
  #endMs: number;
  #samplesCount = 0;
  #lastMs = 0;
  #isOver = false;
  #lacks: PastSpan | undefined;

  /**
   * `samples` are those that were kept before this process had it, and `lastId` the newest id of
   * the state from which on it is shown every step.
   */
  constructor(
    round: Round,
    { rankBy }: CompetitionTerms,
    coin: { readonly assetId: ConstructorParameters<typeof Valuer>[0]; readonly scale: number },
    samples: readonly Sample[],
    lastId: number,
  ) {
    this.roundId = round.roundId;
    this.#round = round;
    this.#rankBy = rankBy;
    this.#coinScale = coin.scale;
    this.#valuer = new Valuer(coin.assetId);
    this.#startedMs = present(round.startedMs, 'start of a round that runs');
    this.#endMs = present(round.endMs, 'end of a round that runs');
    this.#players = round.seats.map((seat) => newPlayer(accountId(seat.accountId)));
    this.#byAccount = new Map(this.#players.map((player) => [player.accountId, player]));
    this.#teams = [...teamsOf(round.seats)].map(([name, seats]) => {
      const members = seats.map((at) => present(this.#players[at], 'member of a team'));
      return { name, members, score: undefined };
    });
    for (const sample of samples) this.#restore(sample);
    const afterId = samples.at(-1)?.lastId;
    if (afterId !== undefined && afterId < lastId) this.#lacks = { afterId, throughId: lastId };
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** What happened before it was shown every step; no sample is taken until that was added. */
  get lacks(): PastSpan | undefined {
    return this.#lacks;
  }

  get accounts(): ReadonlySet<AccountId> {
    return new Set(this.#byAccount.keys());
  }

  /** When the last sample was due. */
  get lastMs(): number {
    return this.#lastMs;
  }

  /** Adds the trades that it lacked. */
  addPast(trades: PastTrades): void {
    for (const [account, count] of trades) {
      const player = this.#byAccount.get(account);
      if (player !== undefined) player.trades += count;
    }
    this.#lacks = undefined;
  }

  /** When the next sample is due; the last one is at the end, whatever the interval. */
  get nextMs(): number {
    if (this.#samplesCount === 0) return this.#startedMs;
    return Math.min(this.#startedMs + this.#samplesCount * this.#round.sampleMs, this.#endMs);
  }

  /** The operator ends it earlier or later; what is over stays so. */
  endAt(endMs: number): void {
    if (!this.#isOver) this.#endMs = Math.max(this.#lastMs, endMs);
  }

  /** Counts the trades of a step. */
  count(events: readonly Event[]): void {
    if (this.#isOver) return;
    for (const event of events) this.#countEvent(event);
  }

  /** The samples that are due at this time, at most those up to the end of the round. */
  take(timeMs: number, state: StateReader): readonly Taken[] {
    const taken: Taken[] = [];
    if (this.#lacks !== undefined) return taken;
    while (!this.#isOver && timeMs >= this.nextMs) taken.push(this.#sample(this.nextMs, state));
    return taken;
  }

  #sample(timeMs: number, state: StateReader): Taken {
    const rates = this.#valuer.at(state);
    for (const player of this.#players) {
      // An account that a reset has taken away keeps what it had.
      if (state.account(player.accountId) === undefined) continue;
      player.equity = equityOf(state, player.accountId, rates);
    }
    this.#add(timeMs);
    const values = this.#players.map(({ equity, trades }): Kept => [String(equity), trades]);
    const number = this.#samplesCount - 1;
    const kept = { values: JSON.stringify(values), lastId: state.lastId };
    const sample = { number, timeMs, ...kept };
    return { sample, board: this.#board(), isLast: this.#isOver };
  }

  #restore({ timeMs, values }: Sample): void {
    for (const [at, [equity, trades]] of keptOf(values).entries()) {
      const player = present(this.#players[at], 'seat of a sample');
      player.equity = BigInt(equity);
      player.trades = trades;
    }
    this.#add(timeMs);
  }

  /** All players have their equities of this time. */
  #add(timeMs: number): void {
    const { sampleMs } = this.#round;
    const isWhole = (timeMs - this.#startedMs) % sampleMs === 0;
    for (const player of this.#players) {
      player.score = scored(player.score, player.equity, sampleMs);
    }
    for (const team of this.#teams) team.score = scored(team.score, meanOf(team), sampleMs);
    this.#samplesCount += 1;
    this.#lastMs = timeMs;
    this.#isOver = timeMs >= this.#endMs || !isWhole;
  }

  #board(): Board {
    const traders = this.#players.map(({ score, trades }, at): Standing => {
      const scored = present(score, 'score').now;
      return { number: at + 1, ...UNNAMED, trades, scored };
    });
    const teams = this.#teams.map(({ name, members, score }): Standing => {
      const trades = members.reduce((sum, member) => sum + member.trades, 0);
      const number = members.length;
      return { number, name, team: '', trades, scored: present(score, 'score').now };
    });
    return {
      timeMs: this.#lastMs,
      sample: this.#samplesCount - 1,
      traders: boardRows(traders, this.#rankBy, this.#coinScale),
      teams: boardRows(teams, this.#rankBy, this.#coinScale),
    };
  }

  #countEvent(event: Event): void {
    if (event.kind === 'trade') {
      this.#countTrade(event.takerAccountId, event.makerAccountId);
    } else if (event.kind === 'contract_trade') {
      this.#countTrade(event.taker.accountId, event.maker.accountId);
    }
  }

  #countTrade(...accounts: readonly AccountId[]): void {
    for (const account of new Set(accounts)) {
      const player = this.#byAccount.get(account);
      if (player !== undefined) player.trades += 1;
    }
  }
}

function newPlayer(account: AccountId): Player {
  return { accountId: account, equity: 0n, trades: 0, score: undefined };
}

/** Whoever begins with nothing is scored as if it were the smallest unit. */
function scored(score: Score | undefined, equity: bigint, sampleMs: number): Score {
  if (score === undefined) return new Score(equity > 0n ? equity : 1n, sampleMs);
  score.add(equity);
  return score;
}

/** Teams of different sizes are compared: what a member has on average, rounded down. */
function meanOf({ members }: Team): bigint {
  return members.reduce((sum, { equity }) => sum + equity, 0n) / BigInt(members.length);
}

/** What a sample keeps of each seat. */
export function keptOf(values: string): readonly Kept[] {
  return JSON.parse(values);
}

/**
 * What everybody may see of a competition: names that were chosen for it and figures, no accounts
 * and no people. Each answer is kept for a moment, so that a crowd costs what one spectator does.
 */
import type { Board, BoardRow } from './board.ts';
import { BUSY, Fresh } from './fresh.ts';
import { COMPETITION_LIMITS } from './limits.ts';
import type { Competition, CompetitionPeople, Round, RoundSummary } from './port.ts';
import { keptOf } from './running.ts';

/** A leaderboard is no older than that; 100 KB each at most. */
const BOARDS = { freshMs: 1_000, keptMax: 64, perSecondMax: 50 } as const;
const LISTS = { freshMs: 1_000, keptMax: 1, perSecondMax: 1_000 } as const;
/** Curves of those in front, kept of many rounds: 150 KB each at most. */
const BEST = { freshMs: 5_000, keptMax: 64, perSecondMax: 5 } as const;
/** All samples of a round that are shown, for other traders: 3 MB each at most. */
const MOMENTS = { freshMs: 5_000, keptMax: 4, perSecondMax: 5 } as const;

export interface SeenRound {
  readonly competition: Competition;
  readonly round: Round;
  /** Undefined before the first sample. */
  readonly board: Board | undefined;
}

export interface Curve {
  /** Of the trader in the round, from 1 on. */
  readonly number: number;
  readonly name: string;
  readonly points: readonly { readonly timeMs: number; readonly units: bigint }[];
}

/** A curve as it is kept: a name may go meanwhile. */
type Line = Omit<Curve, 'name'>;

export interface SpectatorOptions {
  readonly people: CompetitionPeople;
  /** Of the process, in milliseconds. */
  readonly steadyMs: () => number;
}

export interface Listed {
  readonly competition: Competition;
  readonly rounds: readonly RoundSummary[];
}

/** What each seat of a round had at one moment, as decimal text in units. */
interface Moment {
  readonly timeMs: number;
  readonly units: readonly string[];
}

export class Spectators {
  readonly #people: SpectatorOptions['people'];
  readonly #lists: Fresh<readonly Listed[]>;
  readonly #rounds: Fresh<SeenRound | undefined>;
  readonly #best: Fresh<readonly Line[]>;
  readonly #moments: Fresh<readonly Moment[]>;

  constructor({ people, steadyMs }: SpectatorOptions) {
    this.#people = people;
    this.#lists = new Fresh({ steadyMs, ...LISTS });
    this.#rounds = new Fresh({ steadyMs, ...BOARDS });
    this.#best = new Fresh({ steadyMs, ...BEST });
    this.#moments = new Fresh({ steadyMs, ...MOMENTS });
  }

  /** Those that are shown, newest first, with their rounds. */
  list(): Promise<readonly Listed[]> | typeof BUSY {
    return this.#lists.get('', false, async () => {
      const store = await this.#people.get();
      const all = await store.competitions(COMPETITION_LIMITS.competitionsMax);
      const rounds = Map.groupBy(await store.roundSummaries(), (round) => round.competitionId);
      return all
        .filter(({ terms }) => terms.isPublic)
        .map((competition) => {
          return { competition, rounds: rounds.get(competition.competitionId) ?? [] };
        });
    });
  }

  /** Undefined for one that is unknown or not shown. */
  round(competitionId: string, number: number): Promise<SeenRound | undefined> | typeof BUSY {
    return this.#rounds.get(`${competitionId} ${number}`, false, async () => {
      const store = await this.#people.get();
      const competition = await store.competition(competitionId);
      if (competition?.terms.isPublic !== true) return undefined;
      const round = await store.round(competitionId, number);
      return round && { competition, round, board: boardOf(round) };
    });
  }

  /** Of this trader, or of the best without a number; empty before the round has started. */
  async curves(seen: SeenRound, number?: number): Promise<readonly Curve[] | typeof BUSY> {
    const { board, round } = seen;
    if (board === undefined) return [];
    const isOver = round.state === 'ended' || round.state === 'closed';
    const lines =
      number === undefined
        ? await this.#best.get(round.roundId, isOver, () => this.#bestLines(board, round))
        : await this.#lineOf(round, number, isOver);
    if (lines === BUSY) return BUSY;
    return lines.map((line) => ({ ...line, name: round.seats[line.number - 1]?.name ?? '' }));
  }

  async #bestLines({ traders }: Board, { roundId }: Round): Promise<readonly Line[]> {
    const moments = await this.#read(roundId);
    const best = traders.slice(0, COMPETITION_LIMITS.curvesMax);
    return best.map(({ number }) => lineOf(moments, number));
  }

  async #lineOf(
    { roundId, seats }: Round,
    number: number,
    isOver: boolean,
  ): Promise<readonly Line[] | typeof BUSY> {
    if (seats[number - 1] === undefined) return [];
    const moments = await this.#moments.get(roundId, isOver, () => this.#read(roundId));
    return moments === BUSY ? BUSY : [lineOf(moments, number)];
  }

  /** As many samples as are shown, and no more: they are the largest that is kept of a round. */
  async #read(roundId: string): Promise<readonly Moment[]> {
    const store = await this.#people.get();
    const numbers = await store.sampleNumbers(roundId);
    const shown = thinned(numbers, COMPETITION_LIMITS.curvePointsMax);
    const samples = await store.samplesAt(roundId, shown);
    return samples.map(({ timeMs, values }) => {
      return { timeMs, units: keptOf(values).map(([equity]) => equity) };
    });
  }
}

/** With the names of the seats as they are now: that of a person who was deleted is gone. */
function boardOf({ board, seats }: Pick<Round, 'board' | 'seats'>): Board | undefined {
  if (board === '') return undefined;
  const kept: Board = JSON.parse(board);
  const traders = kept.traders.map((row): BoardRow => {
    const { name = '', team = '' } = seats[row.number - 1] ?? {};
    return { ...row, name, team };
  });
  return { ...kept, traders };
}

function lineOf(moments: readonly Moment[], number: number): Line {
  const points = moments.map(({ timeMs, units }) => {
    return { timeMs, units: BigInt(units[number - 1] ?? 0) };
  });
  return { number, points };
}

/** At most so many of a row, evenly, with its first and its last. */
export function thinned<T>(rows: readonly T[], max: number): readonly T[] {
  if (rows.length <= max) return rows;
  const step = (rows.length - 1) / (max - 1);
  return Array.from({ length: max }, (_, at) => rows[Math.round(at * step)]).filter(
    (row) => row !== undefined,
  );
}

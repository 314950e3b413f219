/**
 * What everybody may see of a competition: names that were chosen for it and figures, no accounts
 * and no people. Each answer is kept for a moment, so that a crowd costs what one spectator does.
 */
import type { Competition, LazyPeople, Round, RoundSummary, Sample } from '#people';
import type { Board, BoardRow } from './board.ts';
import { COMPETITION_LIMITS } from './limits.ts';
import { keptOf } from './running.ts';

/** A leaderboard is no older than that. */
const FRESH_MS = 1_000;
/** Answers that are kept at a time. */
const KEPT_MAX = 64;
/** Samples cost more to read: they are kept longer, and of fewer rounds, 3 MB each at most. */
const SAMPLES_FRESH_MS = 5_000;
const SAMPLES_KEPT_MAX = 4;

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

export interface SpectatorOptions {
  readonly people: Pick<LazyPeople, 'get'>;
  /** Of the process, in milliseconds. */
  readonly steadyMs: () => number;
}

/** Answers of one kind by their names, each for a moment. */
class Fresh<T> {
  readonly #steadyMs: () => number;
  readonly #freshMs: number;
  readonly #keptMax: number;
  readonly #kept = new Map<string, { readonly value: Promise<T>; readonly untilMs: number }>();

  constructor(steadyMs: () => number, freshMs = FRESH_MS, keptMax = KEPT_MAX) {
    this.#steadyMs = steadyMs;
    this.#freshMs = freshMs;
    this.#keptMax = keptMax;
  }

  /** One answer for all who ask within a moment; a failure is not kept. */
  get(name: string, ask: () => Promise<T>): Promise<T> {
    const nowMs = this.#steadyMs();
    const kept = this.#kept.get(name);
    if (kept !== undefined && nowMs < kept.untilMs) return kept.value;
    const value = ask();
    this.#kept.delete(name);
    this.#kept.set(name, { value, untilMs: nowMs + this.#freshMs });
    value.catch(() => this.#kept.delete(name));
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#keptMax) break;
      this.#kept.delete(oldest);
    }
    return value;
  }
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
  readonly #moments: Fresh<readonly Moment[]>;

  constructor({ people, steadyMs }: SpectatorOptions) {
    this.#people = people;
    this.#lists = new Fresh(steadyMs);
    this.#rounds = new Fresh(steadyMs);
    this.#moments = new Fresh(steadyMs, SAMPLES_FRESH_MS, SAMPLES_KEPT_MAX);
  }

  /** Those that are shown, newest first, with their rounds. */
  list(): Promise<readonly Listed[]> {
    return this.#lists.get('', async () => {
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
  round(competitionId: string, number: number): Promise<SeenRound | undefined> {
    return this.#rounds.get(`${competitionId} ${number}`, async () => {
      const store = await this.#people.get();
      const competition = await store.competition(competitionId);
      if (competition?.terms.isPublic !== true) return undefined;
      const round = await store.round(competitionId, number);
      return round && { competition, round, board: boardOf(round) };
    });
  }

  /** Of this trader, or of the best without a number; empty before the round has started. */
  async curves({ board, round }: SeenRound, number?: number): Promise<readonly Curve[]> {
    if (board === undefined) return [];
    const best = board.traders.slice(0, COMPETITION_LIMITS.curvesMax);
    const wanted = number === undefined ? best.map((row) => row.number) : [number];
    const moments = await this.#moments.get(round.roundId, async () => {
      const store = await this.#people.get();
      return momentsOf(await store.samples(round.roundId));
    });
    return curvesOf(round, wanted, moments);
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

function curvesOf(
  { seats }: Round,
  wanted: readonly number[],
  moments: readonly Moment[],
): readonly Curve[] {
  return wanted.flatMap((number) => {
    const seat = seats[number - 1];
    if (seat === undefined) return [];
    const points = moments.map(({ timeMs, units }) => {
      return { timeMs, units: BigInt(units[number - 1] ?? 0) };
    });
    return [{ number, name: seat.name, points }];
  });
}

function momentsOf(samples: readonly Sample[]): readonly Moment[] {
  return thinned(samples, COMPETITION_LIMITS.curvePointsMax).map(({ timeMs, values }) => {
    return { timeMs, units: keptOf(values).map(([equity]) => equity) };
  });
}

/** At most so many of a row, evenly, with its first and its last. */
export function thinned<T>(rows: readonly T[], max: number): readonly T[] {
  if (rows.length <= max) return rows;
  const step = (rows.length - 1) / (max - 1);
  return Array.from({ length: max }, (_, at) => rows[Math.round(at * step)]).filter(
    (row) => row !== undefined,
  );
}

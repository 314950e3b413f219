/** The leaderboard of a round at one sample: traders and teams with their ranks. */

import { formatDecimal } from '#kernel';
import type { Ranking, Seat } from './port.ts';
import { ranked, SCORE_SCALE, type Scored } from './score.ts';

export interface BoardRow {
  readonly rank: number;
  /** Of a trader: its number in the round, from 1 on. Of a team: how many are in it. */
  readonly number: number;
  readonly name: string;
  /** Empty for none, and of a team. */
  readonly team: string;
  readonly equity: string;
  /** As fractions: 0.1 is ten per cent. */
  readonly return: string;
  readonly drawdown: string;
  /** Empty where there is none. */
  readonly sharpe: string;
  readonly trades: number;
}

export interface Board {
  readonly timeMs: number;
  readonly sample: number;
  readonly traders: readonly BoardRow[];
  readonly teams: readonly BoardRow[];
}

/** A trader or a team before it has its rank. */
export interface Standing {
  readonly number: number;
  readonly name: string;
  readonly team: string;
  readonly scored: Scored;
  readonly trades: number;
}

const SHARPE_DIGITS = 4;

export function boardRows(
  standings: readonly Standing[],
  rankBy: Ranking,
  coinScale: number,
): readonly BoardRow[] {
  return ranked(standings, COMPARE[rankBy]).map(({ rank, row }) => rowOf(rank, row, coinScale));
}

/** Better ones first. One without a Sharpe ratio comes behind all that have one. */
const COMPARE: Readonly<Record<Ranking, (one: Standing, other: Standing) => number>> = {
  return: ({ scored: one }, { scored: other }) => sign(other.gained - one.gained),
  sharpe: ({ scored: one }, { scored: other }) => {
    const [left, right] = [one.sharpe ?? -Infinity, other.sharpe ?? -Infinity];
    return left === right ? 0 : right > left ? 1 : -1;
  },
};

function sign(value: bigint): number {
  return value === 0n ? 0 : value > 0n ? 1 : -1;
}

function rowOf(rank: number, { number, name, team, scored, trades }: Standing, coinScale: number) {
  const { equity, gained, drawdown, sharpe } = scored;
  return {
    rank,
    number,
    name,
    team,
    equity: formatDecimal(equity, coinScale),
    return: formatDecimal(gained, SCORE_SCALE),
    drawdown: formatDecimal(drawdown, SCORE_SCALE),
    sharpe: sharpe === undefined ? '' : sharpe.toFixed(SHARPE_DIGITS),
    trades,
  };
}

/** The seats of each team by its name, in the order in which the teams appear. */
export function teamsOf(seats: readonly Seat[]): ReadonlyMap<string, readonly number[]> {
  const teams = new Map<string, number[]>();
  for (const [at, { team }] of seats.entries()) {
    if (team === '') continue;
    const members = teams.get(team);
    if (members === undefined) teams.set(team, [at]);
    else members.push(at);
  }
  return teams;
}

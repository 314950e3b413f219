/** What the endpoints of competitions answer with. */
import type {
  Board,
  BoardRow,
  CompetitionSeen,
  Curve,
  MadeCode,
  OwnCompetition,
  SeenRound,
} from '#competition';
import {
  type Competition,
  type Entry,
  JOIN_MODES,
  RANKINGS,
  ROUND_STATES,
  type Round,
  type RoundSummary,
  type StartingMoney,
} from '#competition';
import { formatDecimal } from '#kernel';
import type { Invitation } from '#people';
import { TIME_MS } from '../kit/examples.ts';
import {
  columnsOf,
  decimal,
  encoded,
  nullOr,
  oneOf,
  row,
  rows,
  text,
  timeMs,
  truth,
  whole,
} from '../kit/row.ts';
import { PERSON_ID } from '../people/rows.ts';

const EQUITY = '10250.00000000';
const ENTRY_ID = '019a1b2c3d4e7777aaaa0001';

const MONEY = row<StartingMoney>()({
  coin: text('Coin', 'USDT', ({ coin }) => coin),
  amount: decimal('Amount', '10000', ({ amount }) => amount),
  wallet: text('spot or margin', 'spot', ({ wallet }) => wallet),
});

export const COMPETITION = row<Competition>()({
  competitionId: text('Competition id', PERSON_ID, ({ competitionId }) => competitionId),
  name: text('Name', 'Autumn cup', ({ terms }) => terms.name),
  description: text('What it is about; may be empty', 'Ten days', ({ terms }) => terms.description),
  joinBy: oneOf(
    JOIN_MODES,
    'Who may join: anybody (open), by a code, or whom the operator adds',
    'code',
    ({ terms }) => terms.joinBy,
  ),
  coin: text('The coin that equities are in', 'USDT', ({ terms }) => terms.coin),
  money: rows(MONEY, ({ terms }: Competition) => terms.money),
  sampleMs: whole('Milliseconds between two samples', 10_000, ({ terms }) => terms.sampleMs),
  rankBy: oneOf(RANKINGS, 'What ranks go by', 'return', ({ terms }) => terms.rankBy),
  holdsAccounts: truth(
    'Accounts are frozen after a round until it is closed',
    true,
    ({ terms }) => terms.holdsAccounts,
  ),
  isPublic: truth('Spectators see it', true, ({ terms }) => terms.isPublic),
  isCancelled: truth('It is over for good', false, (one) => one.cancelledMs !== undefined),
  cTime: timeMs('When it was made', TIME_MS, ({ createdMs }) => createdMs),
});

const ENTRY = row<Entry>()({
  entryId: text('Entry id', ENTRY_ID, ({ entryId }) => entryId),
  accountId: text('Account id', '1', ({ accountId }) => String(accountId)),
  name: text('What spectators see', 'Trader 1', ({ name }) => name),
  team: text('Team; empty for none', 'Reds', ({ team }) => team),
  held: truth('Frozen by the competition', false, ({ isHeld }) => isHeld),
  cTime: timeMs('When it joined', TIME_MS, ({ joinedMs }) => joinedMs),
});

/** A round as everybody is shown it. */
const SHOWN_ROUND = row<RoundSummary>()({
  number: whole('From 1 on', 1, ({ number }) => number),
  name: text('Name; may be empty', 'Qualifying', ({ name }) => name),
  state: oneOf(ROUND_STATES, 'Where it stands', 'running', ({ state }) => state),
  startTime: timeMs(
    'When it starts or has started',
    TIME_MS,
    (one) => one.startedMs ?? one.startMs,
  ),
  endTime: timeMs(
    'When it ends or has ended',
    TIME_MS + 3_600_000,
    (one) => one.endMs ?? one.startMs + one.durationMs,
  ),
  sampleMs: whole('Milliseconds between two samples', 10_000, ({ sampleMs }) => sampleMs),
  traders: whole('How many take part, once it prepares', 20, ({ seatsCount }) => seatsCount),
});

function summaryOf({ seats, board: _board, note: _note, ...round }: Round): RoundSummary {
  return { ...round, seatsCount: seats.length };
}

export const ROUND = row<Round>()({
  ...columnsOf(SHOWN_ROUND, summaryOf),
  scenario: text('What drives the market; empty for none', '', ({ scenario }) => scenario ?? ''),
  note: text('What it waits for, or how its scenario went', '', ({ note }) => note),
});

const CODE = row<Invitation>()({
  codeId: text('Code id; not the code', PERSON_ID, ({ invitationId }) => invitationId),
  label: text('What it is for; may be empty', 'group A', ({ label }) => label),
  uses: whole('For so many accounts', 30, ({ uses }) => uses),
  used: whole('So many have joined by it', 0, ({ used }) => used),
  madeBy: text('Which operator made it', 'admin token', ({ madeBy }) => madeBy.name),
  cTime: timeMs('When it was made', TIME_MS, ({ createdMs }) => createdMs),
  expiresTime: timeMs('Until when', TIME_MS, ({ expiresMs }) => expiresMs),
});

export const COMPETITION_SEEN = row<CompetitionSeen>()({
  ...columnsOf(COMPETITION, ({ competition }: CompetitionSeen) => competition),
  entries: rows(ENTRY, ({ entries }: CompetitionSeen) => entries),
  rounds: rows(ROUND, ({ rounds: all }: CompetitionSeen) => all),
  codes: rows(CODE, ({ codes }: CompetitionSeen) => codes),
});

export const JOIN_CODE = row<MadeCode>()({
  ...columnsOf(CODE, ({ invitation }: MadeCode) => invitation),
  code: text('The code; shown once', 'k7m2p-q9x4r-3vbtw-a8c3e', ({ code }) => code),
  path: text(
    'Behind the address of the venue: the page to join at, with the code in it',
    '/account#competition=k7m2p-q9x4r-3vbtw-a8c3e',
    ({ code }) => `/account#competition=${code}`,
  ),
});

export const OWN_COMPETITION = row<OwnCompetition>()({
  competitionId: text('Competition id', PERSON_ID, (one) => one.competition.competitionId),
  name: text('Name', 'Autumn cup', ({ competition }) => competition.terms.name),
  description: text(
    'What it is about; may be empty',
    'Ten days',
    ({ competition }) => competition.terms.description,
  ),
  isCancelled: truth(
    'It is over for good',
    false,
    ({ competition }) => competition.cancelledMs !== undefined,
  ),
  accountId: text(
    'The account that takes part; empty where none does and anybody may join',
    '1',
    ({ entry }) => (entry === undefined ? '' : String(entry.accountId)),
  ),
  shownName: text('What spectators see', 'Trader 1', ({ entry }) => entry?.name ?? ''),
  team: text('Team; empty for none', 'Reds', ({ entry }) => entry?.team ?? ''),
});

const BOARD_ROW = row<BoardRow>()({
  rank: whole('From 1 on; equal ones share it', 1, ({ rank }) => rank),
  number: whole(
    'Of a trader: its number in the round. Of a team: its size',
    7,
    (one) => one.number,
  ),
  name: text('Name; empty of somebody who was deleted', 'Trader 7', ({ name }) => name),
  team: text('Team of a trader; empty for none', 'Reds', ({ team }) => team),
  equity: decimal('Equity; of a team the mean of its traders', EQUITY, ({ equity }) => equity),
  return: decimal('Gain as a fraction of the first equity', '0.02500000', (one) => one.return),
  drawdown: decimal('Largest fall as a fraction', '0.01200000', ({ drawdown }) => drawdown),
  sharpe: nullOr(
    'Sharpe ratio of a year; null where there is none',
    decimal('Sharpe ratio', '1.8342', ({ sharpe }: BoardRow) => sharpe),
    ({ sharpe }) => sharpe === '',
  ),
  trades: whole('Trades', 42, ({ trades }) => trades),
});

const NO_BOARD: Board = { timeMs: 0, sample: 0, traders: [], teams: [] };

function boardIn({ board = NO_BOARD }: SeenRound): Board {
  return board;
}

export const LEADERBOARD = row<SeenRound & { readonly nowMs: number }>()({
  competitionId: text('Competition id', PERSON_ID, (one) => one.competition.competitionId),
  name: text('Name of the competition', 'Autumn cup', ({ competition }) => competition.terms.name),
  description: text(
    'What it is about; may be empty',
    'Ten days',
    ({ competition }) => competition.terms.description,
  ),
  coin: text('The coin of the equities', 'USDT', ({ competition }) => competition.terms.coin),
  rankBy: oneOf(RANKINGS, 'What ranks go by', 'return', (one) => one.competition.terms.rankBy),
  round: encoded(SHOWN_ROUND, ({ round }: SeenRound) => SHOWN_ROUND.write(summaryOf(round))),
  time: timeMs('Now, by the clock of the venue', TIME_MS, ({ nowMs }) => nowMs),
  sampleTime: nullOr(
    'When the equities were taken; null before the first time',
    timeMs('When the equities were taken', TIME_MS, (one: SeenRound) => boardIn(one).timeMs),
    ({ board }) => board === undefined,
  ),
  traders: rows(BOARD_ROW, (one: SeenRound) => boardIn(one).traders),
  teams: rows(BOARD_ROW, (one: SeenRound) => boardIn(one).teams),
});

interface CurveIn {
  readonly curve: Curve;
  readonly scale: number;
}

interface PointIn {
  readonly point: Curve['points'][number];
  readonly scale: number;
}

const POINT = row<PointIn>()({
  time: timeMs('When', TIME_MS, ({ point }) => point.timeMs),
  equity: decimal('Equity', EQUITY, ({ point, scale }) => formatDecimal(point.units, scale)),
});

export const CURVE = row<CurveIn>()({
  number: whole('Number of the trader in the round', 7, ({ curve }) => curve.number),
  name: text('Name; empty of somebody who was deleted', 'Trader 7', ({ curve }) => curve.name),
  points: rows(POINT, ({ curve, scale }: CurveIn) =>
    curve.points.map((point) => ({ point, scale })),
  ),
});

export interface ListedCompetition {
  readonly competition: Competition;
  readonly rounds: readonly RoundSummary[];
}

export const LISTED = row<ListedCompetition>()({
  competitionId: text('Competition id', PERSON_ID, (one) => one.competition.competitionId),
  name: text('Name', 'Autumn cup', ({ competition }) => competition.terms.name),
  description: text(
    'What it is about; may be empty',
    'Ten days',
    ({ competition }) => competition.terms.description,
  ),
  joinBy: oneOf(
    JOIN_MODES,
    'Who may join: anybody (open), by a code, or whom the operator adds',
    'code',
    ({ competition }) => competition.terms.joinBy,
  ),
  isCancelled: truth(
    'It is over for good',
    false,
    ({ competition }) => competition.cancelledMs !== undefined,
  ),
  coin: text('The coin that equities are in', 'USDT', ({ competition }) => competition.terms.coin),
  rounds: rows(SHOWN_ROUND, ({ rounds: all }: ListedCompetition) => all),
});

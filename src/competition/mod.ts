/**
 * Door of competitions: rounds that start and end, accounts made equal before each, leaderboards.
 * They are kept beside the engine and act on it by ordinary commands.
 */
export type { Board, BoardRow } from './board.ts';
export * from './desk.ts';
export * from './entries.ts';
export { BUSY } from './fresh.ts';
export * from './joining.ts';
export { COMPETITION_LIMITS } from './limits.ts';
export type { Past } from './past.ts';
export {
  type CompetingPeople,
  type Competition,
  type CompetitionStore,
  type CompetitionTerms,
  type Entry,
  type EntryAdded,
  JOIN_MODES,
  type JoinMode,
  RANKINGS,
  type Ranking,
  ROUND_STATES,
  type Round,
  type RoundChanges,
  type RoundState,
  type RoundSummary,
  type Sample,
  type Seat,
  type StartingMoney,
} from './port.ts';
export * from './round-plans.ts';
export { CompetitionRunner, type PlayScenario, type RoundPay } from './runner.ts';
export { type Curve, type SeenRound, Spectators } from './spectators.ts';
export { COMPETITION_PART } from './store-part.ts';

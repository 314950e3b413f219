/** Door of the participants: who trades in the venue without being a client of the API. */
export type { Ladder } from './ladder.ts';
export { MarketMaker, type MarketMakerOptions, type ParticipantLog } from './market-maker.ts';
export { Participants, type ParticipantsLog, type ParticipantsPlan } from './participants.ts';
export type { PathPlan } from './paths/price-board.ts';

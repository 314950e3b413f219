/** Door of the participants: who trades in the venue without being a client of the API. */
export type { Ladder } from './ladder.ts';
export { MarketMaker, type MarketMakerOptions, type ParticipantLog } from './market-maker.ts';

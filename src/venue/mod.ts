/** Door of the venue room: the live venue, its recovery, and the offline reports. */
export { VenueClock } from './clock.ts';
export { FaultRecord } from './fault-record.ts';
export { recoverHandingOver } from './handing-over.ts';
export { inlineMore } from './inlining.ts';
export {
  auditLog,
  type Names,
  namesOf,
  type ReplayReport,
  replayJournal,
  stateHash,
} from './offline.ts';
export {
  Projection,
  type ProjectionData,
  type ProjectionEvents,
  type StateSeal,
} from './projection.ts';
export {
  type RecoverOptions,
  type ReplayedStep,
  type ReplayProgress,
  recoverEngine,
  stepsOf,
} from './recovery.ts';
export { fillPast, resetTo } from './reset.ts';
export { Rests } from './rests.ts';
export { seedLive, seedWithoutPast } from './seed.ts';
export { Timekeeper } from './timekeeper.ts';
export { TURN_MS, Turn } from './turn.ts';
export { type ServedVenue, Venue } from './venue.ts';
export type { VenueOptions } from './venue-options.ts';
export { verifyHistory } from './verify-history.ts';
export { WatchedClock } from './watched-clock.ts';

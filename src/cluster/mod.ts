/** Door of the cluster: the processes that share one log, of which one leads. */
export type { ClusterVenue } from './cluster-venue.ts';
export type { OwnHold } from './holds.ts';
export { prepareCopy } from './joining.ts';
export { LOG_CALLS } from './log-calls.ts';
export { Member } from './member.ts';
export type { MemberOptions } from './member-options.ts';
export type { RosterRow, RosterView } from './roster.ts';
export { seedLog } from './seeding.ts';
export { Suspension } from './suspension.ts';

/** Door of the cluster: the processes that share one log, of which one leads. */
export type { ClusterVenue } from './cluster-venue.ts';
export { prepareCopy } from './joining.ts';
export { Member, type MemberOptions } from './member.ts';
export { seedLog } from './seeding.ts';

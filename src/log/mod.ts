/** Door of the log: the durable commands of a venue and the snapshots that shorten their replay. */
export { type ChainLink, GENESIS } from './chain.ts';
export type { CommandLog } from './command-log.ts';
export { syncDirectory, syncFile } from './files.ts';
export { type LogPlace, logAt, openSharedLog } from './open.ts';
export {
  type Journal,
  type JournalEntry,
  JournalFault,
  type JournalReader,
  type OwnJournal,
} from './port.ts';
export { type Fullness, fullnessOf, roomTrouble } from './room.ts';
export type {
  Announcement,
  Claim,
  FollowFrom,
  Heartbeat,
  Hold,
  Knowledge,
  Leadership,
  LogRoom,
  MemberRecord,
  MemberReport,
  NewEntry,
  Place,
  PlaceWanted,
  ProcessReport,
  Seal,
  SharedEntry,
  SharedLog,
  SharedLogFaultDetail,
  SharedLogPlace,
  Versions,
} from './shared-log.ts';
export { SEALS_MAX, SharedLogFault } from './shared-log.ts';
export type { Snapshots } from './snapshots.ts';
export { copyJournal } from './sqlite/copy.ts';
export { isUnused, refuseInUse } from './sqlite/database.ts';
export {
  anchorText,
  parseAnchor,
  verifyJournal,
} from './verify.ts';

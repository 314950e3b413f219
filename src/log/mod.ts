/** Door of the journal: the durable command log and the snapshots that shorten its replay. */
export { copyJournal, copySnapshots } from './copy.ts';
export { refuseInUse } from './database.ts';
export {
  type Journal,
  type JournalEntry,
  JournalFault,
  type JournalFaultKind,
  type JournalReader,
} from './port.ts';
export { readSnapshot, type Snapshot, writeSnapshot } from './snapshots.ts';
export { openJournal } from './sqlite-journal.ts';
export { openJournalReader } from './sqlite-reader.ts';
export {
  anchorText,
  parseAnchor,
  type VerifyProgress,
  type VerifyResult,
  verifyJournal,
} from './verify.ts';

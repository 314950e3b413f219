/** Door of the journal: the durable command log, its reader and verifier, and the snapshots. */
export { openJournal } from './journal.ts';
export {
  type Journal,
  type JournalEntry,
  JournalFault,
  type JournalFaultKind,
  type JournalReader,
} from './port.ts';
export { openJournalReader } from './reader.ts';
export { readSnapshot, type Snapshot, writeSnapshot } from './snapshots.ts';
export { type VerifyResult, verifyJournal } from './verify.ts';

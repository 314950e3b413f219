/**
 * Whether the history is what its journal says: it is made a second time, from the first command,
 * in a place of its own, and compared row by row. The venue may run meanwhile.
 */
import { Engine } from '#engine';
import type { History, RowDifference } from '#history';
import type { CommandLog } from '#log';
import { projectJournal } from './projecting.ts';
import type { ReplayProgress } from './recovery.ts';

export interface HistoryReport {
  /** The last command whose rows were compared. */
  readonly seq: number;
  readonly differences: readonly RowDifference[];
}

/** Rejects with HistoryUnusable, or JournalFault, when one of the two cannot be read. */
export async function verifyHistory(
  log: CommandLog,
  history: History,
  onProgress: (progress: ReplayProgress) => void,
): Promise<HistoryReport> {
  await using opened = new AsyncDisposableStack();
  const proof = opened.adopt(await history.openProof(), (one) => one.close());
  const reader = opened.adopt(await log.openReader(), (one) => one.close());
  const { projectedSeq: seq, writer } = proof;
  await projectJournal(Engine.empty(), reader, writer, { seqMax: seq, onProgress });
  return { seq, differences: await proof.differences() };
}

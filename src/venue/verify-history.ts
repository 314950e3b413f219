/**
 * Whether the history is what its journal says: it is made a second time, from the first command,
 * in a place of its own, and compared row by row. The venue may run meanwhile.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '#engine';
import {
  checkHistory,
  compareHistories,
  copyHistory,
  type HistoryWriter,
  openHistoryWriter,
  type RowDifference,
} from '#history';
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
  historyFile: string,
  onProgress: (progress: ReplayProgress) => void,
): Promise<HistoryReport> {
  const place = mkdtempSync(join(tmpdir(), 'outcry-verify-'));
  try {
    const copy = join(place, 'copy.sqlite');
    copyHistory(historyFile, copy);
    const { venueId, projectedSeq: seq } = checkHistory(copy);
    const again = join(place, 'again.sqlite');
    const writer = openHistoryWriter(again, venueId);
    try {
      await projectUpTo(seq, log, writer, onProgress);
    } finally {
      writer.close();
    }
    return { seq, differences: compareHistories(copy, again) };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

async function projectUpTo(
  seqMax: number,
  log: CommandLog,
  writer: HistoryWriter,
  onProgress: (progress: ReplayProgress) => void,
): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const reader = opened.adopt(await log.openReader(), (one) => one.close());
  await projectJournal(Engine.empty(), reader, writer, { seqMax, onProgress });
}

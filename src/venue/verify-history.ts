/**
 * Whether the history is what its journal says: it is made a second time, from the first command,
 * in a place of its own, and compared row by row. The venue may run meanwhile.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Step } from '#domain';
import { Engine } from '#engine';
import {
  checkHistory,
  compareHistories,
  copyHistory,
  openHistoryWriter,
  type RowDifference,
} from '#history';
import { openJournalReader } from '#log';
import { type ReplayProgress, replay } from './recovery.ts';

const STEPS_PER_TRANSACTION = 5_000;

export interface HistoryReport {
  /** The last command whose rows were compared. */
  readonly seq: number;
  readonly differences: readonly RowDifference[];
}

/** Throws HistoryUnusable when the history cannot be read, JournalFault when the journal cannot. */
export function verifyHistory(
  directory: string,
  onProgress: (progress: ReplayProgress) => void,
  masterKey?: Uint8Array,
): HistoryReport {
  const place = mkdtempSync(join(tmpdir(), 'outcry-verify-'));
  try {
    const copy = join(place, 'copy.sqlite');
    copyHistory(join(directory, 'history.sqlite'), copy);
    const { venueId, projectedSeq: seq } = checkHistory(copy);
    const again = join(place, 'again.sqlite');
    projectUpTo(seq, { directory, masterKey, file: again, venueId, onProgress });
    return { seq, differences: compareHistories(copy, again) };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

interface Projected {
  readonly directory: string;
  readonly masterKey: Uint8Array | undefined;
  readonly file: string;
  readonly venueId: string;
  readonly onProgress: (progress: ReplayProgress) => void;
}

function projectUpTo(seqMax: number, parts: Projected): void {
  const reader = openJournalReader(parts.directory, parts.masterKey);
  const writer = openHistoryWriter(parts.file, parts.venueId);
  let steps: Step[] = [];
  const write = () => {
    writer.project(steps);
    steps = [];
  };
  try {
    const keep = (step: Step) => {
      if (step.seq > seqMax) return;
      steps.push(step);
      if (steps.length >= STEPS_PER_TRANSACTION) write();
    };
    replay(Engine.empty(), reader, keep, parts.onProgress);
    write();
  } finally {
    writer.close();
    reader.close();
  }
}

/** What can be learnt from a data directory without opening the venue, also while it is running. */
import { createHash } from 'node:crypto';
import type { Asset, AuditReport } from '#domain';
import { Engine } from '#engine';
import { openJournalReader, readSnapshot } from '#log';
import { type ReplayProgress, recoverEngine, replay } from './recovery.ts';

export interface ReplayReport {
  readonly seq: number;
  readonly stateHash: string;
  /** Whether the state on the way was the one the newest snapshot holds. */
  readonly snapshot: 'matches' | 'differs' | 'none';
}

/** SHA-256 over the dumped state; equal hashes mean equal states. */
export function stateHash(engine: Engine): string {
  return hashRows(engine.dump());
}

function hashRows(rows: Iterable<string>): string {
  const hash = createHash('sha256');
  for (const row of rows) hash.update(row).update('\n');
  return hash.digest('hex');
}

/** Replays the whole journal from its first command and compares it with the newest snapshot. */
export function replayJournal(
  directory: string,
  onProgress: (progress: ReplayProgress) => void,
  masterKey?: Uint8Array,
): ReplayReport {
  const found = readSnapshot(directory, Number.MAX_SAFE_INTEGER, () => undefined);
  const expected = found && { seq: found.seq, hash: hashRows(found.rows) };
  const engine = Engine.empty();
  let snapshot: ReplayReport['snapshot'] = 'none';
  const compare = (seq: number) => {
    if (expected === undefined || seq !== expected.seq) return;
    snapshot = stateHash(engine) === expected.hash ? 'matches' : 'differs';
  };
  const reader = openJournalReader(directory, masterKey);
  try {
    replay(engine, reader, (step) => compare(step.seq), onProgress);
  } finally {
    reader.close();
  }
  return { seq: engine.seq, stateHash: stateHash(engine), snapshot };
}

export interface DirectoryAudit {
  readonly report: AuditReport;
  readonly assets: readonly Asset[];
}

/** The conservation report of the newest durable state. */
export function auditDirectory(
  directory: string,
  onProgress: (progress: ReplayProgress) => void,
  masterKey?: Uint8Array,
): DirectoryAudit {
  const engine = recoverEngine({
    directory,
    masterKey,
    snapshotSeqMax: Number.MAX_SAFE_INTEGER,
    onProgress,
  });
  return { report: engine.audit(), assets: engine.listings.assets };
}

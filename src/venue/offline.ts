/** What can be learnt from a log without opening the venue, also while it is running. */
import { createHash } from 'node:crypto';
import type { Asset, AuditReport, Step } from '#domain';
import { Engine } from '#engine';
import type { CommandLog } from '#log';
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
export async function replayJournal(
  log: CommandLog,
  onProgress: (progress: ReplayProgress) => void,
): Promise<ReplayReport> {
  const found = log.snapshots.newest(Number.MAX_SAFE_INTEGER, () => undefined);
  const expected = found && { seq: found.seq, hash: hashRows(found.rows) };
  const engine = Engine.empty();
  let snapshot: ReplayReport['snapshot'] = 'none';
  const onStep = ({ seq }: Step) => {
    if (expected === undefined || seq !== expected.seq) return;
    snapshot = stateHash(engine) === expected.hash ? 'matches' : 'differs';
  };
  await using opened = new AsyncDisposableStack();
  const reader = opened.adopt(await log.openReader(), (one) => one.close());
  await replay(engine, reader, { onStep, onProgress });
  return { seq: engine.seq, stateHash: stateHash(engine), snapshot };
}

export interface LogAudit {
  readonly report: AuditReport;
  readonly assets: readonly Asset[];
}

/** The conservation report of the newest durable state. */
export async function auditLog(
  log: CommandLog,
  onProgress: (progress: ReplayProgress) => void,
): Promise<LogAudit> {
  const engine = await recoverEngine({ log, snapshotSeqMax: Number.MAX_SAFE_INTEGER, onProgress });
  return { report: engine.audit(), assets: engine.listings.assets };
}

/** What can be learnt from a log without opening the venue, also while it is running. */
import { createHash } from 'node:crypto';
import type {
  AccountId,
  Asset,
  AuditReport,
  Contract,
  SpotInstrument,
  StateReader,
  Step,
} from '#domain';
import { Engine } from '#engine';
import { type CommandLog, GENESIS, type JournalReader } from '#log';
import { type ReplayProgress, recoverEngine, replay } from './recovery.ts';

export interface ReplayReport {
  /** The command of the snapshot that it began with; 0 from the first command. */
  readonly fromSeq: number;
  readonly seq: number;
  readonly stateHash: string;
  /** Whether the state on the way was the one the newest snapshot holds. */
  readonly snapshot: 'matches' | 'differs' | 'none';
}

/** SHA-256 over the dumped state; equal hashes mean equal states. */
export function stateHash(engine: Engine): string {
  return hashRows(engine.dump());
}

/** SHA-256 over the rows of a snapshot, which is that of the state it was made of. */
export function hashRows(rows: Iterable<string>): string {
  const hash = createHash('sha256');
  for (const row of rows) hash.update(row).update('\n');
  return hash.digest('hex');
}

/**
 * Replays the whole journal from its first command, or from the oldest snapshot where it was
 * trimmed, and compares it with the newest one.
 */
export async function replayJournal(
  log: CommandLog,
  onProgress: (progress: ReplayProgress) => void,
): Promise<ReplayReport> {
  const found = log.snapshots.newest(Number.MAX_SAFE_INTEGER, () => undefined);
  const expected = found && { seq: found.seq, hash: hashRows(found.rows) };
  let snapshot: ReplayReport['snapshot'] = 'none';
  await using opened = new AsyncDisposableStack();
  const reader = opened.adopt(await log.openReader(), (one) => one.close());
  const engine = firstState(log, reader);
  const fromSeq = engine.seq;
  const onStep = ({ seq }: Step) => {
    if (expected === undefined || seq !== expected.seq) return;
    snapshot = stateHash(engine) === expected.hash ? 'matches' : 'differs';
  };
  await replay(engine, reader, { onStep, onProgress });
  return { fromSeq, seq: engine.seq, stateHash: stateHash(engine), snapshot };
}

/** Of a journal that was trimmed, the oldest sound snapshot has what is before. */
function firstState(log: CommandLog, { base }: JournalReader): Engine {
  if (base.nextSeq === GENESIS.nextSeq) return Engine.empty();
  const oldestSeq = log.snapshots.soundSeqs().findLast((seq) => seq >= base.nextSeq - 1);
  const found = log.snapshots.newest(oldestSeq ?? 0, () => undefined);
  return found === undefined ? Engine.empty() : Engine.restore(found.rows);
}

/** What accounts, coins and markets are called. */
export interface Names {
  readonly assets: readonly Asset[];
  readonly instruments: readonly (SpotInstrument | Contract)[];
  readonly accounts: ReadonlyMap<AccountId, string>;
  /** What they are called in. */
  readonly state: StateReader;
}

/** As of the newest durable state. Nothing that was named once is without a name later. */
export async function namesOf(
  log: CommandLog,
  onProgress: (progress: ReplayProgress) => void,
): Promise<Names> {
  const engine = await recoverEngine({ log, snapshotSeqMax: Number.MAX_SAFE_INTEGER, onProgress });
  const { assets, instruments } = engine.listings;
  const accounts = new Map([...engine.accounts()].map(({ accountId, name }) => [accountId, name]));
  return { assets, instruments, accounts, state: engine };
}

export interface LogAudit {
  readonly report: AuditReport;
  readonly state: StateReader;
}

/** The conservation report of the newest durable state. */
export async function auditLog(
  log: CommandLog,
  onProgress: (progress: ReplayProgress) => void,
): Promise<LogAudit> {
  const engine = await recoverEngine({ log, snapshotSeqMax: Number.MAX_SAFE_INTEGER, onProgress });
  return { report: engine.audit(), state: engine };
}

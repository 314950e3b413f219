/**
 * A venue of one process becomes the first member of a cluster: the log of the cluster goes on
 * where its journal ends, and its data directory, stopped in order, has a snapshot of everything
 * before. It can be interrupted and done again.
 */
import { type ChainLink, type CommandLog, GENESIS, type SharedLog } from '#log';
import { CopyFault } from './joining.ts';

export interface SeedOptions {
  readonly name: string;
  readonly log: SharedLog;
  /** The journal as the venue has written it. */
  readonly journal: CommandLog;
  /** The same place as a copy of the shared log. */
  readonly copy: CommandLog;
}

/** Resolves with the last command of the journal; undefined where all of it is done already. */
export async function seedLog(options: SeedOptions): Promise<number | undefined> {
  const { log, journal, copy, name } = options;
  const end = await endInOrder(journal);
  if (end === undefined) return undefined;
  const [{ lastSeq }, base] = await Promise.all([log.head(), log.base()]);
  const isSeeded = base.nextSeq === end.nextSeq && base.hash === end.hash;
  if (!isSeeded) {
    if (lastSeq > 0 || base.nextSeq > GENESIS.nextSeq) {
      throw new CopyFault(`${log.place} holds a venue already: seed an empty one`);
    }
    const leadership = await log.claim(await log.current(), name);
    if (leadership === undefined) throw new CopyFault('another process leads this cluster');
    await log.seed(leadership.claim, end);
    await log.release(leadership.claim);
  }
  await journal.keepAside();
  await copy.beginAt(end);
  return end.nextSeq - 1;
}

/** Where the journal ends, with a snapshot of all of it; undefined of a copy of a shared log. */
async function endInOrder(journal: CommandLog): Promise<ChainLink | undefined> {
  await using opened = new AsyncDisposableStack();
  const reader = opened.adopt(await journal.openReader(), (one) => one.close());
  if (reader.keyedFromSeq === 0) return undefined;
  await reader.proveEnd();
  const end = await reader.end();
  const snapshot = journal.snapshots.newest(end.nextSeq - 1, () => undefined);
  if (end.nextSeq > GENESIS.nextSeq && snapshot?.seq === end.nextSeq - 1) return end;
  throw new CopyFault(
    'there is no snapshot of the last command: start the venue once more without a cluster, and ' +
      'stop it in order (SIGTERM)',
  );
}

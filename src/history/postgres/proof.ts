/**
 * The history as of one moment, held by a transaction that only reads, and beside it an empty one
 * in tables of another session: both end with their connections.
 */
import type { HistoryProof } from '../port.ts';
import { compareHistories } from '../rows/compare.ts';
import { openStepWriter } from '../rows/step-writer.ts';
import { Connection } from './connection.ts';
import { asUnusable } from './errors.ts';
import { prepareTemporary, requireReadable } from './migrations.ts';
import { WrittenSchema } from './writer.ts';

export async function openPostgresProof(url: string): Promise<HistoryProof> {
  const kept = await Connection.open(url);
  const again = await Connection.open(url);
  const close = async (): Promise<void> => {
    await again.close();
    await kept.close();
  };
  try {
    await requireReadable(kept);
    await kept.query('begin isolation level repeatable read read only');
    const meta = await kept.db
      .selectFrom('meta')
      .select(['venue_id', 'projected_seq'])
      .executeTakeFirstOrThrow();
    await prepareTemporary(again, meta.venue_id);
    return {
      projectedSeq: meta.projected_seq,
      writer: await openStepWriter(new WrittenSchema(again)),
      differences: () => compareHistories(kept.db, again.db),
      close,
    };
  } catch (error) {
    await close();
    throw asUnusable(kept.place, error);
  }
}

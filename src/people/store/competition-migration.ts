/**
 * Migration 0007: codes to join a competition are counted and expire, as invitations do; a
 * competition can be cancelled; a sample says up to which id it counted.
 */
import type { Kysely } from 'kysely';
import type { PeopleDatabase } from './tables.ts';

/** What a code of before becomes: it neither expired nor was it counted. */
const USES = 500;
const GOOD_FOR_MS = 10 * 365 * 86_400_000;

export async function competitionCodes(db: Kysely<PeopleDatabase>): Promise<void> {
  const { schema } = db;
  await schema.alterTable('invitations').addColumn('competition_id', 'text').execute();
  await schema.alterTable('competitions').addColumn('cancelled_ms', 'bigint').execute();
  await schema.alterTable('competition_samples').addColumn('last_id', 'bigint').execute();
  const rows = await db
    .selectFrom('competitions')
    .select(['competition_id', 'code_hash', 'created_ms'])
    .execute();
  for (const { competition_id, code_hash, created_ms } of rows) {
    if (code_hash === null) continue;
    const times = { created_ms, expires_ms: created_ms + GOOD_FOR_MS };
    const counted = { label: '', uses: USES, used: 0 };
    await db
      .insertInto('invitations')
      .values({ invitation_id: competition_id, code_hash, competition_id, ...counted, ...times })
      .execute();
  }
  await db.updateTable('competitions').set({ code_hash: null }).execute();
}

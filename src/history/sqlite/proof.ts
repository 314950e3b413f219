/** A copy of a history, and beside it an empty file that is written anew: both go in the end. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, SqliteDialect } from 'kysely';
import type { HistoryProof, RowDifference } from '../port.ts';
import { compareHistories } from '../rows/compare.ts';
import type { Database } from '../tables/schema.ts';
import { checkHistory, copyHistory } from './copy.ts';
import { asUnusable, openForReading } from './file.ts';
import { openSqliteWriter } from './writer.ts';

export async function openSqliteProof(file: string): Promise<HistoryProof> {
  const directory = mkdtempSync(join(tmpdir(), 'outcry-verify-'));
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  const [copy, again] = [join(directory, 'copy.sqlite'), join(directory, 'again.sqlite')];
  try {
    copyHistory(file, copy);
    const { venueId, projectedSeq } = checkHistory(copy);
    const writer = await openSqliteWriter(again, venueId);
    return {
      projectedSeq,
      writer,
      differences: () => differencesOf(copy, again),
      close: async () => {
        await writer.close();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Rejects with HistoryUnusable for damaged pages. */
async function differencesOf(copy: string, again: string): Promise<RowDifference[]> {
  using opened = new DisposableStack();
  const open = (file: string): Kysely<Database> => {
    const database = opened.adopt(openForReading(file), (one) => one.close());
    return new Kysely<Database>({ dialect: new SqliteDialect({ database }) });
  };
  try {
    return await compareHistories(open(copy), open(again));
  } catch (error) {
    throw asUnusable(copy, error);
  }
}

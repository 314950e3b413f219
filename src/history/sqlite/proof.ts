/** A copy of a history, and beside it an empty file that is written anew: both go in the end. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HistoryProof } from '../port.ts';
import { compareHistories } from './compare.ts';
import { checkHistory, copyHistory } from './copy.ts';
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
      differences: async () => compareHistories(copy, again),
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

/** Which key the chain of a journal is under, and whether it is the one at hand. */
import type Database from 'better-sqlite3';
import { chainHmac, type Keying, keyCheck } from '../chain.ts';
import { JournalFault } from '../port.ts';
import { journalId, keyMark, markKeyed } from './database.ts';

/** Undefined while the chain is not keyed. Throws a JournalFault when it is and the key is not. */
export function keyingOf(
  database: Database.Database,
  masterKey: Uint8Array | undefined,
): Keying | undefined {
  const mark = keyMark(database);
  if (mark.keyedFromSeq === 0) return undefined;
  const file = database.name;
  if (masterKey === undefined) {
    const reason =
      'its chain is keyed: give the master key of the venue (OUTCRY_MASTER_KEY, or master.key)';
    throw new JournalFault({ kind: 'key', file, reason });
  }
  const hmac = chainHmac(masterKey, journalId(database));
  if (keyCheck(hmac) === mark.keyCheck) return { fromSeq: mark.keyedFromSeq, hmac };
  const reason =
    'it was written under another master key: give the one this data directory was made with ' +
    '(OUTCRY_MASTER_KEY, or master.key)';
  throw new JournalFault({ kind: 'key', file, reason });
}

/** Begins to key the chain with the entry that starts here. */
export function beginKeying(
  database: Database.Database,
  masterKey: Uint8Array,
  nextSeq: number,
): Keying {
  const hmac = chainHmac(masterKey, journalId(database));
  markKeyed(database, { keyedFromSeq: nextSeq, keyCheck: keyCheck(hmac) });
  return { fromSeq: nextSeq, hmac };
}

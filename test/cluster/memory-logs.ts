/** Shared logs over a memory of their own, closed behind the tests of a file. */
import { after } from 'node:test';
import type { SharedLog } from '#log';
import { KeySpace, MemoryKeys, MemoryStore, StoredSharedLog } from '#log/testing';
import { REAL_TIME } from '../support/real-time.ts';

const open: SharedLog[] = [];
after(() => Promise.all(open.map((log) => log.close())));

export function newLog(): SharedLog {
  const store = new MemoryStore(new MemoryKeys(), REAL_TIME);
  const log = new StoredSharedLog(store, new KeySpace('test', 'main'));
  open.push(log);
  return log;
}

/** Door of the log for tests: the chain, formats, a shared log over a store of their own. */
export { entryHash, linkAfter, prove } from './chain.ts';
export { ChainHmac } from './chain-hmac.ts';
export { sharedLogAt } from './etcd/log.ts';
export { EtcdStore } from './etcd/store.ts';
export { MemoryKeys } from './memory/keys.ts';
export { type Fate, MemoryStore } from './memory/store.ts';
export { VirtualTime } from './memory/virtual-time.ts';
export { KeySpace } from './shared/keys.ts';
export {
  type Change,
  type Outcome,
  type Store,
  StoreFault,
  type Transaction,
  type WatchFrom,
} from './shared/store.ts';
export { StoredSharedLog } from './shared/stored-log.ts';
export {
  JOURNAL_FORMAT,
  type JournalFormat,
  openForReading,
  openForWriting,
} from './sqlite/database.ts';

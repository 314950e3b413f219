/**
 * The log of a venue as its users are given it: they open what they need and do not know where it
 * is kept. open.ts makes one from plain data; only src/app decides on that data.
 */
import type { ChainLink } from './chain.ts';
import type { JournalReader, OwnJournal } from './port.ts';
import type { Snapshots } from './snapshots.ts';

export interface CommandLog {
  readonly snapshots: Snapshots;
  /** Whether there is a journal, of whatever kind. */
  exists(): boolean;
  /**
   * Takes sole ownership of the log, creating it when it is missing. Rejects with a JournalFault:
   * 'in_use' when it is taken, any other kind when its end is not sound.
   */
  openWriter(): Promise<OwnJournal>;
  /** Rejects with a JournalFault when there is no log, or it is keyed and this is not its key. */
  openReader(): Promise<JournalReader>;
  /**
   * Makes it the copy of a shared log that goes on after `base`, where a snapshot has everything
   * before. What it held is gone, but for its id. Rejects with a JournalFault 'in_use' when taken.
   */
  beginAt(base: ChainLink): Promise<void>;
  /** Copies the journal to where it stays, whatever happens to this one. Done again, it is new. */
  keepAside(): Promise<void>;
}

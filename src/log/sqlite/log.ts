/** The log in an SQLite file of a data directory, with its snapshots beside it. */
import type { CommandLog } from '../command-log.ts';
import type { Journal, JournalReader } from '../port.ts';
import { Snapshots } from '../snapshots.ts';
import { type JournalOptions, openJournal } from './journal.ts';
import { openSqliteReader } from './reader.ts';

export interface SqliteLogPlace extends JournalOptions {
  readonly kind: 'sqlite';
  readonly directory: string;
}

export class SqliteLog implements CommandLog {
  readonly snapshots: Snapshots;
  readonly #place: SqliteLogPlace;

  constructor(place: SqliteLogPlace) {
    this.snapshots = new Snapshots(place.directory);
    this.#place = place;
  }

  openWriter(): Promise<Journal> {
    return openJournal(this.#place.directory, this.#place);
  }

  async openReader(): Promise<JournalReader> {
    return openSqliteReader(this.#place.directory, this.#place.masterKey);
  }
}

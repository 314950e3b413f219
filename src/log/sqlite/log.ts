/** The log in an SQLite file of a data directory, with its snapshots beside it. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ChainLink } from '../chain.ts';
import type { CommandLog } from '../command-log.ts';
import { createDirectory } from '../files.ts';
import type { JournalReader, OwnJournal } from '../port.ts';
import { Snapshots } from '../snapshots.ts';
import { copyJournal } from './copy.ts';
import { journalFile } from './database.ts';
import { type JournalOptions, openJournal } from './journal.ts';
import { openSqliteReader } from './reader.ts';
import { rebaseJournal } from './rebase.ts';

/** Where the journal stays that a venue had before it became a cluster. */
const ASIDE = 'before-cluster';

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

  exists(): boolean {
    return existsSync(journalFile(this.#place.directory));
  }

  openWriter(): Promise<OwnJournal> {
    return openJournal(this.#place.directory, this.#place);
  }

  async openReader(): Promise<JournalReader> {
    return openSqliteReader(this.#place.directory, this.#place.masterKey);
  }

  async beginAt(base: ChainLink): Promise<void> {
    rebaseJournal(this.#place.directory, base);
  }

  async keepAside(): Promise<void> {
    const { directory, masterKey } = this.#place;
    const aside = join(directory, ASIDE);
    rmSync(aside, { recursive: true, force: true });
    createDirectory(aside);
    await copyJournal(directory, aside, masterKey);
  }
}

/** The history in an SQLite file. */
import type { History, HistoryProof, HistoryReader, HistoryScrub, HistoryWriter } from '../port.ts';
import { setHistoryAside } from './aside.ts';
import { openSqliteProof } from './proof.ts';
import { openSqliteReader, readProjectedSeq } from './reader.ts';
import { openSqliteScrub } from './scrub.ts';
import { openSqliteWriter } from './writer.ts';

export interface SqliteHistoryPlace {
  readonly kind: 'sqlite';
  readonly file: string;
}

export class SqliteHistory implements History {
  readonly place: string;

  constructor(file: string) {
    this.place = file;
  }

  async openWriter(venueId: string): Promise<HistoryWriter> {
    return openSqliteWriter(this.place, venueId);
  }

  async projectedSeq(): Promise<number | undefined> {
    return readProjectedSeq(this.place);
  }

  async openReader(): Promise<HistoryReader> {
    return openSqliteReader(this.place);
  }

  async openScrub(): Promise<HistoryScrub> {
    return openSqliteScrub(this.place);
  }

  async openProof(): Promise<HistoryProof> {
    return openSqliteProof(this.place);
  }

  async setAside(): Promise<string> {
    return setHistoryAside(this.place);
  }
}

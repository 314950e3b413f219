/** The history in a schema of a PostgreSQL database. */
import type { History, HistoryProof, HistoryReader, HistoryScrub, HistoryWriter } from '../port.ts';
import { setSchemaAside } from './aside.ts';
import { placeOf } from './connection.ts';
import { openPostgresProof } from './proof.ts';
import { openPostgresReader } from './reader.ts';
import { openPostgresScrub } from './scrub.ts';
import { openPostgresWriter } from './writer.ts';

export interface PostgresHistoryPlace {
  readonly kind: 'postgres';
  /** As in postgres://user:password@host/database. */
  readonly url: string;
  /** Several processes write it, each of them from its own copy of one log. */
  readonly isShared?: boolean;
}

export class PostgresHistory implements History {
  readonly place: string;
  readonly #url: string;
  readonly #isShared: boolean;

  constructor({ url, isShared = false }: PostgresHistoryPlace) {
    this.place = placeOf(url);
    this.#url = url;
    this.#isShared = isShared;
  }

  openWriter(venueId: string): Promise<HistoryWriter> {
    return openPostgresWriter(this.#url, venueId, this.#isShared);
  }

  openReader(): Promise<HistoryReader> {
    return openPostgresReader(this.#url);
  }

  async openScrub(): Promise<HistoryScrub> {
    return openPostgresScrub(this.#url);
  }

  openProof(): Promise<HistoryProof> {
    return openPostgresProof(this.#url);
  }

  setAside(): Promise<string> {
    return setSchemaAside(this.#url);
  }
}

/**
 * The history in a schema of a PostgreSQL database. The driver is loaded with what first needs it:
 * most venues keep a file.
 */
import type { History, HistoryProof, HistoryReader, HistoryScrub, HistoryWriter } from '../port.ts';
import { placeOf } from './place.ts';

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

  async openWriter(venueId: string): Promise<HistoryWriter> {
    const { openPostgresWriter } = await import('./writer.ts');
    return openPostgresWriter(this.#url, venueId, this.#isShared);
  }

  async projectedSeq(): Promise<undefined> {}

  async openReader(): Promise<HistoryReader> {
    const { openPostgresReader } = await import('./reader.ts');
    return openPostgresReader(this.#url);
  }

  async openScrub(): Promise<HistoryScrub> {
    const { openPostgresScrub } = await import('./scrub.ts');
    return openPostgresScrub(this.#url);
  }

  async openProof(): Promise<HistoryProof> {
    const { openPostgresProof } = await import('./proof.ts');
    return openPostgresProof(this.#url);
  }

  async setAside(): Promise<string> {
    const { setSchemaAside } = await import('./aside.ts');
    return setSchemaAside(this.#url);
  }
}

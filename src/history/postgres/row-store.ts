/** The rows of a transaction, gathered by table and sent together. */
import type { Step } from '#domain';
import { assert } from '#kernel';
import { CANDLE_GROWS } from '../rows/candle-writer.ts';
import type { CandleKey, CandleRows, CandlesAhead, RowStore } from '../rows/row-store.ts';
import { SUM } from '../rows/row-sum.ts';
import { CANDLES } from '../tables/spot-tables.ts';
import type { Columns, RecordOf, RowOf, Table } from '../tables/table.ts';
import { BulkInsert, BulkUpsert, replacing } from './bulk.ts';
import { ACCOUNTS, addCatalogue, type CatalogueRows, COINS, MARKETS } from './catalogue.ts';
import type { Connection } from './connection.ts';

interface Sent {
  send(connection: Connection): Promise<void>;
}

export class PostgresRowStore implements RowStore {
  readonly #connection: Connection;
  readonly #candles = new ForeseenCandles();
  readonly #catalogue: CatalogueRows = {
    coins: new BulkUpsert(COINS, replacing(COINS)),
    markets: new BulkUpsert(MARKETS, replacing(MARKETS)),
    accounts: new BulkUpsert(ACCOUNTS, replacing(ACCOUNTS)),
  };
  readonly #sent: Sent[];

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#sent = [this.#candles, ...Object.values(this.#catalogue)];
  }

  get db() {
    return this.#connection.db;
  }

  get candles(): CandleRows {
    return this.#candles;
  }

  into<C extends Columns>(table: Table<string, C>): BulkInsert<C> {
    const rows = new BulkInsert(table);
    this.#sent.push(rows);
    return rows;
  }

  async foresee(steps: readonly Step[], candlesAhead: CandlesAhead): Promise<void> {
    addCatalogue(steps, this.#catalogue);
    await this.#candles.read(this.#connection, [...candlesAhead(steps)]);
  }

  async flush(): Promise<void> {
    await Promise.all(this.#sent.map((rows) => rows.send(this.#connection)));
  }
}

type StoredCandle = RowOf<typeof CANDLES>;

const WANTED =
  `select ${[...CANDLES.names, SUM].map((name) => `candles.${name}`)} from candles join ` +
  'unnest($1::bigint[], $2::bigint[], $3::bigint[]) as wanted (instrument, period, opened) on ' +
  'instrument_id = instrument and period_id = period and open_time_ms = opened';

/** Candles that are read before the steps are folded, all of them in one query. */
class ForeseenCandles implements CandleRows {
  readonly #rows = new BulkUpsert(CANDLES, CANDLE_GROWS);
  /** Undefined for one that there is not yet. */
  readonly #foreseen = new Map<string, StoredCandle | undefined>();

  async read(connection: Connection, keys: readonly CandleKey[]): Promise<void> {
    this.#foreseen.clear();
    if (keys.length === 0) return;
    for (const key of keys) this.#foreseen.set(nameOf(key), undefined);
    const { rows } = await connection.query(
      WANTED,
      [
        keys.map(({ instrumentId }) => instrumentId),
        keys.map(({ periodId }) => periodId),
        keys.map(({ openTimeMs }) => openTimeMs),
      ],
      'read_candles',
    );
    for (const row of rows as StoredCandle[]) {
      const { instrumentId, periodId, openTimeMs } = CANDLES.read(row);
      this.#foreseen.set(nameOf({ instrumentId, periodId, openTimeMs }), row);
    }
  }

  stored(key: CandleKey): StoredCandle | undefined {
    const name = nameOf(key);
    assert(this.#foreseen.has(name), 'a candle is read before the steps that it belongs to');
    return this.#foreseen.get(name);
  }

  put(record: RecordOf<typeof CANDLES>, isDamaged: boolean): void {
    this.#rows.put(nameOf(record), record, isDamaged);
  }

  send(connection: Connection): Promise<void> {
    return this.#rows.send(connection);
  }
}

function nameOf({ instrumentId, periodId, openTimeMs }: CandleKey): string {
  return `${instrumentId} ${periodId} ${openTimeMs}`;
}

/** Whole tables of the history, for exports: every row of everybody, in the order of its key. */
import type { AccountId, InstrumentId } from '#domain';
import type {
  CONTRACT_ORDERS,
  CONTRACT_TRADES,
  FUNDING_RATES,
  LIQUIDATIONS,
} from './tables/contract-tables.ts';
import type { DAY_EQUITIES } from './tables/day-tables.ts';
import type { CONTRACT_LEDGER } from './tables/ledger-tables.ts';
import type { BALANCE_CHANGES, CANDLES, ORDERS, TRADES, TRANSFERS } from './tables/spot-tables.ts';
import type { RecordOf } from './tables/table.ts';

export interface ExportRecords {
  readonly orders: RecordOf<typeof ORDERS>;
  readonly trades: RecordOf<typeof TRADES>;
  readonly balance_changes: RecordOf<typeof BALANCE_CHANGES>;
  readonly transfers: RecordOf<typeof TRANSFERS>;
  readonly contract_orders: RecordOf<typeof CONTRACT_ORDERS>;
  readonly contract_trades: RecordOf<typeof CONTRACT_TRADES>;
  readonly contract_ledger: RecordOf<typeof CONTRACT_LEDGER>;
  readonly liquidations: RecordOf<typeof LIQUIDATIONS>;
}

export type ExportTable = keyof ExportRecords;

/** One moment of the history: what comes later is in no row of an export. */
export interface ExportMark {
  /** The last command whose rows are there. */
  readonly seq: number;
  /** The last key of each table; 0 of an empty one. */
  readonly lastKeys: Readonly<Record<ExportTable, number>>;
}

/** All filters at once; of a trade, either party is enough. */
export interface ExportFilter {
  readonly accountIds?: readonly AccountId[] | undefined;
  /** Leaves out rows that belong to no market, too. */
  readonly instrumentIds?: readonly InstrumentId[] | undefined;
  /** Of orders the time that they closed. */
  readonly fromMs?: number | undefined;
  /** Not included. */
  readonly beforeMs?: number | undefined;
}

export interface ExportQuery<T extends ExportTable> extends ExportFilter {
  readonly table: T;
  readonly mark: ExportMark;
  /** Rows with a key above it; 0 for all. */
  readonly afterKey: number;
  readonly limit: number;
}

export interface ExportRows<T extends ExportTable> {
  readonly rows: readonly ExportRecords[T][];
  /** The key of the last row. */
  readonly lastKey: number;
}

/** Tables whose keys have several columns. */
export interface SeriesRecords {
  readonly funding_rates: RecordOf<typeof FUNDING_RATES>;
  /** A candle that still grows is as it was when it was read. */
  readonly candles: RecordOf<typeof CANDLES>;
  readonly day_equities: RecordOf<typeof DAY_EQUITIES>;
}

export type SeriesTable = keyof SeriesRecords;

export interface SeriesQuery<T extends SeriesTable> extends ExportFilter {
  readonly table: T;
  readonly mark: Pick<ExportMark, 'seq'>;
  /** Rows behind this key; the first ones without it. */
  readonly after: readonly number[] | undefined;
  readonly limit: number;
}

export interface SeriesRows<T extends SeriesTable> {
  readonly rows: readonly SeriesRecords[T][];
  /** The key of the last row. */
  readonly last: readonly number[] | undefined;
}

export interface ExportReader {
  exportMark(): Promise<ExportMark>;
  exportSeries<T extends SeriesTable>(query: SeriesQuery<T>): Promise<SeriesRows<T>>;
  exportRows<T extends ExportTable>(query: ExportQuery<T>): Promise<ExportRows<T>>;
}

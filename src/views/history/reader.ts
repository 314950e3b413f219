/**
 * The reading side of the history: a read-only connection of its own, so that pages are read while
 * the writer works on another thread. Queries are in the files beside this one.
 */

import { Kysely, SqliteDialect } from 'kysely';
import type { AccountId, Candle, InstrumentId, OrderId, Period, PublicTrade } from '#domain';
import { billsPage } from './bills.ts';
import { openForReading } from './file.ts';
import { fillsPage } from './fills.ts';
import { HistoryInstruments } from './instruments.ts';
import { candleBefore, candlesPage, newestTrades } from './market.ts';
import { newestOrderByClientId, orderById, ordersPage } from './orders.ts';
import type {
  Bill,
  BillsQuery,
  CandlesQuery,
  ClosedOrder,
  Fill,
  FillsQuery,
  HistoryReader,
  OrdersQuery,
  TransferRecord,
  TransfersQuery,
} from './port.ts';
import type { Database } from './schema.ts';
import { transfersPage } from './transfers.ts';

/**
 * Opens a history that a writer has created. Throws HistoryUnusable for a file that is missing,
 * damaged or of another schema.
 */
export function openHistoryReader(file: string): HistoryReader {
  const connection = openForReading(file);
  const db = new Kysely<Database>({ dialect: new SqliteDialect({ database: connection }) });
  return new SqliteHistoryReader(db, () => connection.close());
}

export class SqliteHistoryReader implements HistoryReader {
  readonly #db: Kysely<Database>;
  readonly #instruments: HistoryInstruments;
  readonly #closeConnection: () => void;

  constructor(db: Kysely<Database>, closeConnection: () => void) {
    this.#db = db;
    this.#instruments = new HistoryInstruments(db);
    this.#closeConnection = closeConnection;
  }

  async projectedSeq(): Promise<number> {
    const meta = this.#db.selectFrom('meta').select('projected_seq');
    return (await meta.executeTakeFirstOrThrow()).projected_seq;
  }

  orders(query: OrdersQuery): Promise<ClosedOrder[]> {
    return ordersPage(this.#db, query);
  }

  order(accountId: AccountId, orderId: OrderId): Promise<ClosedOrder | undefined> {
    return orderById(this.#db, accountId, orderId);
  }

  orderByClientId(
    accountId: AccountId,
    instrumentId: InstrumentId,
    clientOrderId: string,
  ): Promise<ClosedOrder | undefined> {
    return newestOrderByClientId(this.#db, accountId, instrumentId, clientOrderId);
  }

  async fills(query: FillsQuery): Promise<Fill[]> {
    return fillsPage(this.#db, await this.#instruments.all(), query);
  }

  async bills(query: BillsQuery): Promise<Bill[]> {
    return billsPage(this.#db, await this.#instruments.all(), query);
  }

  transfers(query: TransfersQuery): Promise<TransferRecord[]> {
    return transfersPage(this.#db, query);
  }

  recentTrades(instrumentId: InstrumentId, limit: number): Promise<PublicTrade[]> {
    return newestTrades(this.#db, instrumentId, limit);
  }

  candles(query: CandlesQuery): Promise<Candle[]> {
    return candlesPage(this.#db, query);
  }

  lastCandleBefore(
    instrumentId: InstrumentId,
    period: Period,
    timeMs: number,
  ): Promise<Candle | undefined> {
    return candleBefore(this.#db, instrumentId, period, timeMs);
  }

  async close(): Promise<void> {
    await this.#db.destroy();
    this.#closeConnection();
  }
}

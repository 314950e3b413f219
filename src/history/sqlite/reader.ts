/**
 * The reading side of the history: a read-only connection of its own, so that pages are read while
 * the writer works on another thread. Queries are in the files beside this one.
 */
import Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import {
  type AccountId,
  type Candle,
  HistoryUnavailable,
  type InstrumentId,
  type OrderId,
  type Period,
  type PublicTrade,
} from '#domain';
import type {
  ClosedContractOrder,
  ClosedPlanOrder,
  ContractFillRecord,
  ContractFillsQuery,
  ContractOrdersQuery,
  FundingRate,
  FundingRatesQuery,
  LiquidationRecord,
  LiquidationsQuery,
  PlansQuery,
} from '../contract-port.ts';
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
} from '../port.ts';
import { billsPage } from './bills.ts';
import { contractFillsPage } from './contract-fills.ts';
import {
  contractOrderById,
  contractOrdersPage,
  newestContractOrderByClientId,
} from './contract-orders.ts';
import { openForReading } from './file.ts';
import { fillsPage } from './fills.ts';
import { fundingRatesPage } from './funding-rates.ts';
import { HistoryInstruments } from './instruments.ts';
import { liquidationsPage } from './liquidations.ts';
import { candleBefore, candlesPage, newestTrades } from './market.ts';
import { newestOrderByClientId, orderById, ordersPage } from './orders.ts';
import { planById, plansPage } from './plans.ts';
import type { Database } from './schema.ts';
import { transfersPage } from './transfers.ts';

/**
 * Opens a history that a writer has created. Throws HistoryUnusable for a file that is missing,
 * damaged or of another schema.
 */
export function openHistoryReader(file: string): HistoryReader {
  const connection = openForReading(file);
  const db = new Kysely<Database>({ dialect: new SqliteDialect({ database: connection }) });
  return new SqliteHistoryReader(file, db, () => connection.close());
}

export class SqliteHistoryReader implements HistoryReader {
  readonly #file: string;
  readonly #db: Kysely<Database>;
  readonly #instruments: HistoryInstruments;
  readonly #closeConnection: () => void;

  constructor(file: string, db: Kysely<Database>, closeConnection: () => void) {
    this.#file = file;
    this.#db = db;
    this.#instruments = new HistoryInstruments(db);
    this.#closeConnection = closeConnection;
  }

  async projectedSeq(): Promise<number> {
    const meta = this.#db.selectFrom('meta').select('projected_seq');
    return (await this.#ask(meta.executeTakeFirstOrThrow())).projected_seq;
  }

  forget(): void {
    this.#instruments.forget();
  }

  orders(query: OrdersQuery): Promise<ClosedOrder[]> {
    return this.#ask(ordersPage(this.#db, query));
  }

  order(accountId: AccountId, orderId: OrderId): Promise<ClosedOrder | undefined> {
    return this.#ask(orderById(this.#db, accountId, orderId));
  }

  orderByClientId(
    accountId: AccountId,
    instrumentId: InstrumentId,
    clientOrderId: string,
  ): Promise<ClosedOrder | undefined> {
    return this.#ask(newestOrderByClientId(this.#db, accountId, instrumentId, clientOrderId));
  }

  async fills(query: FillsQuery): Promise<Fill[]> {
    const instruments = await this.#ask(this.#instruments.all());
    return this.#ask(fillsPage(this.#db, instruments, query));
  }

  async bills(query: BillsQuery): Promise<Bill[]> {
    const instruments = await this.#ask(this.#instruments.all());
    return this.#ask(billsPage(this.#db, instruments, query));
  }

  transfers(query: TransfersQuery): Promise<TransferRecord[]> {
    return this.#ask(transfersPage(this.#db, query));
  }

  contractOrders(query: ContractOrdersQuery): Promise<ClosedContractOrder[]> {
    return this.#ask(contractOrdersPage(this.#db, query));
  }

  contractOrder(accountId: AccountId, orderId: OrderId): Promise<ClosedContractOrder | undefined> {
    return this.#ask(contractOrderById(this.#db, accountId, orderId));
  }

  contractOrderByClientId(
    accountId: AccountId,
    instrumentId: InstrumentId,
    clientOrderId: string,
  ): Promise<ClosedContractOrder | undefined> {
    const found = newestContractOrderByClientId(this.#db, accountId, instrumentId, clientOrderId);
    return this.#ask(found);
  }

  contractFills(query: ContractFillsQuery): Promise<ContractFillRecord[]> {
    return this.#ask(contractFillsPage(this.#db, query));
  }

  plans(query: PlansQuery): Promise<ClosedPlanOrder[]> {
    return this.#ask(plansPage(this.#db, query));
  }

  plan(accountId: AccountId, orderId: OrderId): Promise<ClosedPlanOrder | undefined> {
    return this.#ask(planById(this.#db, accountId, orderId));
  }

  fundingRates(query: FundingRatesQuery): Promise<FundingRate[]> {
    return this.#ask(fundingRatesPage(this.#db, query));
  }

  liquidations(query: LiquidationsQuery): Promise<LiquidationRecord[]> {
    return this.#ask(liquidationsPage(this.#db, query));
  }

  recentTrades(instrumentId: InstrumentId, limit: number): Promise<PublicTrade[]> {
    return this.#ask(newestTrades(this.#db, instrumentId, limit));
  }

  candles(query: CandlesQuery): Promise<Candle[]> {
    return this.#ask(candlesPage(this.#db, query));
  }

  lastCandleBefore(
    instrumentId: InstrumentId,
    period: Period,
    timeMs: number,
  ): Promise<Candle | undefined> {
    return this.#ask(candleBefore(this.#db, instrumentId, period, timeMs));
  }

  async close(): Promise<void> {
    await this.#db.destroy();
    this.#closeConnection();
  }

  /** What SQLite throws, a damaged page for instance, comes out as HistoryUnavailable. */
  async #ask<T>(rows: Promise<T>): Promise<T> {
    try {
      return await rows;
    } catch (cause) {
      if (!(cause instanceof Sqlite.SqliteError)) throw cause;
      const advice = 'stop the venue and delete the file, it is rebuilt from the journal';
      throw new HistoryUnavailable(`${this.#file}: ${cause.message}; ${advice}`, { cause });
    }
  }
}

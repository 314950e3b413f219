/**
 * One event, its row. This file knows the columns, contract-row-writer.ts those of contracts;
 * writer.ts knows transactions and the order of the steps.
 */

import type { Database as SqliteFile, Statement } from 'better-sqlite3';
import {
  type BalanceChanged,
  type Event,
  isMarketBuy,
  type OrderClosed,
  type SpotInstrument,
  type Step,
  type Trade,
  type Transferred,
  type VenueReset,
} from '#domain';
import { present, unreachable } from '#kernel';
import type { WalletKind } from '../port.ts';
import { CandleWriter } from './candle-writer.ts';
import { ContractRowWriter } from './contract-row-writer.ts';
import { SummedInsert } from './summed-rows.ts';
import { undoBeyond } from './undo.ts';

// Each list is in the order in which its values are bound below.
const INSTRUMENT_COLUMNS = 'instrument_id, base_asset_id, quote_asset_id, base_units_per_lot';
const ORDER_COLUMNS =
  'order_id, account_id, instrument_id, client_order_id, side, type, force, price_ticks, ' +
  'size_lots, quote_budget, filled_lots, filled_quote, created_time_ms, reason, closed_seq, ' +
  'closed_time_ms';
const TRADE_COLUMNS =
  'trade_id, instrument_id, quote_asset_id, price_ticks, size_lots, quote_amount, taker_side, ' +
  'taker_is_market, buyer_account_id, buyer_order_id, buyer_fee, buyer_base_before, ' +
  'buyer_quote_before, seller_account_id, seller_order_id, seller_fee, seller_base_before, ' +
  'seller_quote_before, time_ms';
const BALANCE_CHANGE_COLUMNS =
  'bill_id, account_id, wallet, asset_id, biz, delta, balance_before, time_ms';
const TRANSFER_COLUMNS =
  'transfer_id, account_id, asset_id, amount, from_wallet, from_kind, to_wallet, client_oid, ' +
  'time_ms';

const PROJECTED =
  'update meta set projected_seq = :seq, row_sum = row_sum(meta_id, venue_id, :seq) ' +
  'where projected_seq = :before';

/** One prepared statement per table, and what the rows need to know of the listings. */
export class RowWriter {
  readonly #db: SqliteFile;
  readonly #candles: CandleWriter;
  readonly #contracts: ContractRowWriter;
  /** By the id of the pair. */
  readonly #quoteAssetIds: Map<number, number>;
  readonly #instrument: SummedInsert;
  readonly #order: SummedInsert;
  readonly #trade: SummedInsert;
  readonly #balanceChange: SummedInsert;
  readonly #transfer: SummedInsert;
  readonly #projectedSeq: Statement;

  constructor(db: SqliteFile) {
    this.#db = db;
    this.#candles = new CandleWriter(db);
    this.#contracts = new ContractRowWriter(db);
    this.#quoteAssetIds = new Map(
      db
        .prepare<[], [number, number]>('select instrument_id, quote_asset_id from instruments')
        .raw()
        .all(),
    );
    this.#instrument = new SummedInsert(db, 'instruments', INSTRUMENT_COLUMNS.split(', '));
    this.#order = new SummedInsert(db, 'orders', ORDER_COLUMNS.split(', '));
    this.#trade = new SummedInsert(db, 'trades', TRADE_COLUMNS.split(', '));
    this.#balanceChange = new SummedInsert(
      db,
      'balance_changes',
      BALANCE_CHANGE_COLUMNS.split(', '),
    );
    this.#transfer = new SummedInsert(db, 'transfers', TRANSFER_COLUMNS.split(', '));
    this.#projectedSeq = db.prepare(PROJECTED);
  }

  add(event: Event, step: Step): void {
    switch (event.kind) {
      case 'trade':
        this.#addTrade(event, step.timeMs);
        break;
      case 'order_closed':
        this.#addOrder(event, step);
        break;
      case 'balance_changed':
        this.#addBalanceChange(event, step.timeMs);
        break;
      case 'transferred':
        this.#addTransfer(event, step.timeMs);
        break;
      case 'spot_listed':
        this.#addInstrument(event.instrument);
        break;
      case 'contract_trade':
        this.#contracts.add(event, step);
        if (event.inBook) this.#candles.add(event, step.timeMs);
        break;
      case 'contract_order_closed':
      case 'trigger_order_closed':
      case 'funding_settled':
      case 'liquidated':
        this.#contracts.add(event, step);
        break;
      case 'venue_reset':
        this.#reset(event);
        break;
      case 'refused':
      case 'order_accepted':
      case 'order_rested':
      case 'orders_cancelled':
      case 'lock_set':
      case 'account_created':
      case 'account_updated':
      case 'key_created':
      case 'key_revoked':
      case 'asset_listed':
      case 'spot_updated':
      case 'contract_listed':
      case 'contract_updated':
      case 'contract_order_accepted':
      case 'trigger_order_accepted':
      case 'trigger_order_grown':
      case 'margin_adjusted':
      case 'contract_settings_changed':
      case 'contract_priced':
      case 'index_reported':
      case 'insurance_funded':
      case 'ticked':
      case 'work_continued':
      case 'clock_set':
      case 'checkpoint_saved':
      case 'checkpoint_dropped':
      case 'fault_added':
      case 'faults_removed':
        break;
      default:
        unreachable(event);
    }
  }

  /** Rows of candles go out first, because some of them are undone. */
  #reset(event: VenueReset): void {
    this.#candles.flush();
    undoBeyond(this.#db, event);
    this.#candles.forget();
    for (const id of this.#quoteAssetIds.keys()) {
      if (id >= event.instrumentsCount) this.#quoteAssetIds.delete(id);
    }
  }

  /** The last rows of a transaction. Whether the history still stood where this writer left it. */
  finish(before: number, seq: number): boolean {
    this.#candles.flush();
    return this.#projectedSeq.run({ before, seq }).changes === 1;
  }

  #addInstrument(instrument: SpotInstrument): void {
    const { instrumentId, base, quote, baseUnitsPerLot } = instrument;
    this.#quoteAssetIds.set(instrumentId, quote.assetId);
    this.#instrument.run(instrumentId, base.assetId, quote.assetId, String(baseUnitsPerLot));
  }

  #addTrade(trade: Trade, timeMs: number): void {
    const takerBuys = trade.takerSide === 'buy';
    this.#trade.run(
      trade.tradeId,
      trade.instrumentId,
      present(this.#quoteAssetIds.get(trade.instrumentId), 'pair of the trade'),
      trade.priceTicks,
      trade.sizeLots,
      String(trade.quoteAmount),
      trade.takerSide,
      trade.takerIsMarket ? 1 : 0,
      takerBuys ? trade.takerAccountId : trade.makerAccountId,
      takerBuys ? trade.takerOrderId : trade.makerOrderId,
      String(trade.buyerFee),
      String(trade.buyerBaseBefore),
      String(trade.buyerQuoteBefore),
      takerBuys ? trade.makerAccountId : trade.takerAccountId,
      takerBuys ? trade.makerOrderId : trade.takerOrderId,
      String(trade.sellerFee),
      String(trade.sellerBaseBefore),
      String(trade.sellerQuoteBefore),
      timeMs,
    );
    this.#candles.add(trade, timeMs);
  }

  #addOrder({ order, reason }: OrderClosed, step: Step): void {
    this.#order.run(
      order.orderId,
      order.accountId,
      order.instrumentId,
      order.clientOrderId,
      order.side,
      order.type,
      order.force,
      order.type === 'limit' ? order.priceTicks : 0,
      isMarketBuy(order) ? 0 : order.sizeLots,
      isMarketBuy(order) ? String(order.quoteBudget) : '0',
      order.filledLots,
      String(order.filledQuote),
      order.createdTimeMs,
      reason,
      step.seq,
      step.timeMs,
    );
  }

  #addBalanceChange(change: BalanceChanged, timeMs: number): void {
    this.#balanceChange.run(
      change.billId,
      change.accountId,
      change.wallet,
      change.assetId,
      change.reason,
      String(change.delta),
      String(change.balanceBefore),
      timeMs,
    );
  }

  #addTransfer(transfer: Transferred, timeMs: number): void {
    const fromKind: WalletKind = transfer.from === 'spot' ? 'EXCHANGE' : 'CONTRACT';
    this.#transfer.run(
      transfer.transferId,
      transfer.accountId,
      transfer.assetId,
      String(transfer.amount),
      transfer.from,
      fromKind,
      transfer.to,
      transfer.clientOid,
      timeMs,
    );
  }
}

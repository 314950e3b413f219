/** One event, its rows. writer.ts knows transactions and the order of the steps. */
import type { Database as SqliteFile, Statement } from 'better-sqlite3';
import {
  type AssetId,
  type ContractOrderClosed,
  type ContractPrices,
  type ContractTrade,
  type Event,
  type FundingSettled,
  type InstrumentId,
  type InsuranceMoved,
  type Liquidated,
  type MarginAdjusted,
  type SpotInstrument,
  type Step,
  type Trade,
  type Transferred,
  type TriggerOrderClosed,
  type TriggerOrderView,
  type VenueReset,
  ZERO_LOTS,
  ZERO_TICKS,
} from '#domain';
import { present, unreachable } from '#kernel';
import { SummedInsert } from '../sqlite/summed-rows.ts';
import {
  CONTRACT_ORDERS,
  CONTRACT_TRADES,
  FUNDING_RATES,
  LIQUIDATIONS,
  TRIGGER_ORDERS,
} from '../tables/contract-tables.ts';
import { BALANCE_CHANGES, INSTRUMENTS, ORDERS, TRADES, TRANSFERS } from '../tables/spot-tables.ts';
import type { RecordOf } from '../tables/table.ts';
import { CandleWriter } from './candle-writer.ts';
import { LedgerWriter } from './ledger-writer.ts';
import { undoBeyond } from './undo.ts';

const PROJECTED =
  'update meta set projected_seq = :seq, row_sum = row_sum(meta_id, venue_id, :seq, lacks_past) ' +
  'where projected_seq = :before';
const LIQUIDATION_ID = 'select coalesce(max(liquidation_id), 0) + 1 from liquidations';

type ContractEvent =
  | ContractTrade
  | ContractOrderClosed
  | TriggerOrderClosed
  | FundingSettled
  | Liquidated
  | InsuranceMoved
  | MarginAdjusted;

/** Zero in the column of what an order does not ask for. */
const UNASKED = { priceTicks: ZERO_TICKS, sizeLots: ZERO_LOTS, quoteBudget: 0n };
const UNASKED_OF_CONTRACTS = {
  priceTicks: ZERO_TICKS,
  takeProfitTicks: undefined,
  stopLossTicks: undefined,
};

/** One prepared statement per table, and what the rows need to know of the listings. */
export class RowWriter {
  readonly #db: SqliteFile;
  readonly #candles: CandleWriter;
  readonly #ledger: LedgerWriter;
  readonly #into: ReturnType<typeof insertsOf>;
  /** By the id of the pair. */
  readonly #quoteAssetIds: Map<InstrumentId, AssetId>;
  readonly #liquidationId: Statement<[], number>;
  readonly #projectedSeq: Statement;

  constructor(db: SqliteFile) {
    this.#db = db;
    this.#candles = new CandleWriter(db);
    this.#ledger = new LedgerWriter(db);
    this.#into = insertsOf(db);
    this.#quoteAssetIds = new Map(
      db
        .prepare<[], [InstrumentId, AssetId]>(
          'select instrument_id, quote_asset_id from instruments',
        )
        .raw()
        .all(),
    );
    this.#liquidationId = db.prepare<[], number>(LIQUIDATION_ID).pluck();
    this.#projectedSeq = db.prepare(PROJECTED);
  }

  /** The rows of one step. */
  addStep(step: Step): void {
    for (const event of step.events) this.#add(event, step);
    this.#ledger.endStep(step);
  }

  #add(event: Event, { seq, timeMs }: Step): void {
    switch (event.kind) {
      case 'trade':
        this.#into.trades.add(this.#tradeRecord(event, timeMs));
        this.#candles.add(event, timeMs);
        break;
      case 'order_closed':
        this.#into.orders.add({ ...UNASKED, ...event.order, ...closing(event, seq, timeMs) });
        break;
      case 'balance_changed':
        this.#into.balanceChanges.add({ ...event, biz: event.reason, timeMs });
        if (event.wallet !== 'spot') this.#ledger.moved(event, { seq, timeMs });
        break;
      case 'transferred':
        this.#into.transfers.add(transferRecord(event, timeMs));
        break;
      case 'spot_listed':
        this.#addInstrument(event.instrument);
        break;
      case 'contract_trade':
      case 'contract_order_closed':
      case 'trigger_order_closed':
      case 'funding_settled':
      case 'liquidated':
      case 'insurance_moved':
      case 'margin_adjusted':
        this.#addOfContract(event, { seq, timeMs });
        break;
      case 'contract_priced':
        this.#addPrices(event.prices, timeMs);
        break;
      case 'venue_reset':
        this.#reset(event);
        break;
      case 'refused':
      case 'order_accepted':
      case 'order_rested':
      case 'order_moved':
      case 'contract_order_moved':
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
      case 'trigger_order_modified':
      case 'contract_settings_changed':
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

  #addOfContract(event: ContractEvent, { seq, timeMs }: Omit<Step, 'events'>): void {
    switch (event.kind) {
      case 'contract_trade':
        this.#into.contractTrades.add(contractTradeRecord(event, timeMs));
        if (event.inBook) this.#candles.add(event, timeMs);
        this.#ledger.trade(event, { seq, timeMs });
        break;
      case 'insurance_moved':
        this.#ledger.insured(event, { seq, timeMs });
        break;
      case 'margin_adjusted':
        this.#ledger.adjusted(event, { seq, timeMs });
        break;
      case 'contract_order_closed':
        this.#into.contractOrders.add({
          ...UNASKED_OF_CONTRACTS,
          ...event.order,
          ...closing(event, seq, timeMs),
        });
        break;
      case 'trigger_order_closed':
        this.#into.triggerOrders.add({
          executeTicks: ZERO_TICKS,
          ...event.trigger,
          ...triggerPrices(event.trigger),
          ...event,
          updatedTimeMs: timeMs,
          closedSeq: seq,
        });
        break;
      case 'funding_settled':
        this.#into.fundingRates.add({ ...event, settledSeq: seq });
        break;
      case 'liquidated':
        this.#into.liquidations.add({
          ...event,
          liquidationId: present(this.#liquidationId.get(), 'id'),
          seq,
          timeMs,
        });
        this.#ledger.liquidated(event, { seq, timeMs });
        break;
      default:
        unreachable(event);
    }
  }

  #addPrices({ instrumentId, markTicks, indexTicks }: ContractPrices, timeMs: number): void {
    this.#candles.addPrice(instrumentId, 'mark', markTicks, timeMs);
    this.#candles.addPrice(instrumentId, 'index', indexTicks, timeMs);
  }

  /** Rows of candles go out first, because some of them are undone. */
  #reset(event: VenueReset): void {
    this.#candles.flush();
    undoBeyond(this.#db, event);
    this.#candles.forget();
    this.#ledger.forget();
    for (const id of this.#quoteAssetIds.keys()) {
      if (id >= event.instrumentsCount) this.#quoteAssetIds.delete(id);
    }
  }

  /** The last rows of a transaction. Whether the history still stood where this writer left it. */
  finish(before: number, seq: number): boolean {
    this.#candles.flush();
    return this.#projectedSeq.run({ before, seq }).changes === 1;
  }

  #addInstrument({ instrumentId, base, quote, baseUnitsPerLot }: SpotInstrument): void {
    const [baseAssetId, quoteAssetId] = [base.assetId, quote.assetId];
    this.#quoteAssetIds.set(instrumentId, quoteAssetId);
    this.#into.instruments.add({ instrumentId, baseAssetId, quoteAssetId, baseUnitsPerLot });
  }

  #tradeRecord(trade: Trade, timeMs: number): RecordOf<typeof TRADES> {
    const takerBuys = trade.takerSide === 'buy';
    return {
      ...trade,
      quoteAssetId: present(this.#quoteAssetIds.get(trade.instrumentId), 'pair of the trade'),
      buyerAccountId: takerBuys ? trade.takerAccountId : trade.makerAccountId,
      buyerOrderId: takerBuys ? trade.takerOrderId : trade.makerOrderId,
      sellerAccountId: takerBuys ? trade.makerAccountId : trade.takerAccountId,
      sellerOrderId: takerBuys ? trade.makerOrderId : trade.takerOrderId,
      timeMs,
    };
  }
}

function transferRecord(event: Transferred, timeMs: number): RecordOf<typeof TRANSFERS> {
  const { from, to } = event;
  const fromKind = from === 'spot' ? 'spot' : 'contract';
  return { ...event, fromWallet: from, fromKind, toWallet: to, timeMs };
}

function closing<Reason>({ reason }: { readonly reason: Reason }, seq: number, timeMs: number) {
  return { reason, closedSeq: seq, closedTimeMs: timeMs };
}

function insertsOf(db: SqliteFile) {
  return {
    instruments: new SummedInsert(db, INSTRUMENTS),
    orders: new SummedInsert(db, ORDERS),
    trades: new SummedInsert(db, TRADES),
    balanceChanges: new SummedInsert(db, BALANCE_CHANGES),
    transfers: new SummedInsert(db, TRANSFERS),
    contractOrders: new SummedInsert(db, CONTRACT_ORDERS),
    contractTrades: new SummedInsert(db, CONTRACT_TRADES),
    triggerOrders: new SummedInsert(db, TRIGGER_ORDERS),
    fundingRates: new SummedInsert(db, FUNDING_RATES),
    liquidations: new SummedInsert(db, LIQUIDATIONS),
  };
}

/** A price that nobody named is the last one. */
function triggerPrices({
  workingPrice = 'last',
  takeProfitTicks,
  takeProfitWorking = 'last',
  stopLossTicks,
  stopLossWorking = 'last',
}: TriggerOrderView) {
  return { workingPrice, takeProfitTicks, takeProfitWorking, stopLossTicks, stopLossWorking };
}

function contractTradeRecord(
  trade: ContractTrade,
  timeMs: number,
): RecordOf<typeof CONTRACT_TRADES> {
  const { taker, maker } = trade;
  return {
    ...trade,
    takerAccountId: taker.accountId,
    takerOrderId: taker.orderId,
    takerAction: taker.action,
    takerCause: taker.cause,
    takerOrderLots: taker.orderLots,
    takerFee: taker.fee,
    takerRealizedPnl: taker.realizedPnl,
    makerAccountId: maker.accountId,
    makerOrderId: maker.orderId,
    makerAction: maker.action,
    makerCause: maker.cause,
    makerOrderLots: maker.orderLots,
    makerFee: maker.fee,
    makerRealizedPnl: maker.realizedPnl,
    timeMs,
  };
}

/** One event of a contract, its row. */
import type { Database as SqliteFile, Statement } from 'better-sqlite3';
import type {
  ContractOrderClosed,
  ContractTrade,
  FundingSettled,
  Liquidated,
  Step,
  TriggerOrderClosed,
} from '#domain';
import { present, unreachable } from '#kernel';
import type { ContractDatabase } from './contract-schema.ts';
import { SummedInsert } from './summed-rows.ts';

export type ContractRowEvent =
  | ContractOrderClosed
  | ContractTrade
  | TriggerOrderClosed
  | FundingSettled
  | Liquidated;

type TableName = keyof ContractDatabase;

type Row<Name extends TableName> = ContractDatabase[Name];

const LIQUIDATION_ID = 'select coalesce(max(liquidation_id), 0) + 1 from liquidations';

export class ContractRowWriter {
  readonly #db: SqliteFile;
  readonly #inserts = new Map<TableName, SummedInsert>();
  readonly #liquidationId: Statement<[], number>;

  constructor(db: SqliteFile) {
    this.#db = db;
    this.#liquidationId = db.prepare<[], number>(LIQUIDATION_ID).pluck();
  }

  add(event: ContractRowEvent, step: Step): void {
    switch (event.kind) {
      case 'contract_order_closed':
        this.#insert('contract_orders', orderRow(event, step));
        break;
      case 'contract_trade':
        this.#insert('contract_trades', tradeRow(event, step.timeMs));
        break;
      case 'trigger_order_closed':
        this.#insert('plan_orders', triggerRow(event, step));
        break;
      case 'funding_settled':
        this.#insert('funding_rates', fundingRow(event, step));
        break;
      case 'liquidated':
        this.#insert(
          'liquidations',
          liquidationRow(event, step, present(this.#liquidationId.get(), 'id')),
        );
        break;
      default:
        unreachable(event);
    }
  }

  /**
   * Every row of a table has the same columns in the same order, so the first one gives the
   * statement. Bound by place: binding by name costs about two microseconds more a row.
   */
  #insert<Name extends TableName>(table: Name, row: Row<Name>): void {
    let insert = this.#inserts.get(table);
    if (insert === undefined) {
      insert = new SummedInsert(this.#db, table, Object.keys(row));
      this.#inserts.set(table, insert);
    }
    insert.run(...Object.values(row));
  }
}

function orderRow({ order, reason }: ContractOrderClosed, step: Step): Row<'contract_orders'> {
  return {
    order_id: order.orderId,
    account_id: order.accountId,
    instrument_id: order.instrumentId,
    client_order_id: order.clientOrderId,
    action: order.action,
    cause: order.cause,
    type: order.type,
    force: order.force,
    price_ticks: order.priceTicks,
    size_lots: order.sizeLots,
    filled_lots: order.filledLots,
    filled_tick_lots: String(order.filledTickLots),
    fee: String(order.fee),
    realized_pnl: String(order.realizedPnl),
    take_profit_ticks: order.takeProfitTicks,
    stop_loss_ticks: order.stopLossTicks,
    leverage: order.leverage,
    created_time_ms: order.createdTimeMs,
    reason,
    closed_seq: step.seq,
    closed_time_ms: step.timeMs,
    filled_per_tick: String(order.filledPerTick),
  };
}

function tradeRow(trade: ContractTrade, timeMs: number): Row<'contract_trades'> {
  const { taker, maker } = trade;
  return {
    trade_id: trade.tradeId,
    instrument_id: trade.instrumentId,
    in_book: trade.inBook ? 1 : 0,
    price_ticks: trade.priceTicks,
    size_lots: trade.sizeLots,
    quote_amount: String(trade.quoteAmount),
    taker_side: trade.takerSide,
    taker_account_id: taker.accountId,
    taker_order_id: taker.orderId,
    taker_action: taker.action,
    taker_cause: taker.cause,
    taker_order_lots: taker.orderLots,
    taker_fee: String(taker.fee),
    taker_realized_pnl: String(taker.realizedPnl),
    maker_account_id: maker.accountId,
    maker_order_id: maker.orderId,
    maker_action: maker.action,
    maker_cause: maker.cause,
    maker_order_lots: maker.orderLots,
    maker_fee: String(maker.fee),
    maker_realized_pnl: String(maker.realizedPnl),
    time_ms: timeMs,
  };
}

function triggerRow(closed: TriggerOrderClosed, step: Step): Row<'plan_orders'> {
  const { trigger } = closed;
  return {
    order_id: trigger.orderId,
    account_id: trigger.accountId,
    instrument_id: trigger.instrumentId,
    client_order_id: trigger.clientOrderId,
    action: trigger.action,
    purpose: trigger.purpose,
    type: trigger.type,
    trigger_ticks: trigger.triggerTicks,
    direction: trigger.direction,
    execute_ticks: trigger.executeTicks,
    size_lots: trigger.sizeLots,
    created_price_ticks: trigger.createdPriceTicks,
    created_time_ms: trigger.createdTimeMs,
    status: closed.status,
    reason: closed.reason,
    placed_order_id: closed.placedOrderId,
    executed_lots: closed.executedLots,
    updated_time_ms: step.timeMs,
    closed_seq: step.seq,
  };
}

function fundingRow(settled: FundingSettled, step: Step): Row<'funding_rates'> {
  return {
    instrument_id: settled.instrumentId,
    funding_time_ms: settled.fundingTimeMs,
    rate_ppb: settled.ratePpb,
    mark_ticks: settled.markTicks,
    collected: String(settled.collected),
    distributed: String(settled.distributed),
    uncollected: String(settled.uncollected),
    settled_seq: step.seq,
  };
}

function liquidationRow(event: Liquidated, step: Step, id: number): Row<'liquidations'> {
  return {
    liquidation_id: id,
    seq: step.seq,
    time_ms: step.timeMs,
    account_id: event.accountId,
    instrument_id: event.instrumentId,
    mode: event.mode,
    side: event.side,
    mark_ticks: event.markTicks,
    bankruptcy_ticks: event.bankruptcyTicks,
    size_lots: event.sizeLots,
    deleveraged_lots: event.deleveragedLots,
    fund_delta: String(event.fundDelta),
  };
}

/** One event, its rows. The writers know transactions and the order of the steps. */
import {
  type ContractOrderClosed,
  type ContractPrices,
  type ContractTrade,
  type Event,
  type FundingSettled,
  type InsuranceMoved,
  type Liquidated,
  type MarginAdjusted,
  type OrderClosed,
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
import type { ProjectedStep } from '../day-port.ts';
import {
  CONTRACT_ORDERS,
  CONTRACT_TRADES,
  FUNDING_RATES,
  LIQUIDATIONS,
  TRIGGER_ORDERS,
} from '../tables/contract-tables.ts';
import { CONTRACT_LEDGER } from '../tables/ledger-tables.ts';
import { BALANCE_CHANGES, INSTRUMENTS, ORDERS, TRADES, TRANSFERS } from '../tables/spot-tables.ts';
import type { RecordOf } from '../tables/table.ts';
import { CandleWriter } from './candle-writer.ts';
import { CoinBalances } from './coin-balances.ts';
import { DayWriter } from './day-writer.ts';
import { LedgerWriter } from './ledger-writer.ts';
import { type RowNumbers, readRowNumbers } from './row-numbers.ts';
import type { RowStore } from './row-store.ts';
import { undoBeyond } from './undo.ts';

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

/** What the steps become, added to a store inside the transaction that is open. */
export class RowWriter {
  readonly #store: RowStore;
  readonly #candles: CandleWriter;
  readonly #ledger: LedgerWriter;
  readonly #days: DayWriter;
  readonly #into: ReturnType<typeof insertsOf>;
  #numbers: RowNumbers;

  constructor(store: RowStore, numbers: RowNumbers) {
    this.#store = store;
    this.#numbers = numbers;
    this.#candles = new CandleWriter(store.candles);
    this.#ledger = new LedgerWriter(
      store.into(CONTRACT_LEDGER),
      new CoinBalances(store.db, numbers.nextEntryId === 1),
      numbers.nextEntryId,
    );
    this.#days = new DayWriter(store);
    this.#into = insertsOf(store);
  }

  /** The rows of some steps. They are in the tables when it resolves. */
  async addSteps(steps: readonly ProjectedStep[]): Promise<void> {
    await this.#foresee(steps);
    for (const [index, step] of steps.entries()) {
      if (step.dayOpening !== undefined) await this.#days.open(step.dayOpening, step.seq);
      for (const event of step.events) {
        if (event.kind === 'venue_reset') await this.#reset(event, steps.slice(index));
        else this.#add(event, step);
      }
      this.#ledger.endStep(step);
    }
    this.#candles.flush();
    await this.#store.flush();
  }

  async #foresee(steps: readonly Step[]): Promise<void> {
    await this.#store.foresee(steps, (ahead) => this.#candles.ahead(ahead));
    await this.#ledger.foresee(steps);
  }

  #add(event: Event, { seq, timeMs }: Step): void {
    switch (event.kind) {
      case 'trade':
        this.#into.trades.add(this.#tradeRecord(event, timeMs));
        this.#candles.add(event, timeMs);
        break;
      case 'order_closed':
        this.#into.orders.add(orderRecord(event, seq, timeMs));
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
      case 'refused':
      case 'order_accepted':
      case 'order_rested':
      case 'order_moved':
      case 'contract_order_moved':
      case 'orders_cancelled':
      case 'lock_set':
      case 'money_held':
      case 'account_created':
      case 'account_updated':
      case 'key_created':
      case 'key_revoked':
      case 'asset_listed':
      case 'asset_updated':
      case 'spot_updated':
      case 'contract_listed':
      case 'contract_updated':
      case 'contract_order_accepted':
      case 'reversal_refused':
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
        this.#into.contractOrders.add(contractOrderRecord(event, seq, timeMs));
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
          liquidationId: this.#numbers.nextLiquidationId++,
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

  /** What was added goes out first, because some of it is undone. */
  async #reset(event: VenueReset, steps: readonly Step[]): Promise<void> {
    this.#candles.flush();
    await this.#store.flush();
    await undoBeyond(this.#store, event);
    this.#candles.forget();
    this.#numbers = await readRowNumbers(this.#store.db);
    this.#ledger.goOnFrom(this.#numbers.nextEntryId);
    await this.#foresee(steps);
  }

  #addInstrument({ instrumentId, base, quote, baseUnitsPerLot }: SpotInstrument): void {
    const [baseAssetId, quoteAssetId] = [base.assetId, quote.assetId];
    this.#numbers.quoteAssetIds.set(instrumentId, quoteAssetId);
    this.#into.instruments.add({ instrumentId, baseAssetId, quoteAssetId, baseUnitsPerLot });
  }

  #tradeRecord(trade: Trade, timeMs: number): RecordOf<typeof TRADES> {
    const takerBuys = trade.takerSide === 'buy';
    return {
      ...trade,
      quoteAssetId: present(
        this.#numbers.quoteAssetIds.get(trade.instrumentId),
        'pair of the trade',
      ),
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

/** One spread, at the beginning: each further one copies name by name. */
function orderRecord(
  { order, reason }: OrderClosed,
  closedSeq: number,
  closedTimeMs: number,
): RecordOf<typeof ORDERS> {
  if (order.type === 'limit') return { ...order, quoteBudget: 0n, reason, closedSeq, closedTimeMs };
  return { ...UNASKED, ...order, reason, closedSeq, closedTimeMs };
}

function contractOrderRecord(
  { order, reason }: ContractOrderClosed,
  closedSeq: number,
  closedTimeMs: number,
): RecordOf<typeof CONTRACT_ORDERS> {
  const { takeProfitTicks, stopLossTicks } = order;
  const priceTicks = order.type === 'limit' ? order.priceTicks : ZERO_TICKS;
  return { ...order, priceTicks, takeProfitTicks, stopLossTicks, reason, closedSeq, closedTimeMs };
}

function insertsOf(store: RowStore) {
  return {
    instruments: store.into(INSTRUMENTS),
    orders: store.into(ORDERS),
    trades: store.into(TRADES),
    balanceChanges: store.into(BALANCE_CHANGES),
    transfers: store.into(TRANSFERS),
    contractOrders: store.into(CONTRACT_ORDERS),
    contractTrades: store.into(CONTRACT_TRADES),
    triggerOrders: store.into(TRIGGER_ORDERS),
    fundingRates: store.into(FUNDING_RATES),
    liquidations: store.into(LIQUIDATIONS),
  };
}

/** A price that nobody named is the last one. */
function triggerPrices({
  workingPrice = 'last',
  takeProfitTicks,
  takeProfitWorking = 'last',
  stopLossTicks,
  stopLossWorking = 'last',
  intent,
}: TriggerOrderView) {
  const tpSl = { takeProfitTicks, takeProfitWorking, stopLossTicks, stopLossWorking };
  return { workingPrice, ...tpSl, intent };
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

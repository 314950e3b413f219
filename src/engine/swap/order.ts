/**
 * A contract order while the engine knows it: the venue's record, the book's node and the margin
 * account's list entry in one object.
 */
import {
  type AccountId,
  type Amount,
  type Carry,
  type ContractAction,
  type ContractLimitView,
  type ContractOrderAsked,
  type ContractOrderFilled,
  type ContractOrderView,
  type FineAmount,
  type Force,
  type InstrumentId,
  isOpen,
  type Lots,
  lots,
  lotsPerTick,
  NO_CONTRACTS_FILLED,
  type OrderCause,
  type OrderId,
  type OrderType,
  openingCost,
  orderId,
  type Side,
  sideOf,
  type Ticks,
  tickLots,
  type WorkingPrice,
  ZERO_TICKS,
} from '#domain';
import type { BookLevel, BookOrder } from '../book/book.ts';
import type { ListedContractOrder, MarginAccount, MarginMarket } from '../margin/margin-account.ts';
import type { Position } from '../margin/position.ts';
import type { ProtectedOrder, TriggerOrder } from '../trigger/trigger-order.ts';

/** What an order is asked for as. */
export type OrderTerms = ContractOrderAsked;
export type LimitOrderTerms = Extract<OrderTerms, { readonly type: 'limit' }>;

export class ContractOrder implements BookOrder, ListedContractOrder, ProtectedOrder, Carry {
  readonly orderId: OrderId;
  readonly margin: MarginAccount;
  readonly action: ContractAction;
  readonly cause: OrderCause;
  readonly type: OrderType;
  readonly force: Force;
  readonly side: Side;
  // One shape for all orders keeps matching fast, so here a price that an order does not have is
  // zero, like a TP/SL trigger. They leave the engine by view() only.
  priceTicks: Ticks;
  sizeLots: Lots;
  readonly clientOrderId: string | undefined;
  readonly takeProfitTicks: Ticks;
  readonly stopLossTicks: Ticks;
  readonly takeProfitWorking: WorkingPrice;
  readonly stopLossWorking: WorkingPrice;
  readonly leverage: number;
  /** The fee rate its freeze was computed with: terms may change while it rests. */
  frozenFeePpm: number;
  /** What it keeps frozen while it rests: its frozenCost, which only an opening has. */
  frozen: Amount = 0n;
  readonly createdTimeMs: number;
  /** What its place in a queue goes by: its own number, or that of its last move. */
  placeId: number;
  /** Not yet matched as the book counts it: of a resting order only the book writes it. */
  openLots: Lots;
  /** Another one with every fill: the event of it shows it as it is. */
  filled: ContractOrderFilled = NO_CONTRACTS_FILLED;
  takeProfit: TriggerOrder | null = null;
  stopLoss: TriggerOrder | null = null;
  takeProfitDropped = false;
  stopLossDropped = false;
  /** Filled lots that TP/SL have been armed for. */
  protectedLots: Lots = lots(0);
  /** The position that its last fill changed; zero before the first one, and after a restart. */
  positionId = 0;
  /** A forced order may be filled at a loss that the insurance fund makes good. */
  spendsFund = false;
  feeAhead = 0n;
  marginOwed: FineAmount = 0n;
  /** As its last fill left the wallet, for the event; that fill's part with the insurance fund. */
  walletBalance: Amount = 0n;
  insured: Amount = 0n;
  level: BookLevel | null = null;
  before: BookOrder | null = null;
  after: BookOrder | null = null;
  older: ListedContractOrder | null = null;
  newer: ListedContractOrder | null = null;

  constructor(
    id: number,
    margin: MarginAccount,
    position: Position,
    terms: OrderTerms,
    frozenFeePpm: number,
    createdTimeMs: number,
  ) {
    this.orderId = orderId(id);
    this.margin = margin;
    this.action = terms.action;
    this.cause = terms.cause;
    this.type = terms.type;
    this.force = terms.force;
    this.side = sideOf(terms.action);
    this.priceTicks = terms.type === 'limit' ? terms.priceTicks : ZERO_TICKS;
    this.sizeLots = terms.sizeLots;
    this.clientOrderId = terms.clientOrderId;
    this.takeProfitTicks = terms.takeProfitTicks ?? ZERO_TICKS;
    this.stopLossTicks = terms.stopLossTicks ?? ZERO_TICKS;
    this.takeProfitWorking = terms.takeProfitWorking ?? 'last';
    this.stopLossWorking = terms.stopLossWorking ?? 'last';
    this.leverage = position.leverage;
    this.frozenFeePpm = frozenFeePpm;
    this.createdTimeMs = createdTimeMs;
    this.placeId = id;
    this.openLots = terms.sizeLots;
  }

  get accountId(): AccountId {
    return this.margin.accountId;
  }

  get instrumentId(): InstrumentId {
    return this.margin.market.contract.instrumentId;
  }

  get market(): MarginMarket {
    return this.margin.market;
  }

  get filledLots(): Lots {
    return this.filled.filledLots;
  }

  get filledTickLots(): bigint {
    return this.filled.filledTickLots;
  }

  get filledPerTick(): bigint {
    return this.filled.filledPerTick;
  }

  get fee(): Amount {
    return this.filled.fee;
  }

  get realizedPnl(): Amount {
    return this.filled.realizedPnl;
  }

  get unfilledLots(): Lots {
    return lots(this.sizeLots - this.filledLots);
  }

  get hasTpSl(): boolean {
    return this.takeProfitTicks > 0 || this.stopLossTicks > 0;
  }

  get promisedTpSl(): number {
    const { takeProfit, stopLoss, takeProfitDropped, stopLossDropped } = this;
    const isProfit = this.takeProfitTicks > 0 && takeProfit === null && !takeProfitDropped;
    const isLoss = this.stopLossTicks > 0 && stopLoss === null && !stopLossDropped;
    return (isProfit ? 1 : 0) + (isLoss ? 1 : 0);
  }

  /** Of a limit order; of another one its price is zero. */
  limitView(): ContractLimitView {
    const { takeProfitTicks, stopLossTicks, takeProfitWorking, stopLossWorking, filled } = this;
    const view: ContractLimitView = {
      orderId: this.orderId,
      accountId: this.accountId,
      instrumentId: this.instrumentId,
      clientOrderId: this.clientOrderId,
      action: this.action,
      cause: this.cause,
      type: 'limit',
      force: this.force,
      priceTicks: this.priceTicks,
      sizeLots: this.sizeLots,
      filledLots: filled.filledLots,
      filledTickLots: filled.filledTickLots,
      filledPerTick: filled.filledPerTick,
      fee: filled.fee,
      realizedPnl: filled.realizedPnl,
      takeProfitTicks: takeProfitTicks === 0 ? undefined : takeProfitTicks,
      stopLossTicks: stopLossTicks === 0 ? undefined : stopLossTicks,
      leverage: this.leverage,
      createdTimeMs: this.createdTimeMs,
    };
    if (takeProfitWorking === 'last' && stopLossWorking === 'last') return view;
    return {
      ...view,
      ...(takeProfitWorking !== 'last' && { takeProfitWorking }),
      ...(stopLossWorking !== 'last' && { stopLossWorking }),
    };
  }

  view(): ContractOrderView {
    const limit = this.limitView();
    if (this.type === 'limit') return limit;
    const { priceTicks: _price, ...market } = limit;
    return { ...market, type: 'market' };
  }
}

/** As much of an opening order as its freeze is worked out from. */
export type Freezing = Carry &
  Pick<
    ContractOrder,
    'action' | 'margin' | 'openLots' | 'priceTicks' | 'leverage' | 'frozenFeePpm' | 'frozen'
  >;

/** What a resting order needs frozen for this many lots, after pieces that left a carry. */
export function frozenCost(order: Freezing, size: number, carry: Carry = order): Amount {
  const { action, priceTicks, leverage, frozenFeePpm, margin } = order;
  if (!isOpen(action)) return 0n;
  return openingCost(margin.market.contract, size, priceTicks, leverage, frozenFeePpm, carry);
}

/** What an open order must have frozen: one that is being matched pays as it goes. */
export function frozenOf(order: ContractOrder): Amount {
  return order.level === null ? 0n : frozenCost(order, order.openLots);
}

/** What a resting order sets free when so much of it is filled and this carry is left. */
export function thawedCost(order: Freezing, size: number, carry: Carry): Amount {
  return order.frozen - frozenCost(order, order.openLots - size, carry);
}

/** Counts a fill. */
export function noteFill(
  order: ContractOrder,
  size: Lots,
  priceTicks: number,
  { fee, pnl }: { readonly fee: Amount; readonly pnl: Amount },
): void {
  const isInverse = order.market.contract.kind === 'inverse';
  const first: ContractOrderFilled = {
    filledLots: size,
    filledTickLots: tickLots(size, priceTicks),
    filledPerTick: isInverse ? lotsPerTick(size, priceTicks) : 0n,
    fee,
    realizedPnl: pnl,
  };
  // Most orders are filled once.
  order.filled = order.filled.filledLots === 0 ? first : sumOf(order.filled, first);
}

function sumOf(one: ContractOrderFilled, other: ContractOrderFilled): ContractOrderFilled {
  return {
    filledLots: lots(one.filledLots + other.filledLots),
    filledTickLots: one.filledTickLots + other.filledTickLots,
    filledPerTick: one.filledPerTick + other.filledPerTick,
    fee: one.fee + other.fee,
    realizedPnl: one.realizedPnl + other.realizedPnl,
  };
}

/**
 * A venue of contracts without an engine: it writes valid steps by hand and keeps them, so that
 * tests compare the history with plain filters over those steps.
 */
import {
  type AccountId,
  accountId,
  type Contract,
  type ContractAction,
  type ContractCloseReason,
  type ContractFill,
  type ContractOrderView,
  type ContractTrade,
  type Event,
  type FundingSettled,
  type InstrumentId,
  type Liquidated,
  lots,
  NO_CONTRACTS_FILLED,
  NOTHING_FILLED,
  notional,
  orderId,
  type Step,
  sideOf,
  type TriggerOrderClosed,
  type TriggerOrderView,
  ticks,
  tradeId,
  valueFloor,
} from '#domain';
import type {
  ClosedContractOrder,
  ClosedTriggerOrder,
  ContractFillRecord,
  LiquidationRecord,
} from '#history';
import { contractOrderView, type LimitOrderView } from '../support/orders.ts';
import { BTCUSDT, COIN_PERPETUAL, LISTINGS, PERPETUAL } from '../support/tape.ts';

export const LINEAR_ID = PERPETUAL.instrumentId;
export const INVERSE_ID = COIN_PERPETUAL.instrumentId;
export const [ANN, BOB, CAY] = [accountId(1), accountId(2), accountId(3)];

export interface TradeFacts {
  readonly taker: Party;
  readonly maker: Party;
  readonly contract?: Contract;
  readonly price?: number;
  readonly size?: number;
  readonly inBook?: boolean;
}

export type Party = Partial<ContractFill> & { readonly accountId: AccountId };

type LimitTriggerView = Extract<TriggerOrderView, { readonly type: 'limit' }>;

export class ContractTape {
  readonly steps: Step[] = [];
  timeMs = Date.parse('2026-03-01T12:00:00Z');
  #lastId = 0;

  constructor() {
    for (const events of LISTINGS) this.step(...events);
  }

  /** What one command did. */
  step(...events: Event[]): void {
    this.steps.push({ seq: this.steps.length + 1, timeMs: this.timeMs, events });
  }

  since(seq: number): Step[] {
    return this.steps.slice(seq);
  }

  nextId(): number {
    this.#lastId += 5;
    return this.#lastId;
  }

  /** An order as it stands when it is created. */
  order(owner: AccountId, facts: Partial<LimitOrderView> = {}): LimitOrderView {
    return contractOrderView({
      orderId: orderId(this.nextId()),
      accountId: owner,
      instrumentId: LINEAR_ID,
      clientOrderId: `venue-${this.#lastId}`,
      priceTicks: ticks(300_000),
      sizeLots: lots(10),
      createdTimeMs: this.timeMs,
      ...facts,
    });
  }

  marketOrder(owner: AccountId, facts: Partial<LimitOrderView> = {}): ContractOrderView {
    const { priceTicks: _price, ...order } = this.order(owner, facts);
    return { ...order, type: 'market' };
  }

  close(order: ContractOrderView, reason: ContractCloseReason = 'cancelled_by_owner'): void {
    this.step({ kind: 'contract_order_closed', order, reason, restingLots: lots(0) });
  }

  trade(facts: TradeFacts): ContractTrade {
    const { contract = PERPETUAL, price = 300_000, size = 10, inBook = true } = facts;
    const taker = this.#fill('open_long', facts.taker, contract);
    const trade: ContractTrade = {
      kind: 'contract_trade',
      tradeId: tradeId(this.nextId()),
      instrumentId: contract.instrumentId,
      priceTicks: ticks(price),
      sizeLots: lots(size),
      assetId: contract.margin.assetId,
      quoteAmount: valueFloor(contract, size, price),
      takerSide: sideOf(taker.action),
      taker,
      maker: this.#fill('open_short', facts.maker, contract),
      inBook,
    };
    this.step(trade);
    return trade;
  }

  #fill(action: ContractAction, facts: Party, { symbol }: Contract): ContractFill {
    return {
      orderId: orderId(this.nextId()),
      positionId: 1,
      action,
      cause: 'owner',
      orderLots: lots(10),
      fee: 180n,
      realizedPnl: 0n,
      filled: NO_CONTRACTS_FILLED,
      wallet: symbol,
      balance: 0n,
      insured: 0n,
      ...facts,
    };
  }

  /** A trade of the pair, which no page of contracts may show. */
  spotTrade(price: number, size: number): void {
    this.step({
      kind: 'trade',
      tradeId: tradeId(this.nextId()),
      instrumentId: BTCUSDT.instrumentId,
      priceTicks: ticks(price),
      sizeLots: lots(size),
      quoteAmount: notional(BTCUSDT, ticks(price), lots(size)),
      takerSide: 'buy',
      takerOrderId: orderId(this.nextId()),
      makerOrderId: orderId(this.nextId()),
      takerAccountId: ANN,
      makerAccountId: BOB,
      takerIsMarket: false,
      takerFilled: NOTHING_FILLED,
      makerFilled: NOTHING_FILLED,
      buyerFee: 0n,
      sellerFee: 0n,
      buyerBaseBefore: 0n,
      buyerQuoteBefore: 0n,
      sellerBaseBefore: 0n,
      sellerQuoteBefore: 0n,
    });
  }

  trigger(owner: AccountId, facts: Partial<LimitTriggerView> = {}): LimitTriggerView {
    return {
      orderId: orderId(this.nextId()),
      accountId: owner,
      instrumentId: LINEAR_ID,
      clientOrderId: `plan-${this.#lastId}`,
      action: 'open_long',
      purpose: 'trigger',
      type: 'limit',
      triggerTicks: ticks(310_000),
      direction: 'rise',
      executeTicks: ticks(310_005),
      sizeLots: lots(10),
      createdPriceTicks: ticks(300_000),
      createdTimeMs: this.timeMs,
      ...facts,
    };
  }

  marketTrigger(owner: AccountId, facts: Partial<LimitTriggerView> = {}): TriggerOrderView {
    const { executeTicks: _price, ...trigger } = this.trigger(owner, facts);
    return { ...trigger, type: 'market' };
  }

  closeTrigger(plan: TriggerOrderView, facts: Partial<TriggerOrderClosed> = {}): void {
    this.step({
      kind: 'trigger_order_closed',
      trigger: plan,
      status: 'cancelled',
      reason: '',
      placedOrderId: undefined,
      executedLots: lots(0),
      ...facts,
    });
  }

  settle(contract: InstrumentId, ratePpb: number): void {
    this.step({
      kind: 'funding_settled',
      skippedCount: 0,
      instrumentId: contract,
      fundingTimeMs: this.timeMs,
      ratePpb,
      markTicks: ticks(300_000),
      collected: 1_000n,
      distributed: 998n,
      uncollected: 7n,
    });
  }

  liquidate(...owners: AccountId[]): void {
    this.step(...owners.map((owner) => liquidated(owner)));
  }
}

/** What the naive answers are made of. */
interface Told {
  readonly steps: readonly Step[];
}

/** Every event with its step, oldest first. */
export function eventsOf({ steps }: Told): { readonly event: Event; readonly step: Step }[] {
  return steps.flatMap((step) => step.events.map((event) => ({ event, step })));
}

export function liquidated(owner: AccountId, facts: Partial<Liquidated> = {}): Liquidated {
  return {
    kind: 'liquidated',
    accountId: owner,
    instrumentId: LINEAR_ID,
    positionId: 1,
    mode: 'isolated',
    side: 'long',
    markTicks: ticks(285_000),
    bankruptcyTicks: ticks(284_000),
    sizeLots: lots(10),
    deleveragedLots: lots(3),
    fundDelta: -5n,
    paidTo: [
      { accountId: accountId(2), amount: 4n },
      { accountId: accountId(3), amount: 10n ** 20n },
    ],
    ...facts,
  };
}

/** Every closed order, newest first. */
export function naiveOrders(told: Told): ClosedContractOrder[] {
  const found = eventsOf(told).flatMap(({ event, step }): ClosedContractOrder[] => {
    if (event.kind !== 'contract_order_closed') return [];
    const { reason } = event;
    // Which price they look at is kept with the take-profit and stop-loss that the order leaves.
    const { takeProfitWorking: _profit, stopLossWorking: _loss, ...order } = event.order;
    return [{ ...order, reason, closedSeq: step.seq, closedTimeMs: step.timeMs }];
  });
  return found.sort((one, other) => other.orderId - one.orderId);
}

/** Both sides of every trade, newest first and taker first. */
export function naiveFills(told: Told): ContractFillRecord[] {
  const found = eventsOf(told).map(({ event, step }): ContractFillRecord[] => {
    if (event.kind !== 'contract_trade') return [];
    const { kind: _kind, taker, maker, assetId: _asset, ...facts } = event;
    const { timeMs } = step;
    return [
      { ...facts, ...fillRow(taker), role: 'taker', timeMs },
      { ...facts, ...fillRow(maker), role: 'maker', timeMs },
    ];
  });
  return found.reverse().flat();
}

/** The history keeps fills, what they add up to with the order, and their money in the ledger. */
export function fillRow({ filled: _filled, positionId: _position, ...fill }: ContractFill) {
  const { wallet: _wallet, balance: _balance, insured: _insured, ...row } = fill;
  return row;
}

/** Every plan order that closed, newest first, with the fills of the order that it placed. */
export function naivePlans(told: Told): ClosedTriggerOrder[] {
  const placed = new Map(naiveOrders(told).map((order) => [order.orderId, order]));
  const found = eventsOf(told).flatMap(({ event, step }): ClosedTriggerOrder[] => {
    if (event.kind !== 'trigger_order_closed') return [];
    const { kind: _kind, trigger, ...end } = event;
    const order = end.placedOrderId && placed.get(end.placedOrderId);
    return [{ ...trigger, ...end, ...executedBy(order), updatedTimeMs: step.timeMs }];
  });
  return found.sort((one, other) => other.orderId - one.orderId);
}

/** An order that is still open has its fills in no row. */
function executedBy(order: ClosedContractOrder | undefined) {
  if (order === undefined) return {};
  const { filledLots, filledTickLots, filledPerTick } = order;
  return { executedLots: filledLots, executed: { filledLots, filledTickLots, filledPerTick } };
}

/** Every settlement of a contract, newest first. */
export function naiveFunding(told: Told, contract: InstrumentId) {
  return eventsOf(told)
    .flatMap(({ event }): Omit<FundingSettled, 'kind'>[] => {
      if (event.kind !== 'funding_settled' || event.instrumentId !== contract) return [];
      const { kind: _kind, ...facts } = event;
      return [facts];
    })
    .reverse();
}

/** Every liquidation, newest first. */
export function naiveLiquidations(told: Told): LiquidationRecord[] {
  return eventsOf(told)
    .flatMap(({ event, step: { seq, timeMs } }) => {
      if (event.kind !== 'liquidated') return [];
      const { kind: _kind, positionId: _positionId, ...facts } = event;
      return [{ ...facts, seq, timeMs }];
    })
    .map((row, place): LiquidationRecord => ({ ...row, liquidationId: place + 1 }))
    .reverse();
}

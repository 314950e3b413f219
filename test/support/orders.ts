/** Orders as commands: what a test does not say of one is what most orders are like. */
import {
  type ContractOrderView,
  lots,
  type PlaceContractOrder,
  type PlaceSpotOrder,
  type PlaceTriggerOrder,
  ticks,
} from '#domain';

/** What names the order; the rest may be said. */
type Said<Order, Name extends keyof Order> = Pick<Order, Name> & Partial<Omit<Order, 'kind'>>;

type LimitOrder = Extract<PlaceSpotOrder, { readonly type: 'limit' }>;
type LimitNames = 'accountId' | 'instrumentId' | 'side' | 'priceTicks' | 'sizeLots';

/** A limit order; one at the market has so little that it is written where it is needed. */
export function spotOrder(said: Said<LimitOrder, LimitNames>): LimitOrder {
  const order = { kind: 'place_spot_order', type: 'limit', force: 'gtc' } as const;
  return { ...order, clientOrderId: '', ...said };
}

/** A limit order without take-profit and stop-loss until told otherwise. */
export function contractOrder(
  said: Said<PlaceContractOrder, 'accountId' | 'instrumentId' | 'action' | 'sizeLots'>,
): PlaceContractOrder {
  const none = { priceTicks: ticks(0), takeProfitTicks: ticks(0), stopLossTicks: ticks(0) };
  const order = { kind: 'place_contract_order', type: 'limit', force: 'gtc' } as const;
  return { ...order, clientOrderId: '', ...none, ...said };
}

/** One that becomes a market order until told otherwise. */
export function triggerOrder(
  said: Said<
    PlaceTriggerOrder,
    'accountId' | 'instrumentId' | 'action' | 'sizeLots' | 'triggerTicks'
  >,
): PlaceTriggerOrder {
  const none = { executeTicks: ticks(0), clientOrderId: '' };
  return { kind: 'place_trigger_order', type: 'market', ...none, ...said };
}

/** A contract order as it stands when it is created. */
export function contractOrderView(
  said: Said<ContractOrderView, 'orderId' | 'accountId' | 'instrumentId' | 'sizeLots'>,
): ContractOrderView {
  return {
    clientOrderId: 'mine',
    action: 'open_long',
    cause: 'owner',
    type: 'limit',
    force: 'gtc',
    priceTicks: ticks(0),
    filledLots: lots(0),
    filledTickLots: 0n,
    filledPerTick: 0n,
    fee: 0n,
    realizedPnl: 0n,
    takeProfitTicks: ticks(0),
    stopLossTicks: ticks(0),
    leverage: 20,
    createdTimeMs: 0,
    ...said,
  };
}

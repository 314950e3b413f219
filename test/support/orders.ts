/** Orders as commands: what a test does not say of one is what most orders are like. */
import {
  type AccountId,
  type ContractAction,
  type ContractOrderView,
  type Force,
  type InstrumentId,
  type Lots,
  NO_CONTRACTS_FILLED,
  type PlaceContractOrder,
  type PlaceSpotOrder,
  type PlaceTriggerOrder,
  type Ticks,
  type TpSlTerms,
  type TriggerDirection,
  type WorkingPrice,
} from '#domain';

/** What names the order; the rest may be said. */
type Said<Order, Name extends keyof Order> = Pick<Order, Name> & Partial<Omit<Order, 'kind'>>;

type LimitOrder = Extract<PlaceSpotOrder, { readonly type: 'limit' }>;
type LimitNames = 'accountId' | 'instrumentId' | 'side' | 'priceTicks' | 'sizeLots';

/** A limit order; one at the market has so little that it is written where it is needed. */
export function spotOrder(said: Said<LimitOrder, LimitNames>): LimitOrder {
  const order = { kind: 'place_spot_order', type: 'limit', force: 'gtc' } as const;
  return { ...order, clientOrderId: undefined, ...said };
}

/** What tests say of an order of a contract: with a price it is a limit order. */
interface ContractSaid extends TpSlTerms {
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly action: ContractAction;
  readonly sizeLots: Lots;
  readonly force?: Force;
  readonly clientOrderId?: string | undefined;
  readonly priceTicks?: Ticks | undefined;
}

export function contractOrder({ priceTicks, ...said }: ContractSaid): PlaceContractOrder {
  const order = {
    kind: 'place_contract_order',
    force: 'gtc',
    clientOrderId: undefined,
    ...said,
  } as const;
  return priceTicks === undefined
    ? { ...order, type: 'market' }
    : { ...order, type: 'limit', priceTicks };
}

/** The same of a trigger order: with a price it places a limit order. */
interface TriggerSaid extends TpSlTerms {
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly action: ContractAction;
  readonly sizeLots: Lots;
  readonly triggerTicks: Ticks;
  readonly clientOrderId?: string | undefined;
  readonly executeTicks?: Ticks | undefined;
  readonly workingPrice?: WorkingPrice | undefined;
  readonly direction?: TriggerDirection;
}

export function triggerOrder({ executeTicks, ...said }: TriggerSaid): PlaceTriggerOrder {
  const order = { kind: 'place_trigger_order', clientOrderId: undefined, ...said } as const;
  return executeTicks === undefined
    ? { ...order, type: 'market' }
    : { ...order, type: 'limit', executeTicks };
}

export type LimitOrderView = Extract<ContractOrderView, { readonly type: 'limit' }>;
type ViewNames = 'orderId' | 'accountId' | 'instrumentId' | 'priceTicks' | 'sizeLots';

/** A limit order of a contract as it stands when it is created. */
export function contractOrderView(
  said: Pick<LimitOrderView, ViewNames> & Partial<LimitOrderView>,
): LimitOrderView {
  return {
    clientOrderId: 'mine',
    action: 'open_long',
    cause: 'owner',
    type: 'limit',
    force: 'gtc',
    ...NO_CONTRACTS_FILLED,
    takeProfitTicks: undefined,
    stopLossTicks: undefined,
    leverage: 20,
    createdTimeMs: 0,
    ...said,
  };
}

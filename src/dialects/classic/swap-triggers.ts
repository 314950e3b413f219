/**
 * Trigger orders and TP/SL, which this wire calls plan orders and presets. Waiting ones are in the
 * venue's memory, the others in the history, which is asked only once it holds everything the
 * caller can know of.
 */
import type { Services } from '#api';
import {
  type AccountId,
  type Contract,
  type ContractAction,
  type InstrumentId,
  isRefused,
  isReject,
  type Lots,
  type OrderId,
  type Refused,
  refuse,
  type StateReader,
  type TriggerOrderView,
  type TriggerPurpose,
  type TriggerStatus,
  ZERO_LOTS,
} from '#domain';
import type { ClosedTriggerOrder } from '#history';
import { assert } from '#kernel';
import { formatPrice } from '../kit/contract-figures.ts';
import { type SignedEndpoint, signedEndpoint, signedEndpointReadBy } from '../kit/endpoint.ts';
import { ORDER_ID, TIME_MS } from '../kit/examples.ts';
import { UNIX_MS } from '../kit/fields.ts';
import { clientIdOf, formatId } from '../kit/ids.ts';
import { type Field, readByAnother, wholeNumber } from '../kit/request.ts';
import { decimal, id, listOf, oneOf, row, text, timeMs, truth } from '../kit/row.ts';
import * as schema from '../kit/schema.ts';
import { meaningOf } from './rejects.ts';
import { ACTIONS } from './swap-new-order.ts';
import { PLAN_FIELDS, readPlanOrder } from './swap-new-plan.ts';
import {
  ACTION_NUMBERS,
  EXAMPLE_REFERENCE,
  ORDER_REFERENCE,
  type OrderReference,
} from './swap-orders.ts';
import {
  BASE,
  CHANGING,
  CONTRACT,
  contractColumn,
  type OfContract,
  ORDER_RATE,
  PAGE,
  PAGE_SIZE,
  price,
  READING,
  SYMBOL,
  size,
} from './swap-terms.ts';
import { isAboutOrder, PLACED, PLAN_CANCEL, type PlacedOrder } from './swap-trade.ts';
import { TRIGGER_TYPE_WORDS } from './trigger-types.ts';

const STATUS_NUMBERS = {
  waiting: '1',
  triggered: '2',
  failed: '3',
  cancelled: '4',
} as const satisfies Record<TriggerStatus, string>;

const STATUS_TEXTS: Readonly<Record<TriggerStatus, string>> = {
  waiting: 'not executed',
  triggered: 'entrusted',
  failed: 'execution failed',
  cancelled: 'cancelled',
};

/** Reasons for which an owner's own cancel ends an order or a plan order. */
const BY_OWNER = 'cancelled_by_owner';

const ACTION_TEXTS: Readonly<Record<ContractAction, string>> = {
  open_long: 'open long',
  open_short: 'open short',
  close_long: 'close long',
  close_short: 'close short',
};

const PURPOSE_TEXTS: Readonly<Record<TriggerPurpose, string>> = {
  trigger: '',
  take_profit: ' (take profit)',
  stop_loss: ' (stop loss)',
};

/** State of a plan order. */
interface PlanOutcome {
  readonly status: TriggerStatus;
  /** Why it failed or was cancelled, the name of a refusal or of another cause; may be empty. */
  readonly reason: string;
  /** The order it became, if any. */
  readonly placedOrderId: OrderId | undefined;
  readonly executedLots: Lots;
  /** When it was created or, once it is final, when that happened. */
  readonly updatedTimeMs: number;
}

/** The outcome of a plan order that still waits. */
export function waitingOutcome({ createdTimeMs }: TriggerOrderView): PlanOutcome {
  return {
    status: 'waiting',
    reason: '',
    placedOrderId: undefined,
    executedLots: ZERO_LOTS,
    updatedTimeMs: createdTimeMs,
  };
}

interface ShownPlan extends OfContract {
  readonly plan: TriggerOrderView;
  readonly outcome: PlanOutcome;
  /** Whether another page follows the one it is on. */
  readonly isMore: boolean;
}

export const PLAN = row<ShownPlan>()({
  symbol: contractColumn('Contract'),
  nextPage: truth('Whether another page comes after this one', false, ({ isMore }) => isMore),
  execute_count: size(
    'Contracts that the order it placed has filled',
    '0',
    ({ outcome }) => outcome.executedLots,
  ),
  delegate_count: size('Quantity in contracts', '1', ({ plan }) => plan.sizeLots),
  create_time: timeMs('When it was placed', TIME_MS, ({ plan }) => plan.createdTimeMs),
  update_time: timeMs('When it last changed', TIME_MS, ({ outcome }) => outcome.updatedTimeMs),
  direction: oneOf(
    ['1', '2', '3', '4'],
    '1 open long, 2 open short, 3 close long, 4 close short',
    '1',
    ({ plan }) => ACTION_NUMBERS[plan.action],
  ),
  direction_desc: text(
    'The direction in words; take-profit and stop-loss are named',
    'open long',
    ({ plan }) => ACTION_TEXTS[plan.action] + PURPOSE_TEXTS[plan.purpose],
  ),
  trigger_price: price('Price that triggers it', '36000.0', ({ plan }) => plan.triggerTicks),
  execute_price: decimal(
    'Limit price of the order it places; 0 for a market order',
    '36000.0',
    ({ contract, plan }) =>
      plan.type === 'market' ? '0' : formatPrice(contract, plan.executeTicks),
  ),
  order_id: id('Plan order id', ORDER_ID, ({ plan }) => formatId(plan.orderId)),
  execute_order_id: text(
    'Id of the order it placed; empty when it placed none',
    '',
    ({ outcome: { placedOrderId } }) =>
      placedOrderId === undefined ? '' : formatId(placedOrderId),
  ),
  client_oid: text('Id chosen by the client, or the plan order id', 'plan-1', ({ plan }) =>
    clientIdOf(plan),
  ),
  order_type: oneOf(['0', '1'], '0 limit, 1 market', '0', ({ plan }) =>
    plan.type === 'market' ? '1' : '0',
  ),
  status: oneOf(
    ['1', '2', '3', '4'],
    '1 not executed, 2 entrusted, 3 failed, 4 cancelled',
    '1',
    ({ outcome }) => STATUS_NUMBERS[outcome.status],
  ),
  status_desc: text('The status in words, with the reason', 'not executed', ({ outcome }) =>
    statusText(outcome),
  ),
  trigger_type: oneOf(
    TRIGGER_TYPE_WORDS,
    'Price that trigger_price looks at (an extension)',
    'last',
    ({ plan }) => plan.workingPrice ?? 'last',
  ),
  create_trade_price: price(
    'Last traded price when it was placed',
    '30000.0',
    ({ plan }) => plan.createdPriceTicks,
  ),
});

/** The status in words, with the reason unless the status says it all. */
function statusText({ status, reason }: PlanOutcome): string {
  if (reason === BY_OWNER) return 'cancelled by user';
  const known = STATUS_TEXTS[status];
  if (reason === '') return known;
  if (reason === 'other_tp_sl_fired') return `${known}: other preset fired`;
  return `${known}: ${isReject(reason) ? meaningOf(reason) : reason.replaceAll('_', ' ')}`;
}

const PLACED_BY_PLAN = {
  ...PLAN.example,
  execute_count: '1',
  execute_order_id: formatId(35),
  status: '2',
  status_desc: 'entrusted',
};

const ANY_ACTION: ReadonlyMap<string, ContractAction | undefined> = ACTIONS;

const ACTION: Field<ContractAction | undefined> = {
  schema: schema.optional(
    'Only 1 open long, 2 open short, 3 close long or 4 close short',
    schema.choices(...ACTIONS.keys()),
  ),
  read: (fields, name) => {
    const action = fields.choice(name, ANY_ACTION, undefined);
    const side = fields.choice('side', ANY_ACTION, undefined);
    return action ?? side;
  },
};

const END_TIME: Field<number | undefined> = {
  schema: schema.optional(
    'Only those placed at this time or earlier, in milliseconds',
    schema.whole(),
  ),
  read: (fields, name) => {
    const toMs = fields.wholeNumber(name, UNIX_MS);
    const fromMs = fields.wholeNumber('startTime', UNIX_MS);
    if (fromMs !== undefined && toMs !== undefined && fromMs > toMs) {
      fields.refuse('time_range_reversed', `${fromMs} is after ${toMs}`);
    }
    return toMs;
  },
};

/** Which plan orders are wanted: created within the times, both inclusive. */
const PLAN_FILTERS = {
  symbol: CONTRACT,
  pageIndex: PAGE,
  pageSize: PAGE_SIZE,
  delegateType: ACTION,
  side: readByAnother(
    schema.optional('Same as delegateType, read when that is not given; deprecated'),
  ),
  startTime: wholeNumber('Only those placed at this time or later, in milliseconds'),
  endTime: END_TIME,
};

interface Wanted {
  readonly delegateType: ContractAction | undefined;
  readonly startTime: number | undefined;
  readonly endTime: number | undefined;
}

function isWanted(wanted: Wanted, { action, createdTimeMs }: TriggerOrderView): boolean {
  const { delegateType = action, startTime = createdTimeMs, endTime = createdTimeMs } = wanted;
  return action === delegateType && startTime <= createdTimeMs && createdTimeMs <= endTime;
}

async function cancel(
  services: Services,
  accountId: AccountId,
  { instrumentId }: Contract,
  { orderId }: OrderReference,
): Promise<PlacedOrder | Refused> {
  if (orderId === undefined) return refuse('order_unknown');
  const order = { accountId, instrumentId, orderId };
  const [first] = await services.venue.submit({ kind: 'cancel_trigger_order', ...order });
  assert(first !== undefined, 'every command yields an event');
  if (first.kind === 'trigger_order_closed') return first.trigger;
  if (first.kind !== 'refused') assert(false, 'a cancel closes its plan order or is refused');
  return whyNoPlan(services, order, first);
}

interface PlanName {
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly orderId: OrderId;
}

/** One that is over is not unknown. */
export async function whyNoPlan(
  services: Services,
  { accountId, instrumentId, orderId }: PlanName,
  refused: Refused,
): Promise<Refused> {
  if (refused.reject !== 'order_unknown') return refused;
  const closed = await closedPlan(services, accountId, { instrumentId }, orderId);
  return closed === undefined ? refused : refuse('order_state_wrong');
}

async function closedPlan(
  { history, historyReady }: Services,
  accountId: AccountId,
  { instrumentId }: Pick<Contract, 'instrumentId'>,
  orderId: OrderId,
): Promise<ClosedTriggerOrder | undefined> {
  await historyReady();
  const closed = await history.trigger(accountId, orderId);
  return closed?.instrumentId === instrumentId ? closed : undefined;
}

/** How much each open order of a caller has filled so far. */
function filledOfOpen(
  state: StateReader,
  accountId: AccountId,
  instrumentId: InstrumentId,
): ReadonlyMap<number, Lots> {
  const filled = new Map<number, Lots>();
  for (const { orderId, filledLots } of state.openContractOrders(accountId, instrumentId)) {
    filled.set(orderId, filledLots);
  }
  return filled;
}

/** A list as the contract shows it, or as a page for clients that look for one. */
function plansAnswer(
  { compatibility }: Services,
  texts: readonly string[],
  isMore: boolean,
): string {
  const list = `[${texts.join(',')}]`;
  return compatibility?.planLists === 'page' ? `{"nextPage":${isMore},"list":${list}}` : list;
}

/** What the endpoints here have in common. */
const CHANGING_PLANS = { ...CHANGING, rate: ORDER_RATE } as const;
const READING_PLANS = { ...READING, rate: ORDER_RATE } as const;

export const SWAP_TRIGGERS = {
  placePlan: signedEndpointReadBy(readPlanOrder, {
    ...CHANGING_PLANS,
    path: `${BASE}/order/plan_order`,
    summary: 'Place a plan order: an order that waits for a price',
    request: PLAN_FIELDS,
    response: PLACED,
    example: {
      request: {
        symbol: SYMBOL,
        client_oid: 'plan-1',
        size: '1',
        type: '1',
        holdSide: '1',
        match_type: '0',
        execute_price: '36000',
        trigger_price: '36000',
      },
      data: { ...PLACED.example, client_oid: 'plan-1' },
    },
    answer: async ({ venue }: Services, order) => {
      const [first] = await venue.submit(order);
      if (first?.kind === 'refused') return first;
      assert(first?.kind === 'trigger_order_accepted', 'a plan order is accepted or refused');
      return PLACED.write(first.trigger);
    },
  }),
  cancelPlan: signedEndpoint({
    ...CHANGING_PLANS,
    path: `${BASE}/order/cancel_plan`,
    summary: 'Cancel a plan order, take-profit or stop-loss; result says whether it was cancelled',
    request: { symbol: CONTRACT, orderId: ORDER_REFERENCE },
    response: PLAN_CANCEL,
    example: {
      request: EXAMPLE_REFERENCE,
      data: { ...PLAN_CANCEL.example, client_oid: 'plan-1' },
    },
    answer: async (services: Services, { symbol, orderId }, { accountId }) => {
      const outcome = await cancel(services, accountId, symbol, orderId);
      if (isRefused(outcome) && !isAboutOrder(outcome)) return outcome;
      const over =
        isRefused(outcome) && orderId.orderId !== undefined
          ? await closedPlan(services, accountId, symbol, orderId.orderId)
          : undefined;
      return PLAN_CANCEL.write({ outcome, idText: orderId.idText, over });
    },
  }),
  openPlans: signedEndpoint({
    ...READING_PLANS,
    path: `${BASE}/order/currentPlan`,
    summary: 'Waiting plan orders, take-profits and stop-losses, newest first',
    request: PLAN_FILTERS,
    response: listOf(PLAN),
    example: { request: { symbol: SYMBOL, delegateType: '1' } },
    answer: (services: Services, asked, { accountId }) => {
      const { symbol: contract, pageIndex } = asked;
      const { offset, limit } = pageIndex;
      return services.venue.read((state) => {
        const waiting = [...state.waitingTriggers(accountId, contract.instrumentId)];
        const found = waiting.filter((plan) => isWanted(asked, plan));
        const isMore = found.length > offset + limit;
        const texts = found.slice(offset, offset + limit).map((plan) => {
          return PLAN.write({ contract, plan, outcome: waitingOutcome(plan), isMore });
        });
        return plansAnswer(services, texts, isMore);
      }, accountId);
    },
  }),
  planHistory: signedEndpoint({
    ...READING_PLANS,
    path: `${BASE}/order/historyPlan`,
    summary: 'Plan orders that fired, failed or were cancelled, newest first',
    request: PLAN_FILTERS,
    response: listOf(PLAN),
    example: { request: { symbol: SYMBOL, delegateType: '1' }, data: [PLACED_BY_PLAN] },
    answer: async (services: Services, asked, { accountId }) => {
      const { venue, history, historyReady } = services;
      const { symbol: contract, pageIndex, delegateType: action } = asked;
      const { offset, limit } = pageIndex;
      const { startTime: fromMs, endTime: toMs } = asked;
      const { instrumentId } = contract;
      // Asked first: an order that closes after this is in the history by then, with its fills.
      const open = await venue.read(
        (state) => filledOfOpen(state, accountId, instrumentId),
        accountId,
      );
      await historyReady();
      const filter = { accountId, instrumentId, action, fromMs, toMs, offset };
      // One row more than the page shows whether another page follows.
      const found = await history.triggers({ ...filter, limit: limit + 1 });
      const isMore = found.length > limit;
      const texts = found.slice(0, limit).map((plan) => {
        const { placedOrderId } = plan;
        const ofOpen = placedOrderId === undefined ? undefined : open.get(placedOrderId);
        const executedLots = ofOpen ?? plan.executedLots;
        return PLAN.write({ contract, plan, outcome: { ...plan, executedLots }, isMore });
      });
      return plansAnswer(services, texts, isMore);
    },
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;

/** Orders that wait for a trigger: conditional orders, take-profits and stop-losses. */
import type { Services, SignedCall } from '#api';
import {
  type AccountId,
  type ContractOrderView,
  type Event,
  type InstrumentId,
  isRefused,
  LIMITS,
  type OrderId,
  type PlaceTriggerOrder,
  type Refused,
  refuse,
  type StateReader,
  type TriggerOrderView,
  type VenuePort,
} from '#domain';
import { settleCancels } from '../kit/batch.ts';
import { submit } from '../kit/carry-out.ts';
import { type SignedEndpoint, signedEndpoint, signedEndpointReadBy } from '../kit/endpoint.ts';
import { formatId } from '../kit/ids.ts';
import { ID_NUMBER, jsonList, listOf, row, rows, truth } from '../kit/row.ts';
import { changeOf, MODIFIED, MODIFY_FIELDS } from './contract-change-algo.ts';
import { ALGO_FIELDS, readAlgoOrder } from './contract-new-algo.ts';
import { contractOf, findWaiting } from './contract-order-reference.ts';
import { ALGO_ORDER, writeEndedTrigger, writeWaiting } from './contract-order-row.ts';
import { isWithin, newestFirst, pageOf } from './contract-orders.ts';
import { CANCELLED, CANCELLED_OF_ALL, PLACED, type Placed } from './contract-results.ts';
import { CONTRACT_BASE, CONTRACT_OR_ALL, EXAMPLE_SYMBOL, ONLY_SYMBOL } from './contract-terms.ts';
import { costs } from './costs.ts';
import { ORDER_ID, ownRowsWanted, pageFrom } from './parameters.ts';
import { END_TIME, rangeOf, START_TIME } from './time-range.ts';

const FIRST_PAGE = 1;
const WAITING_MAX = 100;
const ENDED_ROWS_DEFAULT = 500;
/** One more row than a page shows whether another follows. */
const ENDED_ROWS_MAX = LIMITS.historyRowsMax - 1;

/** The trigger order of the account with this id. */
export async function waitingOf(
  venue: VenuePort,
  orderId: OrderId | null | undefined,
  { accountId, caller }: SignedCall,
): Promise<TriggerOrderView | Refused> {
  if (orderId === undefined) return refuse('order_id_missing');
  const found = await venue.read((state) => findWaiting(state, accountId, { orderId }), accountId);
  if (!caller.isLive) return refuse('credentials_wrong');
  return found ?? refuse('order_unknown');
}

async function cancel(
  venue: VenuePort,
  { accountId, instrumentId, orderId }: TriggerOrderView,
): Promise<{ readonly orderId: OrderId } | Refused> {
  const [first]: readonly Event[] = await venue.submit({
    kind: 'cancel_trigger_order',
    accountId,
    instrumentId,
    orderId,
  });
  return first?.kind === 'refused' ? first : { orderId };
}

/** Answers a waiting order that already has the client id: sent again, none is placed twice. */
async function place(venue: VenuePort, command: PlaceTriggerOrder): Promise<Placed | Refused> {
  const accepted = await submit(venue, 'trigger_order_accepted', command);
  if (!isRefused(accepted)) return accepted.trigger;
  const { accountId, clientOrderId } = command;
  const isInUse = accepted.reject === 'contract_client_id_in_use';
  if (clientOrderId === undefined || !isInUse) return accepted;
  const waiting = await venue.read(
    (state) => state.waitingTriggerByClientId(accountId, clientOrderId),
    accountId,
  );
  return waiting ?? accepted;
}

/** The open orders of an account, among which are those that trigger orders have placed. */
function openById(
  state: StateReader,
  accountId: AccountId,
  instrumentId: InstrumentId | undefined,
): ReadonlyMap<OrderId | undefined, ContractOrderView> {
  const open = [...state.openContractOrders(accountId, instrumentId)];
  return new Map(open.map((order) => [order.orderId, order]));
}

interface EndedPage {
  readonly texts: readonly string[];
  readonly isMore: boolean;
}

const ENDED = row<EndedPage>()({
  orders: rows({ ...ALGO_ORDER, write: (text: string) => text }, ({ texts }) => texts),
  hasMore: truth('Whether older ones follow', false, ({ isMore }) => isMore),
});

const CHANGING = { permission: 'trade' } as const;
const READING = { method: 'GET', permission: 'read' } as const;

export const CONTRACT_ALGO = {
  placeAlgoOrder: signedEndpointReadBy(readAlgoOrder, {
    ...CHANGING,
    method: 'POST',
    path: `${CONTRACT_BASE}/algoOrder`,
    ...costs(5, 1),
    summary: 'Place an order that waits for a price',
    request: ALGO_FIELDS,
    response: PLACED,
    example: {
      request: {
        symbol: EXAMPLE_SYMBOL,
        side: 'SELL',
        positionSide: 'LONG',
        type: 'STOP_MARKET',
        quantity: '0.001',
        triggerPrice: '28000',
        clientAlgoId: 'grid-7',
      },
    },
    answer: async ({ venue }: Services, command) => {
      const placed = await place(venue, command);
      return isRefused(placed) ? placed : PLACED.write(placed);
    },
  }),
  modifyAlgoOrder: signedEndpoint({
    ...CHANGING,
    method: 'POST',
    path: `${CONTRACT_BASE}/modifyAlgoOrder`,
    ...costs(5),
    summary:
      'Give what waits for a trigger another one, another price or quantity; it keeps its id and ' +
      'waits in the same direction (not in the contract: an extension)',
    request: MODIFY_FIELDS,
    response: MODIFIED,
    example: { request: { orderId: String(ID_NUMBER), triggerPrice: '28500' } },
    answer: async ({ venue, live }: Services, asked, call) => {
      const waiting = await waitingOf(venue, asked.orderId, call);
      if (isRefused(waiting)) return waiting;
      const { accountId, instrumentId, orderId } = waiting;
      const change = changeOf(contractOf(live.listings, instrumentId), asked);
      if (isRefused(change)) return change;
      const order = { kind: 'modify_trigger_order', accountId, instrumentId, orderId } as const;
      const done = await submit(venue, 'trigger_order_modified', { ...order, ...change });
      return isRefused(done) ? done : MODIFIED.write(undefined);
    },
  }),
  cancelAlgoOrder: signedEndpoint({
    ...CHANGING,
    method: 'DELETE',
    path: `${CONTRACT_BASE}/algoOrder`,
    ...costs(3),
    inQuery: true,
    summary: 'Cancel a trigger order, take-profit or stop-loss',
    request: { orderId: ORDER_ID },
    response: CANCELLED,
    example: { request: { orderId: String(ID_NUMBER) } },
    answer: async ({ venue }: Services, asked, call) => {
      const waiting = await waitingOf(venue, asked.orderId, call);
      const outcome = isRefused(waiting) ? waiting : await cancel(venue, waiting);
      if (isRefused(outcome)) return outcome;
      const orderId = formatId(outcome.orderId);
      return CANCELLED.write({ orderId, clientOrderId: '', refused: undefined });
    },
  }),
  cancelAllAlgoOrders: signedEndpoint({
    ...CHANGING,
    method: 'DELETE',
    path: `${CONTRACT_BASE}/algoOpenOrders`,
    ...costs(10),
    inQuery: true,
    summary: 'Cancel all that waits for a trigger in a contract or all, with what became of each',
    request: { symbol: CONTRACT_OR_ALL },
    response: listOf(CANCELLED_OF_ALL),
    example: { request: ONLY_SYMBOL },
    answer: async ({ venue }: Services, { symbol }, { accountId, caller }) => {
      const waiting = await venue.read(
        (state) => [...state.waitingTriggers(accountId, symbol?.instrumentId)],
        accountId,
      );
      if (!caller.isLive) return refuse('credentials_wrong');
      const settled = await settleCancels(venue, waiting, (trigger) => cancel(venue, trigger));
      return isRefused(settled) ? settled : jsonList(settled, CANCELLED_OF_ALL.write);
    },
  }),
  openAlgoOrders: signedEndpoint({
    ...READING,
    path: `${CONTRACT_BASE}/openAlgoOrders`,
    ...costs(3),
    summary: 'What waits for a trigger, newest first',
    request: {
      symbol: CONTRACT_OR_ALL,
      startTime: START_TIME,
      endTime: END_TIME,
      limit: ownRowsWanted(WAITING_MAX, WAITING_MAX),
      page: pageFrom(FIRST_PAGE),
    },
    response: listOf(ALGO_ORDER),
    example: { request: ONLY_SYMBOL },
    answer: ({ venue }: Services, asked, { accountId }) => {
      const { symbol, startTime, endTime, limit, page } = asked;
      const range = rangeOf(startTime, endTime);
      if (isRefused(range)) return range;
      const from = (page - FIRST_PAGE) * limit;
      return venue.read((state) => {
        const waiting = newestFirst(state.waitingTriggers(accountId, symbol?.instrumentId));
        const wanted = waiting.filter((trigger) => isWithin(trigger, range));
        return jsonList(wanted.slice(from, from + limit), (trigger) =>
          writeWaiting(contractOf(state.listings, trigger.instrumentId), trigger),
        );
      }, accountId);
    },
  }),
  allAlgoOrders: signedEndpoint({
    ...READING,
    path: `${CONTRACT_BASE}/allAlgoOrders`,
    ...costs(10),
    summary: 'Trigger orders that fired, failed or were cancelled, newest first',
    request: {
      symbol: CONTRACT_OR_ALL,
      startTime: START_TIME,
      endTime: END_TIME,
      limit: ownRowsWanted(ENDED_ROWS_DEFAULT, ENDED_ROWS_MAX),
      page: pageFrom(FIRST_PAGE),
    },
    response: ENDED,
    example: { request: ONLY_SYMBOL },
    answer: async (services: Services, asked, { accountId }) => {
      const { symbol, startTime, endTime, limit, page } = asked;
      const range = rangeOf(startTime, endTime);
      if (isRefused(range)) return range;
      const place = pageOf(page - FIRST_PAGE, limit);
      if (isRefused(place)) return place;
      const { venue, history, historyReady, live } = services;
      // Asked first: an order that closes after this is in the history by then, with its fills.
      const open = await venue.read(
        (state) => openById(state, accountId, symbol?.instrumentId),
        accountId,
      );
      await historyReady();
      const found = await history.triggers({
        accountId,
        instrumentId: symbol?.instrumentId,
        ...range,
        ...place,
        limit: limit + 1,
      });
      const texts = found
        .slice(0, limit)
        .map((trigger) =>
          writeEndedTrigger(
            contractOf(live.listings, trigger.instrumentId),
            trigger,
            open.get(trigger.placedOrderId) ?? trigger.executed,
          ),
        );
      return ENDED.write({ texts, isMore: found.length > limit });
    },
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;

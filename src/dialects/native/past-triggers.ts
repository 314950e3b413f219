/** Triggers that fired, failed or were cancelled, in pages by id, newest first. */
import type { Services } from '#api';
import type { AccountId, Listings, Lots, OrderId, StateReader } from '#domain';
import type { ClosedTriggerOrder } from '#history';
import { type SignedEndpoint, signedEndpoint } from '../kit/endpoint.ts';
import { formatId, parseOrderId } from '../kit/ids.ts';
import { beforeOrder } from '../kit/request.ts';
import { pageOf, ROWS, writePage } from './pages.ts';
import { BASE, CONTRACT_OR_ALL, contractById } from './terms.ts';
import { type ShownTrigger, TRIGGER } from './trigger-rows.ts';

/** How much each open order of an account has filled: among them are those that triggers placed. */
type PlacedFills = ReadonlyMap<OrderId, Lots>;

export function placedFills(state: StateReader, accountId: AccountId): PlacedFills {
  const open = [...state.openContractOrders(accountId)];
  return new Map(open.map(({ orderId, filledLots }) => [orderId, filledLots]));
}

/**
 * The newest of this account, by its id or by the name that the client gave it. `fills` were read
 * before: an order that closes after that is in the history by then.
 */
export async function findEnded(
  { history, historyReady, live: { listings } }: Services,
  accountId: AccountId,
  name: string,
  fills: PlacedFills,
): Promise<ShownTrigger | undefined> {
  await historyReady();
  const id = parseOrderId(name);
  const byId = id === undefined ? undefined : await history.trigger(accountId, id);
  const found = byId ?? (await history.triggerByClientId(accountId, name));
  return found && ended(listings, found, fills);
}

function ended(listings: Listings, trigger: ClosedTriggerOrder, fills: PlacedFills): ShownTrigger {
  const { placedOrderId, executedLots } = trigger;
  const open = placedOrderId === undefined ? undefined : fills.get(placedOrderId);
  return {
    market: contractById(listings, trigger.instrumentId),
    trigger,
    end: trigger,
    filledLots: open ?? executedLots,
  };
}

export const PAST_TRIGGERS = {
  closedTriggers: signedEndpoint({
    method: 'GET',
    path: `${BASE}/closed-triggers`,
    rate: { limit: 20, windowMs: 1_000 },
    permission: 'read',
    summary: 'Triggers that fired, failed or were cancelled, newest first',
    request: {
      symbol: CONTRACT_OR_ALL,
      before: beforeOrder('Only triggers before this one'),
      limit: ROWS,
    },
    response: pageOf(TRIGGER),
    answer: async (services: Services, { symbol: only, before, limit }, { accountId }) => {
      const { venue, history, historyReady, live } = services;
      const fills = await venue.read((state) => placedFills(state, accountId), accountId);
      await historyReady();
      const { instrumentId } = only ?? {};
      const found = await history.triggers({ accountId, instrumentId, before, limit, offset: 0 });
      const rows = found.map((trigger) => ended(live.listings, trigger, fills));
      return writePage(rows, TRIGGER, ({ trigger }) => formatId(trigger.orderId), limit);
    },
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;

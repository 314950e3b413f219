/** Orders that wait for a price, of contracts: placed, read, changed and cancelled. */
import type { DataJson, Services, SignedCall } from '#api';
import {
  type AccountId,
  isRefused,
  type Listings,
  type Refused,
  type RejectKind,
  refuse,
  type StateReader,
  type TriggerOrderView,
  type VenuePort,
} from '#domain';
import { settleCancels } from '../kit/batch.ts';
import { submit } from '../kit/carry-out.ts';
import {
  type SignedEndpoint,
  signedEndpoint,
  signedEndpointReadBy,
  strictReader,
} from '../kit/endpoint.ts';
import { parseOrderId } from '../kit/ids.ts';
import { jsonList, listOf } from '../kit/row.ts';
import {
  type AskedChange,
  changeOf,
  readTriggerChange,
  TRIGGER_CHANGE_FIELDS,
} from './change-trigger.ts';
import {
  isSame,
  NEW_TRIGGER_FIELDS,
  type NewTrigger,
  readNewTrigger,
  TRIGGER_EXAMPLE,
} from './new-trigger.ts';
import { findEnded, placedFills } from './past-triggers.ts';
import { CANCELLED } from './results.ts';
import { BASE, CONTRACT_OR_ALL, contractById } from './terms.ts';
import { type ShownTrigger, TRIGGER } from './trigger-rows.ts';

const RATE = { limit: 100, windowMs: 1_000 };
const ONE = `${BASE}/triggers/:id`;
const OF_CONTRACT = { symbol: CONTRACT_OR_ALL };
const NO_FIELDS = {};

export const TRIGGERS = {
  placeTrigger: signedEndpointReadBy(readNewTrigger, {
    method: 'POST',
    path: `${BASE}/triggers`,
    rate: RATE,
    permission: 'trade',
    summary:
      'Place an order of a contract that waits for a price, or a take-profit or stop-loss of a ' +
      'position: reduceOnly. Fields that are not known are refused. Sent again with the same ' +
      'clientId and terms within a day it places nothing and answers the first one',
    request: NEW_TRIGGER_FIELDS,
    response: TRIGGER,
    example: { request: TRIGGER_EXAMPLE },
    answer: async (services: Services, command: NewTrigger) => {
      const placed = await place(services, command);
      return isRefused(placed) ? placed : TRIGGER.write(placed);
    },
  }),
  waitingTriggers: signedEndpoint({
    method: 'GET',
    path: `${BASE}/triggers`,
    rate: RATE,
    permission: 'read',
    summary: 'What waits for a price, newest first, of one contract or of all',
    request: OF_CONTRACT,
    response: listOf(TRIGGER),
    answer: ({ venue }: Services, { symbol: only }, { accountId }) =>
      venue.read((state) => {
        const waiting = [...state.waitingTriggers(accountId, only?.instrumentId)];
        waiting.sort((left, right) => right.orderId - left.orderId);
        return jsonList(waiting, (trigger) => TRIGGER.write(shown(state.listings, trigger)));
      }, accountId),
  }),
  trigger: signedEndpoint({
    method: 'GET',
    path: ONE,
    rate: RATE,
    permission: 'read',
    summary: 'One of them, waiting or over, by its id or the id that the client chose',
    request: NO_FIELDS,
    response: TRIGGER,
    answer: async (services: Services, _values, { accountId, path }) => {
      const found = await find(services, accountId, path.id ?? '');
      return found === undefined ? refuse('order_unknown') : TRIGGER.write(found);
    },
  }),
  changeTrigger: signedEndpointReadBy(readTriggerChange, {
    method: 'PATCH',
    path: ONE,
    rate: RATE,
    permission: 'trade',
    summary:
      'Give one that waits another trigger, price or size: it keeps its id and direction, and ' +
      'what is left out stays. Fields that are not known are refused',
    request: TRIGGER_CHANGE_FIELDS,
    response: TRIGGER,
    example: { request: { trigger: '36500' } },
    answer: change,
  }),
  cancelTrigger: signedEndpointReadBy(strictReader(NO_FIELDS), {
    method: 'DELETE',
    path: ONE,
    rate: RATE,
    inQuery: true,
    permission: 'trade',
    summary: 'Cancel one that waits, by its id or the id that the client chose',
    request: NO_FIELDS,
    response: CANCELLED,
    answer: async ({ venue }: Services, _values, call) => {
      const waiting = await waitingOf(venue, call);
      if (isRefused(waiting)) return waiting;
      const cancelled = await cancel(venue, waiting);
      if (isRefused(cancelled)) return cancelled;
      return CANCELLED.write({ orderId: waiting.orderId, refused: undefined });
    },
  }),
  cancelTriggers: signedEndpointReadBy(strictReader(OF_CONTRACT), {
    method: 'DELETE',
    path: `${BASE}/triggers`,
    rate: RATE,
    inQuery: true,
    permission: 'trade',
    summary:
      'Cancel all that waits for a price, in one contract or in all, with what became of each',
    request: OF_CONTRACT,
    response: listOf(CANCELLED),
    answer: async ({ venue }: Services, { symbol: only }, { accountId, caller }) => {
      const waiting = await venue.read(
        (state) => [...state.waitingTriggers(accountId, only?.instrumentId)],
        accountId,
      );
      if (!caller.isLive) return refuse('credentials_wrong');
      const settled = await settleCancels(venue, waiting, (trigger) => cancel(venue, trigger));
      if (isRefused(settled)) return settled;
      return jsonList(settled, ({ item: { orderId }, refused }) =>
        CANCELLED.write({ orderId, refused }),
      );
    },
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;

/** What may be refused of one that has been placed already: its name, or what it was to close. */
const DONE_BEFORE: ReadonlySet<RejectKind> = new Set([
  'contract_client_id_in_use',
  'close_exceeds_position',
]);

/** One that has been placed already, under its client's id, is answered as it is now. */
async function place(services: Services, command: NewTrigger): Promise<ShownTrigger | Refused> {
  const { venue, live } = services;
  const accepted = await submit(venue, 'trigger_order_accepted', command);
  if (!isRefused(accepted)) return shown(live.listings, accepted.trigger);
  const { accountId, clientOrderId } = command;
  if (clientOrderId === undefined || !DONE_BEFORE.has(accepted.reject)) return accepted;
  const found = await find(services, accountId, clientOrderId);
  return found !== undefined && isSame(command, found.trigger) ? found : accepted;
}

/** Of this account, waiting or over, by its id or the name that the client gave it. */
async function find(
  services: Services,
  accountId: AccountId,
  name: string,
): Promise<ShownTrigger | undefined> {
  const now = await services.venue.read((state) => {
    const waiting = findWaiting(state, accountId, name);
    return { waiting, fills: placedFills(state, accountId) };
  }, accountId);
  if (now.waiting !== undefined) return shown(services.live.listings, now.waiting);
  return findEnded(services, accountId, name, now.fills);
}

async function change(
  { venue, live: { listings } }: Services,
  asked: AskedChange,
  call: SignedCall,
): Promise<DataJson | Refused> {
  const waiting = await waitingOf(venue, call);
  if (isRefused(waiting)) return waiting;
  const { accountId, instrumentId, orderId } = waiting;
  const changes = changeOf(asked, waiting, contractById(listings, instrumentId));
  if (changes === undefined) return TRIGGER.write(shown(listings, waiting));
  if (isRefused(changes)) return changes;
  const order = { kind: 'modify_trigger_order', accountId, instrumentId, orderId } as const;
  const done = await submit(venue, 'trigger_order_modified', { ...order, ...changes });
  return isRefused(done) ? done : TRIGGER.write(shown(listings, done.trigger));
}

function shown(listings: Listings, trigger: TriggerOrderView): ShownTrigger {
  return { market: contractById(listings, trigger.instrumentId), trigger };
}

/** Of this account, by its id or the name that the client gave it. */
function findWaiting(
  state: StateReader,
  accountId: AccountId,
  name: string,
): TriggerOrderView | undefined {
  const id = parseOrderId(name);
  const byId = id === undefined ? undefined : state.waitingTrigger(id);
  return byId?.accountId === accountId ? byId : state.waitingTriggerByClientId(accountId, name);
}

/** The one that a call is about, which is to change it. */
async function waitingOf(
  venue: VenuePort,
  { accountId, caller, path }: SignedCall,
): Promise<TriggerOrderView | Refused> {
  const found = await venue.read(
    (state) => findWaiting(state, accountId, path.id ?? ''),
    accountId,
  );
  if (!caller.isLive) return refuse('credentials_wrong');
  return found ?? refuse('order_unknown');
}

async function cancel(
  venue: VenuePort,
  trigger: TriggerOrderView,
): Promise<TriggerOrderView | Refused> {
  const { accountId, instrumentId, orderId } = trigger;
  const kind = 'cancel_trigger_order';
  const [first] = await venue.submit({ kind, accountId, instrumentId, orderId });
  return first?.kind === 'refused' ? first : trigger;
}

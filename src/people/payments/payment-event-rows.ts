/** What is told to a payment system outside: kept until it was delivered, or given up. */
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { PeopleDatabase } from '../store/tables.ts';
import { word } from '../store/words.ts';
import {
  DELIVERY_STATES,
  type NewPaymentEvent,
  type PaymentEvent,
  type PaymentStore,
} from './port.ts';

type Events = Pick<
  PaymentStore,
  'dueEvents' | 'changeEvent' | 'paymentEvents' | 'prunePaymentEvents'
>;

function eventOf(row: Selectable<PeopleDatabase['payment_events']>): PaymentEvent {
  return { ...row, state: word(DELIVERY_STATES, row.state) };
}

export async function addEvent(
  db: Kysely<PeopleDatabase> | Transaction<PeopleDatabase>,
  { paymentId, kind, body, timeMs }: NewPaymentEvent,
): Promise<void> {
  const named = { paymentId, kind, body, timeMs };
  const waiting = { state: 'waiting', tries: 0, nextMs: timeMs, fault: '' };
  await db
    .insertInto('payment_events')
    .values({ ...named, ...waiting })
    .execute();
}

export function paymentEventRows(db: Kysely<PeopleDatabase>): Events {
  return {
    dueEvents: async (nowMs, limit) => {
      const rows = await db
        .selectFrom('payment_events')
        .selectAll()
        .where('state', '=', 'waiting')
        .where('nextMs', '<=', nowMs)
        .orderBy('eventId')
        .limit(limit)
        .execute();
      return rows.map(eventOf);
    },
    changeEvent: async (eventId, { state, tries, nextMs, fault }) => {
      const changed = await db
        .updateTable('payment_events')
        .set({
          state,
          tries,
          nextMs,
          fault,
        })
        .where('eventId', '=', eventId)
        .returning('eventId')
        .executeTakeFirst();
      return changed !== undefined;
    },
    paymentEvents: async ({ state, before, limit }) => {
      let rows = db
        .selectFrom('payment_events')
        .selectAll()
        .orderBy('eventId', 'desc')
        .limit(limit);
      if (state !== undefined) rows = rows.where('state', '=', state);
      if (before !== undefined) rows = rows.where('eventId', '<', before);
      return (await rows.execute()).map(eventOf);
    },
    prunePaymentEvents: async (beforeMs) => {
      await db
        .deleteFrom('payment_events')
        .where('state', '<>', 'waiting')
        .where('timeMs', '<', beforeMs)
        .execute();
    },
  };
}

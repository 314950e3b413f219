/** Payments, the moves of money they need, and who approved them. */
import {
  type Expression,
  type ExpressionBuilder,
  type Insertable,
  type Kysely,
  type Selectable,
  type SqlBool,
  sql,
  type Transaction,
} from 'kysely';
import { type AccountId, accountId, assetId } from '#domain';
import type { PeopleDatabase } from '../store/tables.ts';
import { word } from '../store/words.ts';
import { addEvent } from './payment-event-rows.ts';
import {
  type Asked,
  type AskedQuery,
  MOVE_KINDS,
  type NewMove,
  PAYMENT_KINDS,
  PAYMENT_STATES,
  type Payment,
  type PaymentChange,
  type PaymentMove,
  type PaymentStore,
  type PaymentsQuery,
  type PaymentTerms,
  STATES_UNDER_WAY,
  type WaitingSince,
} from './port.ts';

type Row = Selectable<PeopleDatabase['payments']>;
type MoveRow = Selectable<PeopleDatabase['payment_moves']>;
type Db = Kysely<PeopleDatabase> | Transaction<PeopleDatabase>;

function paymentOf(row: Row): Payment {
  return {
    ...row,
    kind: word(PAYMENT_KINDS, row.kind),
    accountId: accountId(row.accountId),
    toAccountId: row.toAccountId === null ? undefined : accountId(row.toAccountId),
    assetId: assetId(row.assetId),
    amount: BigInt(row.amount),
    fee: BigInt(row.fee),
    state: word(PAYMENT_STATES, row.state),
    isSettled: row.isSettled === 1,
  };
}

function rowOf(
  paymentId: string,
  terms: PaymentTerms,
  createdMs: number,
  isSettled: boolean,
): Insertable<PeopleDatabase['payments']> {
  // One by one: who asks may have more of it than is kept.
  const { kind, personId, accountId: account, toAccountId, coin, assetId: asset, scale } = terms;
  const { amount, fee, chain, address, tag, reference, clientId, approvalsNeeded } = terms;
  return {
    ...{ paymentId, kind, personId, accountId: account, toAccountId: toAccountId ?? null, coin },
    ...{ assetId: asset, scale, amount: String(amount), fee: String(fee), chain, address, tag },
    ...{ reference, clientId, approvalsNeeded },
    state: kind === 'transfer' ? 'done' : 'requested',
    reason: '',
    isSettled: isSettled ? 1 : 0,
    createdMs,
    changedMs: createdMs,
  };
}

function moveOf(row: MoveRow): PaymentMove {
  const { sender, request, ...move } = row;
  return {
    ...move,
    kind: word(MOVE_KINDS, row.kind),
    accountId: accountId(row.accountId),
    toAccountId: row.toAccountId === null ? undefined : accountId(row.toAccountId),
    amount: BigInt(row.amount),
    isDone: row.isDone === 1,
    origin: sender === null || request === null ? undefined : { sender, request },
  };
}

/** Behind those that it has already. */
async function addMoves(db: Db, paymentId: string, moves: readonly NewMove[]): Promise<void> {
  if (moves.length === 0) return;
  const { count } = await db
    .selectFrom('payment_moves')
    .select((one) => one.fn.countAll<number>().as('count'))
    .where('paymentId', '=', paymentId)
    .executeTakeFirstOrThrow();
  const rows = moves.map(({ kind, accountId: account, toAccountId, amount }, at) => ({
    paymentId,
    number: Number(count) + at,
    ...{ kind, accountId: account, toAccountId: toAccountId ?? null, amount: String(amount) },
    ...{ isDone: 0, sender: null, request: null },
  }));
  await db.insertInto('payment_moves').values(rows).execute();
}

type Requests = Pick<
  PaymentStore,
  | 'addPayment'
  | 'payment'
  | 'payments'
  | 'asked'
  | 'openPaymentsCount'
  | 'openPaymentsOf'
  | 'paymentsWaiting'
>;

export function paymentRows(db: Kysely<PeopleDatabase>): Requests {
  return {
    addPayment: (paymentId, terms, createdMs, moves) =>
      db.transaction().execute(async (all) => {
        const added = await all
          .insertInto('payments')
          .values(rowOf(paymentId, terms, createdMs, false))
          .onConflict((conflict) => conflict.columns(['personId', 'clientId']).doNothing())
          .returning('paymentId')
          .executeTakeFirst();
        if (added === undefined) return false;
        await addMoves(all, paymentId, moves);
        return true;
      }),
    payment: (paymentId) => one(db, paymentId),
    payments: async (query) => (await listed(db, query).execute()).map(paymentOf),
    asked: (query) => asked(db, query),
    paymentsWaiting: () => waiting(db),
    openPaymentsCount: (account) =>
      underWayCount(db, (eb) =>
        eb.and([eb('accountId', '=', account), eb('kind', '<>', 'transfer')]),
      ),
    openPaymentsOf: (personId) => underWayCount(db, (eb) => eb('personId', '=', personId)),
  };
}

async function one(db: Db, paymentId: string): Promise<Payment | undefined> {
  const row = await db
    .selectFrom('payments')
    .selectAll()
    .where('paymentId', '=', paymentId)
    .executeTakeFirst();
  return row && paymentOf(row);
}

function listed(db: Db, query: PaymentsQuery) {
  const { kind, state, coin, accountId: account, personId, before, limit } = query;
  let rows = db.selectFrom('payments').selectAll().orderBy('paymentId', 'desc').limit(limit);
  if (kind !== undefined) rows = rows.where('kind', '=', kind);
  if (state !== undefined) rows = rows.where('state', '=', state);
  if (coin !== undefined) rows = rows.where('coin', '=', coin);
  if (account !== undefined) rows = rows.where(ofAccount(account));
  if (personId !== undefined) rows = rows.where('personId', '=', personId);
  if (before !== undefined) rows = rows.where('paymentId', '<', before);
  return rows;
}

/** A transfer is seen at both its ends. */
function ofAccount(account: AccountId) {
  return (eb: ExpressionBuilder<PeopleDatabase, 'payments'>) =>
    eb.or([eb('accountId', '=', account), eb('toAccountId', '=', account)]);
}

async function asked(
  db: Db,
  { personId, accountId: account, coin, sinceMs, except }: AskedQuery,
): Promise<Asked> {
  const rows = await db
    .selectFrom('payments')
    .select(['kind', 'coin', 'state', 'amount'])
    .where((eb) => eb.or([eb('personId', '=', personId), eb('accountId', '=', account)]))
    .where('createdMs', '>', sinceMs)
    .where('paymentId', '<>', except)
    .execute();
  let withdrawn = 0n;
  for (const row of rows) {
    const counts = !['refused', 'cancelled', 'failed'].includes(row.state);
    if (row.kind === 'withdrawal' && row.coin === coin && counts) withdrawn += BigInt(row.amount);
  }
  return { count: rows.length, withdrawn };
}

type Condition = (eb: ExpressionBuilder<PeopleDatabase, 'payments'>) => Expression<SqlBool>;

async function underWayCount(db: Db, of: Condition): Promise<number> {
  const { count } = await db
    .selectFrom('payments')
    .select((query) => query.fn.countAll<number>().as('count'))
    .where(of)
    .where((eb) => eb.or([eb('state', 'in', [...STATES_UNDER_WAY]), eb('isSettled', '=', 0)]))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Costs a look at every payment that is under way, and at every event that was not delivered. */
async function waiting(db: Db): Promise<WaitingSince> {
  const moving = await db
    .selectFrom('payments')
    .select((query) => query.fn.min<number | null>('changedMs').as('since'))
    .where('isSettled', '=', 0)
    .executeTakeFirst();
  const states = await db
    .selectFrom('payments')
    .select((query) => ['state', query.fn.min<number>('changedMs').as('since')] as const)
    .where('state', 'in', [...STATES_UNDER_WAY])
    .groupBy('state')
    .execute();
  const undelivered = await db
    .selectFrom('payment_events')
    .select((query) => query.fn.min<number | null>('timeMs').as('since'))
    .where('state', 'in', ['waiting', 'given_up'])
    .executeTakeFirst();
  const found = [
    ['moving', moving?.since],
    ...states.map(({ state, since }) => [state, since] as const),
    ['undelivered', undelivered?.since],
  ] as const;
  return Object.fromEntries(found.filter(([, since]) => typeof since === 'number'));
}

type Changes = Pick<PaymentStore, 'changePayment' | 'approvePayment' | 'approvalsOf'>;

export function paymentChangeRows(db: Kysely<PeopleDatabase>): Changes {
  return {
    changePayment: (paymentId, change) =>
      db.transaction().execute((all) => changed(all, paymentId, change)),
    approvePayment: (paymentId, { approvalsMin, ...approval }, change) =>
      db.transaction().execute(async (all) => {
        // The row is taken first: of two approvals at once the second sees the first.
        const taken = await all
          .updateTable('payments')
          .set((row) => ({
            changedMs: change.timeMs,
            approvalsNeeded: row
              .case()
              .when('approvalsNeeded', '<', approvalsMin)
              .then(approvalsMin)
              .else(row.ref('approvalsNeeded'))
              .end(),
          }))
          .where('paymentId', '=', paymentId)
          .where('state', 'in', [...change.from])
          .where('isSettled', '=', 1)
          .returningAll()
          .executeTakeFirst();
        if (taken === undefined) return undefined;
        const { operatorId, operatorName, timeMs } = approval;
        await all
          .insertInto('payment_approvals')
          .values({
            ...{ paymentId, operatorId, timeMs },
            operatorName,
          })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        const approvals = await approvalsOf(all, paymentId);
        if (approvals.length < taken.approvalsNeeded) return paymentOf(taken);
        return changed(all, paymentId, change);
      }),
    approvalsOf: (paymentId) => approvalsOf(db, paymentId),
  };
}

async function approvalsOf(db: Db, paymentId: string) {
  return db
    .selectFrom('payment_approvals')
    .select(['operatorId', 'operatorName', 'timeMs'])
    .where('paymentId', '=', paymentId)
    .orderBy('timeMs')
    .orderBy('operatorId')
    .execute();
}

async function changed(
  db: Db,
  paymentId: string,
  { from, to, reason, reference, timeMs, moves }: PaymentChange,
): Promise<Payment | undefined> {
  const row = await db
    .updateTable('payments')
    .set({
      ...{ state: to, isSettled: 0, changedMs: timeMs },
      reason,
      reference,
    })
    .where('paymentId', '=', paymentId)
    .where('state', 'in', [...from])
    .where('isSettled', '=', 1)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return undefined;
  await addMoves(db, paymentId, moves);
  return paymentOf(row);
}

type Moves = Pick<
  PaymentStore,
  'unsettledPayments' | 'movesOf' | 'takeMove' | 'letGoMove' | 'moveDone'
>;
type Endings = Pick<PaymentStore, 'settlePayment' | 'dropPayment'>;

export function paymentMoveRows(db: Kysely<PeopleDatabase>): Moves & Endings {
  return { ...moveRows(db), ...endingRows(db) };
}

function moveRows(db: Kysely<PeopleDatabase>): Moves {
  return {
    unsettledPayments: async (after, limit) => {
      const rows = await db
        .selectFrom('payments')
        .selectAll()
        .where('isSettled', '=', 0)
        .where('paymentId', '>', after)
        .orderBy('paymentId')
        .limit(limit)
        .execute();
      return rows.map(paymentOf);
    },
    movesOf: async (paymentId) => {
      const rows = await db
        .selectFrom('payment_moves')
        .selectAll()
        .where('paymentId', '=', paymentId)
        .orderBy('number')
        .execute();
      return rows.map(moveOf);
    },
    takeMove: async (move, origin) => {
      await db
        .updateTable('payment_moves')
        .set(origin)
        .where('paymentId', '=', move.paymentId)
        .where('number', '=', move.number)
        .where('sender', 'is', null)
        .where('isDone', '=', 0)
        .execute();
      const row = await db
        .selectFrom('payment_moves')
        .selectAll()
        .where('paymentId', '=', move.paymentId)
        .where('number', '=', move.number)
        .executeTakeFirst();
      return row && moveOf(row).origin;
    },
    letGoMove: async (move, { sender, request }) => {
      await db
        .updateTable('payment_moves')
        .set({ sender: null, request: null })
        .where('paymentId', '=', move.paymentId)
        .where('number', '=', move.number)
        .where('sender', '=', sender)
        .where('request', '=', request)
        .where('isDone', '=', 0)
        .execute();
    },
    moveDone: async (move) => {
      await db
        .updateTable('payment_moves')
        .set({ isDone: 1 })
        .where('paymentId', '=', move.paymentId)
        .where('number', '=', move.number)
        .execute();
    },
  };
}

function endingRows(db: Kysely<PeopleDatabase>): Endings {
  return {
    settlePayment: (paymentId, event) =>
      db.transaction().execute(async (all) => {
        const settled = await all
          .updateTable('payments')
          .set({ isSettled: 1 })
          .where('paymentId', '=', paymentId)
          .where('isSettled', '=', 0)
          .returning('paymentId')
          .executeTakeFirst();
        if (settled !== undefined && event !== undefined) await addEvent(all, event);
        return settled !== undefined;
      }),
    dropPayment: (paymentId, reason, timeMs) =>
      db.transaction().execute(async (all) => {
        // Not when another process has carried out a move of it meanwhile.
        const done = await all
          .selectFrom('payment_moves')
          .select('number')
          .where('paymentId', '=', paymentId)
          .where('isDone', '=', 1)
          .executeTakeFirst();
        if (done !== undefined) return false;
        const dropped = await all
          .updateTable('payments')
          .set({ state: 'refused', reason, isSettled: 1, changedMs: timeMs })
          .where('paymentId', '=', paymentId)
          .where('isSettled', '=', 0)
          .returning('paymentId')
          .executeTakeFirst();
        if (dropped === undefined) return false;
        await all.deleteFrom('payment_moves').where('paymentId', '=', paymentId).execute();
        return true;
      }),
  };
}

/**
 * What a person has said of payments that are over goes with the person: where money went, notes,
 * ids. What the books need stays: account, coin, amounts, times, states, and the reference of the
 * payment outside. An event that was not delivered yet still is.
 */
export async function forgetPayerOf(db: Db, personId: string): Promise<void> {
  const payments = db.selectFrom('payments').select('paymentId').where('personId', '=', personId);
  await db
    .deleteFrom('payment_events')
    .where('paymentId', 'in', payments)
    .where('state', '<>', 'waiting')
    .execute();
  await db
    .updateTable('payments')
    // No client's own id has a blank in it.
    .set({ address: '', tag: '', reason: '', clientId: sql<string>`'deleted ' || payment_id` })
    .where('personId', '=', personId)
    .where('state', 'not in', [...STATES_UNDER_WAY])
    .where('isSettled', '=', 1)
    .execute();
}

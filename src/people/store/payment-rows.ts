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
} from '../ports/payments.ts';
import { addEvent } from './payment-event-rows.ts';
import { word } from './rows.ts';
import type { PeopleDatabase } from './tables.ts';

type Row = Selectable<PeopleDatabase['payments']>;
type MoveRow = Selectable<PeopleDatabase['payment_moves']>;
type Db = Kysely<PeopleDatabase> | Transaction<PeopleDatabase>;

function paymentOf(row: Row): Payment {
  return {
    paymentId: row.payment_id,
    kind: word(PAYMENT_KINDS, row.kind),
    personId: row.person_id,
    accountId: accountId(row.account_id),
    toAccountId: row.to_account_id === null ? undefined : accountId(row.to_account_id),
    coin: row.coin,
    assetId: assetId(row.asset_id),
    scale: row.scale,
    amount: BigInt(row.amount),
    fee: BigInt(row.fee),
    chain: row.chain,
    address: row.address,
    tag: row.tag,
    reference: row.reference,
    clientId: row.client_id,
    approvalsNeeded: row.approvals_needed,
    state: word(PAYMENT_STATES, row.state),
    reason: row.reason,
    isSettled: row.is_settled === 1,
    createdMs: row.created_ms,
    changedMs: row.changed_ms,
  };
}

function rowOf(
  paymentId: string,
  terms: PaymentTerms,
  createdMs: number,
  isSettled: boolean,
): Insertable<PeopleDatabase['payments']> {
  return {
    payment_id: paymentId,
    kind: terms.kind,
    person_id: terms.personId,
    account_id: terms.accountId,
    to_account_id: terms.toAccountId ?? null,
    coin: terms.coin,
    asset_id: terms.assetId,
    scale: terms.scale,
    amount: String(terms.amount),
    fee: String(terms.fee),
    chain: terms.chain,
    address: terms.address,
    tag: terms.tag,
    reference: terms.reference,
    client_id: terms.clientId,
    approvals_needed: terms.approvalsNeeded,
    state: terms.kind === 'transfer' ? 'done' : 'requested',
    reason: '',
    is_settled: isSettled ? 1 : 0,
    created_ms: createdMs,
    changed_ms: createdMs,
  };
}

function moveOf(row: MoveRow): PaymentMove {
  const { gateway, request } = row;
  return {
    paymentId: row.payment_id,
    number: row.number,
    kind: word(MOVE_KINDS, row.kind),
    accountId: accountId(row.account_id),
    toAccountId: row.to_account_id === null ? undefined : accountId(row.to_account_id),
    amount: BigInt(row.amount),
    isDone: row.is_done === 1,
    origin: gateway === null || request === null ? undefined : { gateway, request },
  };
}

/** Behind those that it has already. */
async function addMoves(db: Db, paymentId: string, moves: readonly NewMove[]): Promise<void> {
  if (moves.length === 0) return;
  const { count } = await db
    .selectFrom('payment_moves')
    .select((one) => one.fn.countAll<number>().as('count'))
    .where('payment_id', '=', paymentId)
    .executeTakeFirstOrThrow();
  const rows = moves.map(({ kind, accountId: account, toAccountId, amount }, at) => ({
    payment_id: paymentId,
    number: Number(count) + at,
    ...{ kind, account_id: account, to_account_id: toAccountId ?? null, amount: String(amount) },
    ...{ is_done: 0, gateway: null, request: null },
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
          .onConflict((conflict) => conflict.columns(['person_id', 'client_id']).doNothing())
          .returning('payment_id')
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
        eb.and([eb('account_id', '=', account), eb('kind', '<>', 'transfer')]),
      ),
    openPaymentsOf: (personId) => underWayCount(db, (eb) => eb('person_id', '=', personId)),
  };
}

async function one(db: Db, paymentId: string): Promise<Payment | undefined> {
  const row = await db
    .selectFrom('payments')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .executeTakeFirst();
  return row && paymentOf(row);
}

function listed(db: Db, query: PaymentsQuery) {
  const { kind, state, coin, accountId: account, personId, before, limit } = query;
  let rows = db.selectFrom('payments').selectAll().orderBy('payment_id', 'desc').limit(limit);
  if (kind !== undefined) rows = rows.where('kind', '=', kind);
  if (state !== undefined) rows = rows.where('state', '=', state);
  if (coin !== undefined) rows = rows.where('coin', '=', coin);
  if (account !== undefined) rows = rows.where(ofAccount(account));
  if (personId !== undefined) rows = rows.where('person_id', '=', personId);
  if (before !== undefined) rows = rows.where('payment_id', '<', before);
  return rows;
}

/** A transfer is seen at both its ends. */
function ofAccount(account: AccountId) {
  return (eb: ExpressionBuilder<PeopleDatabase, 'payments'>) =>
    eb.or([eb('account_id', '=', account), eb('to_account_id', '=', account)]);
}

async function asked(
  db: Db,
  { personId, accountId: account, coin, sinceMs, except }: AskedQuery,
): Promise<Asked> {
  const rows = await db
    .selectFrom('payments')
    .select(['kind', 'coin', 'state', 'amount'])
    .where((eb) => eb.or([eb('person_id', '=', personId), eb('account_id', '=', account)]))
    .where('created_ms', '>', sinceMs)
    .where('payment_id', '<>', except)
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
    .where((eb) => eb.or([eb('state', 'in', [...STATES_UNDER_WAY]), eb('is_settled', '=', 0)]))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Costs a look at every payment that is under way, and at every event that was not delivered. */
async function waiting(db: Db): Promise<WaitingSince> {
  const moving = await db
    .selectFrom('payments')
    .select((query) => query.fn.min<number | null>('changed_ms').as('since'))
    .where('is_settled', '=', 0)
    .executeTakeFirst();
  const states = await db
    .selectFrom('payments')
    .select((query) => ['state', query.fn.min<number>('changed_ms').as('since')] as const)
    .where('state', 'in', [...STATES_UNDER_WAY])
    .groupBy('state')
    .execute();
  const undelivered = await db
    .selectFrom('payment_events')
    .select((query) => query.fn.min<number | null>('time_ms').as('since'))
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
            changed_ms: change.timeMs,
            approvals_needed: row
              .case()
              .when('approvals_needed', '<', approvalsMin)
              .then(approvalsMin)
              .else(row.ref('approvals_needed'))
              .end(),
          }))
          .where('payment_id', '=', paymentId)
          .where('state', 'in', [...change.from])
          .where('is_settled', '=', 1)
          .returningAll()
          .executeTakeFirst();
        if (taken === undefined) return undefined;
        const { operatorId, operatorName, timeMs } = approval;
        await all
          .insertInto('payment_approvals')
          .values({
            ...{ payment_id: paymentId, operator_id: operatorId, time_ms: timeMs },
            operator_name: operatorName,
          })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        const approvals = await approvalsOf(all, paymentId);
        if (approvals.length < taken.approvals_needed) return paymentOf(taken);
        return changed(all, paymentId, change);
      }),
    approvalsOf: (paymentId) => approvalsOf(db, paymentId),
  };
}

async function approvalsOf(db: Db, paymentId: string) {
  return db
    .selectFrom('payment_approvals')
    .select(['operator_id as operatorId', 'operator_name as operatorName', 'time_ms as timeMs'])
    .where('payment_id', '=', paymentId)
    .orderBy('time_ms')
    .orderBy('operator_id')
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
      ...{ state: to, is_settled: 0, changed_ms: timeMs },
      ...(reason === undefined ? {} : { reason }),
      ...(reference === undefined ? {} : { reference }),
    })
    .where('payment_id', '=', paymentId)
    .where('state', 'in', [...from])
    .where('is_settled', '=', 1)
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
        .where('is_settled', '=', 0)
        .where('payment_id', '>', after)
        .orderBy('payment_id')
        .limit(limit)
        .execute();
      return rows.map(paymentOf);
    },
    movesOf: async (paymentId) => {
      const rows = await db
        .selectFrom('payment_moves')
        .selectAll()
        .where('payment_id', '=', paymentId)
        .orderBy('number')
        .execute();
      return rows.map(moveOf);
    },
    takeMove: async (move, origin) => {
      await db
        .updateTable('payment_moves')
        .set(origin)
        .where('payment_id', '=', move.paymentId)
        .where('number', '=', move.number)
        .where('gateway', 'is', null)
        .where('is_done', '=', 0)
        .execute();
      const row = await db
        .selectFrom('payment_moves')
        .selectAll()
        .where('payment_id', '=', move.paymentId)
        .where('number', '=', move.number)
        .executeTakeFirst();
      return row && moveOf(row).origin;
    },
    letGoMove: async (move, { gateway, request }) => {
      await db
        .updateTable('payment_moves')
        .set({ gateway: null, request: null })
        .where('payment_id', '=', move.paymentId)
        .where('number', '=', move.number)
        .where('gateway', '=', gateway)
        .where('request', '=', request)
        .where('is_done', '=', 0)
        .execute();
    },
    moveDone: async (move) => {
      await db
        .updateTable('payment_moves')
        .set({ is_done: 1 })
        .where('payment_id', '=', move.paymentId)
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
          .set({ is_settled: 1 })
          .where('payment_id', '=', paymentId)
          .where('is_settled', '=', 0)
          .returning('payment_id')
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
          .where('payment_id', '=', paymentId)
          .where('is_done', '=', 1)
          .executeTakeFirst();
        if (done !== undefined) return false;
        const dropped = await all
          .updateTable('payments')
          .set({ state: 'refused', reason, is_settled: 1, changed_ms: timeMs })
          .where('payment_id', '=', paymentId)
          .where('is_settled', '=', 0)
          .returning('payment_id')
          .executeTakeFirst();
        if (dropped === undefined) return false;
        await all.deleteFrom('payment_moves').where('payment_id', '=', paymentId).execute();
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
  const payments = db.selectFrom('payments').select('payment_id').where('person_id', '=', personId);
  await db
    .deleteFrom('payment_events')
    .where('payment_id', 'in', payments)
    .where('state', '<>', 'waiting')
    .execute();
  await db
    .updateTable('payments')
    // No client's own id has a blank in it.
    .set({ address: '', tag: '', reason: '', client_id: sql<string>`'deleted ' || payment_id` })
    .where('person_id', '=', personId)
    .where('state', 'not in', [...STATES_UNDER_WAY])
    .where('is_settled', '=', 1)
    .execute();
}

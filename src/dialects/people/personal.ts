/** A person's own affairs: another e-mail address, what is kept of it, and leaving. */
import { refuseSaying } from '#api';
import { type AccountId, isRefused, type KeyRecord, type Refused, type StateReader } from '#domain';
import {
  askEmailChange,
  completeEmailChange,
  deletePerson,
  exportPerson,
  LINK_WAYS,
  type LinkWay,
  type PersonData,
  soleAccounts,
  undoEmailChange,
} from '#people';
import { KEY } from '../admin/keys.ts';
import { submit } from '../kit/carry-out.ts';
import {
  type PersonEndpoint,
  personEndpoint,
  type VisitorEndpoint,
  visitorEndpoint,
} from '../kit/endpoint.ts';
import { encoded, oneOf, row, rows } from '../kit/row.ts';
import { BASE, fromOf, type PeopleDialectContext, settled } from './context.ts';
import { EMAIL_FIELD, secret } from './fields.ts';
import { PAYMENT } from './payment-rows.ts';
import { ACCESS, DONE, EVENT, KEPT_PERSON, KEPT_SESSION } from './rows.ts';

/** Of one address, as the other links. */
const PER_MINUTE = { limit: 60, windowMs: 60_000 };
/** Each sends a mail to an address that anybody may have. */
const CHANGES_PER_HOUR = { limit: 5, windowMs: 3_600_000 };
const TOKEN = 'q7Yc0sQn5vX2bM8kZ4tR6wP1dF3gH9jL0aS7uE5iO2c';

const ASKED = row<LinkWay>()({
  next: oneOf(LINK_WAYS, 'Where the link comes from', 'mail', (next) => next),
});

interface Exported extends PersonData {
  readonly keys: readonly KeyRecord[];
}

const EXPORT = row<Exported>()({
  person: encoded(KEPT_PERSON, ({ person }: Exported) => KEPT_PERSON.write(person)),
  accounts: rows(ACCESS, ({ access }: Exported) => access),
  keys: rows(KEY, ({ keys }: Exported) => keys),
  sessions: rows(KEPT_SESSION, ({ sessions }: Exported) => sessions),
  events: rows(EVENT, ({ events }: Exported) => events),
  payments: rows(PAYMENT, ({ payments }: Exported) => payments),
});

/** Called by the pages that links lead to. */
export const LINK_ENDPOINTS = {
  completeEmailChange: visitorEndpoint({
    method: 'POST',
    path: `${BASE}/email-changes/complete`,
    rate: PER_MINUTE,
    summary: 'Take over a new address with the token of a link; it works once',
    request: { token: secret('From the link') },
    response: DONE,
    example: { request: { token: TOKEN } },
    answer: async ({ people }: PeopleDialectContext, { token }, call) =>
      (await completeEmailChange(people, token, fromOf(call))) ?? DONE.write(),
  }),
  undoEmailChange: visitorEndpoint({
    method: 'POST',
    path: `${BASE}/email-changes/undo`,
    rate: PER_MINUTE,
    summary: 'Take a change of address back: sessions end, and the password is chosen anew',
    request: { token: secret('From the link') },
    response: DONE,
    example: { request: { token: TOKEN } },
    answer: async ({ people }: PeopleDialectContext, { token }, call) =>
      (await undoEmailChange(people, token, fromOf(call))) ?? DONE.write(),
  }),
} as const satisfies Record<string, VisitorEndpoint<PeopleDialectContext>>;

export const PERSONAL_ENDPOINTS = {
  askEmailChange: personEndpoint({
    method: 'POST',
    path: `${BASE}/email-changes`,
    rate: CHANGES_PER_HOUR,
    summary: 'Ask for a link to a new address; the answer does not show whether it is taken',
    request: { email: EMAIL_FIELD },
    response: ASKED,
    example: { request: { email: 'ada@example.org' } },
    answer: async ({ people }: PeopleDialectContext, { email }, call) => {
      const outcome = await askEmailChange(people, call.session, email, fromOf(call));
      return settled(call.visit, outcome, (next) => ASKED.write(next));
    },
  }),
  exportPerson: personEndpoint({
    method: 'GET',
    path: `${BASE}/export`,
    rate: { limit: 10, windowMs: 60_000 },
    summary: 'Everything that is kept of the person and is no secret',
    request: {},
    response: EXPORT,
    answer: async ({ people, vault }: PeopleDialectContext, _asked, call) => {
      const data = await exportPerson(people, call.session, fromOf(call));
      if (isRefused(data)) return data;
      const managed = data.access.filter(({ rights }) => rights.includes('manage'));
      const keys = managed.flatMap(({ accountId }) => vault.recordsOf(accountId));
      return EXPORT.write({ ...data, keys });
    },
  }),
  deletePerson: personEndpoint({
    method: 'DELETE',
    path: `${BASE}/person`,
    rate: { limit: 10, windowMs: 60_000 },
    summary: 'Delete the person; accounts that nobody else manages must be empty, and are frozen',
    request: {},
    response: DONE,
    answer: async (context: PeopleDialectContext, _asked, call) => {
      const { people } = context;
      const accounts = await soleAccounts(people, call.session);
      if (isRefused(accounts)) return accounts;
      const refused = await closeAccounts(context, accounts);
      if (refused !== undefined) return refused;
      const gone = await deletePerson(people, call.session, fromOf(call));
      if (gone !== undefined) return gone;
      call.visit.setToken(undefined);
      return DONE.write();
    },
  }),
} as const satisfies Record<string, PersonEndpoint<PeopleDialectContext>>;

/** Freezes accounts and revokes their keys; what is not empty then goes on as it was. */
async function closeAccounts(
  context: PeopleDialectContext,
  accounts: readonly AccountId[],
): Promise<Refused | undefined> {
  const { venue, vault } = context;
  const refused = await venue.read((state) => refuseFirst(state, accounts, refuseFrozen));
  if (refused !== undefined) return refused;
  for (const accountId of accounts) await freeze(context, accountId, true);
  // Only now does nothing come in between: orders are refused at the door.
  const late = await venue.read((state) => refuseFirst(state, accounts, refuseBusy));
  if (late !== undefined) {
    for (const accountId of accounts) await freeze(context, accountId, false);
    return late;
  }
  for (const { key } of accounts.flatMap((accountId) => vault.recordsOf(accountId))) {
    const event = await submit(venue, 'key_revoked', { kind: 'revoke_key', key });
    if (isRefused(event) && event.reject !== 'key_not_found') return event;
  }
  return undefined;
}

async function freeze(
  { venue }: PeopleDialectContext,
  accountId: AccountId,
  frozen: boolean,
): Promise<void> {
  const changes = { frozen };
  await submit(venue, 'account_updated', { kind: 'update_account', accountId, changes });
}

type Check = (state: StateReader, accountId: AccountId) => Refused | undefined;

function refuseFirst(
  state: StateReader,
  accounts: readonly AccountId[],
  check: Check,
): Refused | undefined {
  for (const accountId of accounts) {
    const refused = check(state, accountId);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

/** The operator may have a reason to keep it. */
function refuseFrozen(state: StateReader, accountId: AccountId): Refused | undefined {
  if (state.account(accountId)?.frozen === true) {
    return refuseSaying('deletion_refused', 'an account is frozen: ask the operator');
  }
  return refuseBusy(state, accountId);
}

function refuseBusy(state: StateReader, accountId: AccountId): Refused | undefined {
  const account = state.account(accountId);
  if (account === undefined) return undefined;
  const balances = [...account.spotBalances()];
  for (const [, balance] of account.contractBalances()) balances.push(balance);
  const isEmpty =
    balances.every(({ balance }) => balance === 0n) &&
    [...state.owned(accountId).values()].every((amount) => amount === 0n) &&
    isNone(state.openOrders(accountId)) &&
    isNone(state.openContractOrders(accountId)) &&
    isNone(state.waitingTriggers(accountId));
  if (isEmpty) return undefined;
  return refuseSaying('deletion_refused', 'an account still holds money, orders or positions');
}

function isNone(all: Iterable<unknown>): boolean {
  for (const _one of all) return false;
  return true;
}

/** Accounts of a person, and who else may use them. */
import { type AccountId, type Refused, refuse } from '#domain';
import { type From, note, type PeopleContext, refuseSaying } from '../context.ts';
import type { LiveSession } from '../identities/live-sessions.ts';
import { refuseUnconfirmed } from '../identities/own-security.ts';
import { openAccount } from '../identities/signing-up.ts';
import type { PeopleStore } from '../port.ts';
import { codeHash, newCode, newId } from '../secrets/tokens.ts';
import type { Access, AccessCode, AccessRight, AccountMember } from './port.ts';

const ACCESS_CODE_MS = 7 * 24 * 3_600_000;
const ACCESS_CODE_GROUPS = 5;
/** Of one person, that work. */
const ACCESS_CODES_MAX = 50;
/** Of one account. */
const PEOPLE_PER_ACCOUNT_MAX = 50;
/** Of one person, own ones and those of others. */
const ACCOUNTS_SHOWN_MAX = 200;

/** Why a session may not do this in an account; one that it may not see is unknown to it. */
export function refuseRight(
  session: LiveSession,
  accountId: AccountId,
  right: AccessRight,
): Refused | undefined {
  const rights = session.rightsOf(accountId);
  if (rights === undefined) return refuse('account_unknown');
  return rights.includes(right) ? undefined : refuseSaying('permission_missing', right);
}

export async function ownAccounts(
  { people }: PeopleContext,
  { personId }: LiveSession,
): Promise<readonly Access[]> {
  return (await people.get()).accessOf(personId);
}

/** Another account of its own, as many as the venue allows. */
export async function openAnother(
  context: PeopleContext,
  session: LiveSession,
  label: string,
  from: From,
): Promise<Access | Refused> {
  const store = await context.people.get();
  const { personId } = session;
  const has = await store.accessOf(personId);
  const { accountsPerPersonMax } = context.settings;
  const opened = await store.takeAccountNumber(personId, accountsPerPersonMax);
  if (opened === undefined || has.length >= ACCOUNTS_SHOWN_MAX) {
    return refuseSaying('people_exceeded', `${accountsPerPersonMax} accounts of one person`);
  }
  return openAccount(context, store, personId, { number: opened, label }, from);
}

export async function nameAccount(
  context: PeopleContext,
  session: LiveSession,
  accountId: AccountId,
  label: string,
): Promise<Access | Refused> {
  const refused = refuseRight(session, accountId, 'read');
  if (refused !== undefined) return refused;
  const store = await context.people.get();
  await store.changeAccess(session.personId, accountId, { label });
  return found(store, session.personId, accountId);
}

async function found(
  store: PeopleStore,
  personId: string,
  accountId: AccountId,
): Promise<Access | Refused> {
  const access = await store.accessOf(personId);
  return access.find((one) => one.accountId === accountId) ?? refuse('account_unknown');
}

export async function peopleOf(
  { people }: PeopleContext,
  session: LiveSession,
  accountId: AccountId,
): Promise<readonly AccountMember[] | Refused> {
  const refused = refuseRight(session, accountId, 'manage');
  return refused ?? (await people.get()).accessTo(accountId);
}

export type ShownCode = Omit<AccessCode, 'codeHash'>;

export interface MadeCode {
  readonly code: string;
  readonly expiresMs: number;
}

/** A code that lets whoever enters it in, once. Nobody gives more than they have. */
export async function makeAccessCode(
  context: PeopleContext,
  session: LiveSession,
  accountId: AccountId,
  rights: readonly AccessRight[],
  from: From,
): Promise<MadeCode | Refused> {
  const refused =
    refuseRight(session, accountId, 'manage') ??
    refuseUnconfirmed(context, session) ??
    refuseMore(session, accountId, rights);
  if (refused !== undefined) return refused;
  const store = await context.people.get();
  const code = newCode(ACCESS_CODE_GROUPS);
  const nowMs = context.nowMs();
  const expiresMs = nowMs + ACCESS_CODE_MS;
  const { personId: madeBy } = session;
  const hashed = { codeId: newId(nowMs), codeHash: codeHash(code) };
  const made = { ...hashed, accountId, rights, madeBy, expiresMs };
  if (!(await store.addAccessCode(made, { nowMs, liveMax: ACCESS_CODES_MAX }))) {
    return refuseSaying('people_exceeded', `${ACCESS_CODES_MAX} codes that nobody has entered yet`);
  }
  await note(context, store, madeBy, 'access_code_made', from, `${accountId}: ${rights}`);
  return { code, expiresMs };
}

const CODES_LISTED_MAX = 500;

/** What lets others in and nobody has entered yet, without the codes. */
export async function accessCodesOf(
  { people, nowMs }: PeopleContext,
  session: LiveSession,
  accountId: AccountId,
): Promise<readonly ShownCode[] | Refused> {
  const refused = refuseRight(session, accountId, 'manage');
  if (refused !== undefined) return refused;
  return (await people.get()).accessCodes(accountId, nowMs(), CODES_LISTED_MAX);
}

/** Withdraws a code, whoever has made it. */
export async function dropAccessCode(
  { people }: PeopleContext,
  session: LiveSession,
  accountId: AccountId,
  codeId: string,
): Promise<Refused | undefined> {
  const refused = refuseRight(session, accountId, 'manage');
  if (refused !== undefined) return refused;
  const isDropped = await (await people.get()).dropAccessCode(accountId, codeId);
  return isDropped ? undefined : refuse('code_wrong');
}

function refuseMore(
  session: LiveSession,
  accountId: AccountId,
  rights: readonly AccessRight[],
): Refused | undefined {
  const own = session.rightsOf(accountId) ?? [];
  const more = rights.find((right) => !own.includes(right));
  return more === undefined ? undefined : refuseSaying('permission_missing', more);
}

/** Whoever made the code may have lost the account since: then it is worth nothing. */
export async function enterAccessCode(
  context: PeopleContext,
  session: LiveSession,
  code: string,
  from: From,
): Promise<Access | Refused> {
  const store = await context.people.get();
  const nowMs = context.nowMs();
  const taken = await store.takeAccessCode(codeHash(code), nowMs);
  if (taken === undefined) return refuse('code_wrong');
  const { accountId, rights, madeBy } = taken;
  const others = await store.accessTo(accountId);
  const maker = others.find((one) => one.personId === madeBy);
  const isActive = (await store.person(madeBy))?.state === 'active';
  const isAllowed = isActive && maker?.rights.includes('manage') === true;
  if (!isAllowed || !rights.every((right) => maker.rights.includes(right))) {
    return refuse('code_wrong');
  }
  const { personId } = session;
  if (others.some((one) => one.personId === personId)) return found(store, personId, accountId);
  if (others.length >= PEOPLE_PER_ACCOUNT_MAX) {
    return refuseSaying('people_exceeded', `${PEOPLE_PER_ACCOUNT_MAX} people of one account`);
  }
  await store.addAccess({ personId, accountId, label: '', rights }, nowMs);
  await context.sessions.changed(personId);
  await note(context, store, personId, 'access_given', from, `${accountId}: ${rights}`);
  return found(store, personId, accountId);
}

const ONLY_OPERATORS = refuseSaying(
  'permission_missing',
  'the owner of the account is changed by the owner or an operator only',
);

async function owns(store: PeopleStore, personId: string, accountId: AccountId): Promise<boolean> {
  const members = await store.accessTo(accountId);
  return members.some((one) => one.personId === personId && one.isOwner);
}

/** Of another person, not the owner: nobody takes their own right to manage away by mistake. */
export async function changeRights(
  context: PeopleContext,
  session: LiveSession,
  { personId, accountId }: Pick<Access, 'personId' | 'accountId'>,
  rights: readonly AccessRight[],
  from: From,
): Promise<Access | Refused> {
  const refused =
    refuseRight(session, accountId, 'manage') ??
    refuseUnconfirmed(context, session) ??
    refuseMore(session, accountId, rights);
  if (refused !== undefined) return refused;
  if (personId === session.personId) return refuseSaying('person_unknown', 'that is yourself');
  const store = await context.people.get();
  if (await owns(store, personId, accountId)) return ONLY_OPERATORS;
  const isChanged = await store.changeAccess(personId, accountId, { rights });
  if (!isChanged) return refuse('person_unknown');
  await context.sessions.changed(personId);
  await note(context, store, personId, 'access_changed', from, `${accountId}: ${rights}`);
  return found(store, personId, accountId);
}

/** Of another person, or of oneself while somebody else is left who manages the account. */
export async function takeAccess(
  context: PeopleContext,
  session: LiveSession,
  { personId, accountId }: Pick<Access, 'personId' | 'accountId'>,
  from: From,
): Promise<Refused | undefined> {
  const isOwn = personId === session.personId;
  const refused = refuseRight(session, accountId, isOwn ? 'read' : 'manage');
  if (refused !== undefined) return refused;
  const unconfirmed = refuseUnconfirmed(context, session);
  if (unconfirmed !== undefined) return unconfirmed;
  const store = await context.people.get();
  if (!isOwn && (await owns(store, personId, accountId))) return ONLY_OPERATORS;
  const others = (await store.accessTo(accountId)).filter((one) => one.personId !== personId);
  if (!others.some(({ rights }) => rights.includes('manage'))) {
    return refuseSaying('permission_missing', 'nobody would be left who manages the account');
  }
  if (!(await store.removeAccess(personId, accountId))) return refuse('person_unknown');
  await context.sessions.changed(personId);
  await note(context, store, personId, 'access_taken', from, String(accountId));
  return undefined;
}

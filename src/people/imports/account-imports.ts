/**
 * Accounts that come in by file. The file is checked as a whole and kept; the process that leads
 * carries it out line by line and notes how far it is. Each step is done at most once however often
 * it is tried: an account has its name once, a person its address, and a starting balance is paid
 * to a wallet that has never held the coin.
 */
import { hash } from 'node:crypto';
import {
  type AccountId,
  isRefused,
  type Listings,
  type Refused,
  refuse,
  type VenuePort,
} from '#domain';
import { FROM_OPERATOR, note, type PeopleContext, refuseSaying } from '../context.ts';
import { makePerson } from '../identities/by-operator.ts';
import type { PeopleStore } from '../port.ts';
import {
  type AccountLine,
  type LineFault,
  type ReadAccounts,
  readAccounts,
} from './account-csv.ts';
import type { AccountImport, ImportState } from './port.ts';

export { type AccountImport, IMPORT_STATES } from './port.ts';

const LINES_MAX = 1_000;
const WAITING_MAX = 100;
/** Lines after which it is noted how far an import is. */
const NOTED_EVERY = 20;
const PEOPLE_PER_ACCOUNT_MAX = 50;

export interface ImportContext {
  readonly people: PeopleContext;
  readonly venue: VenuePort;
}

export interface AskedImport {
  readonly reference: string;
  readonly csv: string;
  /** Of a part of a larger file: the number of its first line there. */
  readonly firstLine: number;
  readonly isDryRun: boolean;
}

/** What a check has found, or how far an import is. */
export interface ImportSeen {
  readonly reference: string;
  readonly state: ImportState | 'checked';
  readonly linesCount: number;
  readonly doneCount: number;
  readonly fault: string;
  readonly faults: readonly LineFault[];
  readonly createdMs: number;
}

/** Whether so much of a coin may not be moved by one operator alone. */
export type NeedsSecond = (
  coin: { readonly code: string; readonly scale: number },
  amount: bigint,
) => Promise<boolean>;

/** Checks a file, and keeps it to be carried out unless there is a fault or it is a dry run. */
export async function importAccounts(
  { people }: ImportContext,
  asked: AskedImport,
  listings: Listings,
  needsSecond: NeedsSecond,
): Promise<ImportSeen | Refused> {
  const { reference, csv, firstLine, isDryRun } = asked;
  const read = readAccounts(csv, listings, firstLine);
  const faults = [...read.faults, ...(await faultsOfAll(read, listings, needsSecond))];
  const createdMs = people.nowMs();
  const linesCount = read.lines.length;
  const seen = { reference, linesCount, doneCount: 0, fault: '', faults, createdMs };
  if (isDryRun || faults.length > 0) return { ...seen, state: 'checked' };
  const store = await people.people.get();
  // The number of its first line is kept with it: faults that come later name lines, too.
  const content = `${firstLine}\n${csv}`;
  const digest = hash('sha256', content, 'base64url');
  const known = await store.accountImport(reference);
  if (known !== undefined) return again(store, known, { digest, content, nowMs: createdMs });
  if ((await store.waitingImportsCount()) >= WAITING_MAX) {
    return refuseSaying('people_exceeded', `${WAITING_MAX} imports that wait`);
  }
  const made: AccountImport = {
    ...{ reference, digest, content, state: 'waiting', fault: '', linesCount, doneCount: 0 },
    ...{ createdMs, updatedMs: createdMs },
  };
  if (await store.addImport(made)) return seenOf(made);
  const other = await store.accountImport(reference);
  return other === undefined || other.digest !== digest ? refuse('import_differs') : seenOf(other);
}

async function faultsOfAll(
  { lines }: ReadAccounts,
  listings: Listings,
  needsSecond: NeedsSecond,
): Promise<LineFault[]> {
  const last = lines.at(-1);
  if (last === undefined) return [];
  const found: LineFault[] = [];
  if (lines.length > LINES_MAX) {
    found.push({ line: last.line, column: '', text: `${LINES_MAX} lines are taken at a time` });
  }
  const sums = new Map<number, bigint>();
  for (const { assetId, amount } of lines.flatMap(({ balances }) => balances)) {
    sums.set(assetId, (sums.get(assetId) ?? 0n) + amount);
  }
  for (const coin of listings.assets) {
    const sum = sums.get(coin.assetId) ?? 0n;
    if (sum === 0n || !(await needsSecond(coin, sum))) continue;
    const text = `the balances in ${coin.code} come to more than one operator may pay in alone`;
    found.push({ line: last.line, column: 'balances', text });
  }
  return found;
}

/** Another call with the same reference: a stopped one goes on, others are as they are. */
async function again(
  store: PeopleStore,
  known: AccountImport,
  asked: { readonly digest: string; readonly content: string; readonly nowMs: number },
): Promise<ImportSeen | Refused> {
  if (known.digest !== asked.digest) return refuse('import_differs');
  if (known.state !== 'stopped') return seenOf(known);
  const { doneCount } = known;
  const { content, nowMs: updatedMs } = asked;
  const changes = { state: 'waiting', fault: '', doneCount, content, updatedMs } as const;
  await store.moveImport(known.reference, changes);
  return seenOf({ ...known, ...changes });
}

function seenOf(one: AccountImport): ImportSeen {
  const { reference, state, linesCount, doneCount, fault, createdMs } = one;
  return { reference, state, linesCount, doneCount, fault, faults: [], createdMs };
}

export async function seeImport(
  { people }: Pick<PeopleContext, 'people'>,
  reference: string,
): Promise<ImportSeen | Refused> {
  const found = await (await people.get()).accountImport(reference);
  return found === undefined ? refuse('import_unknown') : seenOf(found);
}

export async function listImports(
  { people }: Pick<PeopleContext, 'people'>,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly ImportSeen[]> {
  return (await (await people.get()).imports(limit, before)).map(seenOf);
}

/** Carries out what waits, the oldest first, until nothing does or `isOver`. */
export async function carryOutImports(
  context: ImportContext,
  isOver: () => boolean,
): Promise<void> {
  const store = await context.people.people.get();
  while (!isOver()) {
    const next = await store.nextImport();
    if (next === undefined) return;
    await carryOut(context, store, next, isOver);
  }
}

async function carryOut(
  context: ImportContext,
  store: PeopleStore,
  one: AccountImport,
  isOver: () => boolean,
): Promise<void> {
  const [first = '1'] = one.content.split('\n', 1);
  const csv = one.content.slice(first.length + 1);
  const { lines } = await context.venue.read(({ listings }) =>
    readAccounts(csv, listings, Number(first)),
  );
  let { doneCount } = one;
  const noted = (state: ImportState, fault = '') =>
    store.moveImport(one.reference, {
      ...{ state, fault, doneCount, updatedMs: context.people.nowMs() },
      content: state === 'waiting' ? one.content : '',
    });
  for (const line of lines.slice(doneCount)) {
    if (isOver()) break;
    const refused = await carryOutLine(context, store, line);
    if (refused !== undefined) {
      await noted('stopped', `line ${line.line}: ${refused.reject}`);
      return;
    }
    doneCount += 1;
    if (doneCount % NOTED_EVERY === 0) await noted('waiting');
  }
  await noted(doneCount >= lines.length ? 'done' : 'waiting');
}

async function carryOutLine(
  { people, venue }: ImportContext,
  store: PeopleStore,
  { account, balances, ...person }: AccountLine,
): Promise<Refused | undefined> {
  const accountId = await people.openAccount(account);
  if (isRefused(accountId)) return accountId;
  for (const { assetId, amount } of balances) {
    const isNew = await venue.read(
      (state) => state.account(accountId)?.balance('spot', assetId) === undefined,
    );
    if (!isNew) continue;
    const deposit = { kind: 'deposit', accountId, wallet: 'spot', assetId, amount } as const;
    const [event] = await venue.submit(deposit);
    if (event?.kind === 'refused') return event;
  }
  return person.email === '' ? undefined : letIn(people, store, accountId, person);
}

/**
 * Gives the account to whoever has proved the address; for anybody else it waits as an invitation
 * to the address, and counts from when its link is used.
 */
async function letIn(
  context: PeopleContext,
  store: PeopleStore,
  accountId: AccountId,
  { email, name, label, rights }: Pick<AccountLine, 'email' | 'name' | 'label' | 'rights'>,
): Promise<Refused | undefined> {
  let person = await store.personByEmail(email);
  if (person === undefined) {
    const made = await makePerson(context, { email, name });
    if (isRefused(made)) return made;
    person = made.person;
  }
  const { personId } = person;
  const others = await store.accessTo(accountId, 'all');
  if (others.some((one) => one.personId === personId)) return undefined;
  if (others.length >= PEOPLE_PER_ACCOUNT_MAX) return refuse('people_exceeded');
  await store.addAccess({ personId, accountId, label, rights }, context.nowMs());
  await store.noteAccount(personId);
  await context.sessions.changed(personId);
  await note(context, store, personId, 'access_given', FROM_OPERATOR, `${accountId}: ${rights}`);
  return undefined;
}

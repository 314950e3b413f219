/** How people join a competition by themselves: with a code that is counted, or an open one. */
import { type AccountId, type Refused, refuse } from '#domain';
import { codeHash, type Invitation, newCode, newId } from '#people';
import {
  CANCELLED,
  type CompetitionContext,
  type CompetitionSeen,
  seeCompetition,
  seeOpenCompetition,
  wrong,
} from './desk.ts';
import { addNamed, nextJoinedMs, refuseMore } from './entries.ts';
import { COMPETITION_LIMITS } from './limits.ts';
import type { Competition, CompetitionStore, Entry, EntryAdded } from './port.ts';

const CODE_GROUPS = 4;
const DAY_MS = 86_400_000;

export interface MadeCode {
  readonly invitation: Invitation;
  readonly code: string;
}

/** For so many accounts, good for so many days. What it is for is a note of the operator. */
export async function makeJoinCode(
  context: CompetitionContext,
  competitionId: string,
  madeBy: Invitation['madeBy'],
  { uses, days, label }: { readonly uses: number; readonly days: number; readonly label: string },
): Promise<MadeCode | Refused> {
  const seen = await seeOpenCompetition(context, competitionId);
  if ('kind' in seen) return seen;
  if (seen.competition.terms.joinBy !== 'code') return wrong('nobody joins it by a code');
  const { codesMax } = COMPETITION_LIMITS;
  if (seen.codes.length >= codesMax) return wrong(`${codesMax} codes at most: revoke one`);
  const createdMs = context.nowMs();
  const code = newCode(CODE_GROUPS);
  const times = { createdMs, expiresMs: createdMs + days * DAY_MS };
  const invitation = { invitationId: newId(createdMs), label, uses, used: 0, madeBy, ...times };
  const store = await context.people.get();
  await store.addCode(competitionId, invitation, codeHash(code));
  return { invitation, code };
}

export async function dropJoinCode(
  context: CompetitionContext,
  competitionId: string,
  invitationId: string,
): Promise<CompetitionSeen | Refused> {
  const store = await context.people.get();
  const isDropped = await store.dropCode(competitionId, invitationId);
  return isDropped ? seeCompetition(context, competitionId) : refuse('competition_unknown');
}

/** Who joins, and the accounts that the same person manages: one of them takes part. */
export interface Joiner {
  readonly accountId: AccountId;
  readonly ownIds: readonly AccountId[];
  /** Empty for one that is made up. */
  readonly name: string;
}

const ANOTHER: Refused = wrong('another account of yours takes part');

/** Somebody joins with an account, from the next round on. A code is used by who is new alone. */
export async function joinByCode(
  context: CompetitionContext,
  code: string,
  joiner: Joiner,
): Promise<Competition | Refused> {
  const store = await context.people.get();
  const hash = codeHash(code);
  const nowMs = context.nowMs();
  const competitionId = await store.ownerOfCode(hash, nowMs);
  const competition = competitionId && (await store.competition(competitionId));
  if (!competition || competition.terms.joinBy === 'operator') return refuse('code_wrong');
  const refused = await refuseJoiner(store, competition, joiner);
  if (refused !== undefined) return refused === 'takes part' ? competition : refused;
  if (!(await store.takeCode(hash, nowMs))) return refuse('code_wrong');
  const added = await addJoiner(context, store, competition, joiner);
  if (added !== 'added') await store.giveCodeBack(hash);
  return joinedOr(added, competition, joiner);
}

/** Somebody joins one that is open to everybody; others answer as if they were not there. */
export async function joinOpen(
  context: CompetitionContext,
  competitionId: string,
  joiner: Joiner,
): Promise<Competition | Refused> {
  const store = await context.people.get();
  const competition = await store.competition(competitionId);
  if (competition?.terms.joinBy !== 'open') return refuse('competition_unknown');
  const refused = await refuseJoiner(store, competition, joiner);
  if (refused !== undefined) return refused === 'takes part' ? competition : refused;
  return joinedOr(await addJoiner(context, store, competition, joiner), competition, joiner);
}

async function refuseJoiner(
  store: CompetitionStore,
  { competitionId, cancelledMs }: Competition,
  { accountId, ownIds, name }: Joiner,
): Promise<Refused | 'takes part' | undefined> {
  if (cancelledMs !== undefined) return CANCELLED;
  const entries = await store.entries(competitionId);
  const taking = new Set(entries.map((entry) => entry.accountId));
  if (taking.has(accountId)) return 'takes part';
  if (ownIds.some((own) => taking.has(own))) return ANOTHER;
  return refuseMore(entries, [{ accountId, name, team: '' }]);
}

async function addJoiner(
  context: CompetitionContext,
  store: CompetitionStore,
  { competitionId }: Competition,
  { accountId, ownIds, name }: Joiner,
): Promise<EntryAdded> {
  const entry = { competitionId, accountId, team: '', isHeld: false };
  const joinedMs = nextJoinedMs(await store.entries(competitionId), context.nowMs());
  return addNamed(store, joinedMs, entry, name, ownIds);
}

function joinedOr(
  added: EntryAdded,
  competition: Competition,
  { name }: Joiner,
): Competition | Refused {
  if (added === 'person_in') return ANOTHER;
  return added === 'name_taken' ? wrong(`${name} is taken`) : competition;
}

/** Where somebody takes part, and what is open to everybody. */
export interface OwnCompetition {
  readonly competition: Competition;
  /** Undefined where none of the accounts takes part. */
  readonly entry: Entry | undefined;
}

/** Those in which these accounts take part, and those that are shown and open to everybody. */
export async function ownCompetitions(
  { people }: CompetitionContext,
  accountIds: readonly AccountId[],
): Promise<readonly OwnCompetition[]> {
  const store = await people.get();
  const entries = await store.entriesOf(accountIds);
  const all = await store.competitions(COMPETITION_LIMITS.competitionsMax);
  return all.flatMap((competition): OwnCompetition[] => {
    const { terms, cancelledMs, competitionId } = competition;
    const own = entries.filter((entry) => entry.competitionId === competitionId);
    if (own.length > 0) return own.map((entry) => ({ competition, entry }));
    const isOpen = terms.joinBy === 'open' && terms.isPublic && cancelledMs === undefined;
    return isOpen ? [{ competition, entry: undefined }] : [];
  });
}

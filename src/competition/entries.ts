/** Who takes part in a competition: the accounts that the operator adds, names and takes out. */
import { type AccountId, type Refused, refuse } from '#domain';
import { firstLookAlike } from '#kernel';
import { newId } from '#people';
import {
  type CompetitionContext,
  type CompetitionSeen,
  isGoingOn,
  seeCompetition,
  seeOpenCompetition,
  wrong,
} from './desk.ts';
import { COMPETITION_LIMITS } from './limits.ts';
import type { CompetitionStore, Entry, EntryAdded } from './port.ts';

/** An account that takes part; without a name it is called by its number. */
export interface NewEntry {
  readonly accountId: AccountId;
  readonly name: string;
  readonly team: string;
}

/** All of them, or none where there would be too many; who is in it already is left as it is. */
export async function addEntries(
  context: CompetitionContext,
  competitionId: string,
  wanted: readonly NewEntry[],
): Promise<CompetitionSeen | Refused> {
  const seen = await seeOpenCompetition(context, competitionId);
  if ('kind' in seen) return seen;
  const store = await context.people.get();
  const known = new Set(seen.entries.map(({ accountId }) => accountId));
  const fresh = wanted.filter(({ accountId }) => !known.has(accountId));
  const refused = refuseMore(seen.entries, fresh);
  if (refused !== undefined) return refused;
  let joinedMs = nextJoinedMs(seen.entries, context.nowMs());
  for (const { accountId, name, team } of fresh) {
    const entry = { competitionId, accountId, team, isHeld: false };
    if ((await addNamed(store, joinedMs, entry, name)) === 'name_taken') {
      return wrong(`${name} is taken`);
    }
    joinedMs += 1;
  }
  return seeCompetition(context, competitionId);
}

export function refuseMore(
  entries: readonly Entry[],
  fresh: readonly NewEntry[],
): Refused | undefined {
  const { entriesMax } = COMPETITION_LIMITS;
  if (entries.length + fresh.length > entriesMax) return wrong(`${entriesMax} accounts at most`);
  const names = [...entries, ...fresh].map(({ name }) => name).filter((name) => name !== '');
  const twice = firstLookAlike(names);
  return twice === undefined ? undefined : wrong(`${twice} is taken`);
}

/** Later than all before, so that the order in which they joined is one. */
export function nextJoinedMs(entries: readonly Entry[], nowMs: number): number {
  return Math.max(nowMs, (entries.at(-1)?.joinedMs ?? 0) + 1);
}

/** A name that is made up is taken again with the next number. */
export async function addNamed(
  store: CompetitionStore,
  joinedMs: number,
  entry: Omit<Entry, 'entryId' | 'name' | 'joinedMs'>,
  name: string,
  ownIds: readonly AccountId[] = [],
): Promise<EntryAdded> {
  const entryId = newId(joinedMs);
  if (name !== '') return store.addEntry({ ...entry, entryId, name, joinedMs }, ownIds);
  const entries = await store.entries(entry.competitionId);
  for (let number = entries.length + 1; ; number += 1) {
    const made = { ...entry, entryId, name: `Trader ${number}`, joinedMs };
    const added = await store.addEntry(made, ownIds);
    if (added !== 'name_taken') return added;
  }
}

/** Name and team: what a round that goes on shows stays. */
export async function changeEntry(
  context: CompetitionContext,
  competitionId: string,
  entryId: string,
  changes: Partial<Pick<Entry, 'name' | 'team'>>,
): Promise<CompetitionSeen | Refused> {
  const seen = await seeCompetition(context, competitionId);
  if ('kind' in seen) return seen;
  if (!seen.entries.some((entry) => entry.entryId === entryId))
    return refuse('competition_unknown');
  const store = await context.people.get();
  if (!(await store.changeEntry(entryId, changes))) return wrong(`${changes.name} is taken`);
  return seeCompetition(context, competitionId);
}

export async function removeEntry(
  context: CompetitionContext,
  competitionId: string,
  entryId: string,
): Promise<CompetitionSeen | Refused> {
  const seen = await seeCompetition(context, competitionId);
  if ('kind' in seen) return seen;
  const entry = seen.entries.find((one) => one.entryId === entryId);
  if (entry === undefined) return refuse('competition_unknown');
  if (seen.rounds.some(isGoingOn)) return wrong('a round is under way');
  if (entry.isHeld) return wrong('close the last round first');
  await (await context.people.get()).removeEntry(competitionId, entryId);
  return seeCompetition(context, competitionId);
}

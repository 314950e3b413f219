/** What the operator does with competitions, and how somebody joins one. */
import {
  type AccountId,
  type Listings,
  type Refused,
  type RejectKind,
  refuse,
  type VenuePort,
} from '#domain';
import { unreachable } from '#kernel';
import {
  type Competition,
  type CompetitionStore,
  type CompetitionTerms,
  codeHash,
  type Entry,
  type LazyPeople,
  newCode,
  newId,
  type Round,
  type RoundChanges,
  type RoundState,
} from '#people';
import { targetsOf } from './level.ts';
import { COMPETITION_LIMITS, intervalOf, PREPARE_MS } from './limits.ts';

/** What the parts of this room work with. */
export interface CompetitionContext {
  readonly people: Pick<LazyPeople, 'get'>;
  readonly venue: VenuePort;
  readonly nowMs: () => number;
  /** Why a round cannot be driven by this scenario; undefined when it can. */
  readonly refuseScenario: (name: string) => Promise<string | undefined>;
  /** Something was changed that the runner should see at once. */
  readonly nudge: () => void;
}

const JOIN_CODE_GROUPS = 4;
const OPEN_STATES: readonly RoundState[] = ['scheduled', 'preparing', 'running'];

function refuseSaying(reject: RejectKind, text: string): Refused {
  return refuse(reject, { is: 'text', text });
}

function wrong(text: string): Refused {
  return refuseSaying('competition_wrong', text);
}

export interface CompetitionSeen {
  readonly competition: Competition;
  readonly entries: readonly Entry[];
  readonly rounds: readonly Round[];
}

export async function listCompetitions({
  people,
}: CompetitionContext): Promise<readonly Competition[]> {
  return (await people.get()).competitions(COMPETITION_LIMITS.competitionsMax);
}

export async function seeCompetition(
  { people }: CompetitionContext,
  competitionId: string,
): Promise<CompetitionSeen | Refused> {
  const store = await people.get();
  const competition = await store.competition(competitionId);
  if (competition === undefined) return refuse('competition_unknown');
  const [entries, rounds] = await Promise.all([
    store.entries(competitionId),
    store.rounds(competitionId),
  ]);
  return { competition, entries, rounds };
}

export async function makeCompetition(
  { people, venue, nowMs }: CompetitionContext,
  terms: CompetitionTerms,
): Promise<Competition | Refused> {
  const refused = await venue.read(({ listings }) => refuseTerms(terms, listings));
  if (refused !== undefined) return refused;
  const store = await people.get();
  const max = COMPETITION_LIMITS.competitionsMax;
  if ((await store.competitions(max)).length >= max) return wrong(`${max} competitions at most`);
  const createdMs = nowMs();
  const competition = { competitionId: newId(createdMs), terms, codeHash: undefined, createdMs };
  await store.addCompetition(competition);
  return competition;
}

/** Terms stand while a round goes on. */
export async function changeCompetition(
  context: CompetitionContext,
  competitionId: string,
  changes: Partial<CompetitionTerms>,
): Promise<CompetitionSeen | Refused> {
  const { people, venue } = context;
  const seen = await seeCompetition(context, competitionId);
  if ('kind' in seen) return seen;
  const terms = { ...seen.competition.terms, ...changes };
  const isShownOnly = Object.keys(changes).every((name) => name === 'name' || name === 'isPublic');
  if (!isShownOnly && seen.rounds.some(isGoingOn)) return wrong('a round is under way');
  const refused = await venue.read(({ listings }) => refuseTerms(terms, listings));
  if (refused !== undefined) return refused;
  await (await people.get()).changeCompetition(competitionId, { terms });
  return seeCompetition(context, competitionId);
}

export async function removeCompetition(
  context: CompetitionContext,
  competitionId: string,
): Promise<Refused | undefined> {
  const seen = await seeCompetition(context, competitionId);
  if ('kind' in seen) return seen;
  if (seen.rounds.some(isGoingOn)) return wrong('a round is under way');
  // Its accounts would stay frozen.
  if (seen.entries.some(({ isHeld }) => isHeld)) return wrong('close the last round first');
  await (await context.people.get()).removeCompetition(competitionId);
  return undefined;
}

function isGoingOn({ state }: Round): boolean {
  return state === 'preparing' || state === 'running';
}

function refuseTerms(terms: CompetitionTerms, listings: Listings): Refused | undefined {
  const { coin, money, sampleMs } = terms;
  if (listings.assetByCode(coin) === undefined) return refuseSaying('coin_unknown', coin);
  const targets = targetsOf(money, listings);
  if (targets === undefined || targets.length === 0) {
    return wrong('money: coins that are listed, each with an amount above zero');
  }
  const names = new Set(money.map((one) => `${one.wallet} ${one.coin}`));
  if (names.size < money.length) return wrong('money: each coin once in a wallet');
  const { sampleMsMin, durationMsMax } = COMPETITION_LIMITS;
  if (sampleMs < sampleMsMin || sampleMs > durationMsMax) {
    return wrong(`sampleMs goes from ${sampleMsMin} to ${durationMsMax}`);
  }
  return undefined;
}

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
  const seen = await seeCompetition(context, competitionId);
  if ('kind' in seen) return seen;
  const store = await context.people.get();
  const known = new Set(seen.entries.map(({ accountId }) => accountId));
  const fresh = wanted.filter(({ accountId }) => !known.has(accountId));
  const refused = refuseMore(seen.entries, fresh);
  if (refused !== undefined) return refused;
  let joinedMs = nextJoinedMs(seen.entries, context.nowMs());
  for (const { accountId, name, team } of fresh) {
    const entry = { competitionId, accountId, team, isHeld: false };
    if (!(await addNamed(store, joinedMs, entry, name))) return wrong(`${name} is taken`);
    joinedMs += 1;
  }
  return seeCompetition(context, competitionId);
}

function refuseMore(entries: readonly Entry[], fresh: readonly NewEntry[]): Refused | undefined {
  const { entriesMax } = COMPETITION_LIMITS;
  if (entries.length + fresh.length > entriesMax) return wrong(`${entriesMax} accounts at most`);
  const names = [...entries, ...fresh].map(({ name }) => name).filter((name) => name !== '');
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  return twice === undefined ? undefined : wrong(`${twice} is taken`);
}

/** Later than all before, so that the order in which they joined is one. */
function nextJoinedMs(entries: readonly Entry[], nowMs: number): number {
  return Math.max(nowMs, (entries.at(-1)?.joinedMs ?? 0) + 1);
}

/** False when the name is taken; one that is made up is taken again with the next number. */
async function addNamed(
  store: CompetitionStore,
  joinedMs: number,
  entry: Omit<Entry, 'entryId' | 'name' | 'joinedMs'>,
  name: string,
): Promise<boolean> {
  const entryId = newId(joinedMs);
  if (name !== '') return store.addEntry({ ...entry, entryId, name, joinedMs });
  const entries = await store.entries(entry.competitionId);
  for (let number = entries.length + 1; ; number += 1) {
    const made = `Trader ${number}`;
    if (await store.addEntry({ ...entry, entryId, name: made, joinedMs })) return true;
    const isIn = (await store.entries(entry.competitionId)).some(
      ({ accountId }) => accountId === entry.accountId,
    );
    if (isIn) return true;
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

/** A code that lets people join with an account of theirs. The one before stops working. */
export async function makeJoinCode(
  context: CompetitionContext,
  competitionId: string,
): Promise<{ readonly code: string } | Refused> {
  const code = newCode(JOIN_CODE_GROUPS);
  const store = await context.people.get();
  const changed = await store.changeCompetition(competitionId, { codeHash: codeHash(code) });
  return changed ? { code } : refuse('competition_unknown');
}

export async function dropJoinCode(
  context: CompetitionContext,
  competitionId: string,
): Promise<Refused | undefined> {
  const store = await context.people.get();
  const changed = await store.changeCompetition(competitionId, { codeHash: undefined });
  return changed ? undefined : refuse('competition_unknown');
}

/** Somebody joins with an account, from the next round on. */
export async function join(
  context: CompetitionContext,
  code: string,
  { accountId, name }: Pick<NewEntry, 'accountId' | 'name'>,
): Promise<Competition | Refused> {
  const store = await context.people.get();
  const competition = await store.competitionByCode(codeHash(code));
  if (competition === undefined) return refuse('code_wrong');
  const { competitionId } = competition;
  const entries = await store.entries(competitionId);
  if (entries.some((entry) => entry.accountId === accountId)) return competition;
  const refused = refuseMore(entries, [{ accountId, name, team: '' }]);
  if (refused !== undefined) return refused;
  const entry = { competitionId, accountId, team: '', isHeld: false };
  const joinedMs = nextJoinedMs(entries, context.nowMs());
  const isAdded = await addNamed(store, joinedMs, entry, name);
  return isAdded ? competition : wrong(`${name} is taken`);
}

export interface NewRound {
  readonly name: string;
  /** Undefined for now. */
  readonly startMs: number | undefined;
  readonly durationMs: number;
  readonly scenario: string | undefined;
}

export async function makeRound(
  context: CompetitionContext,
  competitionId: string,
  { name, startMs, durationMs, scenario }: NewRound,
): Promise<Round | Refused> {
  const seen = await seeCompetition(context, competitionId);
  if ('kind' in seen) return seen;
  const { durationMsMin, durationMsMax, roundsMax } = COMPETITION_LIMITS;
  if (durationMs < durationMsMin || durationMs > durationMsMax) {
    return wrong(`durationMs goes from ${durationMsMin} to ${durationMsMax}`);
  }
  if (seen.rounds.length >= roundsMax) return wrong(`${roundsMax} rounds at most`);
  if (seen.rounds.some(({ state }) => OPEN_STATES.includes(state))) {
    return wrong('the last round is not over');
  }
  const why = scenario && (await context.refuseScenario(scenario));
  if (why !== undefined && why !== '') return refuseSaying('scenario_unknown', why);
  const nowMs = context.nowMs();
  const start = Math.max(nowMs, startMs ?? nowMs);
  const round: Round = {
    roundId: newId(nowMs),
    competitionId,
    number: (seen.rounds.at(-1)?.number ?? 0) + 1,
    name,
    state: 'scheduled',
    prepareMs: Math.max(nowMs, start - PREPARE_MS),
    startMs: start,
    durationMs,
    sampleMs: intervalOf(seen.competition.terms.sampleMs, durationMs),
    scenario,
    isForced: false,
    startedMs: undefined,
    endMs: undefined,
    seats: [],
    board: '',
    note: '',
  };
  if (!(await (await context.people.get()).addRound(round))) return wrong('made by another call');
  context.nudge();
  return round;
}

/** What the operator may do with a round, and in which states. */
export const ROUND_ACTIONS = {
  /** Reset: accounts become flat and equal now, and wait for the start. */
  prepare: ['scheduled'],
  /** As soon as all are ready. */
  start: ['scheduled', 'preparing'],
  /** Without those who are not ready. */
  force: ['scheduled', 'preparing'],
  end: ['running'],
  cancel: ['scheduled', 'preparing', 'running'],
  /** Accounts may trade again. */
  close: ['ended'],
} as const satisfies Readonly<Record<string, readonly RoundState[]>>;
export type RoundAction = keyof typeof ROUND_ACTIONS;

export async function actOnRound(
  context: CompetitionContext,
  competitionId: string,
  number: number,
  action: RoundAction,
): Promise<Round | Refused> {
  const store = await context.people.get();
  const round = await store.round(competitionId, number);
  if (round === undefined) return refuse('competition_unknown');
  const from = ROUND_ACTIONS[action];
  const changed = await store.changeRound(round.roundId, from, changeOf(action, context.nowMs()));
  if (!changed) return wrong(`the round is ${(await store.round(competitionId, number))?.state}`);
  context.nudge();
  return (await store.round(competitionId, number)) ?? refuse('competition_unknown');
}

function changeOf(action: RoundAction, nowMs: number): RoundChanges {
  switch (action) {
    case 'prepare':
      return { prepareMs: nowMs };
    case 'start':
      return { prepareMs: nowMs, startMs: nowMs };
    case 'force':
      return { prepareMs: nowMs, startMs: nowMs, isForced: true };
    case 'end':
      return { endMs: nowMs };
    case 'cancel':
      return { state: 'cancelled', endMs: nowMs };
    case 'close':
      return { state: 'closed' };
    default:
      return unreachable(action);
  }
}

/** What the operator does with competitions as a whole. */
import { type Listings, type Refused, type RejectKind, refuse, type VenuePort } from '#domain';
import { type Invitation, newId } from '#people';
import { targetsOf } from './level.ts';
import { COMPETITION_LIMITS } from './limits.ts';
import type {
  Competition,
  CompetitionPeople,
  CompetitionTerms,
  Entry,
  Round,
  RoundState,
} from './port.ts';

/** What the parts of this room work with. */
export interface CompetitionContext {
  readonly people: CompetitionPeople;
  readonly venue: VenuePort;
  readonly nowMs: () => number;
  /** Why a round cannot be driven by this scenario; undefined when it can. */
  readonly refuseScenario: (name: string) => Promise<string | undefined>;
  /** Something was changed that the runner should see at once. */
  readonly nudge: () => void;
}

export const OPEN_STATES: readonly RoundState[] = ['scheduled', 'preparing', 'running'];

export function refuseSaying(reject: RejectKind, text: string): Refused {
  return refuse(reject, { is: 'text', text });
}

export function wrong(text: string): Refused {
  return refuseSaying('competition_wrong', text);
}

export const CANCELLED: Refused = wrong('the competition is cancelled');

export interface CompetitionSeen {
  readonly competition: Competition;
  readonly entries: readonly Entry[];
  readonly rounds: readonly Round[];
  /** Codes to join by, newest first. */
  readonly codes: readonly Invitation[];
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
  const [entries, rounds, codes] = await Promise.all([
    store.entries(competitionId),
    store.rounds(competitionId),
    store.codesOf(competitionId),
  ]);
  return { competition, entries, rounds, codes };
}

/** As seeCompetition; what has been cancelled is refused. */
export async function seeOpenCompetition(
  context: CompetitionContext,
  competitionId: string,
): Promise<CompetitionSeen | Refused> {
  const seen = await seeCompetition(context, competitionId);
  if ('kind' in seen) return seen;
  return seen.competition.cancelledMs === undefined ? seen : CANCELLED;
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
  const competition = {
    ...{ competitionId: newId(createdMs), terms },
    ...{ createdMs, cancelledMs: undefined },
  };
  await store.addCompetition(competition);
  return competition;
}

const TERM_NAMES = [
  ...(['name', 'description', 'joinBy', 'isPublic', 'coin'] as const),
  ...(['money', 'sampleMs', 'rankBy', 'holdsAccounts'] as const),
] as const satisfies readonly (keyof CompetitionTerms)[];
/** These have no part in any result. */
const SHOWN_TERMS: readonly string[] = ['name', 'description', 'isPublic', 'joinBy'];
/** What the results of all rounds are compared by. */
const RESULT_TERMS: readonly string[] = ['coin', 'rankBy'];

/** Why these terms stand as the rounds are; undefined when they may change. */
function refuseChanges(
  before: CompetitionTerms,
  after: CompetitionTerms,
  rounds: readonly Round[],
): Refused | undefined {
  const textOf = (value: unknown): string => JSON.stringify(value);
  const changed = TERM_NAMES.filter((name) => textOf(before[name]) !== textOf(after[name]));
  const others = changed.filter((name) => !SHOWN_TERMS.includes(name));
  if (others.length > 0 && rounds.some(isGoingOn)) {
    return wrong(`${others.join(', ')}: a round is under way`);
  }
  if (changed.includes('money') && rounds.some(({ state }) => state === 'scheduled')) {
    return wrong('money: a round is planned: cancel it first');
  }
  const kept = changed.filter((name) => RESULT_TERMS.includes(name));
  if (kept.length > 0 && rounds.some(({ startedMs }) => startedMs !== undefined)) {
    return wrong(`${kept.join(', ')}: a round has been started`);
  }
  return undefined;
}

/**
 * Money, interval and what holds accounts stand while a round goes on, what results are compared
 * by since the first one has started.
 */
export async function changeCompetition(
  context: CompetitionContext,
  competitionId: string,
  changes: Partial<CompetitionTerms>,
): Promise<CompetitionSeen | Refused> {
  const { people, venue } = context;
  const seen = await seeCompetition(context, competitionId);
  if ('kind' in seen) return seen;
  const terms = { ...seen.competition.terms, ...changes };
  const fixed = refuseChanges(seen.competition.terms, terms, seen.rounds);
  if (fixed !== undefined) return fixed;
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

export function isGoingOn({ state }: Round): boolean {
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

/** Rounds as the operator plans, changes and ends them. */
import { type Refused, refuse } from '#domain';
import { unreachable } from '#kernel';
import { newId } from '#people';
import {
  type CompetitionContext,
  type CompetitionSeen,
  OPEN_STATES,
  refuseSaying,
  seeCompetition,
  seeOpenCompetition,
  wrong,
} from './desk.ts';
import { COMPETITION_LIMITS, intervalOf, PREPARE_MS } from './limits.ts';
import type { Round, RoundChanges, RoundState } from './port.ts';

export interface NewRound {
  readonly name: string;
  /** Undefined for now. */
  readonly startMs: number | undefined;
  readonly durationMs: number;
  readonly scenario: string | undefined;
  /** Who causes the money that it pays. */
  readonly madeBy: Round['madeBy'];
}

export async function makeRound(
  context: CompetitionContext,
  competitionId: string,
  { name, startMs, durationMs, scenario, madeBy }: NewRound,
): Promise<Round | Refused> {
  const seen = await seeOpenCompetition(context, competitionId);
  if ('kind' in seen) return seen;
  const { roundsMax } = COMPETITION_LIMITS;
  const refused = refuseDuration(durationMs);
  if (refused !== undefined) return refused;
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
    madeBy,
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

function refuseDuration(durationMs: number): Refused | undefined {
  const { durationMsMin, durationMsMax } = COMPETITION_LIMITS;
  if (durationMs >= durationMsMin && durationMs <= durationMsMax) return undefined;
  return wrong(`durationMs goes from ${durationMsMin} to ${durationMsMax}`);
}

/** What may change of a round that is planned or runs. */
export interface ChangedRound {
  readonly name: string | undefined;
  /** Until it starts. */
  readonly startMs: number | undefined;
  readonly durationMs: number | undefined;
  /** While it runs. */
  readonly endMs: number | undefined;
}

/** Its name always; start and duration until it starts; its end, to later than now, until then. */
export async function changeRound(
  context: CompetitionContext,
  competitionId: string,
  number: number,
  asked: ChangedRound,
): Promise<Round | Refused> {
  const store = await context.people.get();
  const competition = await store.competition(competitionId);
  const round = competition && (await store.round(competitionId, number));
  if (competition === undefined || round === undefined) return refuse('competition_unknown');
  const nowMs = context.nowMs();
  const times = timesOf(round, asked, competition.terms.sampleMs, nowMs);
  if ('kind' in times) return times;
  const changes = { ...times, ...(asked.name === undefined ? {} : { name: asked.name }) };
  if (!(await store.changeRound(round.roundId, [round.state], changes))) {
    return wrong(`the round is ${(await store.round(competitionId, number))?.state}`);
  }
  context.nudge();
  return (await store.round(competitionId, number)) ?? refuse('competition_unknown');
}

function timesOf(
  round: Round,
  { startMs, durationMs, endMs }: ChangedRound,
  sampleMs: number,
  nowMs: number,
): RoundChanges | Refused {
  const isPlanned = round.state === 'scheduled' || round.state === 'preparing';
  if ((startMs !== undefined || durationMs !== undefined) && !isPlanned) {
    return wrong('start and duration stand once the round has started');
  }
  if (endMs !== undefined) return endOf(round, endMs, nowMs);
  const changes: RoundChanges = durationMs === undefined ? {} : lengthOf(durationMs, sampleMs);
  const refused = durationMs === undefined ? undefined : refuseDuration(durationMs);
  if (refused !== undefined || startMs === undefined) return refused ?? changes;
  const start = Math.max(nowMs, startMs);
  const prepareMs = Math.max(nowMs, start - PREPARE_MS);
  const isScheduled = round.state === 'scheduled';
  return { ...changes, startMs: start, ...(isScheduled ? { prepareMs } : {}) };
}

function lengthOf(durationMs: number, sampleMs: number): RoundChanges {
  return { durationMs, sampleMs: intervalOf(sampleMs, durationMs) };
}

/** The interval stands, so a round that becomes longer has more samples. */
function endOf(round: Round, endMs: number, nowMs: number): RoundChanges | Refused {
  if (round.state !== 'running') return wrong('endTime is of a round that runs');
  if (endMs <= nowMs) return wrong('endTime is in the past: end the round in its place');
  const { startMs, startedMs = startMs, sampleMs } = round;
  const lengthMs = endMs - startedMs;
  const { samplesLongerMax, durationMsMax } = COMPETITION_LIMITS;
  const longestMs = Math.min(durationMsMax, sampleMs * samplesLongerMax);
  return lengthMs > longestMs
    ? wrong(`the round may last ${longestMs} ms in all, ${samplesLongerMax} samples`)
    : { endMs };
}

/** Over for good: rounds that are not over have no result, accounts may trade again. */
export async function cancelCompetition(
  context: CompetitionContext,
  competitionId: string,
): Promise<CompetitionSeen | Refused> {
  const seen = await seeCompetition(context, competitionId);
  if ('kind' in seen) return seen;
  const store = await context.people.get();
  // First, so that no round is planned meanwhile. After a crash the same call does the rest.
  if (seen.competition.cancelledMs === undefined) {
    await store.changeCompetition(competitionId, { cancelledMs: context.nowMs() });
  }
  for (const { roundId } of await store.rounds(competitionId)) {
    await store.changeRound(roundId, ['ended'], { state: 'closed' });
    await store.changeRound(roundId, OPEN_STATES, changeOf('cancel', context.nowMs()));
  }
  context.nudge();
  return seeCompetition(context, competitionId);
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

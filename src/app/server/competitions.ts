/** Competitions of this venue: kept with its people, run by the process that orders commands. */

import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { CompetitionRunner, type Past, type RoundPay, Spectators } from '#competition';
import { addLeaderboardCsv, type CompetitionOptions, type ScenarioDesk } from '#dialects';
import { type Asset, accountId, isRefused, type StateReader, type VenuePort } from '#domain';
import { formatDecimal, parseDecimal } from '#kernel';
import { type ApprovalContext, limitsSeen, type MovedAlone, mayCause } from '#people';
import type { ServedPeople } from './people.ts';
import type { Recovered } from './recovered.ts';

interface Competitions extends CompetitionOptions {
  readonly runner: CompetitionRunner;
}

/** `scenarios` plays them; undefined outside a sandbox. */
export function competitionsOf(
  { venue, clock, member, history, projection }: Recovered,
  people: ServedPeople,
  desk: ApprovalContext,
  scenarios: ScenarioDesk | undefined,
  log: Logger,
): Competitions {
  const store = people.people;
  const runner = new CompetitionRunner({
    people: store,
    venue,
    clock,
    past: pastOf({ history, projection, venue }),
    refusePaying: (pay) => refusePaying(desk, venue, pay),
    play: scenarios && ((name) => playOn(scenarios, name)),
    isNeeded: () => (member?.leads ?? true) && store.mayHold,
    onFault: (error) => log.warn({ err: error }, 'competitions'),
  });
  const competitions = {
    people: store,
    venue,
    nowMs: () => clock.nowMs(),
    refuseScenario: async (name: string) =>
      scenarios === undefined ? 'scenarios are played on a sandbox only' : scenarios.refuse(name),
    nudge: () => runner.nudge(),
  };
  const spectators = new Spectators({ people: store, steadyMs: () => performance.now() });
  return { people, competitions, spectators, runner };
}

/** Their rounds go on as long as the venue is served. */
export function serveCompetitions(
  app: FastifyInstance,
  { runner, spectators }: Pick<Competitions, 'runner' | 'spectators'>,
): void {
  addLeaderboardCsv(app, spectators);
  app.addHook('onReady', async () => runner.start());
  app.addHook('onClose', () => runner.stop());
}

/** What rounds go on from after a stop: the history, once it has what was released. */
function pastOf({
  history,
  projection,
  venue,
}: Pick<Recovered, 'history' | 'projection' | 'venue'>): Past {
  const reached = () => projection.reach(venue.releasedSeq);
  return {
    tradeParties: async (product, page) => {
      await reached();
      return history.tradeParties(product, page);
    },
  };
}

/** What a round pays, and takes, is caused by who has planned it. */
async function refusePaying(
  desk: ApprovalContext,
  venue: VenuePort,
  { round, money, accounts }: RoundPay,
): Promise<string | undefined> {
  const { roundId, competitionId, number, madeBy } = round;
  const limits = await limitsSeen(desk);
  const moves = await venue.read((state) =>
    limits.flatMap(({ coin }): MovedAlone[] => {
      const asset = state.listings.assetByCode(coin);
      if (asset === undefined) return [];
      const amount = formatDecimal(levelled(state, asset, money, accounts), asset.scale);
      const movementId = `round ${roundId} ${coin}`;
      return [{ coin, amount, accountId: 0, others: accounts, movementId }];
    }),
  );
  // Other accounts, or other money, are another round to approve.
  const digest = hash('sha256', JSON.stringify([money, accounts]), 'base64url').slice(0, 16);
  const subject = `${competitionId}/${number} ${accounts.length} accounts ${digest}`;
  const by = { ...madeBy, role: 'operator' } as const;
  const caused = { kind: 'competition', subject, accountId: 0, moves } as const;
  const may = await mayCause(desk, by, caused, round.name);
  return isRefused(may) ? 'its money waits until another operator approves it' : undefined;
}

/** Of each account what it is to have or what it has, whichever is more: so much may move. */
function levelled(
  state: StateReader,
  { assetId, code, scale }: Asset,
  money: RoundPay['money'],
  accounts: RoundPay['accounts'],
): bigint {
  const ofCoin = money.filter(({ coin }) => coin.toUpperCase() === code);
  const start = ofCoin.reduce((sum, { amount }) => sum + unitsOf(amount, scale), 0n);
  return accounts.reduce((sum, account) => {
    const owned = state.owned(accountId(account)).get(assetId) ?? 0n;
    return sum + (owned > start ? owned : start);
  }, 0n);
}

function unitsOf(amount: string, scale: number): bigint {
  const units = parseDecimal(amount, scale);
  return typeof units === 'bigint' ? units : 0n;
}

async function playOn(scenarios: ScenarioDesk, name: string): Promise<string> {
  const outcome = await scenarios.run(name);
  if (outcome === undefined) return 'is not there any more';
  const failed = outcome.steps.filter(({ ok }) => !ok);
  const [first] = failed;
  if (first === undefined) return `played, ${outcome.steps.length} steps`;
  return `played, ${failed.length} of ${outcome.steps.length} steps failed: ${first.detail}`;
}

/** Competitions of this venue: kept with its people, run by the process that orders commands. */
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { CompetitionRunner, type Past, Spectators } from '#competition';
import { addLeaderboardCsv, type CompetitionOptions, type ScenarioDesk } from '#dialects';
import type { PeopleContext } from '#people';
import type { Recovered } from './recovered.ts';

interface Competitions extends CompetitionOptions {
  readonly runner: CompetitionRunner;
}

/** `scenarios` plays them; undefined outside a sandbox. */
export function competitionsOf(
  { venue, clock, member, history, projection }: Recovered,
  people: PeopleContext,
  scenarios: ScenarioDesk | undefined,
  log: Logger,
): Competitions {
  const store = people.people;
  const runner = new CompetitionRunner({
    people: store,
    venue,
    clock,
    past: pastOf({ history, projection, venue }),
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

async function playOn(scenarios: ScenarioDesk, name: string): Promise<string> {
  const outcome = await scenarios.run(name);
  if (outcome === undefined) return 'is not there any more';
  const failed = outcome.steps.filter(({ ok }) => !ok);
  const [first] = failed;
  if (first === undefined) return `played, ${outcome.steps.length} steps`;
  return `played, ${failed.length} of ${outcome.steps.length} steps failed: ${first.detail}`;
}

/** Plays the steps of a scenario on a venue, one after the other, and reports each outcome. */

import { NO_ANSWER, VenueError } from '#client';
import type { Outcome } from './action.ts';
import { move } from './actions/account.ts';
import { setTerms } from './actions/market.ts';
import { type Operator, VenueClient, VenueUnusable } from './client.ts';
import type { AccountContent, Scenario } from './file.ts';
import type { Place } from './miss.ts';
import { Stage } from './stage.ts';
import type { Step } from './step.ts';

const DAY_MS = 86_400_000;

/** Something that did not come out as the file says. */
export interface Failure {
  readonly file: string;
  readonly line: number;
  /** As in position.size. */
  readonly what: string;
  readonly expected: string;
  readonly actual: string;
}

export interface Progress {
  readonly number: number;
  readonly count: number;
  readonly said: string;
  readonly failures: readonly Failure[];
}

export interface RunOptions {
  /** Stops at the first failure. */
  readonly assert: boolean;
  onStep(progress: Progress): void;
}

/** Every failure, in order. Throws VenueUnusable when the venue is no sandbox or goes away. */
export async function playScenario(
  scenario: Scenario,
  operator: Operator,
  options: RunOptions,
): Promise<readonly Failure[]> {
  const stage = await setUp(scenario, new VenueClient(operator));
  const failures: Failure[] = [];
  const count = scenario.steps.length;
  for (const [at, step] of scenario.steps.entries()) {
    const { said, misses } = await played(step, stage);
    const found = misses.map((miss) => failureOf(scenario, step, miss));
    failures.push(...found);
    options.onStep({ number: at + 1, count, said, failures: found });
    if (options.assert && failures.length > 0) break;
  }
  return failures;
}

/** Sets clock and terms, then opens and funds the accounts. */
async function setUp(scenario: Scenario, venue: VenueClient): Promise<Stage> {
  const { clock = 'paused', venue: wanted = {}, accounts = {} } = scenario.content;
  try {
    if (clock === 'paused') await stopAtMidnight(venue);
    const stage = new Stage(venue, await venue.timeMs());
    for (const [market, terms] of Object.entries(wanted.terms ?? {})) {
      await setTerms(stage, market, terms);
    }
    for (const [coin, amount] of Object.entries(wanted.insurance ?? {})) {
      await venue.admin.fundInsurance({ coin, amount });
    }
    for (const [trader, account] of Object.entries(accounts)) await open(stage, trader, account);
    return stage;
  } catch (cause) {
    const { file } = scenario;
    throw new VenueUnusable(`${file}: cannot set the scene: ${refusalIn(cause)}`, { cause });
  }
}

/** The same time of day at every run, so that funding comes when the file expects it. */
async function stopAtMidnight(venue: VenueClient): Promise<void> {
  await venue.sandbox.pauseClock();
  const time = (Math.floor((await venue.timeMs()) / DAY_MS) + 1) * DAY_MS;
  await venue.sandbox.jumpClock({ time });
}

async function open(stage: Stage, trader: string, account: AccountContent): Promise<void> {
  const { deposits = {}, ...settings } = account;
  await stage.open(trader, settings);
  for (const [wallet, coins] of Object.entries(deposits)) {
    for (const [coin, amount] of Object.entries(coins)) {
      await move(stage, 'deposit', { as: trader, wallet, coin, amount });
    }
  }
}

/** A refusal of the operator's own call is a failure of its step like any other. */
async function played({ action, content }: Step, stage: Stage): Promise<Outcome> {
  try {
    return await action.run(content, stage);
  } catch (error) {
    const misses = [{ place: [], expected: 'to be done', actual: refusalIn(error) }];
    return { said: action.name, misses };
  }
}

/** What the operator's own call was refused with. Anything else ends the scenario. */
function refusalIn(error: unknown): string {
  if (!(error instanceof VenueError)) throw error;
  const { code, message } = error;
  if (code === NO_ANSWER) throw new VenueUnusable(message, { cause: error });
  return `${code} ${message}`;
}

function failureOf(scenario: Scenario, step: Step, miss: Outcome['misses'][number]): Failure {
  const place: Place = [...step.place, ...miss.place];
  const what = [step.action.name, ...miss.place].join('.');
  const { expected, actual } = miss;
  return { file: scenario.file, line: scenario.lineOf(place), what, expected, actual };
}

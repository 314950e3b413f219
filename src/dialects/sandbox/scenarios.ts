/** Scenarios that come with the program, played on a sandbox. */

import { refuseSaying } from '#api';
import { type OperatorEndpoint, operatorEndpoint } from '../kit/endpoint.ts';
import { shown } from '../kit/fields.ts';
import { jsonList, listOf, row, rows, text, truth } from '../kit/row.ts';
import { BASE, type SandboxContext, type ScenarioOutcome, type ScenarioTitle } from './context.ts';

const SCENARIO = row<ScenarioTitle>()({
  name: text('What it is run by', 'flash-crash', ({ name }) => name),
  title: text('For people', 'Flash crash', ({ title }) => title),
  description: text(
    'What it shows',
    'Shows what a stop-loss costs in a thin book.',
    ({ description }) => description,
  ),
});

const STEP = row<ScenarioOutcome['steps'][number]>()({
  text: text('What was done', 'index of BTC-USDT-PERP at 30000', (step) => step.text),
  ok: truth('It came out as expected', true, ({ ok }) => ok),
  detail: text('What did not; empty for nothing', '', ({ detail }) => detail),
});

const OUTCOME = row<ScenarioOutcome>()({
  passed: truth('Every figure came out as the file expects', true, ({ passed }) => passed),
  steps: rows(STEP, ({ steps }: ScenarioOutcome) => steps),
});

export const SCENARIO_ENDPOINTS = {
  scenarios: operatorEndpoint({
    method: 'GET',
    path: `${BASE}/scenarios`,
    summary: 'The scenarios that come with the program',
    request: {},
    response: listOf(SCENARIO),
    answer: async ({ scenarios }: SandboxContext) =>
      jsonList(await scenarios.list(), SCENARIO.write),
  }),
  runScenario: operatorEndpoint({
    method: 'POST',
    path: `${BASE}/scenarios/:scenario/run`,
    duty: 'run',
    summary: 'Plays a scenario on this venue; it leaves the clock and the market where it ends',
    request: {},
    response: OUTCOME,
    // Not in turn: it sets the clock by calls of its own.
    answer: async ({ scenarios, scenario }: SandboxContext, _asked, { path }) => {
      if (scenario.isRunning) return refuseSaying('venue_busy', 'a scenario is running');
      scenario.isRunning = true;
      try {
        const outcome = await scenarios.run(path.scenario ?? '');
        if (outcome === undefined)
          return refuseSaying('scenario_unknown', shown(path.scenario ?? ''));
        return OUTCOME.write(outcome);
      } finally {
        scenario.isRunning = false;
      }
    },
  }),
} as const satisfies Record<string, OperatorEndpoint<SandboxContext>>;

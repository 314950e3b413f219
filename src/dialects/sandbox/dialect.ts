/**
 * The dialect of a sandbox under /sandbox/v1: its operator sets its clock and prices, goes back to
 * a kept state and has answers go wrong. Every change is a journaled command. The calls take the
 * admin token and exist only where the configuration says so.
 */

import type { Dialect, Services } from '#api';
import type { SandboxView } from '#domain';
import type { Admitters } from '../access/admitters.ts';
import { admittedRoutesOf, type OperatorEndpoint, operatorEndpoint } from '../kit/endpoint.ts';
import { HOUSE_FORM } from '../kit/house-form.ts';
import { encoded, row, rows, whole } from '../kit/row.ts';
import { CHECKPOINT, CHECKPOINT_ENDPOINTS } from './checkpoints.ts';
import { CLOCK_ENDPOINTS, CLOCK_READING, NOW_MS } from './clock.ts';
import { BASE, type SandboxClock, type SandboxContext, type SandboxOptions } from './context.ts';
import { FAULT, FAULT_ENDPOINTS } from './faults.ts';
import { MARKET_ENDPOINTS } from './market.ts';
import { SCENARIO_ENDPOINTS } from './scenarios.ts';

interface SandboxState {
  readonly seq: number;
  readonly clock: SandboxClock;
  readonly sandbox: SandboxView;
}

const STATE = row<SandboxState>()({
  seq: whole('Last command', 4713, ({ seq }) => seq),
  time: whole('Time of the venue in milliseconds', NOW_MS, ({ clock }) => clock.nowMs()),
  clock: encoded(CLOCK_READING, ({ clock }) => CLOCK_READING.write(clock)),
  checkpoints: rows(CHECKPOINT, ({ sandbox }: SandboxState) => sandbox.checkpoints()),
  faults: rows(FAULT, ({ sandbox }: SandboxState) => sandbox.faults()),
});

const STATE_ENDPOINTS = {
  state: operatorEndpoint({
    method: 'GET',
    path: `${BASE}/state`,
    summary: 'Where the sandbox stands: sequence, clock, checkpoints, fault rules',
    request: {},
    response: STATE,
    answer: ({ venue, clock }: SandboxContext) =>
      venue.read(({ seq, sandbox }) => STATE.write({ seq, sandbox, clock })),
  }),
} as const satisfies Record<string, OperatorEndpoint<SandboxContext>>;

export const SANDBOX_ENDPOINTS = {
  ...STATE_ENDPOINTS,
  ...CLOCK_ENDPOINTS,
  ...MARKET_ENDPOINTS,
  ...CHECKPOINT_ENDPOINTS,
  ...FAULT_ENDPOINTS,
  ...SCENARIO_ENDPOINTS,
};

export function sandboxDialect(options: SandboxOptions, admitters: Admitters): Dialect {
  return {
    ...HOUSE_FORM,
    name: 'sandbox',
    prefixes: ['/sandbox/'],
    routes: (services) =>
      admittedRoutesOf(SANDBOX_ENDPOINTS, contextOf(services, options), admitters),
  };
}

function contextOf(services: Services, options: SandboxOptions): SandboxContext {
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...services,
    ...options,
    scenario: { isRunning: false },
    inTurn: (act) => {
      const turn = last.then(act);
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}

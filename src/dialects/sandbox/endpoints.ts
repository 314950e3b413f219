/**
 * The endpoints of a sandbox, one row each: the venue's clock, its prices, named states to go back
 * to, and faults by rule. They take the admin token and exist only where the configuration says so.
 */

import Type from 'typebox';
import type { Endpoint } from '#api';
import { IndexReportSchema } from '../admin/contract-resources.ts';
import * as operatorExample from '../admin/examples.ts';
import { MovementSchema } from '../admin/resources.ts';
import { optional, required } from '../schema.ts';

const BASE = '/sandbox/v1';
const CHECKPOINT = `${BASE}/checkpoints/:name`;

const operator = { rate: null, permission: 'operator' } as const;
const nothing = Type.Object({});

const whole = (description: string) => Type.Integer({ description, minimum: 0 });
const time = whole('Time of the venue in milliseconds');

const ClockSchema = Type.Object({
  time,
  controlled: Type.Boolean({ description: "The clock was set; else it is the system's" }),
  speed: Type.String({ description: 'Of real time: 0 stands still, 1 is as fast' }),
});
const CheckpointSchema = Type.Object({
  name: Type.String({ description: 'Name it was saved under' }),
  seq: whole('Command that saved it'),
  time,
  rows: whole('What it takes: rows of state'),
});
const FaultSchema = Type.Object({
  faultId: whole('Number of the rule'),
  label: Type.String({ description: 'For people' }),
  key: Type.String({ description: 'ACCESS-KEY that is hit; empty for every key' }),
  target: Type.String({ description: 'Calls or messages that are hit; empty for all' }),
  effect: Type.Object({ kind: Type.String({ description: 'What happens; its fields beside it' }) }),
  probability: Type.String({ description: 'Part of what matches that is hit' }),
  skip: whole('So many that match pass first'),
  count: whole('Hits until the rule is spent; 0 for ever'),
  seed: whole('Which are hit follows from it'),
});

const CLOCK = { time: 1_700_000_000_000, controlled: true, speed: '0' };
const SAVED = { name: 'seeded', seq: 4711, time: 1_700_000_000_000, rows: 310 };
const FAULT = {
  faultId: 4712,
  label: 'orders without an answer',
  key: 'demo-key',
  target: 'POST /api/spot/v1/trade/orders',
  effect: { kind: 'no_answer' },
  probability: '0.1',
  skip: 0,
  count: 3,
  seed: 1,
};

const CLOCK_ENDPOINTS = {
  sandbox: {
    method: 'GET',
    path: `${BASE}/state`,
    ...operator,
    summary: 'Where the sandbox stands: sequence, clock, checkpoints, fault rules',
    request: nothing,
    response: Type.Object({
      seq: whole('Last command'),
      time,
      clock: ClockSchema,
      checkpoints: Type.Array(CheckpointSchema),
      faults: Type.Array(FaultSchema),
    }),
    example: {
      request: {},
      data: { seq: 4713, time: CLOCK.time, clock: CLOCK, checkpoints: [SAVED], faults: [FAULT] },
    },
  },
  pauseClock: {
    method: 'POST',
    path: `${BASE}/clock/pause`,
    ...operator,
    summary: 'The clock stands still; orders are taken all the same',
    request: nothing,
    response: ClockSchema,
    example: { request: {}, data: CLOCK },
  },
  runClock: {
    method: 'POST',
    path: `${BASE}/clock/run`,
    ...operator,
    summary: 'The clock runs, as fast as real time or at the speed given',
    request: Type.Object({ speed: optional('0.001 to 1000 of real time; 1 if absent') }),
    response: ClockSchema,
    example: { request: { speed: '60' }, data: { ...CLOCK, speed: '60' } },
  },
  stepClock: {
    method: 'POST',
    path: `${BASE}/clock/step`,
    ...operator,
    summary: 'Time passes second by second, with all that it brings, before the answer',
    request: Type.Object({ ms: required('Milliseconds, up to a day') }),
    response: ClockSchema,
    example: { request: { ms: 60_000 }, data: { ...CLOCK, time: CLOCK.time + 60_000 } },
  },
  jumpClock: {
    method: 'POST',
    path: `${BASE}/clock/jump`,
    ...operator,
    summary: 'It is later at once, as if the venue had slept',
    request: Type.Object({ time: required('Milliseconds, after now and within 366 days') }),
    response: ClockSchema,
    example: {
      request: { time: CLOCK.time + 3_600_000 },
      data: { ...CLOCK, time: CLOCK.time + 3_600_000 },
    },
  },
  jumpToFunding: {
    method: 'POST',
    path: `${BASE}/clock/funding`,
    ...operator,
    summary: 'Jumps to just before the next funding of a contract, and pauses',
    request: Type.Object({
      symbol: required('Contract'),
      beforeMs: optional('How long before, in milliseconds; 1000 if absent'),
    }),
    response: ClockSchema,
    example: { request: { symbol: 'cmt_btcusdt' }, data: { ...CLOCK, time: 1_700_006_399_000 } },
  },
} as const satisfies Record<string, Endpoint>;

const MARKET_ENDPOINTS = {
  setIndex: {
    method: 'POST',
    path: `${BASE}/index`,
    ...operator,
    summary: 'Sets the index price of a contract; everything that follows from it follows at once',
    request: Type.Object({
      symbol: required('Contract'),
      price: required("Price; 0 takes the operator's own back"),
      source: optional('Feed of the contract; operator, who outranks all, if absent'),
    }),
    response: IndexReportSchema,
    example: {
      request: { symbol: 'cmt_btcusdt', price: '30000' },
      data: {
        symbol: 'cmt_btcusdt',
        source: 'operator',
        price: '30000',
        prices: operatorExample.PRICES,
      },
    },
  },
  movePrice: {
    method: 'POST',
    path: `${BASE}/price`,
    ...operator,
    summary: 'Moves the simulated market of a coin: pairs, and through them contracts, follow',
    request: Type.Object({
      coin: required('Coin, as in BTC'),
      price: required('Price in the quote coin'),
      quote: optional('Quote coin; USDT if absent'),
    }),
    response: Type.Object({ symbols: Type.Array(Type.String({ description: 'Pair moved' })) }),
    example: { request: { coin: 'BTC', price: '30000' }, data: { symbols: ['BTCUSDT_SPBL'] } },
  },
  credit: {
    method: 'POST',
    path: `${BASE}/credit`,
    ...operator,
    summary: 'Gives an account money',
    request: Type.Object({
      account: required('Account, by name or id'),
      coin: required('Coin'),
      amount: required('Decimal amount'),
      wallet: optional('spot (default) or a contract'),
    }),
    response: MovementSchema,
    example: {
      request: { account: 'demo', coin: 'USDT', amount: '250' },
      data: operatorExample.MOVEMENT,
    },
  },
} as const satisfies Record<string, Endpoint>;

const CHECKPOINT_ENDPOINTS = {
  checkpoints: {
    method: 'GET',
    path: `${BASE}/checkpoints`,
    ...operator,
    summary: 'The states that are kept',
    request: nothing,
    response: Type.Array(CheckpointSchema),
    example: { request: {}, data: [SAVED] },
  },
  saveCheckpoint: {
    method: 'POST',
    path: `${BASE}/checkpoints`,
    ...operator,
    summary: 'Keeps the state as it is, in place of what had the name',
    request: Type.Object({ name: required('1 to 64 of A-Z a-z 0-9 . _ -') }),
    response: CheckpointSchema,
    example: { request: { name: 'seeded' }, data: SAVED },
  },
  resetToCheckpoint: {
    method: 'POST',
    path: `${CHECKPOINT}/reset`,
    ...operator,
    summary: 'All is as it was when it was saved; time and ids go on, streams end',
    request: nothing,
    response: CheckpointSchema,
    example: { request: {}, data: SAVED },
  },
  dropCheckpoint: {
    method: 'DELETE',
    path: CHECKPOINT,
    ...operator,
    summary: 'Forgets a kept state',
    request: nothing,
    response: Type.Object({ name: Type.String({ description: 'Name' }) }),
    example: { request: {}, data: { name: 'seeded' } },
  },
} as const satisfies Record<string, Endpoint>;

const FAULT_ENDPOINTS = {
  faults: {
    method: 'GET',
    path: `${BASE}/faults`,
    ...operator,
    summary: 'The fault rules, oldest first',
    request: nothing,
    response: Type.Array(FaultSchema),
    example: { request: {}, data: [FAULT] },
  },
  addFault: {
    method: 'POST',
    path: `${BASE}/faults`,
    ...operator,
    summary: 'From now on, calls or messages that match go wrong like this',
    request: Type.Object({
      label: optional('For people'),
      key: optional('ACCESS-KEY that is hit; every key if absent'),
      target: optional('Calls or messages that are hit; all if absent'),
      effect: Type.Object({
        kind: required('What happens'),
        ms: optional('latency, delay_message: how long'),
        jitterMs: optional('latency: up to so much more'),
        retryAfterMs: optional('rate_limited: what Retry-After says; 1000 if absent'),
        status: optional('server_error: 500 (default), 502, 503 or 504'),
      }),
      probability: optional('Part of what matches that is hit; 1 if absent'),
      skip: optional('So many that match pass first'),
      count: optional('Hits until the rule is spent; 0, for ever, if absent'),
      seed: optional('Which are hit follows from it; 0 if absent'),
    }),
    response: FaultSchema,
    example: {
      request: {
        key: 'demo-key',
        target: 'POST /api/spot/v1/trade/orders',
        effect: { kind: 'no_answer' },
        probability: '0.1',
        count: 3,
      },
      data: FAULT,
    },
  },
  removeFault: {
    method: 'DELETE',
    path: `${BASE}/faults/:faultId`,
    ...operator,
    summary: 'Takes one fault rule back',
    request: nothing,
    response: Type.Object({ removed: whole('Rules taken back') }),
    example: { request: {}, data: { removed: 1 } },
  },
  removeFaults: {
    method: 'DELETE',
    path: `${BASE}/faults`,
    ...operator,
    summary: 'Takes every fault rule back',
    request: nothing,
    response: Type.Object({ removed: whole('Rules taken back') }),
    example: { request: {}, data: { removed: 2 } },
  },
} as const satisfies Record<string, Endpoint>;

const SCENARIO_ENDPOINTS = {
  scenarios: {
    method: 'GET',
    path: `${BASE}/scenarios`,
    ...operator,
    summary: 'The scenarios that come with the program',
    request: nothing,
    response: Type.Array(
      Type.Object({
        name: Type.String({ description: 'What it is run by' }),
        title: Type.String({ description: 'For people' }),
        description: Type.String({ description: 'What it shows' }),
      }),
    ),
    example: {
      request: {},
      data: [
        {
          name: 'flash-crash',
          title: 'Flash crash',
          description: 'Shows what a stop-loss costs in a thin book.',
        },
      ],
    },
  },
  runScenario: {
    method: 'POST',
    path: `${BASE}/scenarios/:scenario/run`,
    ...operator,
    summary: 'Plays a scenario on this venue; it leaves the clock and the market where it ends',
    request: nothing,
    response: Type.Object({
      passed: Type.Boolean({ description: 'Every figure came out as the file expects' }),
      steps: Type.Array(
        Type.Object({
          text: Type.String({ description: 'What was done' }),
          ok: Type.Boolean({ description: 'It came out as expected' }),
          detail: Type.String({ description: 'What did not; empty for nothing' }),
        }),
      ),
    }),
    example: {
      request: {},
      data: {
        passed: true,
        steps: [{ text: 'index of cmt_btcusdt at 30000', ok: true, detail: '' }],
      },
    },
  },
} as const satisfies Record<string, Endpoint>;

export const SANDBOX_ENDPOINTS = {
  ...CLOCK_ENDPOINTS,
  ...MARKET_ENDPOINTS,
  ...CHECKPOINT_ENDPOINTS,
  ...FAULT_ENDPOINTS,
  ...SCENARIO_ENDPOINTS,
} as const satisfies Record<string, Endpoint>;

export type SandboxEndpointName = keyof typeof SANDBOX_ENDPOINTS;

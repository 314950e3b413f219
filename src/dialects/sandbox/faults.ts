/** Faults by rule: calls and messages of a sandbox that go wrong on purpose. */

import Type from 'typebox';
import { refuseSaying } from '#api';
import {
  FAULT_KINDS,
  FAULT_STATUSES,
  type FaultEffect,
  type FaultRule,
  isRefused,
  PPM,
  type Refused,
  refuse,
  type VenuePort,
} from '#domain';
import { group, optional, RATE, required, WHOLE, word } from '../admin/fields.ts';
import { submit } from '../kit/carry-out.ts';
import { formatRate } from '../kit/contract-figures.ts';
import { type OperatorEndpoint, operatorEndpoint } from '../kit/endpoint.ts';
import { optionalText, type Values } from '../kit/request.ts';
import { decimal, encoded, jsonList, listOf, row, text, whole } from '../kit/row.ts';
import { demanded, wholeNumber } from '../kit/schema.ts';
import { BASE, type SandboxContext } from './context.ts';

const RETRY_AFTER_MS = 1_000;
const STATUS = { '500': 500, '502': 502, '503': 503, '504': 504 } as const;
/** A target of another form would match no call and fail silently. */
const TARGET = /^((GET|POST|PATCH|DELETE)?( ?\/[!-~]*)?|(spot|swap|native)( [A-Za-z0-9_]+)?)$/;
const TARGETS =
  'is a method, a path (perhaps ending in *), both as in POST /api/spot/v1/trade/orders, or a ' +
  'stream as in swap or swap depth';

export interface ShownEffect {
  readonly kind: string;
  readonly ms?: number;
  readonly jitterMs?: number;
  readonly retryAfterMs?: number;
  readonly status?: number;
}
const SHOWN_EFFECT: ShownEffect = { kind: 'no_answer' };

export const FAULT = row<FaultRule>()({
  faultId: whole('Number of the rule', 4712, ({ faultId }) => faultId),
  label: text('For people', 'orders without an answer', ({ label }) => label),
  key: text('Key that is hit; empty for every key', 'demo-key', ({ key }) => key),
  target: text(
    'Calls or messages that are hit; empty for all',
    'POST /api/spot/v1/trade/orders',
    ({ target }) => target,
  ),
  effect: encoded(
    {
      schema: Type.Object(
        {
          kind: Type.String({ description: 'What happens; its fields beside it' }),
          ms: Type.Optional(wholeNumber('How long')),
          jitterMs: Type.Optional(wholeNumber('Up to so much more')),
          retryAfterMs: Type.Optional(wholeNumber('What Retry-After says')),
          status: Type.Optional(wholeNumber('Of the answer')),
        },
        { additionalProperties: false },
      ),
      example: SHOWN_EFFECT,
    },
    ({ effect }) => JSON.stringify(effect),
  ),
  probability: decimal('Part of what matches that is hit', '0.1', ({ probabilityPpm }) =>
    formatRate(probabilityPpm),
  ),
  skip: whole('So many that match pass first', 0, ({ skipCount }) => skipCount),
  count: whole('Hits until the rule is spent; 0 for ever', 3, ({ hitsMax }) => hitsMax),
  seed: whole('Which are hit follows from it', 1, ({ seed }) => seed),
});

const REMOVED = row<readonly number[]>()({
  removed: whole('Rules taken back', 1, (faultIds) => faultIds.length),
});

const EFFECT_FIELDS = {
  kind: required(word(FAULT_KINDS, 'latency'), 'What happens'),
  ms: optional(WHOLE, 'latency, delay_message: how long'),
  jitterMs: optional(WHOLE, 'latency: up to so much more'),
  retryAfterMs: optional(WHOLE, 'rate_limited: what Retry-After says; 1000 if absent'),
  status: optional(word(FAULT_STATUSES, '500'), 'server_error: 500 (default), 502, 503 or 504'),
};

function effectOf({
  kind,
  ms = 0,
  jitterMs = 0,
  retryAfterMs = RETRY_AFTER_MS,
  status = '500',
}: Values<typeof EFFECT_FIELDS>): FaultEffect {
  switch (kind) {
    case 'latency':
      return { kind, ms, jitterMs };
    case 'delay_message':
      return { kind, ms };
    case 'rate_limited':
      return { kind, retryAfterMs };
    case 'server_error':
      return { kind, status: STATUS[status] };
    default:
      return { kind };
  }
}

const EFFECT = group('What happens', EFFECT_FIELDS, effectOf);

export const FAULT_ENDPOINTS = {
  faults: operatorEndpoint({
    method: 'GET',
    path: `${BASE}/faults`,
    summary: 'The fault rules, oldest first',
    request: {},
    response: listOf(FAULT),
    answer: ({ venue }: SandboxContext) =>
      venue.read(({ sandbox }) => jsonList([...sandbox.faults()], FAULT.write)),
  }),
  addFault: operatorEndpoint({
    method: 'POST',
    path: `${BASE}/faults`,
    duty: 'run',
    summary: 'From now on, calls or messages that match go wrong like this',
    request: {
      label: optionalText('For people'),
      key: optionalText('Key that is hit; every key if absent'),
      target: optionalText('Calls or messages that are hit; all if absent'),
      effect: { ...EFFECT, schema: demanded(EFFECT.schema) },
      probability: optional(RATE, 'Part of what matches that is hit; 1 if absent'),
      skip: optional(WHOLE, 'So many that match pass first'),
      count: optional(WHOLE, 'Hits until the rule is spent; 0, for ever, if absent'),
      seed: optional(WHOLE, 'Which are hit follows from it; 0 if absent'),
    },
    response: FAULT,
    example: {
      request: {
        key: 'demo-key',
        target: 'POST /api/spot/v1/trade/orders',
        effect: { kind: 'no_answer' },
        probability: '0.1',
        count: 3,
      },
    },
    answer: async ({ venue }: SandboxContext, { label, key, target, effect, ...asked }) => {
      if (effect === undefined) return refuseSaying('parameter_invalid', 'effect is missing');
      if (!TARGET.test(target)) return refuseSaying('parameter_invalid', `target ${TARGETS}`);
      const { probability: probabilityPpm = PPM, skip = 0, count = 0, seed = 0 } = asked;
      const hits = { probabilityPpm, skipCount: skip, hitsMax: count, seed };
      const rule = { label, key, target, effect, ...hits };
      const event = await submit(venue, 'fault_added', { kind: 'add_fault', rule });
      return isRefused(event) ? event : FAULT.write(event.rule);
    },
  }),
  removeFault: operatorEndpoint({
    method: 'DELETE',
    path: `${BASE}/faults/:faultId`,
    duty: 'run',
    summary: 'Takes one fault rule back',
    request: {},
    response: REMOVED,
    answer: ({ venue }: SandboxContext, _asked, { path }) => {
      const { faultId = '' } = path;
      const isNumber = /^[1-9][0-9]{0,14}$/.test(faultId);
      return isNumber ? removeFaults(venue, Number(faultId)) : refuse('fault_unknown');
    },
  }),
  removeFaults: operatorEndpoint({
    method: 'DELETE',
    path: `${BASE}/faults`,
    duty: 'run',
    summary: 'Takes every fault rule back',
    request: {},
    response: REMOVED,
    example: { data: { removed: 2 } },
    answer: ({ venue }: SandboxContext) => removeFaults(venue, 0),
  }),
} as const satisfies Record<string, OperatorEndpoint<SandboxContext>>;

/** Zero stands for all of them. */
async function removeFaults(venue: VenuePort, faultId: number): Promise<string | Refused> {
  const event = await submit(venue, 'faults_removed', { kind: 'remove_faults', faultId });
  return isRefused(event) ? event : REMOVED.write(event.faultIds);
}

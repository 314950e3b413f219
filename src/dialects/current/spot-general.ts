/** That the venue is there, and its time. */
import type { Services } from '#api';
import { type PublicEndpoint, publicEndpoint } from '../kit/endpoint.ts';
import { row, whole } from '../kit/row.ts';
import { costs } from './costs.ts';
import { SPOT_BASE, TIME_MS } from './spot-terms.ts';

const NOTHING = row<undefined>()({});

export const SERVER_TIME = row<number>()({
  serverTime: whole('Unix time in milliseconds', TIME_MS, (nowMs) => nowMs),
});

export const SPOT_GENERAL = {
  ping: publicEndpoint({
    method: 'GET',
    path: `${SPOT_BASE}/ping`,
    ...costs(1),
    permission: 'none',
    summary: 'Answers when the venue is there',
    request: {},
    response: NOTHING,
    answer: (_services: Services) => '{}',
  }),
  time: publicEndpoint({
    method: 'GET',
    path: `${SPOT_BASE}/time`,
    ...costs(1),
    permission: 'none',
    summary: 'Server time in milliseconds',
    request: {},
    response: SERVER_TIME,
    answer: (_services: Services, _values, { nowMs }) => SERVER_TIME.write(nowMs),
  }),
} as const satisfies Record<string, PublicEndpoint<Services>>;

/** The clock: the operator is the one who knows whether a step of it was meant. */
import Type from 'typebox';
import { type OperatorEndpoint, operatorEndpoint } from '../kit/endpoint.ts';
import { TIME_MS } from '../kit/examples.ts';
import { encoded, row, timeMs } from '../kit/row.ts';
import { type AdminContext, BASE } from './context.ts';

interface Confirmed {
  readonly nowMs: number;
  readonly stepMs: number;
}

const CONFIRMED = row<Confirmed>()({
  time: timeMs('Time of the venue from now on', TIME_MS, ({ nowMs }) => nowMs),
  stepMs: encoded(
    {
      schema: Type.Integer({
        description: 'How far it has gone forward by this; 0 when it was right',
      }),
      example: 3_600_000,
    },
    ({ stepMs }) => String(stepMs),
  ),
});

export const CLOCK_ENDPOINTS = {
  confirmClock: operatorEndpoint({
    method: 'POST',
    path: `${BASE}/clock/confirm`,
    duty: 'run',
    summary: 'Believe the system clock after a step forward that the venue did not take',
    request: {},
    response: CONFIRMED,
    answer: ({ watched }: AdminContext) => {
      const beforeMs = watched.nowMs();
      watched.confirm();
      const nowMs = watched.nowMs();
      return CONFIRMED.write({ nowMs, stepMs: nowMs - beforeMs });
    },
  }),
} as const satisfies Record<string, OperatorEndpoint<AdminContext>>;

/** Kept states of a sandbox, to go back to. */
import { type CheckpointView, isRefused } from '#domain';
import { submit } from '../kit/carry-out.ts';
import { type OperatorEndpoint, operatorEndpoint } from '../kit/endpoint.ts';
import { requiredText } from '../kit/request.ts';
import { jsonList, listOf, row, text, whole } from '../kit/row.ts';
import { NOW_MS } from './clock.ts';
import { BASE, type SandboxContext } from './context.ts';

const CHECKPOINT_PATH = `${BASE}/checkpoints/:name`;

export const CHECKPOINT = row<CheckpointView>()({
  name: text('Name it was saved under', 'seeded', ({ name }) => name),
  seq: whole('Command that saved it', 4711, ({ seq }) => seq),
  time: whole('Time of the venue in milliseconds', NOW_MS, ({ timeMs }) => timeMs),
  rows: whole('What it takes: rows of state', 310, ({ rowsCount }) => rowsCount),
});

const DROPPED = row<{ readonly name: string }>()({
  name: text('Name', 'seeded', ({ name }) => name),
});

export const CHECKPOINT_ENDPOINTS = {
  checkpoints: operatorEndpoint({
    method: 'GET',
    path: `${BASE}/checkpoints`,
    summary: 'The states that are kept',
    request: {},
    response: listOf(CHECKPOINT),
    answer: ({ venue }: SandboxContext) =>
      venue.read(({ sandbox }) => jsonList([...sandbox.checkpoints()], CHECKPOINT.write)),
  }),
  saveCheckpoint: operatorEndpoint({
    method: 'POST',
    path: `${BASE}/checkpoints`,
    duty: 'run',
    summary: 'Keeps the state as it is, in place of what had the name',
    request: { name: requiredText('1 to 64 of A-Z a-z 0-9 . _ -') },
    response: CHECKPOINT,
    example: { request: { name: 'seeded' } },
    answer: ({ venue, inTurn }: SandboxContext, { name }) =>
      inTurn(async () => {
        const event = await submit(venue, 'checkpoint_saved', { kind: 'save_checkpoint', name });
        return isRefused(event) ? event : CHECKPOINT.write(event.checkpoint);
      }),
  }),
  resetToCheckpoint: operatorEndpoint({
    method: 'POST',
    path: `${CHECKPOINT_PATH}/reset`,
    duty: 'run',
    summary: 'All is as it was when it was saved; time and ids go on, streams end',
    request: {},
    response: CHECKPOINT,
    answer: (context: SandboxContext, _asked, { path }) =>
      context.inTurn(async () => {
        const { name = '' } = path;
        for (const event of await context.resetTo(name)) {
          if (event.kind === 'refused') return event;
          if (event.kind === 'venue_reset') return CHECKPOINT.write(event.checkpoint);
        }
        throw new Error(`a reset to ${name} yielded nothing`);
      }),
  }),
  dropCheckpoint: operatorEndpoint({
    method: 'DELETE',
    path: CHECKPOINT_PATH,
    duty: 'run',
    summary: 'Forgets a kept state',
    request: {},
    response: DROPPED,
    answer: async ({ venue }: SandboxContext, _asked, { path }) => {
      const command = { kind: 'drop_checkpoint', name: path.name ?? '' } as const;
      const event = await submit(venue, 'checkpoint_dropped', command);
      return isRefused(event) ? event : DROPPED.write(event);
    },
  }),
} as const satisfies Record<string, OperatorEndpoint<SandboxContext>>;

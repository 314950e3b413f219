/** Steps that spoil the venue's answers by rule, and stop it again. */
import Type from 'typebox';
import type { sandbox } from '#client';
import { type Action, action } from '../action.ts';
import { decimal, duration, durationMs, line, name, strict, whole } from '../fields.ts';

const CALL_EFFECTS = [
  'latency',
  'rate_limited',
  'server_error',
  'no_answer',
  'disconnect',
  'maintenance',
] as const;
const MESSAGE_EFFECTS = [
  'drop_message',
  'duplicate_message',
  'delay_message',
  'disconnect_stream',
] as const;

const DELAY_DEFAULT = '1s';
const STATUS_DEFAULT = '503';

const faultSchema = Type.Object(
  {
    effect: Type.Enum([...CALL_EFFECTS, ...MESSAGE_EFFECTS]),
    as: Type.Optional(name),
    target: Type.Optional(line),
    delay: Type.Optional(duration),
    status: Type.Optional(Type.Enum(['500', '502', '503', '504'])),
    probability: Type.Optional(decimal),
    skip: Type.Optional(whole),
    count: Type.Optional(whole),
    seed: Type.Optional(whole),
    label: Type.Optional(name),
  },
  strict,
);

type Effect = sandbox.AddFaultInput['effect'];

/** What the effect needs to know, in the words of the interface. */
function effectOf(
  kind: Effect['kind'],
  delay = DELAY_DEFAULT,
  status: Effect['status'] = STATUS_DEFAULT,
): Effect {
  const ms = durationMs(delay);
  if (kind === 'latency') return { kind, ms, jitterMs: 0 };
  if (kind === 'delay_message') return { kind, ms };
  if (kind === 'rate_limited') return { kind, retryAfterMs: ms };
  if (kind === 'server_error') return { kind, status };
  return { kind };
}

export const FAULT_ACTIONS: readonly Action[] = [
  action('fault', {
    summary: 'adds a rule that spoils calls or messages, of one trader with `as`',
    example: 'fault: { effect: no_answer, as: bob, target: POST /v1/orders, count: 1 }',
    schema: faultSchema,
    run: async ({ effect, as, target, delay, status, label, ...rest }, stage) => {
      const key = as === undefined ? undefined : stage.trader(as).key;
      const rule = { ...rest, label, key, target, effect: effectOf(effect, delay, status) };
      const { faultId } = await stage.venue.sandbox.addFault(rule);
      if (label !== undefined) stage.saveFault(label, faultId);
      return `fault: ${effect}${as === undefined ? '' : ` for ${as}`} ${target ?? ''}`.trimEnd();
    },
  }),
  action('clear_faults', {
    summary: 'takes back the rule with that label, or all',
    example: 'clear_faults: all',
    schema: name,
    run: async (label, stage) => {
      const { sandbox: venue } = stage.venue;
      if (label === 'all') await venue.removeFaults();
      else await venue.removeFault({ faultId: stage.faultId(label) });
      return label === 'all' ? 'no faults any more' : `the fault ${label} is over`;
    },
  }),
];

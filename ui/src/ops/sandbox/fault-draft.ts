/** A fault rule that is being typed, and the request it becomes. Pure. */
import type { FaultKind } from '#domain';

/** Calls first, then messages of streams. */
export const EFFECT_KINDS = [
  'latency',
  'rate_limited',
  'server_error',
  'no_answer',
  'disconnect',
  'maintenance',
  'drop_message',
  'duplicate_message',
  'delay_message',
  'disconnect_stream',
] as const satisfies readonly FaultKind[];

export const STATUSES = ['500', '502', '503', '504'] as const;

export interface FaultDraft {
  readonly kind: (typeof EFFECT_KINDS)[number];
  readonly ms: string;
  readonly jitterMs: string;
  readonly retryAfterMs: string;
  readonly status: (typeof STATUSES)[number];
  readonly label: string;
  readonly key: string;
  readonly target: string;
  readonly probability: string;
  readonly skip: string;
  readonly count: string;
  readonly seed: string;
}

export const EMPTY_FAULT: FaultDraft = {
  kind: 'latency',
  ms: '500',
  jitterMs: '0',
  retryAfterMs: '1000',
  status: '503',
  label: '',
  key: '',
  target: '',
  probability: '1',
  skip: '0',
  count: '0',
  seed: '0',
};

/** The fields an effect has of its own. */
export function fieldsOf(
  kind: FaultDraft['kind'],
): readonly ('ms' | 'jitterMs' | 'retryAfterMs' | 'status')[] {
  if (kind === 'latency') return ['ms', 'jitterMs'];
  if (kind === 'delay_message') return ['ms'];
  if (kind === 'rate_limited') return ['retryAfterMs'];
  return kind === 'server_error' ? ['status'] : [];
}

export function bodyOf(draft: FaultDraft): object {
  const { kind, label, key, target, probability, skip, count, seed } = draft;
  const figures = fieldsOf(kind).map((name) => [name, draft[name].trim()] as const);
  const effect = { kind, ...Object.fromEntries(figures) };
  return {
    label,
    key: key.trim(),
    target: target.trim(),
    effect,
    probability,
    skip,
    count,
    seed,
  };
}

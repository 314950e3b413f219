/** A fault rule that is being typed, and the request it becomes. Pure. */
import type { sandbox } from '#client';
import type { FAULT_KINDS, FAULT_STATUSES } from '#domain';

export interface FaultDraft {
  readonly kind: (typeof FAULT_KINDS)[number];
  readonly ms: string;
  readonly jitterMs: string;
  readonly retryAfterMs: string;
  readonly status: (typeof FAULT_STATUSES)[number];
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

export function bodyOf(draft: FaultDraft): sandbox.AddFaultInput {
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

/** Makes a refusal and tells one from any other result. */
import { type Detail, NO_DETAIL } from './detail.ts';
import type { Refused } from './event.ts';
import type { RejectKind } from './reject.ts';

/** A refusal and what it is about, where more can be said than its kind. */
export function refuse(reject: RejectKind, detail: Detail = NO_DETAIL): Refused {
  return { kind: 'refused', reject, detail };
}

/** Distinguishes a refusal from any other result of a reader. */
export function isRefused(result: unknown): result is Refused {
  return typeof result === 'object' && result !== null && 'reject' in result;
}

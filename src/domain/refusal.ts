/** Makes a refusal and tells one from any other result. */
import type { Refused } from './event.ts';
import type { RejectKind } from './reject.ts';

/** A refusal with a readable detail about the value that was refused; the detail may be empty. */
export function refuse(reject: RejectKind, detail = ''): Refused {
  return { kind: 'refused', reject, detail };
}

/** Distinguishes a refusal from any other result of a reader. */
export function isRefused(result: unknown): result is Refused {
  return typeof result === 'object' && result !== null && 'reject' in result;
}

/** How often a person may call one endpoint: as often as a page does, not as a program could. */
import type { RateLimit } from '#api';

export const READS: RateLimit = { limit: 300, windowMs: 60_000 };
/** Each leaves a row of what happened behind. */
export const CHANGES: RateLimit = { limit: 60, windowMs: 10 * 60_000 };

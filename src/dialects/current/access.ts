/** How calls and logins of this interface are checked. */
import { headerSigner, type SigningRules } from '../kit/access-headers.ts';

/** How far a timestamp may lie from the venue's time, either way. */
const AHEAD_MAX_MS = 30_000;

export const SIGNING: SigningRules = {
  aheadMaxMs: AHEAD_MAX_MS,
  order: ['address', 'account', 'permission'],
};

export const SIGNER = headerSigner(SIGNING);

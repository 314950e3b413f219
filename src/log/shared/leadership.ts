/** Claims of leadership: made, given up, and what a new one finds and clears away. */
import type { Claim, Leadership } from '../shared-log.ts';
import { deposed, settled } from './attempts.ts';
import type { Entries } from './entries.ts';
import { type KeySpace, only } from './keys.ts';
import { CLAIM_RECORD, type ClaimRecord, decode } from './records.ts';
import type { Comparison, Operation, Store, Stored } from './store.ts';
import { readTail } from './tail.ts';

/** Without a claim there is no key, which compares as revision 0. */
export const NO_CLAIM_TOKEN = '0';

export function claimOf(stored: Stored | undefined): Claim | undefined {
  if (stored === undefined) return undefined;
  const { number, holder } = decode(CLAIM_RECORD, stored.value, stored.key);
  return { number, holder, token: String(stored.modRevision) };
}

/** That the claim is in force. */
export function inForce(keys: KeySpace, token: string): Comparison {
  return { key: keys.claim, of: 'mod', revision: Number(token) };
}

/** A write under a claim that does no harm when it is done twice. Rejects with `deposed`. */
export async function writeUnder(
  { store, keys }: Entries,
  claim: Claim,
  write: readonly Operation[],
): Promise<number> {
  const when = [inForce(keys, claim.token)];
  const outcome = await settled(store, { when, write });
  if (!outcome.held) throw deposed(claim.number);
  return outcome.revision;
}

/** Replaces the claim that was seen; undefined when another one did. */
export async function replaceClaim(
  store: Store,
  keys: KeySpace,
  seenToken: string,
  record: ClaimRecord,
): Promise<Claim | undefined> {
  const { number, holder, nonce } = record;
  const outcome = await settled(store, {
    when: [inForce(keys, seenToken)],
    write: [{ kind: 'put', key: keys.claim, value: JSON.stringify(record) }],
    otherwise: [{ kind: 'get', query: only(keys.claim) }],
  });
  if (outcome.held) return { number, holder, token: String(outcome.revision) };
  const stored = outcome.found[0]?.[0];
  const isOurs = stored && decode(CLAIM_RECORD, stored.value, stored.key).nonce === nonce;
  return isOurs ? claimOf(stored) : undefined;
}

/**
 * Under a claim nobody else appends: what is contiguous stays, what lies behind a gap goes. It was
 * never acknowledged, because acknowledgements do not pass a gap.
 */
export async function settleTail(entries: Entries, claim: Claim): Promise<Leadership> {
  const { head, hasOrphans } = await readTail(entries);
  if (hasOrphans) {
    const range = entries.keys.entriesFrom(head.nextSeq);
    await writeUnder(entries, claim, [{ kind: 'delete', range }]);
  }
  return { claim, head };
}

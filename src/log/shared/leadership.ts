/** Claims of leadership: made, given up, and what a new one finds and clears away. */
import type { Claim, Leadership } from '../shared-log.ts';
import { deposed, settled } from './attempts.ts';
import type { Entries } from './entries.ts';
import { type KeySpace, only } from './keys.ts';
import { CLAIM_RECORD, type ClaimRecord, decode } from './records.ts';
import type { Comparison, Store, Stored } from './store.ts';
import { readTail } from './tail.ts';

/** Fewer than the operations that etcd takes in a transaction, which are 128. */
const ORPHANS_AT_ONCE = 32;

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
  for (;;) {
    const { head, hasOrphans } = await readTail(entries);
    if (!hasOrphans) return { claim, head };
    await deleteOrphans(entries, claim, head.nextSeq);
  }
}

/**
 * Compares each of them: a delete that arrives late, after another attempt has done it, must not
 * find what this very claim has appended in the same place since.
 */
async function deleteOrphans(entries: Entries, claim: Claim, fromSeq: number): Promise<void> {
  const { store, keys } = entries;
  const query = { ...keys.entriesFrom(fromSeq), limit: ORPHANS_AT_ONCE, isKeysOnly: true };
  const { found } = await settled(store, { when: [], write: [{ kind: 'get', query }] });
  const orphans = found[0] ?? [];
  const unchanged = orphans.map(
    ({ key, modRevision }) => ({ key, of: 'mod', revision: modRevision }) as const,
  );
  const outcome = await settled(store, {
    when: [inForce(keys, claim.token), ...unchanged],
    write: orphans.map(({ key }) => ({ kind: 'delete', range: only(key) })),
    otherwise: [{ kind: 'get', query: only(keys.claim) }],
  });
  if (outcome.held || claimOf(outcome.found[0]?.[0])?.token === claim.token) return;
  throw deposed(claim.number);
}

/**
 * Trimming: the start of the log moves on, then the entries before it go, then what the store
 * keeps of its past. The store is compacted at a revision that wrote something and is not its
 * newest: at one that deleted, etcd has lost watches' events and unequal members (its issues
 * #17780 and #18089).
 */
import { assert } from '#kernel';
import { type ChainLink, endOf, linkAfter } from '../chain.ts';
import { type Claim, SharedLogFault, type Trimmed } from '../shared-log.ts';
import { deposed, persistent, settled } from './attempts.ts';
import type { Entries } from './entries.ts';
import { inForce } from './leadership.ts';
import type { Store } from './store.ts';

/** Keys that one transaction deletes: a store does nothing else meanwhile, appends wait. */
const DELETED_AT_ONCE = 128;

export async function trimEntries(
  entries: Entries,
  claim: Claim,
  acknowledged: ChainLink,
  beforeSeq: number,
): Promise<Trimmed> {
  assert(beforeSeq <= acknowledged.nextSeq, 'only what is acknowledged is trimmed');
  const { base } = await entries.marks();
  const next = await linkAtMost(entries, beforeSeq);
  if (next !== undefined && next.nextSeq > base.nextSeq) await writeBase(entries, claim, next);
  const start = next !== undefined && next.nextSeq > base.nextSeq ? next : base;
  if (!(await deleteBefore(entries, claim, start.nextSeq))) return { mayCompact: true };
  const revision = await writeBase(entries, claim, start);
  await writeBase(entries, claim, start);
  return { mayCompact: await compacted(entries.store, revision) };
}

/** False where the store leaves that to its operator. */
async function compacted(store: Store, revision: number): Promise<boolean> {
  try {
    await persistent(store, (timeoutMs) => store.compact(revision, timeoutMs));
    return true;
  } catch (error) {
    if (error instanceof SharedLogFault && error.kind === 'denied') return false;
    throw error;
  }
}

/** The end of the last entry that ends before `seq`; undefined where there is none. */
async function linkAtMost(entries: Entries, seq: number): Promise<ChainLink | undefined> {
  const before = await entries.startingBefore(seq, 2);
  const last = before.find((entry) => endOf(entry) < seq);
  return last && linkAfter(last);
}

/** Gives the revision of the write. It compares the mark, so that it cannot arrive late. */
export async function writeBase(
  entries: Entries,
  claim: Claim,
  { nextSeq, hash }: ChainLink,
): Promise<number> {
  const { store, keys } = entries;
  const { baseRevision } = await entries.marks();
  const outcome = await settled(store, {
    when: [inForce(keys, claim.token), { key: keys.base, of: 'mod', revision: baseRevision }],
    write: [{ kind: 'put', key: keys.base, value: JSON.stringify({ nextSeq, hash }) }],
  });
  if (outcome.held) return outcome.revision;
  const { base, baseRevision: written } = await entries.marks();
  const isOurs = written > baseRevision && base.nextSeq === nextSeq && base.hash === hash;
  if (isOurs) return written;
  throw deposed(claim.number);
}

/** Whether there was anything to delete. Nothing is ever written there again. */
async function deleteBefore(entries: Entries, claim: Claim, seq: number): Promise<boolean> {
  const { store, keys } = entries;
  const all = keys.entriesBefore(seq);
  for (let rounds = 0; ; rounds += 1) {
    const query = { ...all, limit: DELETED_AT_ONCE, isKeysOnly: true };
    const outcome = await settled(store, { when: [], write: [{ kind: 'get', query }] });
    const last = outcome.found[0]?.at(-1);
    if (last === undefined) return rounds > 0;
    const range = { from: all.from, end: `${last.key}\0` };
    const when = [inForce(keys, claim.token)];
    const sentMs = store.timing.monotonicMs();
    const deleted = await settled(store, { when, write: [{ kind: 'delete', range }] });
    if (!deleted.held) throw deposed(claim.number);
    // As much time again is the appends' alone, however slow the store is.
    await store.timing.sleep(store.timing.monotonicMs() - sentMs);
  }
}

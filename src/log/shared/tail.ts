/** The end of the log: how far it goes without a gap, proven along the chain. */
import { type ChainLink, linkAfter, prove } from '../chain.ts';
import { JournalFault } from '../port.ts';
import type { Entries } from './entries.ts';

export interface Tail {
  readonly head: ChainLink;
  readonly base: ChainLink;
  /** Whether something lies behind a gap. Its leader may still fill the gap, while it leads. */
  readonly hasOrphans: boolean;
}

/**
 * Reads from the last heartbeat on: what a leader said to be acknowledged has no gap. Rejects with
 * a JournalFault when that is not there any more, or the chain does not hold.
 */
export async function readTail(entries: Entries): Promise<Tail> {
  const near = await nearTail(entries);
  if (near !== undefined) return near;
  entries.forgetLastSeen();
  const { base, beat } = await entries.marks();
  const start = await knownLink(entries, base, beat?.lastSeq ?? 0);
  return walk(entries, start);
}

/**
 * One look from the last entry that was seen, as every process does several times a second. It
 * counts only if that entry is there still, the end is in sight and nothing contradicts.
 */
async function nearTail(entries: Entries): Promise<Tail | undefined> {
  const seen = entries.lastSeen;
  if (seen === undefined) return undefined;
  const { base, beat, entries: found, isLast } = await entries.page(seen.firstSeq);
  const [first, ...later] = found;
  const isThere = first?.firstSeq === seen.firstSeq && first.hash === seen.hash;
  if (first === undefined || !isThere || !isLast || base.nextSeq > seen.firstSeq) return undefined;
  const {
    entries: proven,
    link: head,
    fault,
  } = prove(linkAfter(first), later, undefined, entries.store.place);
  if (fault !== undefined && fault.kind !== 'gap') return undefined;
  if ((beat?.lastSeq ?? 0) >= head.nextSeq) return undefined;
  for (const entry of proven.slice(-1)) entries.saw(entry);
  return { head, base, hasOrphans: fault !== undefined };
}

async function knownLink(entries: Entries, base: ChainLink, lastSeq: number): Promise<ChainLink> {
  if (lastSeq < base.nextSeq) return base;
  const entry = await entries.covering(lastSeq);
  if (entry !== undefined) return linkAfter(entry);
  const { base: later } = await entries.marks();
  if (later.nextSeq > lastSeq) return later;
  const reason = `its leader had it acknowledged up to ${lastSeq}`;
  throw new JournalFault({ kind: 'torn_tail', file: entries.store.place, seq: lastSeq, reason });
}

async function walk(entries: Entries, start: ChainLink): Promise<Tail> {
  let head = start;
  for (;;) {
    const { base, entries: found, isLast } = await entries.page(head.nextSeq);
    if (base.nextSeq > head.nextSeq) {
      head = base;
      continue;
    }
    const proven = prove(head, found, undefined, entries.store.place);
    head = proven.link;
    for (const entry of proven.entries.slice(-1)) entries.saw(entry);
    if (proven.fault?.kind === 'gap') return { head, base, hasOrphans: true };
    if (proven.fault !== undefined) throw proven.fault;
    if (isLast) return { head, base, hasOrphans: false };
  }
}

/** What tests do with a shared log: lead it, fill it, follow it, compare it. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { RULES_VERSION } from '#domain';
import {
  type Claim,
  type Heartbeat,
  JournalFault,
  type Leadership,
  type MemberReport,
  type NewEntry,
  type SharedEntry,
  type SharedLog,
  SharedLogFault,
} from '#log';

/** An entry of so many commands; its payload says which. */
export function entryAt(firstSeq: number, count = 1, payload = `from ${firstSeq}`): NewEntry {
  return { firstSeq, count, rules: RULES_VERSION, format: 1, payload };
}

/** What a member reports that holds the log up to here. */
export function reportOf(
  member: string,
  heldSeq: number,
  seals: MemberReport['seals'] = [],
): MemberReport {
  const knows = { formatMax: 1, rulesMin: RULES_VERSION, rulesMax: RULES_VERSION };
  const process = { kind: 'member', release: '1.0.0', knows, seq: heldSeq, timeMs: 7 } as const;
  return { member, heldSeq, seals, process };
}

/** Claims what is in force, as `member`. */
export async function lead(log: SharedLog, member = 'one'): Promise<Leadership> {
  const leadership = await log.claim(await log.current(), member);
  assert.ok(leadership !== undefined, 'nobody else claims');
  return leadership;
}

/** Appends so many entries of one command each, all at once, and waits for all. */
export async function fill(log: SharedLog, { claim }: Leadership, count: number): Promise<void> {
  const { nextSeq } = log.acknowledged(claim);
  const seqs = Array.from({ length: count }, (_, at) => nextSeq + at);
  await Promise.all(seqs.map((seq) => log.append(claim, entryAt(seq))));
}

export async function readAll(log: SharedLog, fromSeq = 1): Promise<SharedEntry[]> {
  const entries: SharedEntry[] = [];
  for await (const chunk of log.read(fromSeq)) entries.push(...chunk);
  return entries;
}

/** Follows in the background; what has come so far is in `entries`. */
export class Follower {
  readonly entries: SharedEntry[] = [];
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;
  #waiting: { readonly lastSeq: number; wake(): void }[] = [];

  constructor(log: SharedLog, fromSeq = 1, previousHash?: string) {
    this.#done = this.#follow(log, fromSeq, previousHash);
    this.#done.catch(() => undefined);
  }

  get lastSeq(): number {
    const last = this.entries.at(-1);
    return last === undefined ? 0 : last.firstSeq + last.count - 1;
  }

  /** Resolves when it has come so far; rejects with the fault that ends the following before. */
  reached(lastSeq: number): Promise<void> {
    if (this.lastSeq >= lastSeq) return Promise.resolve();
    const reached = new Promise<void>((wake) => this.#waiting.push({ lastSeq, wake }));
    return Promise.race([reached, this.ended()]);
  }

  /** Rejects with the fault that ends it. */
  async ended(): Promise<void> {
    await this.#done;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  async #follow(log: SharedLog, fromSeq: number, previousHash?: string): Promise<void> {
    const { signal } = this.#stop;
    for await (const chunk of log.follow({ fromSeq, previousHash, signal })) {
      this.entries.push(...chunk);
      for (const { lastSeq, wake } of this.#waiting) if (this.lastSeq >= lastSeq) wake();
      this.#waiting = this.#waiting.filter(({ lastSeq }) => lastSeq > this.lastSeq);
    }
  }
}

/** Asserts an unbroken run of entries from 1, by the documentation of the chain. */
export function assertChain(entries: readonly SharedEntry[]): void {
  let previous = createHash('sha256').update('outcry journal 1').digest('hex');
  let next = 1;
  for (const { firstSeq, count, rules, payload, hash } of entries) {
    assert.equal(firstSeq, next, 'no gap and no overlap');
    const text = `${previous}\n${firstSeq}\n${count}\n${rules}\n${payload}`;
    previous = createHash('sha256').update(text).digest('hex');
    assert.equal(hash, previous, `hash of ${firstSeq}`);
    next = firstSeq + count;
  }
}

/** Matches a SharedLogFault, or a JournalFault, of this kind. */
export function faultOf(kind: SharedLogFault['kind'] | JournalFault['kind']) {
  return (error: unknown): true => {
    assert.ok(error instanceof SharedLogFault || error instanceof JournalFault, String(error));
    assert.equal(error.kind, kind, error.message);
    return true;
  };
}

export function beatOf({ holder: member, number: claim }: Claim): Omit<Heartbeat, 'lastSeq'> {
  return { member, claim, timeMs: 1_700_000_000_000 };
}

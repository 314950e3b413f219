/**
 * All that was ever written into the store, as nobody in the cluster can see it: entries in their
 * order with the claim that was in force, what was trimmed, and what an engine of its own makes of
 * the commands. What breaks the rules of a log shows here at once.
 */
import { createHash } from 'node:crypto';
import type { Step } from '#domain';
import { Engine } from '#engine';
import type { MemoryKeys } from '#log/testing';
import { stateHash, stepsOf } from '#venue';
import { NEXT_RELEASE } from './releases.ts';
import { Published } from './streams/published.ts';
import type { World } from './world.ts';

interface Written {
  readonly firstSeq: number;
  readonly count: number;
  readonly rules: number;
  readonly claim: number;
  readonly hash: string;
  readonly payload: string;
}

type Change = ReturnType<MemoryKeys['changesFrom']>[number]['change'];

/** Marks what a simulated client asks for: it is in no other command. */
const TAG = /"(sim-\d+|7\d{10})"/;

export class LogRecord {
  readonly published = new Published();
  readonly #world: World;
  readonly #engine = Engine.empty();
  readonly #steps: string[] = [];
  readonly #events: string[] = [];
  readonly #seqOfTag = new Map<string, number>();
  /** Behind a gap, by their first command. */
  readonly #ahead = new Map<number, Written>();
  /** The hash of each entry, by its first command. */
  readonly #written = new Map<number, string>();
  #hash = createHash('sha256').update('outcry journal 1').digest('hex');
  #nextSeq = 1;
  #rules = 0;
  #baseSeq = 1;
  #claim = { number: 0, holder: '' };
  readonly #hashes = new Map<number, string>();
  /** Up to which rules every process reads that nobody has put back. */
  rulesMax: () => number = () => Number.POSITIVE_INFINITY;
  /** Where a trim may go now, by what the members have on their disks. */
  trimMax: () => number = () => Number.POSITIVE_INFINITY;

  constructor(world: World, keys: MemoryKeys) {
    this.#world = world;
    let seen = 0;
    keys.onWrite(() => {
      const written = keys.changesFrom(seen + 1, { from: '/', end: '0' });
      seen = keys.revision;
      for (const { change } of written) this.#see(change);
    });
  }

  /** The last command without a gap before it. */
  get lastSeq(): number {
    return this.#nextSeq - 1;
  }

  /** What the last entry was written under. */
  get rules(): number {
    return this.#rules;
  }

  /** The command that a client's mark became. */
  seqOf(tag: string): number | undefined {
    return this.#seqOfTag.get(tag);
  }

  /** What its events have to be wherever they are shown. */
  eventsOf(seq: number): string | undefined {
    return this.#events[seq - 1];
  }

  stepOf(seq: number): string | undefined {
    return this.#steps[seq - 1];
  }

  get claimsCount(): number {
    return this.#claim.number;
  }

  get isBalanced(): boolean {
    return this.#engine.audit().balanced;
  }

  get stateHash(): string {
    return stateHash(this.#engine);
  }

  /** A process has come to this state; all others have to come to the same. */
  compare(who: string, seq: number, hash: string): void {
    const known = this.#hashes.get(seq) ?? (seq === this.lastSeq ? this.stateHash : hash);
    this.#hashes.set(seq, known);
    this.#world.coverage.count('state compared');
    const what = () => `${who} has another state after command ${seq}`;
    this.#world.check(known === hash, 'equal states', what);
  }

  #see(change: Change): void {
    const key = change.kind === 'put' ? change.stored.key : change.key;
    const [, , , what, , digits = ''] = key.split('/');
    if (what === 'claim' && change.kind === 'put') this.#seeClaim(JSON.parse(change.stored.value));
    else if (what === 'base' && change.kind === 'put')
      this.#seeBase(JSON.parse(change.stored.value));
    else if (what === 'log' && change.kind === 'put') {
      this.#seeEntry(Number(digits), change.stored.value);
    } else if (what === 'log') this.#seeDeleted(Number(digits));
  }

  #seeClaim(claim: { readonly number: number; readonly holder: string }): void {
    const { number, holder } = this.#claim;
    const isNext = claim.number === number + 1 && claim.holder !== '';
    const isGivenUp = claim.number === number && holder !== '' && claim.holder === '';
    this.#world.check(isNext || isGivenUp, 'claims', () => `${claim.number} follows ${number}`);
    this.#world.coverage.count(isNext ? 'claim made' : 'claim given up');
    this.#claim = claim;
  }

  #seeEntry(firstSeq: number, text: string): void {
    const { number, holder } = this.#claim;
    const line = text.indexOf('\n');
    const head = JSON.parse(text.slice(0, line)) as Omit<Written, 'firstSeq' | 'payload'>;
    const entry = { ...head, firstSeq, payload: text.slice(line + 1) };
    const isLed = entry.claim === number && holder !== '';
    const stale = () => `entry ${firstSeq} of claim ${entry.claim} under claim ${number} ${holder}`;
    this.#world.check(isLed, 'fence', stale);
    if (firstSeq < this.#nextSeq) this.#seeAgain(entry);
    else this.#ahead.set(firstSeq, entry);
    for (;;) {
      const next = this.#ahead.get(this.#nextSeq);
      if (next === undefined) return;
      this.#ahead.delete(this.#nextSeq);
      this.#take(next);
    }
  }

  /** An attempt that was given up may arrive when its entry is trimmed: nobody reads there. */
  #seeAgain({ firstSeq, hash }: Written): void {
    const isHarmless = firstSeq < this.#baseSeq && this.#written.get(firstSeq) === hash;
    const what = () => `entry ${firstSeq} is written again`;
    this.#world.check(isHarmless, 'written once', what);
    this.#world.coverage.count('late attempt below the start of the log');
  }

  #take(entry: Written): void {
    const { firstSeq, count, rules, payload, hash } = entry;
    this.#written.set(firstSeq, hash);
    const text = `${this.#hash}\n${firstSeq}\n${count}\n${rules}\n${payload}`;
    this.#hash = createHash('sha256').update(text).digest('hex');
    this.#world.check(hash === this.#hash, 'chain', () => `entry ${firstSeq} breaks the chain`);
    const mayBe = rules >= this.#rules && rules <= this.rulesMax();
    const under = () => `entry ${firstSeq} under rules ${rules} after ${this.#rules}`;
    this.#world.check(mayBe, 'rules all know', under);
    if (rules > this.#rules && this.#rules > 0) this.#world.coverage.count('rules raised');
    this.#rules = rules;
    const commands = JSON.parse(payload) as unknown[];
    const isCounted = commands.length === count;
    this.#world.check(isCounted, 'count', () => `entry ${firstSeq} holds ${commands.length}`);
    for (const [at, command] of commands.entries()) {
      const tag = TAG.exec(JSON.stringify(command))?.[1];
      if (tag !== undefined) this.#mark(tag, firstSeq + at);
    }
    this.#nextSeq += count;
    for (const { step } of stepsOf(this.#engine, entry, 'record', NEXT_RELEASE)) {
      this.#steps.push(textOf(step));
      this.#events.push(textOf(step.events));
      this.published.see(step, this.#engine);
    }
    this.#world.coverage.count('entry of the log');
    this.#world.coverage.count('command', count);
  }

  #mark(tag: string, seq: number): void {
    const before = this.#seqOfTag.get(tag);
    const what = () => `${tag} is command ${before}, and ${seq} again`;
    this.#world.check(before === undefined, 'exactly once', what);
    this.#seqOfTag.set(tag, seq);
  }

  #seeBase({ nextSeq }: { readonly nextSeq: number }): void {
    if (nextSeq > this.#baseSeq) {
      this.#world.coverage.count('trim');
      const most = this.trimMax();
      const what = () => `the log begins at ${nextSeq}, and may begin at ${most}`;
      this.#world.check(nextSeq <= most, 'trim', what);
    }
    this.#baseSeq = Math.max(this.#baseSeq, nextSeq);
  }

  #seeDeleted(firstSeq: number): void {
    if (this.#ahead.delete(firstSeq)) this.#world.coverage.count('entry behind a gap deleted');
    else {
      const what = () => `entry ${firstSeq} is deleted, and the log begins at ${this.#baseSeq}`;
      this.#world.check(firstSeq < this.#baseSeq, 'nothing lost', what);
    }
  }
}

/** The same for the same facts, in whatever order an object names them. */
export function textOf(shown: Step | Step['events']): string {
  return JSON.stringify(shown, (_, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(
      Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    );
  });
}

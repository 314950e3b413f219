/**
 * Judges what clients are answered and what processes show against the record of the log. It knows
 * nothing of claims, links or fences: only what was asked when, and what the log holds.
 */
import type { Event, Step } from '#domain';
import { type LogRecord, textOf } from './record.ts';
import type { World } from './world.ts';

/** One command of a client. */
export interface Asked {
  /** Found again in the log. */
  readonly tag: string;
  readonly process: string;
  /** Everything up to here was acknowledged to somebody before it was sent. */
  readonly floorSeq: number;
  /** Of a deposit: to whom, and how much. */
  readonly paid?: { readonly accountId: number; readonly amount: bigint } | undefined;
  outcome: 'open' | 'acknowledged' | 'refused' | 'unknown';
}

/** What a client has read, and when it asked. */
export interface Seen {
  readonly process: string;
  readonly askedMs: number;
  readonly ownSeq: number;
  readonly seq: number;
  readonly accountId: number;
  readonly paid: bigint;
}

const UNKNOWN: ReadonlySet<string> = new Set(['outcome_unknown']);
/** How old a read may be that was answered at once, with room for clocks that run slowly. */
const OLD_MAX_MS = 500 * 1.03;

export class Auditor {
  readonly #world: World;
  readonly #record: LogRecord;
  readonly #asked: Asked[] = [];
  /** When so much had been acknowledged, in order. */
  readonly #acknowledged: { readonly atMs: number; readonly seq: number }[] = [];
  #highestSeq = 0;

  constructor(world: World, record: LogRecord) {
    this.#world = world;
    this.#record = record;
  }

  get acknowledgedSeq(): number {
    return this.#highestSeq;
  }

  ask(tag: string, process: string, paid?: Asked['paid']): Asked {
    const asked: Asked = { tag, process, floorSeq: this.#highestSeq, paid, outcome: 'open' };
    this.#asked.push(asked);
    return asked;
  }

  /** A process has answered. Gives the command's number when it was carried out. */
  answered(asked: Asked, events: readonly Event[]): number | undefined {
    const [first] = events;
    if (first?.kind === 'refused') {
      this.#world.coverage.count(`client: ${first.reject}`);
      this.#world.check(first.reject !== 'internal_fault', 'no fault', () => textOf(events));
      asked.outcome = UNKNOWN.has(first.reject) ? 'unknown' : 'refused';
      return undefined;
    }
    asked.outcome = 'acknowledged';
    this.#world.coverage.count('client: acknowledged');
    const seq = this.#record.seqOf(asked.tag);
    const { process, tag } = asked;
    if (seq === undefined) {
      this.#world.check(
        false,
        'in the log',
        () => `${process} acknowledges ${tag}: not in the log`,
      );
      return undefined;
    }
    const isEqual = textOf(events) === this.#record.eventsOf(seq);
    this.#world.check(isEqual, 'its own answer', () => `${tag}, command ${seq}: ${textOf(events)}`);
    const before = () => `${tag} is command ${seq}, asked for when ${asked.floorSeq} was known`;
    this.#world.check(seq > asked.floorSeq, 'real time', before);
    if (seq > this.#highestSeq) {
      this.#highestSeq = seq;
      this.#acknowledged.push({ atMs: this.#world.nowMs, seq });
    }
    return seq;
  }

  /** Nobody will ever know from the answer. */
  lost(asked: Asked): void {
    if (asked.outcome === 'open') asked.outcome = 'unknown';
    this.#world.coverage.count('client: no answer');
  }

  /** A process has shown what a command did. */
  shown(process: string, step: Step): void {
    const expected = this.#record.stepOf(step.seq);
    const what = () => `${process} shows command ${step.seq}: ${textOf(step)}, not ${expected}`;
    this.#world.check(textOf(step) === expected, 'one history', what);
  }

  read({ process, askedMs, ownSeq, seq, accountId, paid }: Seen): void {
    this.#world.coverage.count('read');
    const own = () => `${process} reads ${seq} after its own answer of ${ownSeq}`;
    this.#world.check(seq >= ownSeq, 'read your writes', own);
    const durable = () => `${process} reads ${seq}, and the log ends at ${this.#record.lastSeq}`;
    this.#world.check(seq <= this.#record.lastSeq, 'reads are durable', durable);
    const known = this.#acknowledged.findLast(({ atMs }) => atMs <= askedMs - OLD_MAX_MS);
    const old = () =>
      `${process} reads ${seq} at ${askedMs}; ${known?.seq} was acknowledged at ${known?.atMs}`;
    this.#world.check(seq >= (known?.seq ?? 0), 'reads are not old', old);
    const due = this.#paidUpTo(accountId, seq);
    const wrong = () => `${process} shows ${paid} paid to ${accountId} at ${seq} instead of ${due}`;
    this.#world.check(paid === due, 'what was paid', wrong);
  }

  /** Added up from what was asked for, as far as the log has it. */
  #paidUpTo(accountId: number, seq: number): bigint {
    let sum = 0n;
    for (const { tag, paid } of this.#asked) {
      if (paid?.accountId !== accountId) continue;
      const at = this.#record.seqOf(tag);
      if (at !== undefined && at <= seq) sum += paid.amount;
    }
    return sum;
  }

  /** At the end: what was refused is nowhere, and what was acknowledged is there. */
  conclude(): void {
    for (const { tag, outcome, process } of this.#asked) {
      const seq = this.#record.seqOf(tag);
      const isThere = seq !== undefined;
      const where = () => `${tag} of ${process} is command ${seq}, and was ${outcome}`;
      if (outcome === 'refused') this.#world.check(!isThere, 'refused is refused', where);
      else if (outcome === 'acknowledged') this.#world.check(isThere, 'nothing lost', where);
      else this.#world.coverage.count(`unknown outcome: ${isThere ? 'carried out' : 'not'}`);
    }
    this.#world.check(this.#record.isBalanced, 'audit', () => 'the audit does not add up');
  }
}

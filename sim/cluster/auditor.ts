/**
 * Judges what clients are answered and what processes show against the record of the log. It knows
 * nothing of claims, links or fences: only what was asked when, and what the log holds.
 */

import { parseId } from '#dialects';
import type { Event, Step } from '#domain';
import { type LogRecord, textOf } from './record.ts';
import type { ApiReply } from './served.ts';
import { unitsOf } from './streams/markets.ts';
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
/** Text in one dialect, a number in the other. */
const ORDER_ID = /"orderId":"?(1\d{15})/;
/** What the venue numbers, as it stands in messages. */
const ID = /"(1\d{15})"/g;
/** How old a read may be that was answered at once, with room for clocks that run slowly. */
const OLD_MAX_MS = 500 * 1.03;

export class Auditor {
  readonly #world: World;
  readonly #record: LogRecord;
  readonly #asked: Asked[] = [];
  /** When so much had been acknowledged, in order. */
  readonly #known: { readonly atMs: number; readonly seq: number }[] = [];
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
    return this.#acknowledged(asked, textOf(events), (due) => textOf(events) === due);
  }

  /** The same, of a call for an order: its answer names the order. */
  answeredCall(asked: Asked, { status, body }: ApiReply): number | undefined {
    const isKnown = status < 500 || status === 503;
    this.#world.check(isKnown, 'no fault', () => `${status} ${body}`);
    if (status !== 200) {
      this.#world.coverage.count(`call: refused with ${status}`);
      asked.outcome = status === 503 ? 'unknown' : 'refused';
      return undefined;
    }
    this.#world.coverage.count('call: acknowledged');
    const id = parseId(ORDER_ID.exec(body)?.[1] ?? '');
    return this.#acknowledged(asked, body, (due) => due.includes(`"orderId":${id},`));
  }

  #acknowledged(
    asked: Asked,
    answer: string,
    isOf: (events: string) => boolean,
  ): number | undefined {
    asked.outcome = 'acknowledged';
    this.#world.coverage.count('client: acknowledged');
    const seq = this.#record.seqOf(asked.tag);
    const { process, tag } = asked;
    if (seq === undefined) {
      const what = () => `${process} acknowledges ${tag}: not in the log`;
      this.#world.check(false, 'in the log', what);
      return undefined;
    }
    const isOwn = isOf(this.#record.eventsOf(seq) ?? '');
    this.#world.check(isOwn, 'its own answer', () => `${tag}, command ${seq}: ${answer}`);
    const before = () => `${tag} is command ${seq}, asked for when ${asked.floorSeq} was known`;
    this.#world.check(seq > asked.floorSeq, 'real time', before);
    if (seq > this.#highestSeq) {
      this.#highestSeq = seq;
      this.#known.push({ atMs: this.#world.nowMs, seq });
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

  /** A process has sent this to a client: nothing in it may be newer than the log. */
  said(process: string, text: string): void {
    const { lastId } = this.#record.published;
    for (const [, id = ''] of text.matchAll(ID)) {
      if (id <= lastId) continue;
      const what = () => `${process} says ${text.slice(0, 300)}, and the last id is ${lastId}`;
      this.#world.check(false, 'streams are durable', what);
    }
  }

  read({ process, askedMs, ownSeq, seq, accountId, paid }: Seen): void {
    this.#world.coverage.count('read');
    const own = () => `${process} reads ${seq} after its own answer of ${ownSeq}`;
    this.#world.check(seq >= ownSeq, 'read your writes', own);
    const durable = () => `${process} reads ${seq}, and the log ends at ${this.#record.lastSeq}`;
    this.#world.check(seq <= this.#record.lastSeq, 'reads are durable', durable);
    const known = this.#knownAt(askedMs);
    const old = () =>
      `${process} reads ${seq} at ${askedMs}; ${known?.seq} was acknowledged at ${known?.atMs}`;
    this.#world.check(seq >= (known?.seq ?? 0), 'reads are not old', old);
    const due = this.#paidUpTo(accountId, seq);
    const wrong = () => `${process} shows ${paid} paid to ${accountId} at ${seq} instead of ${due}`;
    this.#world.check(paid === due, 'what was paid', wrong);
  }

  /** A call has shown the balance of the marked coin, and not of which command it is. */
  readCall(facts: Pick<Seen, 'process' | 'askedMs' | 'ownSeq' | 'accountId'>, body: string): void {
    const { process, askedMs, ownSeq, accountId } = facts;
    this.#world.coverage.count('read by a call');
    const { data } = JSON.parse(body) as { readonly data: readonly { available: string }[] };
    const paid = unitsOf(data[0]?.available ?? '0', 0);
    const least = Math.max(ownSeq, this.#knownAt(askedMs)?.seq ?? 0);
    const sums = [this.#paidUpTo(accountId, least)];
    for (let seq = least + 1; seq <= this.#record.lastSeq; seq += 1) {
      const sum = this.#paidUpTo(accountId, seq);
      if (sum !== sums.at(-1)) sums.push(sum);
    }
    const what = () => `${process} shows ${paid} paid to ${accountId}, not one of ${sums}`;
    this.#world.check(sums.includes(paid), 'what was paid', what);
  }

  #knownAt(askedMs: number): { readonly atMs: number; readonly seq: number } | undefined {
    return this.#known.findLast(({ atMs }) => atMs <= askedMs - OLD_MAX_MS);
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

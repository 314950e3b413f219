/**
 * The journal of a leader: an entry is durable once the shared log has it under the leader's claim.
 * The copy on this machine follows behind, for the projector and for the next start.
 */
import { RULES_VERSION } from '#domain';
import type { Claim, Journal, SharedLog } from '#log';
import type { LogCalls } from './log-calls.ts';

export interface ClaimedJournalOptions {
  readonly log: SharedLog;
  readonly calls: LogCalls;
  readonly claim: Claim;
  /** The newest format that all members know. */
  readonly format: () => number;
  readonly mirror: Journal;
  /** The copy cannot be written any more. */
  readonly onMirrorFault: (error: unknown) => void;
}

export class ClaimedJournal implements Journal {
  readonly notices: readonly string[] = [];
  readonly #options: ClaimedJournalOptions;
  #lastSeq: number;

  constructor(options: ClaimedJournalOptions, lastSeq: number) {
    this.#options = options;
    this.#lastSeq = lastSeq;
  }

  get id(): string {
    return this.#options.mirror.id;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  async append(
    firstSeq: number,
    count: number,
    payload: string,
    rules: number = RULES_VERSION,
  ): Promise<void> {
    const { log, calls, claim, format, mirror, onMirrorFault } = this.#options;
    const entry = { firstSeq, count, rules, format: format(), payload };
    await calls.timed('append', log.append(claim, entry));
    // Appends are acknowledged in their order, and so they reach the copy.
    this.#lastSeq = firstSeq + count - 1;
    mirror.append(firstSeq, count, payload, rules).catch(onMirrorFault);
  }

  /** The copy belongs to whoever opened it. */
  async close(): Promise<void> {}
}

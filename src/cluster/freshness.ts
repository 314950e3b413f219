/**
 * Whether this process may still answer reads: it has heard from a quorum of the log a moment ago,
 * and applied what the log held then. A process that was stopped and goes on, or is cut off, must
 * not show an old state as the present one.
 */
import { VenueHalted } from '#domain';
import type { SharedLog } from '#log';
import { Lag } from './lag.ts';
import type { LogCalls } from './log-calls.ts';

/** How long a contact counts, and how often one is made. */
const FRESH_MS = 500;
const CONTACT_EVERY_MS = 150;
/** How long a read waits: servers of the log that elect a leader need most of it. */
const ENSURE_MAX_MS = 2_000;

export interface FreshnessOptions {
  readonly log: Pick<SharedLog, 'head'>;
  readonly calls: LogCalls;
  /** Resolves once this process has applied so much. */
  readonly reach: (seq: number) => Promise<void>;
  readonly appliedSeq: () => number;
}

interface Contact {
  /** When the question was sent, by performance.now(). */
  readonly sentMs: number;
  readonly lastSeq: number;
}

export class Freshness {
  /** Behind what it has heard of. */
  readonly lag: Lag;
  readonly #options: FreshnessOptions;
  #contact: Contact = { sentMs: Number.NEGATIVE_INFINITY, lastSeq: Number.POSITIVE_INFINITY };
  #asking: Promise<Contact> | undefined;
  readonly #timer: NodeJS.Timeout;

  constructor(options: FreshnessOptions) {
    this.#options = options;
    this.lag = new Lag(options.appliedSeq);
    this.#timer = setInterval(() => this.#ask().catch(() => undefined), CONTACT_EVERY_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Whether a read may be answered at once. */
  get isFresh(): boolean {
    const { sentMs, lastSeq } = this.#contact;
    return performance.now() - sentMs < FRESH_MS && this.#options.appliedSeq() >= lastSeq;
  }

  /** How long ago the quorum was last heard of, in milliseconds; infinite before the first time. */
  get contactAgeMs(): number {
    return performance.now() - this.#contact.sentMs;
  }

  /** Resolves once a read may be answered; rejects with VenueHalted when the log is silent. */
  async ensure(): Promise<void> {
    if (this.isFresh) return;
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error('no answer in time')), ENSURE_MAX_MS);
    try {
      await Promise.race([this.#reached(), late.promise]);
    } catch (cause) {
      throw new VenueHalted('the log of the cluster cannot be reached', { cause });
    } finally {
      clearTimeout(timer);
    }
  }

  async #reached(): Promise<void> {
    const isOld = performance.now() - this.#contact.sentMs >= FRESH_MS;
    const { lastSeq } = isOld ? await this.#ask() : this.#contact;
    await this.#options.reach(lastSeq);
  }

  /** One question at a time: an answer under way may be older than the one who asks. */
  async #ask(): Promise<Contact> {
    await this.#asking?.catch(() => undefined);
    this.#asking ??= this.#contacted();
    return this.#asking;
  }

  async #contacted(): Promise<Contact> {
    const sentMs = performance.now();
    try {
      const { log, calls } = this.#options;
      const { lastSeq } = await calls.timed('read', log.head());
      this.lag.hear(lastSeq);
      this.#contact = { sentMs, lastSeq };
      return this.#contact;
    } finally {
      this.#asking = undefined;
    }
  }
}

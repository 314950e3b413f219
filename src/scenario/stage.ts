/** What a running scenario knows: its traders with their keys, and what it gave names to. */
import { randomBytes } from 'node:crypto';
import type { CallOptions, OutcryClient } from '#client';
import { present } from '#kernel';
import { type Answer, answered, answerText, type TraderVenue, type VenueClient } from './client.ts';
import { meets } from './compare.ts';
import type { Miss } from './miss.ts';

/** How long a trader waits for an answer that should come, and for one that should not. */
const PATIENCE_MS = 20_000;
const SILENCE_MS = 400;
const SUFFIX_BYTES = 4;

export interface SavedOrder {
  readonly kind: 'order' | 'trigger';
  readonly by: string;
  readonly id: string;
}

interface Trader {
  readonly account: string;
  readonly key: string;
  readonly venue: TraderVenue;
}

export interface Called<Data> {
  readonly answer: Answer<Data>;
  readonly misses: readonly Miss[];
}

export class Stage {
  readonly venue: VenueClient;
  /** Market data is anybody's. */
  readonly anybody: OutcryClient['native'];
  /** The venue's time when the scenario began. */
  readonly startMs: number;
  #idleEndMs: number;
  readonly #traders = new Map<string, Trader>();
  readonly #orders = new Map<string, SavedOrder>();
  readonly #faults = new Map<string, number>();
  /** Two scenarios on one venue must not meet in a name. */
  readonly #suffix = randomBytes(SUFFIX_BYTES).toString('hex');

  constructor(venue: VenueClient, startMs: number) {
    this.venue = venue;
    this.anybody = venue.anybody();
    this.startMs = startMs;
    this.#idleEndMs = startMs;
  }

  /** When this much has passed since it was last idle: a plan of many does not drift. */
  idleUntil(ms: number): number {
    this.#idleEndMs += ms;
    return this.#idleEndMs;
  }

  /** Opens the account of a trader of the file, with a key to it. */
  async open(trader: string, settings: object): Promise<void> {
    const account = `${trader}-${this.#suffix}`;
    const { admin } = this.venue;
    await admin.createAccount({ ...settings, name: account });
    const permissions = ['read', 'trade', 'transfer'] as const;
    const made = await admin.createKey({ account, permissions });
    this.#traders.set(trader, { account, key: made.key, venue: this.venue.trader(made) });
  }

  trader(name: string): Trader {
    return present(this.#traders.get(name), `the trader ${name}`);
  }

  /** A trader's call, with what is wrong with its answer; ok is expected when undefined. */
  async call<Data>(
    as: string,
    expected: string | undefined,
    send: (venue: TraderVenue, within: CallOptions) => Promise<Data>,
  ): Promise<Called<Data>> {
    const wanted = expected ?? 'ok';
    const within = { timeoutMs: wanted === 'none' ? SILENCE_MS : PATIENCE_MS };
    const answer = await answered(send(this.trader(as).venue, within));
    const word = answer.kind === 'refused' ? answer.code : answer.kind;
    if (meets(wanted, word)) return { answer, misses: [] };
    const miss = { place: ['answer'], expected: wanted, actual: answerText(answer) };
    return { answer, misses: [miss] };
  }

  /** The data of a call that only looks; what is refused reads as nothing. */
  async look<Data>(
    as: string,
    send: (venue: OutcryClient['native']) => Promise<Data>,
  ): Promise<Data | undefined> {
    const answer = await answered(send(this.trader(as).venue.native));
    return answer.kind === 'ok' ? answer.data : undefined;
  }

  saveOrder(name: string, order: SavedOrder): void {
    this.#orders.set(name, order);
  }

  /** Undefined when the call that should have made it did not. */
  order(name: string): SavedOrder | undefined {
    return this.#orders.get(name);
  }

  saveFault(name: string, faultId: number): void {
    this.#faults.set(name, faultId);
  }

  faultId(name: string): number {
    return this.#faults.get(name) ?? 0;
  }
}

export function isContract(symbol: string): boolean {
  return symbol.endsWith('-PERP');
}

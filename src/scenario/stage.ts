/** What a running scenario knows: its traders with their keys, and what it gave names to. */
import { randomBytes } from 'node:crypto';
import { present } from '#kernel';
import { type Answer, answerText, type Credential, type VenueClient } from './client.ts';
import { meets } from './compare.ts';
import type { Miss } from './miss.ts';
import { textAt } from './reading.ts';
import type { Spelling } from './spelling.ts';

/** How long a trader waits for an answer that should come, and for one that should not. */
const PATIENCE_MS = 20_000;
const SILENCE_MS = 400;
const SUFFIX_BYTES = 4;

export type SavedKind = 'spot' | 'contract' | 'trigger';

export interface SavedOrder {
  readonly kind: SavedKind;
  readonly by: string;
  readonly market: string;
  readonly orderId: string;
}

export interface Call {
  readonly as: string;
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  /** What should come back, in the words of compare.ts; ok when undefined. */
  readonly answer: string | undefined;
}

interface Trader extends Credential {
  readonly account: string;
}

export class Stage {
  readonly venue: VenueClient;
  readonly #spelling: Spelling;
  /** The venue's time when the scenario began. */
  readonly startMs: number;
  #idleEndMs: number;
  readonly #traders = new Map<string, Trader>();
  readonly #orders = new Map<string, SavedOrder>();
  readonly #faults = new Map<string, string>();
  /** Two scenarios on one venue must not meet in a name. */
  readonly #suffix = randomBytes(SUFFIX_BYTES).toString('hex');

  constructor(venue: VenueClient, startMs: number, spelling: Spelling) {
    this.#spelling = spelling;
    this.venue = venue;
    this.startMs = startMs;
    this.#idleEndMs = startMs;
  }

  /** What traders call a market. */
  nameOf(symbol: string): string {
    return this.#spelling.nameOf(symbol);
  }

  /** When this much has passed since it was last idle: a plan of many does not drift. */
  idleUntil(ms: number): number {
    this.#idleEndMs += ms;
    return this.#idleEndMs;
  }

  /** Opens the account of a trader of the file, with a key to it. */
  async open(trader: string, settings: object): Promise<void> {
    const account = `${trader}-${this.#suffix}`;
    await this.venue.operate('POST', '/admin/v1/accounts', { ...settings, name: account });
    const made = await this.venue.operate('POST', `/admin/v1/accounts/${account}/keys`, {
      permissions: ['read', 'trade', 'transfer'],
    });
    this.#traders.set(trader, {
      account,
      key: textAt(made, 'key'),
      secret: textAt(made, 'secret'),
      passphrase: textAt(made, 'passphrase'),
    });
  }

  trader(name: string): Trader {
    return present(this.#traders.get(name), `the trader ${name}`);
  }

  /** A trader's call, with what is wrong with its answer. */
  async call(call: Call): Promise<{ readonly answer: Answer; readonly misses: readonly Miss[] }> {
    const { as, answer: expected = 'ok', ...sent } = call;
    const patienceMs = expected === 'none' ? SILENCE_MS : PATIENCE_MS;
    const answer = settled(await this.venue.trade(this.trader(as), sent, patienceMs));
    const word = answer.kind === 'refused' ? answer.code : answer.kind;
    if (meets(expected, word)) return { answer, misses: [] };
    return { answer, misses: [{ place: ['answer'], expected, actual: answerText(answer) }] };
  }

  /** The data of a call that only looks; what is refused reads as nothing. */
  async look(as: string, path: string, body?: object): Promise<unknown> {
    const method = body === undefined ? 'GET' : 'POST';
    const call = { method, path, ...(body && { body }) };
    const answer = await this.venue.trade(this.trader(as), call, PATIENCE_MS);
    return answer.kind === 'ok' ? answer.data : undefined;
  }

  saveOrder(name: string, order: SavedOrder): void {
    this.#orders.set(name, order);
  }

  /** Undefined when the call that should have made it did not. */
  order(name: string): SavedOrder | undefined {
    return this.#orders.get(name);
  }

  saveFault(name: string, faultId: string): void {
    this.#faults.set(name, faultId);
  }

  faultId(name: string): string {
    return this.#faults.get(name) ?? '0';
  }
}

/** A contract cancel that could not be done comes back with a reason and no refusal. */
function settled(answer: Answer): Answer {
  if (answer.kind !== 'ok' || textAt(answer.data, 'result') !== 'false') return answer;
  const code = textAt(answer.data, 'err_code');
  return { kind: 'refused', code, message: textAt(answer.data, 'err_msg') };
}

export function isContract(symbol: string): boolean {
  return symbol.endsWith('-PERP');
}

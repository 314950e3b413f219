/** An account at the API, beside the browser: what it trades, the page has to show. */
import { hmac, type OutcryClient, outcryClient } from '#client';
import { present } from '#kernel';
import { demoCredentials } from '../support/signer.ts';

/** Accounts of the demo venue; each has the key, secret and passphrase of its name. */
export type HandName = 'demo' | 'maker';

export interface SpotTerms {
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly size: string;
}

export class Hand {
  readonly #venue: OutcryClient['native'];

  constructor(url: string, name: HandName) {
    this.#venue = outcryClient({ url, sign: hmac(demoCredentials(name)) }).native;
  }

  /** A limit order in a pair; resolves with its id. */
  async spot(symbol: string, side: 'buy' | 'sell', price: string, size: string): Promise<string> {
    const { id } = await this.#venue.placeOrder({ symbol, side, type: 'limit', price, size });
    return id;
  }

  /** A limit order that opens a position. */
  open(symbol: string, side: 'long' | 'short', price: string, size: string): Promise<string> {
    return this.spot(symbol, side === 'long' ? 'buy' : 'sell', price, size);
  }

  /** Gives each side of a contract a margin of its own from now on. */
  async isolate(symbol: string): Promise<void> {
    await this.#venue.setMarginMode({ symbol, marginMode: 'isolated' });
  }

  /** Limit orders of one pair in one call; resolves with their ids. */
  async spotBatch(symbol: string, terms: readonly SpotTerms[]): Promise<readonly string[]> {
    const orders = terms.map((one) => ({ ...one, symbol, type: 'limit' as const }));
    const placed = await this.#venue.placeOrders({ orders });
    return placed.map(({ id, error }) => present(id ?? undefined, error?.message ?? 'id'));
  }

  /** Resolves with the ids of those that were still open. */
  async cancelSpot(symbol: string, ids: readonly string[]): Promise<readonly string[]> {
    const cancelled = await this.#venue.cancelOrders({ symbol, ids: ids.join(',') });
    return cancelled.filter(({ error }) => error === null).map(({ id }) => id);
  }
}

/** The venue's clock, which a sandbox may have set. */
export async function venueTimeMs(url: string): Promise<number> {
  return (await outcryClient({ url }).native.time()).time;
}

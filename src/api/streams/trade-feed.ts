/** The trades of a market as a stream: the last ones at first, then every one, each once. */
import { type InstrumentId, LIMITS, type PublicTrade } from '#domain';
import type { LiveMarkets } from '#market-data';
import type { PublicFeed, PushAction } from './dialect.ts';

/** The `data` of a push. */
type WriteTrades = (newestFirst: readonly PublicTrade[], action: PushAction) => string;

/** Trades in a snapshot. */
const SHOWN = 50;

export class TradeFeed implements PublicFeed {
  readonly instrumentId: InstrumentId;
  readonly isPrompt = true;
  readonly #live: LiveMarkets;
  readonly #write: WriteTrades;
  /** The trades last shown, newest first. */
  #shown: readonly PublicTrade[];

  constructor(live: LiveMarkets, instrumentId: InstrumentId, write: WriteTrades) {
    this.instrumentId = instrumentId;
    this.#live = live;
    this.#write = write;
    this.#shown = live.recentTrades(instrumentId, SHOWN);
  }

  snapshot(): string {
    return this.#write(this.#shown, 'snapshot');
  }

  update() {
    const fresh = this.#fresh();
    if (fresh.length === 0) return undefined;
    this.#shown = [...fresh, ...this.#shown].slice(0, SHOWN);
    return { action: 'update', data: this.#write(fresh, 'update') } as const;
  }

  /** Trades after the last one shown, newest first; no more than the market remembers. */
  #fresh(): readonly PublicTrade[] {
    const lastId = this.#shown[0]?.tradeId ?? 0;
    for (let limit = SHOWN; ; limit *= 4) {
      const found = this.#live.recentTrades(this.instrumentId, limit);
      const fresh = found.filter(({ tradeId }) => tradeId > lastId);
      if (fresh.length < limit || limit > LIMITS.recentTradesMax) return fresh;
    }
  }
}

/** Trades by their ids, for whoever goes on counting after a stop. */
import type { AccountId, TradeId } from '#domain';

/** Ids above afterId up to throughId, a page at a time, in their order. */
export interface ActivityPage {
  readonly afterId: number;
  readonly throughId: number;
  /** 1 to LIMITS.historyRowsMax. */
  readonly limit: number;
}

export interface TradeParties {
  readonly tradeId: TradeId;
  readonly parties: readonly [AccountId, AccountId];
}

export interface ActivityReader {
  tradeParties(product: 'spot' | 'contract', page: ActivityPage): Promise<readonly TradeParties[]>;
}

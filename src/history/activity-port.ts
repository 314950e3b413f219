/** Trades and other changes of balances by their ids, for whoever goes on counting after a stop. */
import type { AccountId, Amount, AssetId, TradeId } from '#domain';
import type { BillBiz } from './words.ts';

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

/** A change of a balance that no trade made. */
export interface BalanceChange {
  readonly billId: number;
  readonly accountId: AccountId;
  readonly assetId: AssetId;
  readonly biz: BillBiz;
  readonly delta: Amount;
}

export interface ActivityReader {
  tradeParties(product: 'spot' | 'contract', page: ActivityPage): Promise<readonly TradeParties[]>;
  balanceChanges(page: ActivityPage): Promise<readonly BalanceChange[]>;
}

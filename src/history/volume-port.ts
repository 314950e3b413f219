/** Trades by time, for whoever counts volumes: each once, in the order of time and id. */
import type { AccountId, Amount, InstrumentId } from '#domain';

export interface CountedTrade {
  readonly tradeId: number;
  readonly timeMs: number;
  readonly instrumentId: InstrumentId;
  /** In the quote coin of a pair, in the margin coin of a contract. */
  readonly value: Amount;
  /** Whoever bought or took, then the other one. */
  readonly parties: readonly [AccountId, AccountId];
  /** False for deleveraging. */
  readonly inBook: boolean;
}

export interface CountedTradesQuery {
  readonly product: 'spot' | 'contract';
  readonly fromMs: number;
  /** Not included. */
  readonly beforeMs: number;
  /** The last trade of the page before. */
  readonly after?: Pick<CountedTrade, 'tradeId' | 'timeMs'> | undefined;
  /** 1 to LIMITS.historyRowsMax. */
  readonly limit: number;
}

export interface VolumeReader {
  countedTrades(query: CountedTradesQuery): Promise<readonly CountedTrade[]>;
}

/**
 * What a process knows of the past: the trades that its log had when it started. The history of
 * orders, fills and money is not simulated; whoever asks for it finds it away.
 */
import { HistoryUnavailable } from '#domain';
import type { HistoryReader } from '#history';
import type { Published } from './streams/published.ts';

export function pastOf(published: Published, seq: number): HistoryReader {
  return {
    recentTrades: async (instrumentId, limit) =>
      published
        .tradesOf(instrumentId)
        .filter((trade) => trade.seq <= seq)
        .slice(-limit)
        .map((trade) => trade.row)
        .toReversed(),
    candles: async () => [],
    fundingRates: async () => [],
    equities: away,
    funds: away,
    newestFills: async () => [],
    contractFills: async () => [],
    lastCandleBefore: away,
    projectedSeq: away,
    forget: () => undefined,
    orders: away,
    order: away,
    orderByClientId: away,
    fills: away,
    bills: away,
    transfers: away,
    contractOrders: away,
    contractOrder: away,
    contractOrderByClientId: away,
    triggers: away,
    trigger: away,
    triggerByClientId: away,
    contractPast: away,
    ledger: away,
    liquidations: away,
    countedTrades: away,
    tradeParties: away,
    exportMark: away,
    exportRows: away,
    exportSeries: away,
    close: async () => undefined,
  };
}

function away(): Promise<never> {
  return Promise.reject(new HistoryUnavailable('there is no history in a simulation'));
}

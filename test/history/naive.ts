/** The history once more, the slow and obvious way: from the list of steps alone. */
import {
  type AccountId,
  type AssetId,
  baseAmount,
  type Candle,
  lots,
  openTimeMs,
  type Period,
  type Trade,
  ticks,
} from '#domain';
import { BILL_GROUPS, type Bill, type BillBiz } from '#history';
import { present } from '#kernel';
import type { HistoryFloor } from './floor.ts';

/** Every bill of the venue, oldest first. */
export function naiveBills(venue: HistoryFloor): Bill[] {
  return venue.steps.flatMap(({ events, timeMs }) =>
    events.flatMap((event): Bill[] => {
      if (event.kind === 'trade') return billsOfTrade(venue, event, timeMs);
      if (event.kind !== 'balance_changed') return [];
      const { billId, accountId, wallet, assetId, delta, balanceBefore, reason } = event;
      const group = BILL_GROUPS[reason];
      const own = { billId, accountId, wallet, assetId, delta, balanceBefore, timeMs };
      return [{ ...own, group, biz: reason, fee: 0n, traded: undefined }];
    }),
  );
}

function billsOfTrade(venue: HistoryFloor, trade: Trade, timeMs: number): Bill[] {
  const instrument = present(venue.engine.listings.spotById(trade.instrumentId), 'pair');
  const base = baseAmount(instrument, trade.sizeLots);
  const takerBuys = trade.takerSide === 'buy';
  const buyer = takerBuys ? trade.takerAccountId : trade.makerAccountId;
  const seller = takerBuys ? trade.makerAccountId : trade.takerAccountId;
  const { instrumentId, tradeId, takerOrderId, makerOrderId } = trade;
  const [bought, sold] = takerBuys ? [takerOrderId, makerOrderId] : [makerOrderId, takerOrderId];
  const bill = (
    number: number,
    accountId: AccountId,
    assetId: AssetId,
    biz: BillBiz,
    [delta, fee, balanceBefore]: [bigint, bigint, bigint],
  ): Bill => {
    const group = BILL_GROUPS[biz];
    const billId = trade.tradeId + number;
    const wallet = 'spot';
    const orderId = biz === 'buy' ? bought : sold;
    const traded = { instrumentId, tradeId, orderId, base, quote: trade.quoteAmount };
    const amounts = { delta, fee, balanceBefore, traded };
    return { billId, accountId, wallet, assetId, group, biz, ...amounts, timeMs };
  };
  const [baseId, quoteId] = [instrument.base.assetId, instrument.quote.assetId];
  const quote = trade.quoteAmount;
  return [
    bill(1, buyer, baseId, 'buy', [base, trade.buyerFee, trade.buyerBaseBefore]),
    bill(2, buyer, quoteId, 'buy', [-quote, 0n, trade.buyerQuoteBefore]),
    bill(3, seller, baseId, 'sell', [-base, 0n, trade.sellerBaseBefore]),
    bill(4, seller, quoteId, 'sell', [quote, trade.sellerFee, trade.sellerQuoteBefore]),
  ];
}

function isBought({ takerSide }: Pick<Trade, 'takerSide'>): boolean {
  return takerSide === 'buy';
}

/** Every candle of a pair, oldest first. */
export function naiveCandles(venue: HistoryFloor, instrument: number, period: Period): Candle[] {
  const trades = venue.steps.flatMap(({ events, timeMs }) =>
    events.flatMap((event) =>
      event.kind === 'trade' && event.instrumentId === instrument ? [{ event, timeMs }] : [],
    ),
  );
  const byOpen = Map.groupBy(trades, ({ timeMs }) => openTimeMs(period, timeMs));
  return [...byOpen].map(([open, group]) => {
    const prices = group.map(({ event }) => event.priceTicks);
    return {
      openTimeMs: open,
      open: present(prices[0], 'first price'),
      high: ticks(Math.max(...prices)),
      low: ticks(Math.min(...prices)),
      close: present(prices.at(-1), 'last price'),
      baseLots: lots(group.reduce((sum, { event }) => sum + event.sizeLots, 0)),
      quoteAmount: group.reduce((sum, { event }) => sum + event.quoteAmount, 0n),
      tradesCount: group.length,
      takerBuyLots: lots(
        group.reduce((sum, { event }) => sum + (isBought(event) ? event.sizeLots : 0), 0),
      ),
      takerBuyQuote: group.reduce(
        (sum, { event }) => sum + (isBought(event) ? event.quoteAmount : 0n),
        0n,
      ),
      firstTradeId: group[0]?.event.tradeId,
      lastTradeId: group.at(-1)?.event.tradeId,
    };
  });
}

/** The last public trades of an instrument. */
import {
  type SpotTradeRow,
  type SwapTradeRow,
  spotTrades,
  swapTrades,
  type TradeLine,
  TradeList,
} from '../../model/trades.ts';
import { spotStream, swapStream } from '../../wire/streams.ts';
import { createFeed } from './feed.ts';

const LINES_MAX = 60;

/** Newest first. */
export const useTrades = createFeed<readonly TradeLine[]>(({ kind, symbol }, put) => {
  const list = new TradeList(LINES_MAX);
  const topic = { channel: 'trade', symbol };
  if (kind === 'spot') {
    return spotStream.follow<SpotTradeRow>(topic, ({ isSnapshot, rows, seq }) => {
      list.apply(spotTrades({ isWhole: isSnapshot, rows, seq }));
      put(list.lines);
    });
  }
  return swapStream.follow<SwapTradeRow>(topic, ({ isSnapshot, rows, seq }) => {
    list.apply(swapTrades({ isWhole: isSnapshot, rows, seq }));
    put(list.lines);
  });
});

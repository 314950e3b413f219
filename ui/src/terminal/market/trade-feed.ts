/** The last public trades of an instrument. */
import { type TradeLine, TradeList } from '../../model/trades.ts';
import { stream } from '../../wire/stream.ts';
import { createFeed } from './feed.ts';

const LINES_MAX = 60;

/** Newest first. */
export const useTrades = createFeed<readonly TradeLine[]>(({ symbol }, put) => {
  const list = new TradeList(LINES_MAX);
  return stream.follow(`trades:${symbol}`, {
    onMessage: (message) => {
      list.apply(message);
      put(list.lines);
    },
  });
});

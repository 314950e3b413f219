/** Last price and 24 hour figures of an instrument, from its stream. */
import type { Direction } from '../../look/mod.ts';
import { compare } from '../../model/numbers.ts';
import {
  type SpotTickerRow,
  type SwapTickerRow,
  spotStreamTicker,
  swapTicker,
  type TickerLine,
} from '../../model/tickers.ts';
import { spotStream, swapStream } from '../../wire/streams.ts';
import { createFeed } from './feed.ts';

export interface TickerView {
  readonly ticker: TickerLine;
  /** Where the last price came from, when it last changed. */
  readonly direction: Direction;
}

export const useTicker = createFeed<TickerView>(({ kind, symbol }, put) => {
  let view: TickerView | undefined;
  const take = (ticker: TickerLine | undefined): void => {
    if (ticker === undefined) return;
    view = { ticker, direction: directionFrom(view, ticker) };
    put(view);
  };
  const topic = { channel: 'ticker', symbol };
  if (kind === 'spot') {
    return spotStream.follow<SpotTickerRow>(topic, ({ rows: [row] }) =>
      take(row === undefined ? undefined : spotStreamTicker(row)),
    );
  }
  return swapStream.follow<SwapTickerRow>(topic, ({ rows: [row] }) =>
    take(row === undefined ? undefined : swapTicker(row)),
  );
});

function directionFrom(view: TickerView | undefined, { last }: TickerLine): Direction {
  if (view === undefined) return 'none';
  const step = compare(last, view.ticker.last);
  if (step === 0) return view.direction;
  return step > 0 ? 'up' : 'down';
}

/** Prices and 24 hour figures of an instrument, from its stream. */
import type { Direction } from '../../look/mod.ts';
import { compare } from '../../model/numbers.ts';
import { stream } from '../../wire/stream.ts';
import type { Ticker } from '../context.ts';
import { createFeed } from './feed.ts';

export interface TickerView {
  readonly ticker: Ticker;
  /** Where the last price came from, when it last changed. */
  readonly direction: Direction;
}

export const useTicker = createFeed<TickerView>(({ symbol }, put) => {
  let view: TickerView | undefined;
  return stream.follow(`ticker:${symbol}`, {
    onMessage: ({ data }) => {
      view = { ticker: data, direction: directionFrom(view, data) };
      put(view);
    },
  });
});

function directionFrom(view: TickerView | undefined, { last }: Ticker): Direction {
  if (view === undefined) return 'none';
  const step = compare(last, view.ticker.last);
  if (step === 0) return view.direction;
  return step > 0 ? 'up' : 'down';
}

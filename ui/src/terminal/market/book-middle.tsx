/** Between asks and bids: the last price with its direction, the mark price, and the spread. */

import { formatDecimal } from '#kernel';
import { Figure } from '../../look/mod.ts';
import type { Book } from '../../model/book.ts';
import { spreadOf } from '../../model/book-view.ts';
import { percentText } from '../../model/numbers.ts';
import { useTexts } from '../../texts/texts.ts';
import type { Instrument } from '../context.ts';
import { priceText, ticksText } from './price-text.ts';
import { useTicker } from './ticker-feed.ts';

interface BookMiddleProps {
  readonly instrument: Instrument;
  readonly book: Book;
}

const PPM_SCALE = 6;

export function BookMiddle({ instrument, book }: BookMiddleProps) {
  const { market } = useTexts();
  const ticker = useTicker(instrument);
  const { priceScale } = instrument;
  const spread = spreadOf(book.asks, book.bids);
  const last = ticker === undefined ? undefined : priceText(ticker.ticker.last, priceScale);
  const direction = ticker?.direction ?? 'none';
  return (
    <div className="book-middle" role="presentation">
      <span className="book-last">
        <Figure text={last} direction={direction} />
        <span className={`direction-${direction}`} aria-hidden="true">
          {direction === 'none' ? '' : direction === 'up' ? '↑' : '↓'}
        </span>
      </span>
      {spread === undefined ? null : (
        <span className="book-spread figure">
          <span>{market.spread}</span>
          <span>
            {ticksText(spread.ticks, priceScale, 1)} (
            {percentText(formatDecimal(spread.ppm, PPM_SCALE), 2)})
          </span>
        </span>
      )}
    </div>
  );
}

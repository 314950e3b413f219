/** One spot pair at work: its current terms and its book. */
import type { SpotInstrument } from '#domain';
import type { Book } from '../book/book.ts';
import type { SpotOrder } from './order.ts';

export interface SpotMarket {
  /** Replaced as a whole when the operator changes the terms. */
  instrument: SpotInstrument;
  readonly book: Book<SpotOrder>;
}

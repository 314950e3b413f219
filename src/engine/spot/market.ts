/** One spot pair at work: the pair and the book of its orders. */
import type { Book } from '../book/book.ts';
import type { SpotOrder } from './order.ts';
import type { OrderKinds } from './order-kind.ts';
import type { SpotPair } from './pair.ts';

export interface SpotMarket extends SpotPair {
  readonly book: Book<SpotOrder>;
  readonly kinds: OrderKinds;
}

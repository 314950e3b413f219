/** The order book of an instrument, kept by its stream and checked by its checksum. */
import { Book } from '../../model/book.ts';
import { stream } from '../../wire/stream.ts';
import { createFeed } from './feed.ts';

export interface BookView {
  /** The one copy, which changes with every message: read it, keep nothing of it. */
  readonly book: Book;
  /** Whether the copy was found wrong or the connection broke: it waits for the next whole one. */
  readonly isResyncing: boolean;
}

export const useBook = createFeed<BookView>((instrument, put) => {
  const book = new Book(instrument);
  const channel = `book:200:${instrument.symbol}` as const;
  return stream.follow(channel, {
    onMessage: (message) => {
      const verdict = book.apply(message);
      if (verdict === 'resync') stream.refresh(channel);
      if (verdict !== 'waiting') put({ book, isResyncing: !book.isReady });
    },
    onLost: () => put({ book, isResyncing: true }),
  });
});

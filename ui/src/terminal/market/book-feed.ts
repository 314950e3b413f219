/** The order book of an instrument, kept by its stream and checked by its checksum. */
import { Book, type BookRow } from '../../model/book.ts';
import { spotStream, swapStream } from '../../wire/streams.ts';
import { createFeed } from './feed.ts';

export interface BookView {
  /** The one copy, which changes with every push: read it, keep nothing of it. */
  readonly book: Book;
  /** Whether the copy was found wrong or the connection broke: it waits for the next whole one. */
  readonly isResyncing: boolean;
}

export const useBook = createFeed<BookView>((instrument, put) => {
  const book = new Book(instrument);
  const { symbol } = instrument;
  const stream = instrument.kind === 'spot' ? spotStream : swapStream;
  const topic = { channel: instrument.kind === 'spot' ? 'books' : 'depth', symbol };
  return stream.follow<BookRow>(
    topic,
    ({ isSnapshot, rows, seq }) => {
      const verdict = book.apply({ isWhole: isSnapshot, rows, seq });
      if (verdict === 'resync') stream.resync(topic);
      if (verdict !== 'waiting') put({ book, isResyncing: !book.isReady });
    },
    () => put({ book, isResyncing: true }),
  );
});

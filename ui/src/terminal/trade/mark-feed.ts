/** The mark price of a contract, from its stream. */
import { swapStream } from '../../wire/streams.ts';
import { createFeed } from '../market/feed.ts';

interface MarkRow {
  readonly mark_price: string;
}

export const useMark = createFeed<string>(({ symbol }, put) =>
  swapStream.follow<MarkRow>({ channel: 'mark_price', symbol }, ({ rows: [row] }) => {
    if (row !== undefined) put(row.mark_price);
  }),
);

/** The mark price of a contract, from its stream. */
import { stream } from '../../wire/stream.ts';
import { createFeed } from '../market/feed.ts';

export const useMark = createFeed<string>(({ symbol }, put) =>
  stream.follow(`ticker:${symbol}`, {
    onMessage: ({ data: { mark } }) => {
      if (mark !== null) put(mark);
    },
  }),
);

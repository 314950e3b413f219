/** Payments over a file of people: see payment-plays.ts. */
import { join } from 'node:path';
import { COMPETITION_PART } from '#competition';
import { openPeople } from '#people';
import { scratchDirectory } from '../support/scratch.ts';
import { paymentPlays } from './payment-plays.ts';

paymentPlays({
  name: 'SQLite',
  runs: 3,
  open: async (scope) => {
    const file = join(scratchDirectory(), 'people.sqlite');
    const store = await openPeople({ kind: 'sqlite', file }, COMPETITION_PART);
    scope.after(() => store.close());
    return store;
  },
});

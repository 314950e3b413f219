/** Payments over a real PostgreSQL: see payment-plays.ts. */
import { COMPETITION_PART } from '#competition';
import { openPeople } from '#people';
import { newDatabase, postgresOrSkip } from '../support/postgres.ts';
import { paymentPlays } from './payment-plays.ts';

const server = await postgresOrSkip();
if (server !== undefined) {
  paymentPlays({
    name: 'PostgreSQL',
    runs: 10,
    open: async (scope) => {
      const store = await openPeople(
        { kind: 'postgres', url: newDatabase(server) },
        COMPETITION_PART,
      );
      scope.after(() => store.close());
      return store;
    },
  });
}

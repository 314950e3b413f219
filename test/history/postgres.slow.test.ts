/** The history in PostgreSQL does what every history must do, on a real server. */
import { historyAt } from '#history';
import { newDatabase, postgresOrSkip } from '../support/postgres.ts';
import { chooseAdapter } from './contract.ts';

/** Files of tests of every history. */
const FILES = [
  './writing.test.ts',
  './rows.test.ts',
  './paging.test.ts',
  './random.test.ts',
  './engine.test.ts',
  './accounts.test.ts',
  './contract-rows.test.ts',
  './contract-pages.test.ts',
  './contract-random.test.ts',
  './ledger.test.ts',
  './price-candles.test.ts',
  './reset.test.ts',
  './days.test.ts',
  './removal.test.ts',
];

const server = await postgresOrSkip();
if (server !== undefined) {
  chooseAdapter({
    name: 'PostgreSQL',
    make: () => historyAt({ kind: 'postgres', url: newDatabase(server) }),
    runsShare: 0.4,
  });
  for (const file of FILES) await import(file);
}

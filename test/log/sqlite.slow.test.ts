/** The SQLite log does what every log must. */
import { logOf } from '../support/logs.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { logContract } from './contract.ts';

logContract('SQLite', () => logOf(scratchDirectory()));

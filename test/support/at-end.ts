/** What a test file opens for all its tests, and closes behind the last one. */
import { after } from 'node:test';

interface Open {
  close(): unknown;
}

/** For what is opened outside of tests: `const house = closedAtEnd(await House.open())`. */
export function closedAtEnd<T extends Open>(opened: T): T {
  after(() => opened.close());
  return opened;
}

/** Journals that a test file leaves open when one of its tests fails. */
import { after } from 'node:test';
import type { Journal } from '#log';

const journals: Journal[] = [];

// An open journal keeps its process alive: a failed test would hang instead of failing.
after(async () => {
  await Promise.all(journals.map((journal) => journal.close()));
});

/** The journal, which is closed at the latest when the tests of a file are over. */
export function closedInTheEnd(journal: Journal): Journal {
  journals.push(journal);
  return journal;
}

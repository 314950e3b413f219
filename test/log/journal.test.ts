/** The SQLite journal keeps the contract of the journal port. */
import { openJournal, openJournalReader } from '#log';
import { journalSuite } from './journal-suite.ts';

journalSuite({ name: 'SQLite', open: openJournal, openReader: openJournalReader });

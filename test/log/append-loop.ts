/**
 * A program to be killed: appends to the journal of a directory until it dies or the disk does.
 * It prints a line `durable <seq>` whenever it has been told that an entry is on disk.
 */
import { JournalFault } from '#log';
import { logOf } from '../support/logs.ts';
import { entryAt, IN_FLIGHT_MAX } from './append-plan.ts';

const [directory = ''] = process.argv.slice(2);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const journal = await logOf(directory).openWriter();
say(`opened ${journal.lastSeq}`);
const inFlight: Promise<void>[] = [];
try {
  for (let seq = journal.lastSeq + 1; ; ) {
    const { count, payload } = entryAt(seq);
    inFlight.push(
      journal.append(seq, count, payload).then(() => say(`durable ${journal.lastSeq}`)),
    );
    seq += count;
    if (inFlight.length >= IN_FLIGHT_MAX) await inFlight.shift();
  }
} catch (error) {
  await Promise.allSettled(inFlight);
  say(error instanceof JournalFault ? `fault ${error.kind}` : `bug ${String(error)}`);
}
await journal.append(journal.lastSeq + 1, 1, '').catch(() => say('refused'));
await journal.close();
say('closed');

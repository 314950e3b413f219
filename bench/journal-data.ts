/** Data directories made beforehand: commands written by the real journal, not by a server. */
import {
  accountId,
  type Command,
  encodeCommand,
  instrumentId,
  joinCommands,
  lots,
  ticks,
} from '#domain';
import { logAt } from '#log';
import { setupCommands } from './engine.ts';

const TIME_MS = 1_700_000_000_000;
/** Entries handed to the journal before waiting for the disk: it syncs them together. */
const ENTRIES_IN_FLIGHT = 256;

/** Writes commands behind those that a data directory has. */
export async function writeJournal(
  directory: string,
  commands: readonly Command[],
  commandsPerEntry: number,
): Promise<void> {
  const journal = await logAt({ kind: 'sqlite', directory }).openWriter();
  const firstSeq = journal.lastSeq + 1;
  let inFlight: Promise<void>[] = [];
  for (let at = 0; at < commands.length; at += commandsPerEntry) {
    const texts = commands
      .slice(at, at + commandsPerEntry)
      .map((command) => encodeCommand(TIME_MS, command));
    inFlight.push(journal.append(firstSeq + at, texts.length, joinCommands(texts)));
    if (inFlight.length < ENTRIES_IN_FLIGHT) continue;
    await Promise.all(inFlight);
    inFlight = [];
  }
  await Promise.all(inFlight);
  await journal.close();
}

/** A venue with this many funded accounts, each with one order resting at a price of its own. */
export function restingCommands(count: number): Command[] {
  const commands = setupCommands(count);
  for (let number = 1; number <= count; number += 1) {
    const buy = number % 2 === 0;
    commands.push({
      kind: 'place_spot_order',
      accountId: accountId(number),
      instrumentId: instrumentId(0),
      side: buy ? 'buy' : 'sell',
      type: 'limit',
      force: 'gtc',
      priceTicks: ticks(buy ? 2_900_000 - number : 3_100_000 + number),
      sizeLots: lots(1 + (number % 10)),
    });
  }
  return commands;
}

/** The log of a directory as tests open it. */
import { type CommandLog, type JournalEntry, type JournalReader, type LogPlace, logAt } from '#log';

export type LogOptions = Omit<LogPlace, 'kind' | 'directory'>;

export function logOf(directory: string, options: LogOptions = {}): CommandLog {
  return logAt({ kind: 'sqlite', directory, ...options });
}

export async function entriesOf(reader: JournalReader, fromSeq: number): Promise<JournalEntry[]> {
  return (await Array.fromAsync(reader.chunks(fromSeq))).flat();
}

export async function readAll(log: CommandLog, fromSeq = 1): Promise<JournalEntry[]> {
  const reader = await log.openReader();
  try {
    return await entriesOf(reader, fromSeq);
  } finally {
    await reader.close();
  }
}

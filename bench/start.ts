/**
 * Start of the real program until it says that it is ready: on an empty data directory, after a
 * crash with a journal and no snapshot, whose commands are all replayed, and after a crash of a
 * venue that has taken its snapshots, as late as can be before the next one. The history is on disk
 * in all cases, as it is when a venue that runs crashes. What starts is the bundle, as after
 * `npm start`.
 */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { logAt } from '#log';
import { recoverEngine } from '#venue';
import { recordStream, STREAM_ACCOUNTS, setupCommands } from './engine.ts';
import { writeJournal } from './journal-data.ts';
import { median } from './measure.ts';
import { removeDirectory, scratchDirectory, startServer, waitForHistory } from './real-server.ts';
import type { BenchResult } from './result.ts';

const BUILD = join(import.meta.dirname, '../tools/build.ts');
const EMPTY_ROUNDS = 5;
const JOURNAL_ROUNDS = 3;
const JOURNAL_SIZES = [100_000, 1_000_000];
/** A venue as shipped takes a snapshot after each so many commands. */
const SNAPSHOT_INTERVAL = 250_000;
const LONG_SIZE = 1_000_000;
const COMMANDS_PER_ENTRY = 1_024;

/** Measures every kind of start and prints each result as it comes. */
export async function run(print: (line: string) => void): Promise<BenchResult[]> {
  execFileSync(process.execPath, [BUILD]);
  const results: BenchResult[] = [];
  const tell = (result: BenchResult) => {
    print(`  ${result.name} ${result.size}: ${result.value.toFixed(2)} s`);
    results.push(result);
  };
  tell(await emptyStart());
  for (const size of JOURNAL_SIZES) tell(await journalStart(size, print));
  tell(await startWithSnapshots(print));
  return results;
}

async function emptyStart(): Promise<BenchResult> {
  const seconds: number[] = [];
  for (let round = 0; round < EMPTY_ROUNDS; round += 1) {
    const directory = scratchDirectory();
    seconds.push(await startOnce(directory));
    removeDirectory(directory);
  }
  const name = 'start to ready, empty journal';
  return { name, size: 0, value: median(seconds), unit: 's', floor: 1.5, aim: 0.5 };
}

async function journalStart(size: number, print: (line: string) => void): Promise<BenchResult> {
  const directory = scratchDirectory();
  try {
    const commands = [...setupCommands(STREAM_ACCOUNTS), ...recordStream(size)];
    await writeJournal(directory, commands, COMMANDS_PER_ENTRY);
    print(`  first start with ${size} commands: ${(await startOnce(directory)).toFixed(1)} s`);
    const seconds: number[] = [];
    for (let round = 0; round < JOURNAL_ROUNDS; round += 1) {
      rmSync(join(directory, 'snapshots'), { recursive: true, force: true });
      seconds.push(await startOnce(directory));
    }
    const name = 'start to ready, replaying a journal';
    // A million without a snapshot is no state that a venue leaves: it is the price of having none.
    const floor = size <= SNAPSHOT_INTERVAL ? { floor: 2 } : {};
    return { name, size, value: median(seconds), unit: 's', ...floor };
  } finally {
    removeDirectory(directory);
  }
}

/** The second part is one command too short for another snapshot. */
async function startWithSnapshots(print: (line: string) => void): Promise<BenchResult> {
  const directory = scratchDirectory();
  try {
    const commands = [...setupCommands(STREAM_ACCOUNTS), ...recordStream(LONG_SIZE)];
    const before = commands.length - SNAPSHOT_INTERVAL + 1;
    await writeJournal(directory, commands.slice(0, before), COMMANDS_PER_ENTRY);
    const log = logAt({ kind: 'sqlite', directory });
    const engine = await recoverEngine({ log, snapshotSeqMax: 0 });
    log.snapshots.write(engine.seq, engine.dump());
    await writeJournal(directory, commands.slice(before), COMMANDS_PER_ENTRY);
    print(`  first start with ${LONG_SIZE} commands: ${(await startOnce(directory)).toFixed(1)} s`);
    const seconds: number[] = [];
    for (let round = 0; round < JOURNAL_ROUNDS; round += 1)
      seconds.push(await startOnce(directory));
    const name = 'start to ready, a journal with its snapshots';
    return { name, size: LONG_SIZE, value: median(seconds), unit: 's', floor: 2 };
  } finally {
    removeDirectory(directory);
  }
}

/** Starts and kills a server, which writes no snapshot that way, and tells how long it took. */
async function startOnce(directory: string): Promise<number> {
  const server = await startServer(directory);
  try {
    await waitForHistory(server);
    return server.readySeconds;
  } finally {
    await server.kill();
  }
}

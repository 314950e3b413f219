/**
 * Recovery without a snapshot: a journal written by the real writer is read, its hash chain proven,
 * its commands decoded and applied. Once with the small entries of a quiet venue and once with the
 * large ones of a busy venue. Every round is a new process, because recovery is the first thing
 * that a process does: its code is cold and its heap empty.
 */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Command } from '#domain';
import { logAt } from '#log';
import { recoverEngine } from '#venue';
import { recordStream, STREAM_ACCOUNTS, setupCommands } from './engine.ts';
import { writeJournal } from './journal-data.ts';
import { median } from './measure.ts';
import { removeDirectory, scratchDirectory } from './real-server.ts';
import type { BenchResult } from './result.ts';

const SIZES = [100_000, 1_000_000];
const ENTRY_SIZES = [64, 1_024];
const ROUNDS = 3;

/** Measures every size with every entry size and prints each result as it comes. */
export async function run(print: (line: string) => void): Promise<BenchResult[]> {
  const results: BenchResult[] = [];
  for (const size of SIZES) {
    const commands = [...setupCommands(STREAM_ACCOUNTS), ...recordStream(size)];
    for (const perEntry of ENTRY_SIZES) results.push(await replay(size, commands, perEntry));
    for (const { name, value } of results.slice(-ENTRY_SIZES.length)) {
      print(`  ${name} ${size}: ${Math.round(value)} commands/s`);
    }
  }
  return results;
}

async function replay(
  size: number,
  commands: readonly Command[],
  commandsPerEntry: number,
): Promise<BenchResult> {
  const directory = scratchDirectory();
  try {
    await writeJournal(directory, commands, commandsPerEntry);
    const rates: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { seq, seconds } = await recoverInNewProcess(directory);
      assert.equal(seq, commands.length, 'every command is replayed');
      rates.push(commands.length / seconds);
    }
    const value = median(rates);
    const name = `replay, ${commandsPerEntry} commands per entry`;
    return { name, size, value, unit: 'commands/s', floor: 500_000, aim: 1_500_000 };
  } finally {
    removeDirectory(directory);
  }
}

interface Recovered {
  readonly seq: number;
  readonly seconds: number;
}

async function recoverInNewProcess(directory: string): Promise<Recovered> {
  const child = fork(import.meta.filename, [directory]);
  const [recovered] = await once(child, 'message');
  return recovered;
}

async function recover(directory: string): Promise<Recovered> {
  const startMs = performance.now();
  const { seq } = await recoverEngine({
    log: logAt({ kind: 'sqlite', directory }),
    snapshotSeqMax: 0,
  });
  return { seq, seconds: (performance.now() - startMs) / 1_000 };
}

if (import.meta.main) {
  process.send?.(await recover(process.argv[2] ?? ''));
  process.disconnect();
}

/**
 * Recovery without a snapshot: a journal written by the real writer is read, its hash chain proven,
 * its commands decoded and applied. Once with the small entries of a quiet venue and once with the
 * large ones of a busy venue. Cold is what a start does: each round is a new process with an empty
 * heap. Warm is the third replay of the same process, whose code is compiled by then. The journals
 * are made by processes of their own: what collects a million commands would run beside.
 */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
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
const COLD_BOUNDS = { floor: 500_000, aim: 800_000 };
const WARM_BOUNDS = { floor: 500_000, aim: 1_500_000 };

/** Measures every size with every entry size and prints each result as it comes. */
export async function run(print: (line: string) => void): Promise<BenchResult[]> {
  const results: BenchResult[] = [];
  for (const size of SIZES) {
    for (const perEntry of ENTRY_SIZES) {
      for (const result of await replay(size, perEntry)) {
        print(`  ${result.name} ${size}: ${Math.round(result.value)} commands/s`);
        results.push(result);
      }
    }
  }
  return results;
}

async function replay(size: number, commandsPerEntry: number): Promise<BenchResult[]> {
  const directory = scratchDirectory();
  try {
    const { count } = await inNewProcess({ kind: 'write', directory, size, commandsPerEntry });
    const rounds: Replayed[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const replayed = await inNewProcess({ kind: 'replay', directory });
      assert.equal(replayed.seq, count, 'every command is replayed');
      rounds.push(replayed);
    }
    const name = `replay, ${commandsPerEntry} commands per entry`;
    const rated = (seconds: readonly number[]) => {
      return { size, value: count / median(seconds), unit: 'commands/s' };
    };
    return [
      { name, ...rated(rounds.map(({ coldSeconds }) => coldSeconds)), ...COLD_BOUNDS },
      {
        name: `warm ${name}`,
        ...rated(rounds.map(({ warmSeconds }) => warmSeconds)),
        ...WARM_BOUNDS,
      },
    ];
  } finally {
    removeDirectory(directory);
  }
}

interface Writing {
  readonly kind: 'write';
  readonly directory: string;
  readonly size: number;
  readonly commandsPerEntry: number;
}

interface Replaying {
  readonly kind: 'replay';
  readonly directory: string;
}

interface Written {
  readonly count: number;
}

interface Replayed {
  readonly seq: number;
  readonly coldSeconds: number;
  readonly warmSeconds: number;
}

function inNewProcess(job: Writing): Promise<Written>;
function inNewProcess(job: Replaying): Promise<Replayed>;
async function inNewProcess(job: Writing | Replaying): Promise<Written | Replayed> {
  const child = fork(import.meta.filename, [JSON.stringify(job)], {
    // Code that was kept makes no garbage, and V8's young generation stays as small as it begins:
    // large entries take 1.5 times as long. A venue's has grown by the time it replays.
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
  });
  const [answer] = await once(child, 'message');
  return answer;
}

async function write({ directory, size, commandsPerEntry }: Writing): Promise<Written> {
  const commands = [...setupCommands(STREAM_ACCOUNTS), ...recordStream(size)];
  await writeJournal(directory, commands, commandsPerEntry);
  return { count: commands.length };
}

async function replayThrice({ directory }: Replaying): Promise<Replayed> {
  const cold = await recover(directory);
  await recover(directory);
  const warm = await recover(directory);
  return { seq: cold.seq, coldSeconds: cold.seconds, warmSeconds: warm.seconds };
}

async function recover(directory: string): Promise<{ seq: number; seconds: number }> {
  const startMs = performance.now();
  const { seq } = await recoverEngine({
    log: logAt({ kind: 'sqlite', directory }),
    snapshotSeqMax: 0,
  });
  return { seq, seconds: (performance.now() - startMs) / 1_000 };
}

if (import.meta.main) {
  const job: Writing | Replaying = JSON.parse(process.argv[2] ?? '');
  process.send?.(await (job.kind === 'write' ? write(job) : replayThrice(job)));
  process.disconnect();
}

/**
 * One side of the guard: the engine and the recovery of the checkout that it is given, measured
 * when it is asked to, in microseconds of this thread's processor time. Both sides are this file;
 * what they measure is reached by the doors of their checkout.
 */
import { join } from 'node:path';
import type { SideMeasure, ToSide } from './guard-side.ts';

const SPOT_COMMANDS = 60_000;
const CONTRACT_COMMANDS = 30_000;
const COMMANDS_PER_ENTRY = 1_024;

const checkout = process.argv[2] ?? '';

const { decodeEntry }: typeof import('#domain') = await door('domain');
const { Engine }: typeof import('#engine') = await door('engine');
const { logAt }: typeof import('#log') = await door('log');
const { inlineMore, recoverEngine }: typeof import('#venue') = await door('venue');

// As in a venue that serves. Without it two processes with the same code differ by a fifth.
inlineMore();

function door(room: string) {
  return import(join(checkout, 'src', room, 'mod.ts'));
}

/** By the benchmarks of this side, which give both the same commands unless they were changed. */
async function write(directory: string): Promise<void> {
  const spot: typeof import('./engine.ts') = await import(join(checkout, 'bench/engine.ts'));
  const swap: typeof import('./swap-engine.ts') = await import(
    join(checkout, 'bench/swap-engine.ts')
  );
  const data: typeof import('./journal-data.ts') = await import(
    join(checkout, 'bench/journal-data.ts')
  );
  const { recordStream, STREAM_ACCOUNTS, setupCommands } = spot;
  const spotCommands = [...setupCommands(STREAM_ACCOUNTS), ...recordStream(SPOT_COMMANDS)];
  await data.writeJournal(join(directory, 'spot'), spotCommands, COMMANDS_PER_ENTRY);
  const swapCommands = swap.contractCommands(CONTRACT_COMMANDS);
  await data.writeJournal(join(directory, 'contracts'), swapCommands, COMMANDS_PER_ENTRY);
}

async function measure(what: SideMeasure, directory: string): Promise<number> {
  if (what === 'replay') return replayMicroseconds(join(directory, 'spot'));
  return engineMicroseconds(join(directory, what === 'spot engine' ? 'spot' : 'contracts'));
}

async function engineMicroseconds(directory: string): Promise<number> {
  const reader = await logAt({ kind: 'sqlite', directory }).openReader();
  const entries = (await Array.fromAsync(reader.chunks(1))).flat();
  await reader.close();
  const commands = entries.flatMap(({ payload, rules }) =>
    decodeEntry(payload).map((timed) => ({
      ...timed,
      rules,
    })),
  );
  const engine = Engine.empty();
  const before = process.threadCpuUsage();
  for (const { command, timeMs, rules } of commands) engine.apply(command, timeMs, rules);
  return microsecondsSince(before) / commands.length;
}

async function replayMicroseconds(directory: string): Promise<number> {
  const before = process.threadCpuUsage();
  const log = logAt({ kind: 'sqlite', directory });
  const { seq } = await recoverEngine({ log, snapshotSeqMax: 0 });
  return microsecondsSince(before) / seq;
}

function microsecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

async function answer(message: ToSide): Promise<number> {
  if (message.kind === 'measure') return measure(message.measure, message.directory);
  await write(message.directory);
  return 0;
}

process.on('message', async (message: ToSide) => {
  const answered = answer(message).catch((error: unknown) => {
    process.stderr.write(`${checkout}: ${String(error)}\n`);
    return null;
  });
  process.send?.(await answered);
});
process.send?.(0);

/**
 * The shared log in three real etcd servers on this machine, beside the SQLite journal: entries of
 * 64 commands acknowledged in a second, with one, four and sixteen of them under way.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { encodeCommand, joinCommands, RULES_VERSION } from '#domain';
import { logAt, type SharedLog } from '#log';
import { sharedLogAt } from '#log/testing';
import { EtcdCluster, haveEtcd } from '../tools/etcd-servers.ts';
import { recordStream } from './engine.ts';
import { median } from './measure.ts';
import { removeDirectory, scratchDirectory } from './real-server.ts';
import type { BenchResult } from './result.ts';

const DEPTHS = [1, 4, 16];
const ROUNDS = 3;
const ROUND_MS = 2_000;
const COMMANDS_PER_ENTRY = 64;
const TIME_MS = 1_700_000_000_000;

type Append = (firstSeq: number) => Promise<void>;

interface Log {
  readonly append: Append;
  nextSeq: number;
}

export async function run(print: (line: string) => void): Promise<BenchResult[]> {
  if (!haveEtcd()) {
    print('  no etcd in the path: not measured');
    return [];
  }
  const directory = scratchDirectory();
  const etcdDirectory = join(directory, 'etcd');
  mkdirSync(etcdDirectory);
  const cluster = await EtcdCluster.start({ size: 3, directory: etcdDirectory });
  const shared = sharedLogAt({
    kind: 'etcd',
    venue: 'bench',
    shard: 'main',
    endpoints: cluster.endpoints,
  });
  try {
    const payload = joinCommands(
      recordStream(COMMANDS_PER_ENTRY).map((command) => encodeCommand(TIME_MS, command)),
    );
    const journal = await logAt({ kind: 'sqlite', directory }).openWriter();
    const alone: Append = (firstSeq) => journal.append(firstSeq, COMMANDS_PER_ENTRY, payload);
    const logs = {
      etcd: { append: await leading(shared, payload), nextSeq: 1 },
      sqlite: { append: alone, nextSeq: 1 },
    };
    const results: BenchResult[] = [];
    for (const depth of DEPTHS) results.push(await measured(depth, logs, print));
    await journal.close();
    return results;
  } finally {
    await shared.close();
    await cluster.close();
    removeDirectory(directory);
  }
}

async function leading(log: SharedLog, payload: string): Promise<Append> {
  const leadership = await log.claim(undefined, 'bench');
  if (leadership === undefined) throw new Error('somebody else leads');
  const { claim } = leadership;
  return (firstSeq) =>
    log.append(claim, {
      firstSeq,
      count: COMMANDS_PER_ENTRY,
      rules: RULES_VERSION,
      format: 1,
      payload,
    });
}

/** Rounds of both logs in turn, so that what else the machine does meets both. */
async function measured(
  depth: number,
  logs: Readonly<Record<'etcd' | 'sqlite', Log>>,
  print: (line: string) => void,
): Promise<BenchResult> {
  const rounds: { readonly etcd: number; readonly sqlite: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const etcd = await acksPerSecond(logs.etcd, depth);
    rounds.push({ etcd, sqlite: await acksPerSecond(logs.sqlite, depth) });
  }
  const value = median(rounds.map(({ etcd }) => etcd));
  const peer = median(rounds.map(({ sqlite }) => sqlite));
  const ratio = median(rounds.map(({ etcd, sqlite }) => etcd / sqlite));
  print(`  ${depth} under way: etcd ${value.toFixed(0)}, SQLite ${peer.toFixed(0)} acks/s`);
  const name = 'entries acknowledged, etcd beside SQLite';
  return { name, size: depth, value, unit: 'acks/s', peer, ratio };
}

async function acksPerSecond(log: Log, depth: number): Promise<number> {
  const startMs = performance.now();
  let acknowledged = 0;
  const hand = async () => {
    while (performance.now() - startMs < ROUND_MS) {
      const firstSeq = log.nextSeq;
      log.nextSeq += COMMANDS_PER_ENTRY;
      await log.append(firstSeq);
      acknowledged += 1;
    }
  };
  await Promise.all(Array.from({ length: depth }, hand));
  return acknowledged / ((performance.now() - startMs) / 1_000);
}

/**
 * `outcry doctor`: looks at a machine, a configuration and a data directory as a start would, also
 * while the venue runs, and says what to do. But for a file that it writes to time the disk, and
 * removes, it changes nothing.
 */
import { STREAM_LIMITS } from '#api';
import { type Config, ConfigFault, type ConfigFlags, type Environment, loadConfig } from '#config';
import type { SharedLog, SharedLogPlace } from '#log';
import type { Output } from '../output.ts';
import { type Finding, type Grade, ok, print, problem } from './finding.ts';
import { diskFindings, machineFindings } from './machine.ts';
import { clusterFinding, historyFinding, journalFindings, logOf } from './stores.ts';
import { addressFinding, configFindings, isInUse, masterKey } from './venue.ts';

const PROBLEM_FOUND = 1;

export interface DoctorParts {
  readonly env: Environment;
  readonly output: Output;
  readonly openSharedLog: (place: SharedLogPlace) => SharedLog | Promise<SharedLog>;
}

/** Prints each finding as it comes and resolves with 0, or 1 where a start would fail. */
export async function doctor(flags: ConfigFlags, parts: DoctorParts): Promise<number> {
  const counts: Record<Grade, number> = { ok: 0, warning: 0, problem: 0 };
  for await (const finding of findings(flags, parts)) {
    counts[finding.grade] += 1;
    print(finding, parts.output);
  }
  const said = [
    plural(counts.problem, 'problem'),
    plural(counts.warning, 'warning'),
    `${plural(counts.ok, 'check')} passed`,
  ];
  parts.output.result(said.join(', '));
  return counts.problem === 0 ? 0 : PROBLEM_FOUND;
}

async function* findings(flags: ConfigFlags, parts: DoctorParts): AsyncGenerator<Finding> {
  const config = configOf(flags, parts.env);
  const isRead = !(config instanceof ConfigFault);
  const streams = isRead ? config.streams.connections : undefined;
  yield* machineFindings(streams ?? STREAM_LIMITS.connectionsMax);
  if (!isRead) {
    const advice = 'mend it; what depends on the configuration was not looked at';
    yield* config.complaints.map((complaint) => problem(complaint, advice));
    return;
  }
  yield* configFindings(config);
  if (config.ephemeral) yield ok('--ephemeral: in a private directory that is removed at the end');
  else yield* dataFindings(config);
  if (config.cluster !== undefined) yield clusterFinding(config.cluster, parts.openSharedLog);
}

function configOf(flags: ConfigFlags, env: Environment): Config | ConfigFault {
  try {
    return loadConfig(flags, env);
  } catch (cause) {
    if (cause instanceof ConfigFault) return cause;
    throw cause;
  }
}

async function* dataFindings(config: Config): AsyncGenerator<Finding> {
  const { dataDirectory: directory } = config;
  const isRunning = isInUse(directory);
  yield addressFinding(config, isRunning);
  yield* diskFindings(directory);
  const hasJournal = logOf(config, undefined).exists();
  const { key, finding } = masterKey(config, hasJournal);
  yield finding;
  if (finding.grade === 'problem') return;
  const log = logOf(config, key);
  yield* await journalFindings(log, config);
  yield historyFinding(config, hasJournal);
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

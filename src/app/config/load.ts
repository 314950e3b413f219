/**
 * The one reader of environment, configuration file and secret files. Flags win over environment,
 * environment over file, file over defaults; what comes out is complete and checked.
 */

import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KNOWN_CREDENTIALS } from '#child';
import { COMPATIBILITY_DEFAULTS, type Compatibility } from '#domain';
import type { OperatorSettings } from '#people';
import { type ClusterConfig, type ClusterKind, readCluster } from './cluster.ts';
import { readContent, type VenueContent } from './content.ts';
import { peopleHere, refuseSignUpOnNetwork } from './demo-sign-up.ts';
import { ConfigDocument, ConfigFault, type Path } from './document.ts';
import { historyKeepMs, historyUrlOf, refuseShortHistory } from './history.ts';
import { operatorSettings, refuseLimitsUnshared } from './operators.ts';
import { type PeopleConfig, peopleConfig } from './people.ts';
import { FILE_SCHEMA, type FileContent, LOG_LEVELS, type LogLevel } from './schema.ts';
import {
  HTTP_THREADS_MAX,
  isLoopback,
  PORT_MAX,
  refuseRisksOnNetwork,
  type ServerSettings,
  serverSettings,
} from './server.ts';
import { type PathsConfig, withRecordings } from './simulation.ts';
import { inNewSpelling } from './spelling.ts';

/** The configuration used when none is named. */
export const DEMO_CONFIG_FILE = fileURLToPath(
  new URL('../../../config/demo.yaml', import.meta.url),
);

/**
 * What a start after a crash replays at most: half a second of commands, and the state is written
 * by a thread that no order waits for. Members of a cluster compare their snapshots and keep eight,
 * and a new one replays a log that is no longer than this instead of beginning at a snapshot.
 */
const SNAPSHOT_INTERVAL = { alone: 250_000, cluster: 1_000_000 } as const;

const DAY_MS = 86_400_000;

const DEFAULTS = {
  dataDirectory: './data',
  scrub: true,
  /** Of the calls, so many leave a trace. */
  sampleRatio: 0.01,
} as const;

/** What the command line says, as text; absent when it says nothing. */
export interface ConfigFlags {
  readonly config?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly data?: string | undefined;
  /** True with --ephemeral. */
  readonly ephemeral?: boolean | undefined;
  /** False with --no-participants. */
  readonly participants?: boolean | undefined;
  /** Recorded prices, each as COIN=FILE. */
  readonly path?: readonly string[] | undefined;
  /** True with --sandbox. */
  readonly sandbox?: boolean | undefined;
  /** How many times faster than recorded they are played. */
  readonly speed?: string | undefined;
  /** on or off. */
  readonly rateLimits?: string | undefined;
  readonly httpThreads?: string | undefined;
  /** As httpThreads was called before. */
  readonly gateways?: string | undefined;
  readonly adminToken?: string | undefined;
  readonly allowDemoOnNetwork?: boolean | undefined;
  readonly yesOnNetwork?: boolean | undefined;
  /** The file of this process of a cluster. */
  readonly cluster?: string | undefined;
  /** Begins the cluster with what the data directory holds. */
  readonly seed?: boolean | undefined;
  /** What the process is in it; a member when left out. */
  readonly clusterKind?: ClusterKind | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** A collector of OTLP over HTTP, and which part of the calls it gets. */
export interface TracingConfig {
  readonly url: string;
  readonly sampleRatio: number;
}

export interface Config extends VenueContent, ServerSettings {
  readonly file: string;
  /** File and line of a part of it, for complaints that come up later. */
  readonly placeOf: (path: Path) => string;
  /** What is written in the file as it was once. */
  readonly warnings: readonly string[];
  /** Absolute. */
  readonly dataDirectory: string;
  /** The database of the history; undefined for a file in the data directory. */
  readonly historyUrl: string | undefined;
  /** The data live as long as the process: the server gives them a directory of their own. */
  readonly ephemeral: boolean;
  readonly participants: boolean;
  /** The admin token allows to set clock and prices, go back in state, and break answers. */
  readonly sandbox: boolean;
  readonly rateLimits: boolean;
  readonly compatibility: Compatibility;
  readonly snapshotIntervalCommands: number;
  /** How long commands are kept in the journal at least; undefined for ever. */
  readonly journalKeepMs: number | undefined;
  /** How long rows of the history are kept at least; undefined for ever. */
  readonly historyKeepMs: number | undefined;
  /** Where traces of calls go; undefined when none are made. */
  readonly tracing: TracingConfig | undefined;
  /** Old entries of the journal and rows of the history are proven in the background. */
  readonly scrub: boolean;
  readonly logLevel: LogLevel;
  readonly allowDemoOnNetwork: boolean;
  /** The operator accepts what others can do to it. */
  readonly yesOnNetwork: boolean;
  /** From flag or environment; undefined to use the file in the data directory. */
  readonly adminToken: string | undefined;
  /** From the environment; undefined to use the file in the data directory. */
  readonly masterKeyText: string | undefined;
  /** Undefined where nobody signs in. */
  readonly people: PeopleConfig | undefined;
  /** Why nobody signs up although the file has a demo's sign-up; undefined where that holds. */
  readonly signUpClosed: string | undefined;
  readonly operators: OperatorSettings;
  /** Undefined for a venue of its own, in one process. */
  readonly cluster: ClusterConfig | undefined;
  readonly seed: boolean;
}

/** Reads the whole configuration of the process. Throws ConfigFault with every complaint. */
export function loadConfig(flags: ConfigFlags, env: Environment): Config {
  const file = flags.config ?? DEMO_CONFIG_FILE;
  const document = ConfigDocument.read(file);
  const warnings = inNewSpelling(document);
  const content = document.validated(FILE_SCHEMA);
  const settings = processSettings(flags, env, content);
  const placeOf = (path: Path): string => document.placeOf(path);
  const historyUrl = historyUrlOf({ ...flags, url: env.OUTCRY_HISTORY }, content, placeOf);
  const venue = readContent(document, content);
  const paths = pathsOf(venue.paths, flags);
  const { ephemeral: isEphemeral, cluster } = settings;
  const payments = { content: content.payments, isSandbox: settings.sandbox };
  const kept = { isCluster: cluster !== undefined, isEphemeral };
  const around = { env, historyUrl, ...kept, placeOf, payments };
  const here = peopleHere(content, { ...settings, ...around });
  const people = peopleConfig(here.content, around);
  refuseLevelsWithoutPeople(people, content.feeLevels, placeOf);
  refuseShortHistory(settings.historyKeepMs, settings.sandbox, content, placeOf);
  const operators = operatorSettings(content.operators, venue.assets, placeOf);
  refuseLimitsUnshared(operators, people !== undefined, placeOf);
  const ofPeople = { people, signUpClosed: here.signUpClosed, operators };
  const told = { file, placeOf, warnings };
  const config = { ...venue, paths, ...settings, historyUrl, ...ofPeople, ...told };
  const configured = config.accounts.flatMap(({ keys }) => keys.map(({ key }) => key));
  const opening = openingPath(content.server, flags);
  namingPlace(opening && placeOf(opening), () => {
    refuseDemoOnNetwork(config, (key) => configured.includes(key));
    refuseSignUpOnNetwork(content, config);
    refuseRisksOnNetwork(config);
  });
  return config;
}

/** What level an account has is kept beside people. */
function refuseLevelsWithoutPeople(
  people: PeopleConfig | undefined,
  levels: FileContent['feeLevels'],
  placeOf: (path: Path) => string,
): void {
  if (levels === undefined || people !== undefined) return;
  throw new ConfigFault([
    `${placeOf(['feeLevels'])}: fee levels are kept beside people, and those of a cluster in ` +
      'PostgreSQL: name it in people.database or OUTCRY_PEOPLE',
  ]);
}

/** Where the file opens the venue to others; undefined when a flag does it, or nothing. */
function openingPath(server: FileContent['server'], flags: ConfigFlags): Path | undefined {
  const isOpen = (host: string | undefined) => host !== undefined && !isLoopback(host);
  if (isOpen(flags.host)) return undefined;
  if (flags.host === undefined && isOpen(server?.host)) return ['server', 'host'];
  return isOpen(server?.admin?.host) ? ['server', 'admin', 'host'] : undefined;
}

/** Puts a place before the first complaint of whatever refuses. */
function namingPlace(place: string | undefined, refuse: () => void): void {
  try {
    refuse();
  } catch (cause) {
    if (!(cause instanceof ConfigFault) || place === undefined) throw cause;
    const [first, ...others] = cause.complaints;
    throw new ConfigFault([`${place}: ${first}`, ...others], { cause });
  }
}

/** Recorded prices of the command line take the place of what the file says of their coins. */
function pathsOf(paths: PathsConfig | null, flags: ConfigFlags): PathsConfig | null {
  const { path = [], speed, participants = true } = flags;
  if (path.length > 0 && !participants) {
    throw new ConfigFault(['--path moves participants: leave out --no-participants']);
  }
  return withRecordings(paths, path, speed);
}

type ProcessSettings = Omit<
  Config,
  | keyof VenueContent
  | 'file'
  | 'placeOf'
  | 'warnings'
  | 'historyUrl'
  | 'people'
  | 'signUpClosed'
  | 'operators'
>;

function processSettings(
  flags: ConfigFlags,
  env: Environment,
  content: FileContent,
): ProcessSettings {
  const cluster = clusterOf(flags, env);
  return {
    ...serverSettings(content.server, {
      host: flags.host,
      port: numberFlag('--port', flags.port, PORT_MAX),
      httpThreads:
        numberFlag('--http-threads', flags.httpThreads, HTTP_THREADS_MAX) ??
        numberFlag('--gateways', flags.gateways, HTTP_THREADS_MAX),
    }),
    dataDirectory: resolve(flags.data ?? content.dataDirectory ?? DEFAULTS.dataDirectory),
    ephemeral: ephemeralFlag(flags),
    participants: flags.participants ?? true,
    sandbox: flags.sandbox ?? content.sandbox ?? false,
    rateLimits: switchFlag(flags.rateLimits) ?? content.rateLimits ?? true,
    scrub: content.scrub ?? DEFAULTS.scrub,
    compatibility: { ...COMPATIBILITY_DEFAULTS, ...content.compatibility },
    snapshotIntervalCommands:
      content.snapshotIntervalCommands ?? SNAPSHOT_INTERVAL[cluster ? 'cluster' : 'alone'],
    tracing: content.tracing && { sampleRatio: DEFAULTS.sampleRatio, ...content.tracing },
    journalKeepMs: content.journal && content.journal.keepDays * DAY_MS,
    historyKeepMs: historyKeepMs(content),
    logLevel: logLevel(env.OUTCRY_LOG_LEVEL) ?? content.logLevel ?? 'info',
    allowDemoOnNetwork: flags.allowDemoOnNetwork ?? false,
    yesOnNetwork: flags.yesOnNetwork ?? false,
    adminToken: flags.adminToken ?? env.OUTCRY_ADMIN_TOKEN,
    masterKeyText: env.OUTCRY_MASTER_KEY,
    cluster,
    seed: flags.seed ?? false,
  };
}

function clusterOf(flags: ConfigFlags, env: Environment): ClusterConfig | undefined {
  const { cluster, clusterKind = 'member', sandbox, ephemeral } = flags;
  if (cluster === undefined) {
    if (flags.seed) throw new ConfigFault(['--seed begins a cluster: name it with --cluster']);
    return undefined;
  }
  if (sandbox) throw new ConfigFault(['a cluster has no sandbox: leave out --sandbox']);
  if (ephemeral) {
    throw new ConfigFault([
      'a process of a cluster keeps its copy of the log: leave out --ephemeral',
    ]);
  }
  return readCluster(cluster, clusterKind, env);
}

/**
 * Throws ConfigFault when others could reach a venue that takes a public key. Asked once
 * for the keys of the file and once, after recovery, for the keys the venue already has.
 */
export function refuseDemoOnNetwork(
  config: Pick<Config, 'host' | 'allowDemoOnNetwork'>,
  hasKey: (key: string) => boolean,
): void {
  if (config.allowDemoOnNetwork || isLoopback(config.host)) return;
  const known = KNOWN_CREDENTIALS.find(({ key }) => hasKey(key));
  if (known === undefined) return;
  throw new ConfigFault([
    `${known.key} is a key everybody knows, and ${config.host} can be reached from elsewhere: ` +
      'use a configuration of your own, or say --allow-demo-on-network',
  ]);
}

function numberFlag(flag: string, text: string | undefined, max: number): number | undefined {
  if (text === undefined) return undefined;
  const number = /^[0-9]{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= max) return number;
  throw new ConfigFault([`${flag} takes a number from 0 to ${max}, not ${text}`]);
}

function ephemeralFlag({ ephemeral = false, data }: ConfigFlags): boolean {
  if (!ephemeral || data === undefined) return ephemeral;
  throw new ConfigFault(['--ephemeral keeps nothing, --data says where to keep it: choose one']);
}

function switchFlag(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (text === 'on' || text === 'off') return text === 'on';
  throw new ConfigFault([`--rate-limits takes on or off, not ${text}`]);
}

function logLevel(text: string | undefined): LogLevel | undefined {
  if (text === undefined) return undefined;
  const level = LOG_LEVELS.find((known) => known === text);
  if (level !== undefined) return level;
  throw new ConfigFault([`OUTCRY_LOG_LEVEL takes ${LOG_LEVELS.join(', ')}, not ${text}`]);
}

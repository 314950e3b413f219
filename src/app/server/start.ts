/**
 * The composition root: joins journal, engine, venue, views, API and simulated traders into one
 * running server. Starting is recovering; there is no other path. It holds no rule of its own.
 */
import { hostname } from 'node:os';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import {
  type Config,
  networkRisks,
  openDataDirectory,
  readAdminToken,
  readMasterKey,
} from '#config';
import type { Clock, SteadyClock } from '#kernel';
import { openSharedLog, SharedLogFault } from '#log';
import type { Terminal } from '#people';
import type { ServedVenue } from '#venue';
import { watchClock } from './clock-skew.ts';
import type { OpenSharedLog } from './cluster.ts';
import { terminalOf } from './demo-people.ts';
import { DeskDuties } from './desk-duties.ts';
import { watchDisk } from './disk-space.ts';
import { fillPastLater } from './late-past.ts';
import { LeaderDuties } from './leader-duties.ts';
import type { ServedPeople } from './people.ts';
import { openStore, type Recovered, recover } from './recovered.ts';
import { releaseOf } from './release.ts';
import { SimulatedMarket } from './simulated-market.ts';
import { Stopping } from './stopping.ts';
import { startTracing, type Tracing } from './tracing.ts';
import { requireVacancy } from './vacancy.ts';

/** While a process joins, the log may be trimmed beyond what it has, or another one may lead. */
const JOIN_TRIES = 5;
/** How long clients have, once the server stops, to finish sending what they have begun. */
const STOP_GRACE_MS = 2_000;
/** How long a stop waits for the log of a cluster; what has no answer then has none. */
const LOG_GRACE_MS = 4_000;

/** Shows a line where the server was started. */
export type Print = (line: string) => void;

interface Outside {
  readonly log: Logger;
  readonly system: Clock & Partial<SteadyClock>;
  readonly openLog: OpenSharedLog;
  readonly print: Print;
}

/** What has connections. */
interface Closable {
  closeAllConnections(): void;
}

export interface Server {
  /** Where it listens, as in http://127.0.0.1:8787. */
  readonly url: string;
  /** Where desk, metrics and the operator's calls are. */
  readonly operatorUrl: string;
  readonly venue: ServedVenue;
  /** A new link to the console, without host; undefined but for the demo on loopback. */
  consoleLink(): string | undefined;
  /** Resolves with the reason when the process has lost its place in its cluster: start again. */
  readonly ended: Promise<Error>;
  /** What a stop is waiting for; undefined until one has begun. */
  readonly waitsFor: string | undefined;
  /** Stops in order: answers what is under way, then closes journal and history. */
  close(): Promise<void>;
}

/**
 * Recovers the venue of the data directory and serves it. Rejects, all closed, when it cannot. What
 * a demo shows of links is printed, and logged where nobody prints.
 */
export async function startServer(
  config: Config,
  log: Logger,
  system: Clock & Partial<SteadyClock>,
  openLog: OpenSharedLog = openSharedLog,
  print: Print = (line) => log.info(line),
): Promise<Server> {
  for (let triesLeft = JOIN_TRIES; ; triesLeft -= 1) {
    const ended = Promise.withResolvers<Error>();
    let lost: Error | undefined;
    void ended.promise.then((reason) => {
      lost = reason;
    });
    try {
      return await started(config, { log, system, openLog, print }, ended);
    } catch (error) {
      const cause = firstCause(error);
      if (triesLeft === 1 || !(isOutrun(cause) || isOutrun(lost))) throw cause;
      log.warn({ err: lost ?? cause }, 'the cluster went on while this process joined: once more');
    }
  }
}

/** A copy that was made a moment ago may be too old already, and so may a claim. */
function isOutrun(error: unknown): boolean {
  return error instanceof SharedLogFault && (error.kind === 'trimmed' || error.kind === 'deposed');
}

/** What went wrong first, and not what else did while everything was closed again. */
function firstCause(error: unknown): unknown {
  return error instanceof SuppressedError ? firstCause(error.suppressed) : error;
}

async function started(
  config: Config,
  { log, system, openLog, print }: Outside,
  ended: PromiseWithResolvers<Error>,
): Promise<Server> {
  await using opened = new AsyncDisposableStack();
  const stopping = new Stopping();
  await requireVacancy(config);
  openDataDirectory(config.dataDirectory);
  const masterKey = readMasterKey(config);
  const token = readAdminToken(config);
  const store = await openStore(config, masterKey, log, opened, openLog);
  stopping.name('the log and the history', opened);
  // Not loaded by a start that is refused before.
  const { doorsOf, openBounds, openVault, serve, urlOf } = await import('./serving.ts');
  const vault = openVault(masterKey);
  const bounds = config.cluster && openBounds(() => parts);
  const parts = await recover(config, store, vault, log, system, opened, {
    onLead: () => {
      bounds?.takeOver();
      duties.begin().catch(ended.resolve);
    },
    onEnd: ended.resolve,
    bounds,
  });
  const { venue, member } = parts;
  stopping.name(member ? 'its place in the cluster' : 'the venue', opened);
  const timers = [watchClock(parts, log), watchDisk(config.dataDirectory, log)];
  opened.defer(() => timers.forEach(clearInterval));
  const market = new SimulatedMarket(config, parts, log);
  const duties = new LeaderDuties(config, parts, market, log);
  opened.defer(() => duties.stop());
  await member?.start();
  void store.joined?.hold?.end();
  if (member === undefined || member.status.role === 'leader') await duties.begin();
  const terminal = terminalOf(print, () => url);
  const callers = await callersOf(config, parts, terminal, masterKey, log, opened);
  const served = { ...doorsOf(config, token), ...callers };
  const { operatorListener: operator, httpThreads, people } = served;
  const app = serve(config, parts, token, log, market, served);
  opened.defer(() => stopServing(app, [httpThreads ?? app.server, operator]));
  stopping.name('requests and streams', opened);
  for (const warning of [...networkRisks(config), ...config.warnings]) log.warn(warning);
  if (config.signUpClosed !== undefined) log.warn(config.signUpClosed);
  const { host, port } = config;
  const url = urlOf(config, await (httpThreads?.listen() ?? app.listen({ host, port })));
  const operatorUrl = await operator?.listen();
  opened.defer(fillPastLater(parts, log));
  opened.defer(() => duties.stop());
  stopping.name('the simulated market', opened);
  await duties.serve(people && deskDutiesOf(config, parts, people, log));
  parts.projection.serving();
  const running = opened.move();
  const close = async (): Promise<void> => {
    // Without a quorum an append is tried for ever: a closed log rejects it.
    const timer = setTimeout(() => void store.joined?.sharedLog.close(), LOG_GRACE_MS);
    await running.disposeAsync().finally(() => clearTimeout(timer));
  };
  return {
    url,
    operatorUrl: operatorUrl ?? url,
    venue,
    consoleLink: () => served.consoleLink?.make(),
    ended: ended.promise,
    get waitsFor() {
      return stopping.waitsFor;
    },
    close,
  };
}

/** What the desk has planned, for the process that leads. */
function deskDutiesOf(
  { feeLevels }: Config,
  { venue, history, projection, resetListeners }: Recovered,
  people: ServedPeople,
  log: Logger,
): DeskDuties {
  const historyReady = () => projection.reach(venue.releasedSeq);
  const duties = new DeskDuties({ people, venue, history, historyReady, feeLevels }, log);
  resetListeners.push(() => duties.reset());
  return duties;
}

/** A process of a cluster is called by its name there. */
function tracingOf({ tracing, cluster }: Config): Promise<Tracing> | undefined {
  const instance = cluster?.name ?? hostname();
  return tracing && startTracing(tracing, { version: releaseOf(), instance });
}

/** Who signs in, who runs the venue, who watches calls; loaded with what serves them. */
async function callersOf(
  config: Config,
  parts: Recovered,
  terminal: Terminal,
  masterKey: Buffer,
  log: Logger,
  opened: AsyncDisposableStack,
) {
  const tracing = await tracingOf(config);
  opened.defer(() => tracing?.close());
  const people = await peopleOf(config, parts, terminal, masterKey, log, opened);
  const { openOperators } = await import('./operators.ts');
  const desk = openOperators(config, parts.clock, people, masterKey, log, opened);
  return { onCall: tracing?.onCall, people, desk };
}

async function peopleOf(
  { people, dataDirectory, signUpDeposits: deposits }: Config,
  { venue, member, vault, clock }: Recovered,
  terminal: Terminal,
  masterKey: Buffer,
  log: Logger,
  opened: AsyncDisposableStack,
): Promise<ServedPeople | undefined> {
  if (people === undefined) return undefined;
  const { openPeopleOf } = await import('./people.ts');
  const parts = { venue, member, vault, clock, deposits, terminal };
  return openPeopleOf(dataDirectory, people, parts, masterKey, log, opened);
}

/** Answers what has arrived; a client still sending a request when time is up is cut off. */
async function stopServing(
  app: FastifyInstance,
  listeners: readonly (Closable | undefined)[],
): Promise<void> {
  const timer = setTimeout(() => {
    for (const listener of listeners) listener?.closeAllConnections();
  }, STOP_GRACE_MS);
  await app.close();
  clearTimeout(timer);
}

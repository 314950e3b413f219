/**
 * The composition root: joins journal, engine, venue, views, API and participants into one running
 * server. Starting is recovering; there is no other path. It holds no rule of its own.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { addAdminRoutes, buildApp, type Gauge, KeyVault } from '#api';
import type { Step } from '#domain';
import { JournalFault, openJournal } from '#journal';
import type { Clock } from '#kernel';
import { Participants } from '#participants';
import { Projection, recoverEngine, seedLive, Timekeeper, Venue } from '#venue';
import { type HistoryReader, LiveMarkets, openHistoryReader } from '#views';
import {
  bootstrap,
  type Config,
  readAdminToken,
  readMasterKey,
  refuseDemoOnNetwork,
} from './config.ts';

/** Commands since the last snapshot that make it worth taking one when the server stops. */
const SNAPSHOT_ON_CLOSE_AFTER_COMMANDS = 1_000;

/** How long clients have, once the server stops, to finish sending what they have begun. */
const STOP_GRACE_MS = 2_000;

export interface Server {
  /** Where it listens, as in http://127.0.0.1:8787. */
  readonly url: string;
  readonly venue: Venue;
  /** Stops in order: answers what is under way, then closes journal and history. */
  close(): Promise<void>;
}

/** What recovery leaves behind, joined but not serving yet. */
interface Parts {
  readonly venue: Venue;
  readonly live: LiveMarkets;
  readonly history: HistoryReader;
  readonly projection: Projection;
  readonly vault: KeyVault;
  /** Further followers of the released steps. */
  readonly listeners: ((step: Step) => void)[];
}

/** Recovers the venue of the data directory and serves it. Rejects, all closed, when it cannot. */
export async function startServer(config: Config, log: Logger, clock: Clock): Promise<Server> {
  await using opened = new AsyncDisposableStack();
  mkdirSync(config.dataDirectory, { recursive: true, mode: 0o700 });
  const vault = new KeyVault(readMasterKey(config));
  const token = readAdminToken(config);
  const parts = await recover(config, vault, log, clock, opened);
  const { venue } = parts;
  refuseDemoOnNetwork(config, (key) => vault.has(key));
  await bootstrap(config, {
    venue,
    hasKey: (key) => vault.has(key),
    sealKey: (key, secret, passphrase) => vault.seal(key, secret, passphrase),
  });
  const timekeeper = new Timekeeper(venue);
  opened.defer(() => timekeeper.stop());
  await timekeeper.start();
  const app = serve(config, parts, token, log, clock);
  opened.defer(() => stopServing(app));
  const listening: Promise<string> = app.listen({ host: config.host, port: config.port });
  const url = await listening;
  await startParticipants(config, parts, log, opened);
  const running = opened.move();
  return { url, venue, close: () => running.disposeAsync() };
}

/** Answers what has arrived; whoever is still sending a request when time is up is cut off. */
async function stopServing(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), STOP_GRACE_MS);
  await app.close();
  clearTimeout(timer);
}

/** Both engines replay at once: the projector on its thread, the market on this one. */
async function recover(
  config: Config,
  vault: KeyVault,
  log: Logger,
  clock: Clock,
  opened: AsyncDisposableStack,
): Promise<Parts> {
  const journal = await openJournal(config.dataDirectory, { synced: !config.ephemeral });
  opened.defer(() => journal.close());
  const historyFile = join(config.dataDirectory, 'history.sqlite');
  const projection = startProjection(config, historyFile, log);
  opened.defer(() => projection.close());
  const engine = recoverEngine({
    directory: config.dataDirectory,
    snapshotSeqMax: Number.MAX_SAFE_INTEGER,
    onProgress: ({ seq, lastSeq }) => log.info({ seq, lastSeq }, 'replaying the journal'),
    onDamagedSnapshot: (reason) => log.warn(reason),
  });
  await projection.caughtUp();
  const history = openHistoryReader(historyFile);
  opened.defer(() => history.close());
  const live = new LiveMarkets();
  await seedLive(live, engine, history);
  vault.restore(engine.keys(), engine.accounts());
  const listeners: Parts['listeners'] = [];
  const onStep = (step: Step): void => {
    live.apply(step);
    for (const event of step.events) vault.apply(event);
    projection.journalGrew();
    for (const listener of listeners) listener(step);
  };
  const onHalt = (reason: Error): void => {
    log.fatal({ err: reason }, 'the venue has halted: mend the cause, then start it again');
    // A bug leaves the state unknown. The process ends with it, and starting recovers.
    if (!(reason instanceof JournalFault)) process.nextTick(() => crash(reason));
  };
  const venue = new Venue({ engine, journal, clock, onStep, onHalt });
  opened.defer(() => venue.close());
  return { venue, live, history, projection, vault, listeners };
}

function crash(reason: Error): never {
  throw reason;
}

function startProjection(config: Config, historyFile: string, log: Logger): Projection {
  const data = {
    directory: config.dataDirectory,
    historyFile,
    snapshotEveryCommands: config.snapshotIntervalCommands,
    snapshotOnCloseAfterCommands: SNAPSHOT_ON_CLOSE_AFTER_COMMANDS,
  };
  return new Projection(data, {
    onProgress: (seq, lastSeq) => log.info({ seq, lastSeq }, 'projecting history'),
    onWarning: (text) => log.warn(text),
    onFault: (error) =>
      log.fatal({ err: error }, 'the history has stopped: mend the cause, then start it again'),
  });
}

async function startParticipants(
  config: Config,
  { venue, listeners }: Parts,
  log: Logger,
  opened: AsyncDisposableStack,
): Promise<void> {
  if (!config.participants) return;
  const { liquidity, crowd, paths } = config;
  const participants = new Participants({ venue, log, liquidity, crowd, paths });
  listeners.push((step) => participants.onStep(step));
  opened.defer(() => participants.stop());
  await participants.start();
}

function serve(
  config: Config,
  parts: Parts,
  token: string,
  log: Logger,
  clock: Clock,
): FastifyInstance {
  const { venue, live, history, projection, vault } = parts;
  const { rateLimits } = config;
  const historyReady = () => projection.reach(venue.releasedSeq);
  return buildApp({
    venue,
    live,
    history,
    historyReady,
    keys: vault,
    clock,
    rateLimits,
    log,
    trustedProxies: config.trustedProxies,
    notReadyReason: () => (venue.haltReason ?? projection.fault)?.message,
    gauges: gauges(venue, projection),
    follow: (listener) => parts.listeners.push(listener),
    routes: (app) =>
      addAdminRoutes(app, { venue, history, historyReady, vault, token, clock, log, rateLimits }),
  });
}

function gauges(venue: Venue, projection: Projection): Gauge[] {
  return [
    {
      name: 'outcry_released_seq',
      help: 'Last command whose effects are durable and visible',
      read: () => venue.releasedSeq,
    },
    {
      name: 'outcry_gate_lag_commands',
      help: 'Commands applied whose journal entry is not on disk yet',
      read: () => venue.appliedSeq - venue.releasedSeq,
    },
    {
      name: 'outcry_projection_lag_commands',
      help: 'Commands released whose history is not written yet',
      read: () => venue.releasedSeq - projection.projectedSeq,
    },
    {
      name: 'outcry_halted',
      help: '1 when the venue has halted',
      read: () => (venue.haltReason === undefined ? 0 : 1),
    },
  ];
}

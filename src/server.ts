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
import { type Journal, openJournal } from '#journal';
import type { Clock } from '#kernel';
import { MarketMaker } from '#participants';
import { Projection, recoverEngine, seedLive, Venue } from '#venue';
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
  readonly listeners: ((step: Step) => void)[];
}

/** Recovers the venue of the data directory and serves it. Rejects when it cannot. */
export async function startServer(config: Config, log: Logger, clock: Clock): Promise<Server> {
  mkdirSync(config.dataDirectory, { recursive: true });
  const vault = new KeyVault(readMasterKey(config));
  const token = readAdminToken(config);
  const journal = await openJournal(config.dataDirectory);
  const parts = await recover(config, journal, vault, log, clock);
  refuseDemoOnNetwork(config, (key) => vault.has(key));
  const { venue } = parts;
  await bootstrap(config, {
    venue,
    hasKey: (key) => vault.has(key),
    sealKey: (key, secret, passphrase) => vault.seal(key, secret, passphrase),
  });
  const maker = await startMarketMaker(config, parts, log);
  const app = serve(config, parts, token, log, clock);
  const url = await app.listen({ host: config.host, port: config.port });
  return { url, venue, close: () => stop(parts, app, maker) };
}

/** Both engines replay at the same time: the projector's on its thread, the market's on this one. */
async function recover(
  config: Config,
  journal: Journal,
  vault: KeyVault,
  log: Logger,
  clock: Clock,
): Promise<Parts> {
  const historyFile = join(config.dataDirectory, 'history.sqlite');
  const projection = startProjection(config, historyFile, log);
  const engine = recoverEngine({
    directory: config.dataDirectory,
    snapshotSeqMax: Number.MAX_SAFE_INTEGER,
    onProgress: ({ seq, lastSeq }) => log.info({ seq, lastSeq }, 'replaying the journal'),
    onDamagedSnapshot: (reason) => log.warn(reason),
  });
  await projection.caughtUp();
  const history = openHistoryReader(historyFile);
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
  const onHalt = (reason: Error): void =>
    log.fatal({ err: reason }, 'the venue has halted: mend the cause, then start it again');
  const venue = new Venue({ engine, journal, clock, onStep, onHalt });
  return { venue, live, history, projection, vault, listeners };
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
    onFault: (error) => log.fatal({ err: error }, 'history is no longer written: restart'),
  });
}

async function startMarketMaker(
  config: Config,
  { venue, listeners }: Parts,
  log: Logger,
): Promise<MarketMaker | undefined> {
  const { liquidity } = config;
  if (liquidity === null || !config.participants) return undefined;
  const { accountName, ladders } = liquidity;
  const maker = new MarketMaker({ venue, accountName, ladders, log });
  listeners.push((step) => maker.onStep(step));
  await maker.start();
  return maker;
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
  return buildApp({
    venue,
    live,
    history,
    historyReady: () => projection.reach(venue.releasedSeq),
    keys: vault,
    clock,
    rateLimits,
    log,
    trustedProxies: config.trustedProxies,
    notReadyReason: () => venue.haltReason?.message,
    gauges: gauges(venue, projection),
    routes: (app) => addAdminRoutes(app, { venue, vault, token, clock, log, rateLimits }),
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

async function stop(
  { venue, history, projection }: Parts,
  app: FastifyInstance,
  maker: MarketMaker | undefined,
): Promise<void> {
  await maker?.stop();
  await app.close();
  await venue.close();
  await projection.close();
  await history.close();
}

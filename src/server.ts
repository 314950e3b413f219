/**
 * The composition root: joins journal, engine, venue, views, API and participants into one running
 * server. Starting is recovering; there is no other path. It holds no rule of its own.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import {
  addAdminRoutes,
  addSandboxRoutes,
  buildApp,
  FaultInjector,
  type Gauge,
  KeyVault,
  OperatorDoor,
} from '#api';
import type { Event, StateReader, Step } from '#domain';
import type { Engine } from '#engine';
import { JournalFault, openJournal } from '#journal';
import type { Clock } from '#kernel';
import { Participants } from '#participants';
import {
  Projection,
  recoverEngine,
  resetTo,
  seedLive,
  Timekeeper,
  Venue,
  VenueClock,
} from '#venue';
import { type HistoryReader, LiveMarkets, openHistoryReader } from '#views';
import { type Credential, DEMO_CREDENTIAL } from './config/demo.ts';
import {
  bootstrap,
  type Config,
  ConfigFault,
  DEMO_CONFIG_FILE,
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
  /** As recovered; from then on only the venue may touch it. */
  readonly engine: Engine;
  readonly venue: Venue;
  readonly live: LiveMarkets;
  readonly history: HistoryReader;
  readonly projection: Projection;
  readonly vault: KeyVault;
  readonly clock: VenueClock;
  /** Further followers of the released steps. */
  readonly listeners: ((step: Step) => void)[];
  /** Told when the venue has gone back to a checkpoint. */
  readonly resetListeners: ((state: StateReader) => void)[];
}

/** Recovers the venue of the data directory and serves it. Rejects, all closed, when it cannot. */
export async function startServer(config: Config, log: Logger, system: Clock): Promise<Server> {
  await using opened = new AsyncDisposableStack();
  mkdirSync(config.dataDirectory, { recursive: true, mode: 0o700 });
  const vault = new KeyVault(readMasterKey(config));
  const token = readAdminToken(config);
  const parts = await recover(config, vault, log, system, opened);
  const { venue, clock } = parts;
  refuseDemoOnNetwork(config, (key) => vault.has(key));
  await bootstrap(config, {
    venue,
    hasKey: (key) => vault.has(key),
    sealKey: (key, secret, passphrase) => vault.seal(key, secret, passphrase),
  });
  const timekeeper = new Timekeeper(venue, clock);
  venue.preview(({ timeMs, events }) => {
    for (const event of events) {
      if (event.kind !== 'clock_set') continue;
      clock.set(event.clock, timeMs);
      timekeeper.paceChanged();
    }
  });
  opened.defer(() => timekeeper.stop());
  await timekeeper.start();
  const market = new SimulatedMarket(config, parts, log);
  const app = serve(config, parts, token, log, market);
  opened.defer(() => stopServing(app));
  const listening: Promise<string> = app.listen({ host: config.host, port: config.port });
  const url = await listening;
  opened.defer(() => market.stop());
  await market.start();
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
  system: Clock,
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
  refuseControlledClock(config, engine);
  const clock = new VenueClock(system);
  clock.restore(engine.sandbox, engine.timeMs);
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
  const resetListeners: Parts['resetListeners'] = [
    (state) => vault.reset(state.keys(), state.accounts()),
  ];
  return { engine, venue, live, history, projection, vault, clock, listeners, resetListeners };
}

/** Outside a sandbox nobody could set it again, and nobody would know that it is not the time. */
function refuseControlledClock({ sandbox, dataDirectory }: Config, engine: Engine): void {
  if (sandbox || engine.sandbox.clock === undefined) return;
  throw new ConfigFault([
    `the clock of ${dataDirectory} was set in a sandbox: serve it with --sandbox, ` +
      'or start with another data directory',
  ]);
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

/** All that trades by itself, if the configuration wants it; a reset begins it anew. */
class SimulatedMarket {
  readonly #config: Config;
  readonly #venue: Venue;
  readonly #clock: VenueClock;
  readonly #log: Logger;
  #participants: Participants | undefined;
  #isOver = false;

  constructor(config: Config, { venue, clock, listeners }: Parts, log: Logger) {
    this.#config = config;
    this.#venue = venue;
    this.#clock = clock;
    this.#log = log;
    listeners.push((step) => this.#participants?.onStep(step));
  }

  async start(): Promise<void> {
    const { participants, liquidity, crowd, paths } = this.#config;
    if (!participants || this.#isOver) return;
    const plan = { liquidity, crowd, paths };
    const [venue, clock, log] = [this.#venue, this.#clock, this.#log];
    this.#participants = new Participants({ venue, clock, log, ...plan });
    await this.#participants.start();
  }

  async pause(): Promise<void> {
    await this.#participants?.stop();
    this.#participants = undefined;
  }

  /** For good: a reset that is under way does not begin it again. */
  stop(): Promise<void> {
    this.#isOver = true;
    return this.pause();
  }
}

function serve(
  config: Config,
  parts: Parts,
  token: string,
  log: Logger,
  market: SimulatedMarket,
): FastifyInstance {
  const { venue, live, history, projection, vault, clock } = parts;
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
    followResets: (listener) => parts.resetListeners.push(listener),
    ui: { name: 'Outcry', demo: demoCredential(config, vault), sandbox: config.sandbox },
    ...(config.sandbox ? { faults: faultsOf(parts) } : {}),
    routes: (app) => {
      const door = new OperatorDoor({ token, clock, log, rateLimits });
      const handlers = addAdminRoutes(app, { venue, history, historyReady, vault, door });
      if (!config.sandbox) return;
      const { deposit, reportIndex } = handlers;
      const reset = (name: string) => resetMarket(name, parts, market);
      addSandboxRoutes(app, { venue, door, clock, resetTo: reset, deposit, reportIndex });
    },
  });
}

function faultsOf({ engine, listeners }: Parts): FaultInjector {
  const faults = new FaultInjector();
  faults.restore(engine.sandbox.faults());
  listeners.push((step) => {
    for (const event of step.events) faults.apply(event);
  });
  return faults;
}

/** The simulated market does not act on a state that is about to go; it takes up what comes. */
async function resetMarket(
  name: string,
  parts: Parts,
  market: SimulatedMarket,
): Promise<readonly Event[]> {
  await market.pause();
  try {
    const onReset = (state: StateReader): void => {
      for (const listener of parts.resetListeners) listener(state);
    };
    return await resetTo(name, { ...parts, onReset });
  } finally {
    await market.start();
  }
}

/** What the pages offer everybody: the demo account, in the demo venue only. */
function demoCredential({ file }: Config, vault: KeyVault): Credential | null {
  return file === DEMO_CONFIG_FILE && vault.has(DEMO_CREDENTIAL.key) ? DEMO_CREDENTIAL : null;
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

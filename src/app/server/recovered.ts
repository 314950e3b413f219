/**
 * Recovery, which is also how a venue starts: journal, engine, history and live views joined to a
 * venue that does not serve yet.
 */
import type { Logger } from 'pino';
import type { KeyVault, SharedBounds } from '#api';
import type { Member, MemberOptions } from '#cluster';
import { type Config, ConfigFault, historyPlaceOf, logPlaceOf } from '#config';
import { HistoryUnavailable, type StateReader, type Step } from '#domain';
import type { Engine } from '#engine';
import { type History, HistoryAway, type HistoryReader, historyAt } from '#history';
import type { Clock, SteadyClock } from '#kernel';
import { type CommandLog, JournalFault, logAt, type OwnJournal } from '#log';
import { LiveMarkets } from '#market-data';
import {
  FaultRecord,
  Projection,
  type ProjectionData,
  type ProjectionEvents,
  type RecoverOptions,
  recoverEngine,
  recoverHandingOver,
  type ServedVenue,
  type StateSeal,
  seedLive,
  seedWithoutPast,
  Venue,
  VenueClock,
  type VenueOptions,
  WatchedClock,
} from '#venue';
import { type JoinedLog, joinCluster, joinLog, type OpenSharedLog } from './cluster.ts';
import { JournalTrimming } from './journal-trimming.ts';
import { MarketPast } from './market-past.ts';
import { startReports } from './reports.ts';

/**
 * A stop in order leaves a snapshot of everything: the next release may have other rules, and could
 * not apply what comes after the last snapshot. Ephemeral data have no next release.
 */
const SNAPSHOT_ON_CLOSE_AFTER_COMMANDS = 1;

/** What recovery leaves behind, joined but not serving yet. */
export interface Recovered {
  /** As recovered; from then on only the venue may touch it. */
  readonly engine: Engine;
  readonly venue: ServedVenue;
  /** The process's place in a cluster, to be started; undefined for a venue of its own. */
  readonly member: Member | undefined;
  readonly faults: FaultRecord;
  readonly live: LiveMarkets;
  readonly history: HistoryReader;
  /** What clients see before the first candle of the history. */
  readonly past: MarketPast;
  readonly projection: Projection;
  readonly reports: Projection | undefined;
  /** The command that the journal begins with. */
  readonly journalFirstSeq: () => number;
  readonly vault: KeyVault;
  /** What bounds accounts over the processes of a cluster; undefined for a venue of its own. */
  readonly bounds: SharedBounds | undefined;
  readonly clock: VenueClock;
  /** What the venue's clock follows: the system's, as far as it can be believed. */
  readonly watched: WatchedClock;
  /** Further followers of the released steps. */
  readonly listeners: ((step: Step) => void)[];
  /** Called when the venue has gone back to a checkpoint. */
  readonly resetListeners: ((state: StateReader) => void)[];
  /** The start could not read the history: the views are to be filled when that is possible. */
  readonly lacksPast: boolean;
}

/** The data directory, opened: its log, and the projector at work on its history. */
export interface Store {
  readonly commandLog: CommandLog;
  readonly journal: OwnJournal;
  readonly historyStore: History;
  readonly projection: Projection;
  /** Of a member of a cluster that writes reports. */
  readonly reports: Projection | undefined;
  /** Undefined for a venue of its own. */
  readonly joined: JoinedLog | undefined;
  readonly seals: Seals;
}

export async function openStore(
  config: Config,
  masterKey: Uint8Array,
  log: Logger,
  opened: AsyncDisposableStack,
  openLog: OpenSharedLog,
): Promise<Store> {
  const { dataDirectory: directory } = config;
  const places = {
    // A process of a cluster keeps a copy of a log that others keep as well, chained as that is.
    log:
      config.cluster === undefined
        ? logPlaceOf(directory, masterKey, !config.ephemeral)
        : logPlaceOf(directory, undefined, false),
    history: historyPlaceOf(directory, config.cluster ? undefined : config.historyUrl),
  };
  const commandLog = logAt(places.log);
  const { cluster, snapshotIntervalCommands: replayMax } = config;
  const seed = config.seed ? logAt(logPlaceOf(directory, masterKey)) : undefined;
  const joined =
    cluster &&
    (await joinLog(cluster, commandLog, { seed, replayMax, directory }, log, opened, openLog));
  const opening = commandLog.openWriter();
  const seals = new Seals();
  const trimming = new JournalTrimming(opening, log);
  // Both threads load at once; the projector's reads nothing before the journal is there.
  const projection = startProjection(config, places, { seals, trimming, opening }, log);
  const journal = await opening;
  opened.defer(() => journal.close());
  opened.defer(() => projection.close());
  for (const notice of journal.notices) log.warn(notice);
  const reports = startReports(config, places.log, log, opened);
  trimming.spare(reports);
  const historyStore = historyAt(places.history);
  return { commandLog, journal, historyStore, projection, reports, joined, seals };
}

/** Snapshots that were written before there was anybody to hear of them. */
class Seals {
  #unheard: StateSeal[] = [];
  #listener: ((seal: StateSeal) => void) | undefined;

  note(seal: StateSeal): void {
    if (this.#listener === undefined) this.#unheard.push(seal);
    else this.#listener(seal);
  }

  follow(listener: (seal: StateSeal) => void): void {
    this.#listener = listener;
    for (const seal of this.#unheard.splice(0)) listener(seal);
  }
}

export async function recover(
  config: Config,
  store: Store,
  vault: KeyVault,
  log: Logger,
  system: Clock & Partial<SteadyClock>,
  opened: AsyncDisposableStack,
  { bounds, ...ends }: Pick<MemberOptions, 'onLead' | 'onEnd'> & Pick<Recovered, 'bounds'>,
): Promise<Recovered> {
  const { journal, historyStore, projection, reports } = store;
  const engine = await engineOf(config, store, log);
  refuseControlledClock(config, engine);
  const watched = new WatchedClock(steady(system), engine.timeMs);
  const clock = new VenueClock(watched);
  clock.restore(engine.sandbox, engine.timeMs);
  await projection.caughtUp().catch((error: unknown) => {
    if (!projection.isAway) throw error;
  });
  const { history, live, lacksPast } = await readViews(engine, historyStore, projection);
  const past = pastOf(config, engine, live);
  opened.defer(() => history.close());
  vault.restore(engine.keys(), engine.accounts(), engine.timeMs);
  const listeners: Recovered['listeners'] = [];
  const onStep = (step: Step): void => {
    live.apply(step);
    past.onStep(step, live);
    for (const event of step.events) vault.apply(event);
    projection.journalGrew();
    reports?.journalGrew();
    for (const listener of listeners) listener(step);
  };
  const onHalt = (reason: Error): void => {
    log.fatal({ err: reason }, 'the venue has halted: mend the cause, then start it again');
    // A bug leaves the state unknown. The process ends with it, and starting recovers.
    if (!(reason instanceof JournalFault)) process.nextTick(() => crash(reason));
  };
  const faults = new FaultRecord(config.dataDirectory, (text) => log.warn(text));
  const ofProcess = { engine, mirror: journal, clock, faults, onStep };
  const follower = { ...ofProcess, ...ends, answering: bounds };
  const member = await memberOf(config, store, follower, log, opened);
  const venue =
    member?.venue ?? aloneVenue({ engine, journal, clock, onStep, onHalt, faults }, opened);
  const resetListeners: Recovered['resetListeners'] = [
    (state) => vault.reset(state.keys(), state.accounts()),
    (state) => past.begin(state, live),
  ];
  return {
    engine,
    venue,
    member,
    faults,
    live,
    history,
    past,
    ...ofStore(store),
    vault,
    bounds,
    clock,
    watched,
    listeners,
    resetListeners,
    lacksPast,
  };
}

/**
 * The market replays on this thread. What the history lacks it hands over to the projector, which
 * replays once the venue serves; where that is much, the projector replays at the same time.
 */
function engineOf(config: Config, store: Store, log: Logger): Promise<Engine> {
  const options: RecoverOptions = {
    log: store.commandLog,
    snapshotSeqMax: Number.MAX_SAFE_INTEGER,
    onProgress: ({ seq, lastSeq }) => log.info({ seq, lastSeq }, 'replaying the journal'),
    onDamagedSnapshot: (reason) => log.warn(reason),
  };
  if (!isHandedSteps(config)) return recoverEngine(options);
  return recoverHandingOver(options, store.historyStore, store.projection);
}

function ofStore({ projection, reports, journal }: Store) {
  return { projection, reports, journalFirstSeq: () => journal.firstSeq };
}

/** The place of this process in its cluster, if it has one. */
async function memberOf(
  { cluster }: Config,
  { commandLog, joined, seals }: Store,
  follower: Omit<Parameters<typeof joinCluster>[2], 'log' | 'suspension'>,
  logger: Logger,
  opened: AsyncDisposableStack,
): Promise<Member | undefined> {
  if (cluster === undefined || joined === undefined) return undefined;
  const { sharedLog, suspension } = joined;
  const recovery = { ...follower, log: sharedLog, suspension };
  const member = await joinCluster(cluster, commandLog, recovery, logger, opened);
  seals.follow((seal) => member.noteSnapshot(seal));
  return member;
}

/** A venue in one process: nobody else appends to its log. */
function aloneVenue(options: VenueOptions, opened: AsyncDisposableStack): Venue {
  return opened.adopt(new Venue(options), (venue) => venue.close());
}

interface Views {
  /** The history could not be read: what is before the start is not in the views yet. */
  readonly lacksPast: boolean;
  readonly history: HistoryReader;
  readonly live: LiveMarkets;
}

/** Only a venue whose market is simulated has a past that nobody traded in. */
function pastOf(
  { participants, liquidity, crowd, paths }: Config,
  engine: Engine,
  live: LiveMarkets,
) {
  const plan = { liquidity, crowd, paths: participants ? paths : null };
  const past = new MarketPast(plan, engine);
  past.begin(engine, live);
  return past;
}

/** The views as the history has them. Where it cannot be read it is made again, once. */
async function readViews(engine: Engine, store: History, projection: Projection): Promise<Views> {
  if (projection.isAway) return viewsWithoutPast(engine, store);
  try {
    return await seededViews(engine, store);
  } catch (error) {
    if (isAway(error)) return viewsWithoutPast(engine, store);
    const why = error instanceof Error ? error.message : String(error);
    await projection.rebuild(`history ${store.place} is damaged: ${why}`);
    return seededViews(engine, store);
  }
}

async function seededViews(engine: Engine, store: History): Promise<Views> {
  const history = await store.openReader();
  const live = new LiveMarkets();
  try {
    await seedLive(live, engine, history);
    return { history, live, lacksPast: false };
  } catch (error) {
    await history.close();
    throw error;
  }
}

/** The venue starts all the same: its orders need no history. */
async function viewsWithoutPast(engine: Engine, store: History): Promise<Views> {
  const live = new LiveMarkets();
  seedWithoutPast(live, engine);
  return { history: await store.openReader(), live, lacksPast: true };
}

function isAway(error: unknown): boolean {
  return error instanceof HistoryUnavailable && error.cause instanceof HistoryAway;
}

/** Outside a sandbox it could not be set again, and nothing would show that it is not the time. */
function refuseControlledClock({ sandbox, dataDirectory }: Config, engine: Engine): void {
  if (sandbox || engine.sandbox.clock === undefined) return;
  throw new ConfigFault([
    `the clock of ${dataDirectory} was set in a sandbox: serve it with --sandbox, ` +
      'or start with another data directory',
  ]);
}

/** Of a clock that only gives the time of day, this process measures how it passes. */
function steady(system: Clock & Partial<SteadyClock>): SteadyClock {
  return {
    nowMs: () => system.nowMs(),
    monotonicMs: () => system.monotonicMs?.() ?? performance.now(),
  };
}

function crash(reason: Error): never {
  throw reason;
}

/** Who hears of what the projector has done, and what it works on. */
interface ProjectionNeeds {
  readonly seals: Seals;
  readonly trimming: JournalTrimming;
  readonly opening: Promise<OwnJournal>;
}

/** A database may be away, and in a cluster a follower's history has to be whole by itself. */
function isHandedSteps({ cluster, historyUrl }: Config): boolean {
  return cluster === undefined && historyUrl === undefined;
}

function startProjection(
  config: Config,
  places: Pick<ProjectionData, 'log' | 'history'>,
  { seals, trimming, opening }: ProjectionNeeds,
  log: Logger,
): Projection {
  const data = {
    ...places,
    scrub: config.scrub && !config.ephemeral,
    isHandedSteps: isHandedSteps(config),
    keepMs: config.journalKeepMs,
    historyKeepMs: config.historyKeepMs,
    snapshotEveryCommands: config.snapshotIntervalCommands,
    snapshotsAtMultiples: config.cluster !== undefined,
    snapshotOnCloseAfterCommands: config.ephemeral
      ? Number.MAX_SAFE_INTEGER
      : SNAPSHOT_ON_CLOSE_AFTER_COMMANDS,
  };
  const events: ProjectionEvents = {
    onProgress: (seq, lastSeq) => log.info({ seq, lastSeq }, 'projecting history'),
    onWarning: (text) => log.warn(text),
    onFault: (error, retryInMs) =>
      log.error({ err: error, retryInMs }, 'the history has stopped and is started again'),
    onSnapshot: (seal) => seals.note(seal),
    onTrimmable: (beforeSeq) => void trimming.trim(beforeSeq),
    onRecovered: () => log.info('the history is written again'),
  };
  return new Projection(data, events, opening);
}

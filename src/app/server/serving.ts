/**
 * The doors of a recovered venue: the API with its keys, the pages, the operator's and the
 * sandbox's routes. Loading it takes a good part of a start, so it is loaded while the projector
 * starts on its own thread.
 */
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import {
  buildApp,
  type CallWatcher,
  FaultInjector,
  HttpThreads,
  type KeyRegistry,
  KeyVault,
  OwnListener,
  SharedBounds,
  type SignatureUse,
  STREAM_LIMITS,
  type StreamLimits,
} from '#api';
import { type Credential, DEMO_CREDENTIAL } from '#child';
import type { Member } from '#cluster';
import { type Config, DEMO_CONFIG_FILE, isLoopback, readCertificate } from '#config';
import {
  type ActionOptions,
  ActionRecords,
  Admitters,
  addConsoleLink,
  addDocsRoutes,
  addPages,
  adminDialect,
  classicDialect,
  competitionDialect,
  currentDialect,
  nativeDialect,
  OperatorToken,
  type PeopleOptions,
  peopleDialect,
  SessionAuth,
  sandboxDialect,
} from '#dialects';
import type { Asset, Event, StateReader } from '#domain';
import { coinAsHeld, dropLostAccess, type PeopleContext } from '#people';
import { resetTo } from '#venue';
import { clusterStatus, logTimings } from './cluster.ts';
import { competitionsOf, serveCompetitions } from './competitions.ts';
import { ConsoleLink } from './console-link.ts';
import { degradationsOf } from './degradations.ts';
import { gauges } from './gauges.ts';
import { actionGauges, actionsOf, type OperatorDesk } from './operators.ts';
import { cookieOf, paymentGauges, type ServedPeople } from './people.ts';
import type { Recovered } from './recovered.ts';
import { scenarioDesk } from './scenario-desk.ts';
import type { SimulatedMarket } from './simulated-market.ts';

export function openVault(masterKey: Buffer): KeyVault {
  return new KeyVault(masterKey);
}

/** What bounds accounts in a cluster: its parts are there once somebody asks. */
export function openBounds(parts: () => Recovered): SharedBounds {
  const counting = {
    get isHere(): boolean {
      return parts().member?.leads ?? true;
    },
    ask: async (question: string) => parts().member?.ask(question),
  };
  const signatures = {
    sign: (use: SignatureUse, nowMs: number) => parts().vault.sign(use, nowMs),
    takeOver: (timeMs: number) => parts().vault.takeOver(timeMs),
  };
  return new SharedBounds(counting, signatures, { nowMs: () => parts().clock.nowMs() });
}

export function serve(
  config: Config,
  parts: Recovered,
  token: string,
  log: Logger,
  market: SimulatedMarket,
  { operatorListener, httpThreads, onCall, people, desk, consoleLink }: Doors,
): FastifyInstance {
  const { venue, live, past, projection, vault, clock } = parts;
  const { rateLimits, shedLagMs } = config;
  const tls = readCertificate(config);
  const sessions = sessionsOf(config, people, vault);
  const admitters = admittersOf(token, rateLimits, sessions, actionsOf(desk, venue));
  const operators = [adminDialect(operatorOptions(parts, desk, people), admitters)];
  if (people !== undefined)
    operators.push(peopleDialect(peopleDialectOptions(config, people, vault, desk), admitters));
  const ownUrl = () => urlOf(config, httpThreads?.origin ?? app.listeningOrigin);
  const scenarios = config.sandbox ? scenarioDesk(ownUrl, token, config.dataDirectory) : undefined;
  if (scenarios !== undefined) {
    const resetTo = (name: string) => resetMarket(name, parts, market, people);
    operators.push(sandboxDialect({ clock, resetTo, scenarios }, admitters));
  }
  const competitions = people && competitionsOf(parts, people, desk, scenarios, log);
  if (competitions !== undefined) operators.push(competitionDialect(competitions, admitters));
  const demo = demoCredential(config, vault);
  const signUp = people?.settings.signUp;
  const pages = { name: 'Outcry', demo, sandbox: config.sandbox, people: signUp };
  const app = buildApp({
    dialects: [classicDialect, currentDialect, nativeDialect, ...operators],
    venue,
    live,
    history: past.readBy(parts.history),
    historyReady: () => projection.reach(venue.releasedSeq),
    keys: vault,
    sessions,
    makers: people?.sessions.makers,
    monitors: admitters.monitors,
    clock,
    rateLimits,
    shedLagMs,
    compatibility: config.compatibility,
    ...coinsAsHeld(config),
    log,
    onCall,
    trustedProxies: config.trustedProxies,
    hosts: hostsOf(config),
    scrapers: config.scrapers,
    streamLimits: streamLimits(config),
    ...(tls === undefined ? {} : { tls }),
    ...(operatorListener === undefined ? {} : { operatorListener }),
    ...(httpThreads === undefined ? {} : { httpThreads }),
    notReadyReason: () => venue.haltReason?.message,
    degradations: () => degradationsOf(parts, config.dataDirectory),
    ...(parts.member === undefined ? {} : ofMember(parts.member)),
    ...(parts.bounds === undefined ? {} : ofBounds(parts.bounds, vault)),
    gauges: [...gauges(config, parts), ...actionGauges(desk), ...paymentGauges(people)],
    follow: (listener) => parts.listeners.push(listener),
    followResets: (listener) => parts.resetListeners.push(listener),
    ...(config.sandbox ? { faults: faultsOf(parts) } : {}),
    routes: (routes) => {
      addDocsRoutes(routes, { frame: classicDialect.frame, clock, rateLimits });
      addPages(routes, pages);
      if (consoleLink !== undefined) addConsoleLink(routes, (code) => consoleLink.take(code));
      if (competitions !== undefined) serveCompetitions(routes, competitions);
    },
  });
  return app;
}

/** Without payments by request coins are shown as they are listed. */
function coinsAsHeld({ people }: Config) {
  const payments = people?.payments;
  if (payments === undefined || payments.coins.length === 0) return {};
  return { coinAsHeld: (coin: Asset) => coinAsHeld(payments, coin) };
}

/** What the desk may do for people, and what it may not do alone. */
function peopleDialectOptions(
  { feeLevels }: Config,
  people: ServedPeople,
  vault: KeyVault,
  desk: OperatorDesk,
): PeopleOptions {
  return { people, vault, payments: people.payments, operators: desk, feeLevels };
}

/** Of those who sign in where people find the venue; undefined where nobody does. */
function sessionsOf(
  { people: config, tls, rateLimits }: Config,
  people: PeopleContext | undefined,
  vault: KeyVault,
): SessionAuth | undefined {
  if (config === undefined || people === undefined) return undefined;
  const { sessions, settings } = people;
  const cookie = cookieOf(config, tls !== undefined);
  return new SessionAuth({ sessions, cookie, origin: settings.url }, vault, rateLimits);
}

function admittersOf(
  adminToken: string,
  rateLimits: boolean,
  sessions: SessionAuth | undefined,
  written: ActionOptions,
): Admitters {
  const token = new OperatorToken(adminToken, rateLimits);
  return new Admitters({ sessions, token, actions: new ActionRecords(written) });
}

/** Signatures are used up where all processes ask. */
function ofBounds(bounds: SharedBounds, vault: KeyVault) {
  const keys: KeyRegistry = {
    lookup: (key) => vault.lookup(key),
    isFrozen: (accountId) => vault.isFrozen(accountId),
    sign: (use) => bounds.sign(use),
  };
  return { bounds, keys };
}

function operatorOptions(
  { vault, watched, member }: Recovered,
  desk: OperatorDesk,
  people: ServedPeople | undefined,
) {
  const served = { desk, people, payments: people?.payments };
  return { vault, watched, ...served, ...(member && { cluster: () => member.roster() }) };
}

function ofMember(member: Member) {
  return {
    status: clusterStatus(member),
    isSuspended: () => member.isSuspended,
    contact: member.contact,
    timings: [logTimings(member)],
  };
}

/** Where the app is reached besides, or instead of, its own server. */
export interface Doors {
  readonly operatorListener: OwnListener | undefined;
  readonly httpThreads: HttpThreads | undefined;
  /** Is shown every call that was answered. */
  readonly onCall?: CallWatcher | undefined;
  /** Undefined where nobody signs in. */
  readonly people?: ServedPeople | undefined;
  readonly desk: OperatorDesk;
  /** Undefined but for the demo. */
  readonly consoleLink?: ConsoleLink | undefined;
}

export function doorsOf(
  config: Config,
  token: string,
): Pick<Doors, 'operatorListener' | 'httpThreads' | 'consoleLink'> {
  const { adminListener, tls, host, port, httpThreads: count } = config;
  const scheme = tls === undefined ? 'http' : 'https';
  return {
    operatorListener: adminListener && new OwnListener({ ...adminListener, scheme }),
    httpThreads: count === 0 ? undefined : new HttpThreads({ host, port, count }),
    consoleLink: consoleLinkOf(config, token),
  };
}

/** Whoever starts the demo may operate it; any other venue has a token that its operator knows. */
function consoleLinkOf({ file, host, cluster }: Config, token: string): ConsoleLink | undefined {
  const isDemo = file === DEMO_CONFIG_FILE && cluster === undefined && isLoopback(host);
  return isDemo ? new ConsoleLink(token, () => performance.now()) : undefined;
}

/** As a client calls it. */
export function urlOf({ tls }: Config, origin: string): string {
  return tls === undefined ? origin : origin.replace(/^http:/, 'https:');
}

/** Names that requests may use: a process of a cluster also has the one that others know. */
function hostsOf({ host, hosts, cluster, people }: Config): string[] {
  const url = people?.settings.url;
  const found = url === undefined ? [] : [new URL(url).hostname];
  const own = cluster === undefined ? [host, ...found] : [host, cluster.host, ...found];
  return [...own.map((name) => name.toLowerCase()), ...hosts];
}

function streamLimits({ streams }: Config): StreamLimits {
  const { connections, connectionsForKeys, connectionsPerCaller } = streams;
  const { messagesPerSecond, subscriptionsPerHour } = streams;
  return {
    ...STREAM_LIMITS,
    connectionsMax: connections ?? STREAM_LIMITS.connectionsMax,
    connectionsForKeys: connectionsForKeys ?? STREAM_LIMITS.connectionsForKeys,
    connectionsPerCallerMax: connectionsPerCaller ?? STREAM_LIMITS.connectionsPerCallerMax,
    messagesPerCallerMax: messagesPerSecond ?? STREAM_LIMITS.messagesPerCallerMax,
    subscriptionsPerCallerMax: subscriptionsPerHour ?? STREAM_LIMITS.subscriptionsPerCallerMax,
  };
}

function faultsOf({ engine, listeners }: Recovered): FaultInjector {
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
  parts: Recovered,
  market: SimulatedMarket,
  people: PeopleContext | undefined,
): Promise<readonly Event[]> {
  const prepare = people && ((state: StateReader) => dropLostAccess(people, state, name));
  await market.pause();
  try {
    const onReset = (state: StateReader): void => {
      for (const listener of parts.resetListeners) listener(state);
    };
    return await resetTo(name, { ...parts, onReset, prepare });
  } finally {
    await market.start();
  }
}

/** What the pages offer every visitor: the demo account, in the demo venue only. */
function demoCredential({ file }: Config, vault: KeyVault): Credential | null {
  return file === DEMO_CONFIG_FILE && vault.has(DEMO_CREDENTIAL.key) ? DEMO_CREDENTIAL : null;
}

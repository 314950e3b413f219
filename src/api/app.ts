/** Puts the HTTP interface together: what every call goes through, then the routes. */
import type { IncomingMessage } from 'node:http';
import Fastify, { type FastifyInstance } from 'fastify';
import { LIMITS } from '#domain';
import { boundConnections } from './bounds/connections.ts';
import { CallWindows } from './bounds/windows.ts';
import type { Counts } from './call-counters.ts';
import { type Dialect, Frames } from './dialect.ts';
import { CallFaults } from './faults/calls.ts';
import { addHealthRoutes } from './health.ts';
import { createListener, type ListenerOptions } from './listeners.ts';
import { mountedRoutes, mountedStreams } from './mounted.ts';
import { Mounts } from './mounts.ts';
import type { AppOptions } from './options.ts';
import { Admission, installAdmission } from './plugins/admission.ts';
import { Authenticator } from './plugins/auth.ts';
import { keepRawBodies } from './plugins/body.ts';
import { BrokenHttp } from './plugins/broken-http.ts';
import { endedCalls, requestIds, watchCalls } from './plugins/calls.ts';
import { answerBadPath, answerErrors, brokenText } from './plugins/errors.ts';
import { type Doors, installGuard } from './plugins/guard.ts';
import { Metrics } from './plugins/metrics.ts';
import { MetricsDoor, type MetricsDoorOptions } from './plugins/metrics-door.ts';
import { Outbox } from './plugins/outbox.ts';
import { boundPipelines, Pipelines } from './plugins/pipeline.ts';
import { sendRefusal } from './plugins/reply.ts';
import { serve } from './serve.ts';
import { SocketCalls } from './streams/calls.ts';
import type { StreamDialect } from './streams/dialect.ts';
import { type StreamOptions, Streams } from './streams/mount.ts';

/** The wire reads and writes by itself; what compiles schemas would be 110 modules at start. */
const NO_COMPILERS = { buildValidator: noSchemas, buildSerializer: noSchemas };

function noSchemas(): never {
  throw new Error('no route of this server has a schema');
}

/** The application, not listening yet. Closing it leaves everything it was given open. */
export function buildApp(options: AppOptions): FastifyInstance {
  const { clock, log, dialects, rateLimits } = options;
  const frames = new Frames(dialects);
  const mounts = new Mounts(dialects.flatMap(({ mount }) => mount ?? []));
  const brokenWords = (code: string) => brokenText(code, clock, frames.of('/'));
  const newId = requestIds();
  const pipelines = new Pipelines(rateLimits);
  const broken = new BrokenHttp(pipelines, (code, say) => say(brokenWords(code)));
  const listening: ListenerOptions = {
    tls: options.tls,
    isUpgraded: (request) => streams?.has(request) === true,
  };
  const app = Fastify({
    logger: false,
    genReqId: newId,
    schemaController: { compilersFactory: NO_COMPILERS },
    bodyLimit: LIMITS.bodyBytesMax,
    serverFactory: (handler) => createListener(listening, handler),
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    clientErrorHandler: (error, socket) => broken.answer(error, socket),
    frameworkErrors: answerBadPath(clock, frames),
    ...(mounts.hasOthers && { rewriteUrl: (request: IncomingMessage) => mounts.targetOf(request) }),
    forceCloseConnections: 'idle',
    // What arrives on an open connection while the server stops is answered like any other.
    return503OnClosing: false,
  });
  if (rateLimits) boundConnections(options.httpThreads ?? app.server, options.trustedProxies);
  boundPipelines(app, pipelines);
  const admission = rateLimits ? new Admission(options.shedLagMs) : undefined;
  const { operatorListener, httpThreads } = options;
  const isOperators =
    operatorListener && ((request: IncomingMessage) => operatorListener.has(request));
  const hosts = options.hosts && [...options.hosts, ...mounts.hosts];
  const doors: Doors = { hosts, isOperators, isSuspended: options.isSuspended };
  installGuard(app, clock, frames, doors);
  const auth = new Authenticator(options.keys, rateLimits, options.makers);
  const calls = new Map<Dialect, SocketCalls>();
  const streams = streamsOf(options, calls, { auth, admission, doors, frames, mounts });
  const gauges = [options, streams, admission, httpThreads].flatMap((one) => one?.gauges ?? []);
  const metrics = new Metrics(gauges, options.timings);
  if (admission) installAdmission(app, { admission, dialects, frames, clock, metrics });
  answerErrors(app, { frames, clock, log, metrics });
  metrics.install(app);
  keepRawBodies(app);
  const outbox = new Outbox();
  const { faults: injector } = options;
  const faults = injector && new CallFaults({ injector, outbox });
  faults?.install(app);
  serveMetrics(app, metrics, frames, { ...options, isOperators });
  const [counts, turns] = [rateLimits ? countsOf(options) : undefined, admission?.turns];
  const marks = watchCalls(app, log, options.onCall);
  const shared = { auth, metrics, outbox, faults, counts, turns, marks, admission, newId };
  const serving = { ...options, ...shared, onEnded: endedCalls(log, options.onCall) };
  for (const dialect of dialects) {
    const routes = mountedRoutes(dialect, options);
    for (const route of routes) {
      admission?.learn(route.endpoint);
      serve(app, serving, dialect, route);
    }
    if (dialect.takesCalls) calls.set(dialect, new SocketCalls(dialect, routes, serving));
  }
  addHealthRoutes(app, options);
  options.routes?.(app);
  streams?.install(app);
  for (const own of [operatorListener, ...mounts.listeners]) own?.attach(app, listening);
  httpThreads?.attach(app, { ...options, streamPaths: streams?.paths ?? [] }, brokenWords);
  return app;
}

function serveMetrics(
  app: FastifyInstance,
  metrics: Metrics,
  frames: Frames,
  options: Omit<MetricsDoorOptions, 'scrapers'> & Pick<AppOptions, 'scrapers'>,
): void {
  const { scrapers = [], clock } = options;
  const door = new MetricsDoor({ ...options, scrapers });
  metrics.serve(app, {
    refuse: (request, reply) => door.refuse(request, reply),
    answer: (request, reply, refused) =>
      sendRefusal(reply, frames.of(request.url), refused, clock.nowMs()),
  });
}

/** Undefined where nobody is told of what happens. */
function streamsOf(
  options: AppOptions,
  calls: ReadonlyMap<Dialect, SocketCalls>,
  parts: Pick<StreamOptions, 'mounts' | 'auth' | 'admission' | 'doors' | 'frames'>,
): Streams | undefined {
  const { dialects, follow } = options;
  if (follow === undefined) return undefined;
  const dialectOf = new Map(
    dialects.flatMap((dialect) =>
      mountedStreams(dialect, options).map((stream) => [stream, dialect] as const),
    ),
  );
  const callsOf = (stream: StreamDialect): SocketCalls | undefined => {
    const dialect = dialectOf.get(stream);
    return dialect && calls.get(dialect);
  };
  return new Streams({ ...options, streams: [...dialectOf.keys()], callsOf, ...parts, follow });
}

/** Apart, so that calls from many addresses never have an account forgotten. */
function countsOf({ bounds }: AppOptions): Counts {
  return { ofAccounts: bounds ?? new CallWindows(), ofAddresses: new CallWindows() };
}

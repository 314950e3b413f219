/** Puts the HTTP interface together: what every call goes through, then the routes. */
import Fastify, { type FastifyInstance } from 'fastify';
import { LIMITS } from '#domain';
import { ADMIN_ENDPOINTS, SPOT_ENDPOINTS } from '#wire';
import type { AppOptions } from './options.ts';
import { keepRawBodies } from './plugins/body.ts';
import { answerBadPath, answerBrokenHttp, answerErrors } from './plugins/errors.ts';
import { Metrics } from './plugins/metrics.ts';
import { addDocsRoutes } from './routes/docs.ts';
import { addHealthRoutes } from './routes/health.ts';
import { addSpotRoutes } from './routes/spot.ts';

/** A client that takes longer than this to send its request is cut off. */
const REQUEST_TIMEOUT_MS = 10_000;
/** How long an idle connection is kept: longer than the idle time of usual load balancers. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;

/** The application, not listening yet. Closing it leaves everything it was given open. */
export function buildApp(options: AppOptions): FastifyInstance {
  const { clock, log } = options;
  const app = Fastify({
    logger: false,
    bodyLimit: LIMITS.bodyBytesMax,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    clientErrorHandler: answerBrokenHttp(clock),
    frameworkErrors: answerBadPath(clock),
    forceCloseConnections: 'idle',
  });
  const metrics = new Metrics(options.gauges);
  answerErrors(app, { clock, log, metrics });
  metrics.install(app);
  keepRawBodies(app);
  const serving = { ...options, metrics };
  addSpotRoutes(app, options, serving);
  addHealthRoutes(app, options.notReadyReason);
  addDocsRoutes(app, [...Object.values(SPOT_ENDPOINTS), ...Object.values(ADMIN_ENDPOINTS)]);
  options.routes?.(app);
  return app;
}

/**
 * What a process supervisor asks: is the process alive, and does it serve. A venue that serves with
 * something wrong says 200 and what: it must not be taken off its load balancer for that.
 */
import type { FastifyInstance } from 'fastify';
import type { AppOptions } from './options.ts';

type HealthOptions = Pick<AppOptions, 'notReadyReason' | 'degradations' | 'status'>;

/** Adds GET /health/live and GET /health/ready. */
export function addHealthRoutes(app: FastifyInstance, options: HealthOptions): void {
  app.get('/health/live', async () => ({ status: 'live' }));
  app.get('/health/ready', async (_request, reply) => {
    const reason = options.notReadyReason();
    reply.code(reason === undefined ? 200 : 503);
    const more = options.status?.() ?? {};
    if (reason !== undefined) return { status: 'not ready', reason, ...more };
    const reasons = options.degradations?.() ?? [];
    return reasons.length === 0
      ? { status: 'ready', ...more }
      : { status: 'degraded', reasons, ...more };
  });
}

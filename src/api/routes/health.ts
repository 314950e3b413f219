/** What a process supervisor asks: is the process alive, and does it serve. */
import type { FastifyInstance } from 'fastify';

/** Adds GET /health/live and GET /health/ready. */
export function addHealthRoutes(
  app: FastifyInstance,
  notReadyReason: () => string | undefined,
): void {
  app.get('/health/live', async () => ({ status: 'live' }));
  app.get('/health/ready', async (_request, reply) => {
    const reason = notReadyReason();
    reply.code(reason === undefined ? 200 : 503);
    return reason === undefined ? { status: 'ready' } : { status: 'not ready', reason };
  });
}

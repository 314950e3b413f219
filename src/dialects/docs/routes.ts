/**
 * GET /openapi.json and /docs: files that are made once and are the same for every client. The page
 * is confined to an origin of its own, so that the vendor's script reaches nothing of the desk's.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Frame, RateLimiter, retryAfter, sendRefusal } from '#api';
import { refuse } from '#domain';
import type { Clock } from '#kernel';
import { DocsShelf } from './shelf.ts';

export interface DocsOptions {
  /** The frame of refusals. */
  readonly frame: Frame;
  readonly clock: Clock;
  /** False switches the limit off. */
  readonly rateLimits: boolean;
}

const PATHS = [
  '/openapi.json',
  '/docs/',
  '/docs/openapi.json',
  '/docs/js/storage.js',
  '/docs/js/scalar.js',
  '/docs/js/page.js',
] as const;

/** What one address may ask for; a page is four files. */
const RATE = { limit: 40, windowMs: 10_000 };

/** Scripts of this server only, nothing evaluated, nothing asked for, no storage, no cookies. */
const PAGE_POLICY =
  "sandbox allow-scripts; default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; " +
  "img-src data:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS = {
  'content-security-policy': PAGE_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'public, max-age=300',
  vary: 'accept-encoding',
};

export function addDocsRoutes(app: FastifyInstance, options: DocsOptions): void {
  const { frame, clock, rateLimits } = options;
  const shelf = new DocsShelf();
  const limiter = rateLimits ? new RateLimiter(RATE) : undefined;
  app.get('/docs', async (_request, reply) => reply.redirect('/docs/', 301));
  for (const path of PATHS) {
    app.get(path, async (request, reply) => {
      const waitMs = limiter === undefined ? 0 : limiter.take(request.ip);
      if (waitMs > 0) {
        retryAfter(reply, waitMs);
        sendRefusal(reply, frame, refuse('rate_exceeded'), clock.nowMs());
        return reply;
      }
      return sendFile(shelf, path, request, reply);
    });
  }
  app.addHook('onClose', () => shelf.close());
}

async function sendFile(
  shelf: DocsShelf,
  path: string,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const file = await shelf.file(path);
  if (file === undefined) throw new Error(`the documentation lacks ${path}`);
  const { etag, type, plain, gzip } = file;
  reply.headers(HEADERS).header('etag', etag);
  if (headers['if-none-match']?.includes(etag) === true) return reply.code(304).send();
  reply.header('content-type', type);
  if (!/\bgzip\b/.test(headers['accept-encoding'] ?? '')) return reply.send(plain);
  return reply.header('content-encoding', 'gzip').send(gzip);
}

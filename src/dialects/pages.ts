/**
 * The pages: the terminal at /, a person's account at /account, leaderboards at /competition, the
 * admin console at /ops and their files below /assets, as tools/build-ui.ts has built and
 * compressed them. What they show comes from the same API that every client uses; /ui/venue adds
 * only what that lacks.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { HttpRequest } from '#api';
import { isRefused } from '#domain';
import type { SignUp } from '#people';
import { jsonInput } from './kit/input.ts';

export interface PagesOptions {
  readonly name: string;
  /** A key that every visitor may use, offered by the pages; null where there is none. */
  readonly demo: {
    readonly key: string;
    readonly secret: string;
    readonly passphrase: string;
  } | null;
  /** Whether the operator may control time, prices and faults. */
  readonly sandbox?: boolean;
  /** How people come in who sign in by e-mail; absent where nobody does. */
  readonly people?: SignUp | undefined;
}

const BUILT = fileURLToPath(new URL('../../dist-ui/', import.meta.url));
const PAGES = {
  '/': 'index.html',
  '/account': 'account.html',
  '/competition': 'competition.html',
  '/ops': 'ops.html',
} as const;

/** Nothing but what this origin serves; no inlined script or style, no frame around it. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
    "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // A page names its files by their hashes, so it is asked for again every time.
  'cache-control': 'no-cache',
};

/** Adds the pages, or a hint in their place while nothing is built, and GET /ui/venue. */
export function addPages(app: FastifyInstance, options: PagesOptions): void {
  const { name, demo, sandbox = false, people = null } = options;
  app.get('/ui/venue', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return { name, demo, sandbox, people };
  });
  if (existsSync(join(BUILT, PAGES['/']))) servePages(app);
  else for (const path of Object.keys(PAGES)) app.get(path, hint);
}

/** POST /ui/console: the code of a link for the admin token, which `take` gives out once. */
export function addConsoleLink(
  app: FastifyInstance,
  take: (code: string) => string | undefined,
): void {
  app.post('/ui/console', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const asked = jsonInput(new HttpRequest(request));
    const code = isRefused(asked) ? undefined : asked.code;
    const token = typeof code === 'string' ? take(code) : undefined;
    if (token !== undefined) return { token };
    reply.code(403);
    return { code: 403, msg: 'The link was used or is too old' };
  });
}

function servePages(app: FastifyInstance): void {
  void app.register(fastifyStatic, {
    root: join(BUILT, 'assets'),
    prefix: '/assets/',
    // One route per file: whatever else is asked for below /assets/ is an unknown path.
    wildcard: false,
    globIgnore: ['**/*.br', '**/*.gz'],
    index: false,
    preCompressed: true,
    maxAge: '1y',
    immutable: true,
    setHeaders: (reply) => reply.header('x-content-type-options', 'nosniff'),
  });
  for (const [path, file] of Object.entries(PAGES)) {
    app.get(path, (request, reply) => {
      // The router takes the target *, which means no page, for /.
      if (request.url === '*') return reply.callNotFound();
      return reply.headers(PAGE_HEADERS).sendFile(file, BUILT, { cacheControl: false });
    });
  }
}

function hint(_request: unknown, reply: FastifyReply): FastifyReply {
  const text = 'The pages are not built: run npm run build:ui, then start Outcry again.\n';
  return reply.code(503).type('text/plain; charset=utf-8').send(text);
}

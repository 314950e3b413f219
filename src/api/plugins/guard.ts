/**
 * What is looked at before anything else: that the target is spelled as its route is, that the
 * names in Host and Origin are this venue's, and that the operator's paths are asked for where
 * they are served. A browser can be made to call a venue of its own machine under another name.
 */

import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { type Refused, refuse } from '#domain';
import type { Clock } from '#kernel';
import type { Frames } from '../dialect.ts';
import { refuseSaying } from '../refusal.ts';
import { hostNameOf } from './host-name.ts';
import { printable } from './printable.ts';
import { EVERY_ANSWER, sendRefusal } from './reply.ts';

export interface Doors {
  /** Names besides loopback and addresses, in small letters; undefined where none is checked. */
  readonly hosts: readonly string[] | undefined;
  /** True for requests of the operator's listener; undefined when there is none. */
  readonly isOperators: ((request: IncomingMessage) => boolean) | undefined;
  /** What this process knows is not to be believed: it says so, and nothing else. */
  readonly isSuspended?: (() => boolean) | undefined;
}

const SHOWN_LENGTH_MAX = 100;
const LOOPBACK = /^(localhost|127(\.[0-9]{1,3}){3}|\[::1\])$/;
const ORIGIN = /^(?:https?|wss?):\/\/([^/]+)$/;
/** What a supervisor and a monitor read. */
const WATCHED_PATH = /^\/(health|metrics)(\/|$)/;
const OPERATOR_PATH = /^\/(admin|sandbox|ops|metrics)(\/|$)/;

/** Must run before routes are added, so that it sees the requests of all of them. */
export function installGuard(
  app: FastifyInstance,
  clock: Clock,
  frames: Frames,
  doors: Doors,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    const refused = misspelled(raw.url ?? '', request.routeOptions.url) ?? refuseCaller(raw, doors);
    if (refused === undefined) done();
    else sendRefusal(reply, frames.of(request.url), refused, clock.nowMs());
  });
  // Of what the framework sends: pages, metrics and what has no body.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    for (const [name, value] of Object.entries(EVERY_ANSWER)) {
      if (!reply.hasHeader(name)) reply.header(name, value);
    }
    done();
  });
}

/** What was called, and where its operator lets it be called so. */
function notNamed(field: string, value: string): string {
  const shown = printable(value, SHOWN_LENGTH_MAX);
  return `${field} ${shown} (add the name to server.hosts to allow it)`;
}

/** Why a request is not for this listener of this venue; undefined when it is. */
export function refuseCaller(
  request: IncomingMessage,
  { hosts, isOperators, isSuspended }: Doors,
): Refused | undefined {
  const isElsewhere = isOperators !== undefined && !isOperators(request);
  if (isElsewhere && OPERATOR_PATH.test(pathOf(request.url ?? ''))) return refuse('path_unknown');
  if (isSuspended?.() && !WATCHED_PATH.test(pathOf(request.url ?? ''))) {
    return refuse('venue_halted');
  }
  const { host = '', origin } = request.headers;
  if (host.includes(',')) return refuseSaying('parameter_invalid', 'more than one Host');
  if (hosts === undefined) return undefined;
  const name = hostNameOf(host);
  if (host !== '' && !isNamed(name, hosts) && !isAddress(name)) {
    return refuseSaying('host_unknown', notNamed('Host', host));
  }
  if (origin === undefined || isOwnOrigin(origin, host, hosts)) return undefined;
  return refuseSaying('host_unknown', notNamed('Origin', origin));
}

/** A page of another machine may come from a bare address: only the one that is called is ours. */
function isOwnOrigin(origin: string, host: string, hosts: readonly string[]): boolean {
  const [, from = ''] = ORIGIN.exec(origin.toLowerCase()) ?? [];
  const name = hostNameOf(from);
  return isNamed(name, hosts) || (isAddress(name) && from === host.toLowerCase());
}

function isNamed(name: string, hosts: readonly string[]): boolean {
  return LOOPBACK.test(name) || hosts.includes(name);
}

/** An address is not a name that could be pointed elsewhere. */
function isAddress(name: string): boolean {
  return isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
}

/** The router reads escapes and whole addresses, too: what it found must stand there in letters. */
function misspelled(target: string, route: string | undefined): Refused | undefined {
  if (target === '*') return undefined;
  if (!target.startsWith('/')) return refuse('path_unknown');
  if (!target.includes('%')) return undefined;
  const path = pathOf(target);
  if (!path.includes('%')) return undefined;
  const parts = path.split('/');
  const named = route?.split('/') ?? [];
  const isLiteral = parts.every((part, at) => named[at]?.startsWith(':') || !part.includes('%'));
  return isLiteral ? undefined : refuse('path_unknown');
}

function pathOf(target: string): string {
  return target.split('?', 1)[0] ?? '';
}

/**
 * Bodies as raw bytes: a signature covers the bytes as they came, so nothing may parse them before
 * it is checked. Reading them as JSON comes after.
 */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Refused, refuse } from '#domain';
import { type JsonObject, parseJsonObject } from '../json.ts';
import { refuseSaying } from '../refusal.ts';

const JSON_TYPE = /^application\/json\s*(;|$)/i;

/** Keeps every body as a Buffer, whatever its content type says. */
export function keepRawBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  // The usual type by its name too: the framework finds that without parsing the header.
  app.addContentTypeParser(
    ['application/json', '*'],
    { parseAs: 'buffer' },
    (_request, body, done) => {
      done(null, body);
    },
  );
}

/** The body as it came; undefined when there was none. */
export function rawBody(request: FastifyRequest): Buffer | undefined {
  return Buffer.isBuffer(request.body) ? request.body : undefined;
}

/** The fields of a JSON body; none for an empty one. */
export function jsonBody(request: FastifyRequest): JsonObject | Refused {
  const body = rawBody(request);
  if (body === undefined || body.length === 0) return {};
  const type = request.headers['content-type'];
  if (type !== undefined && !JSON_TYPE.test(type)) return refuse('content_type_wrong');
  return (
    parseJsonObject(body.toString('utf8')) ?? refuseSaying('body_not_json', 'not a JSON object')
  );
}

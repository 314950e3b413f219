/**
 * Bodies as raw bytes: a signature covers the bytes as they came, so nothing may parse them before
 * it is checked. Dialects read them after that.
 */

import type { IncomingMessage } from 'node:http';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { LIMITS } from '#domain';
import { type BodyReader, Incoming } from '../incoming.ts';

const { FST_ERR_CTP_BODY_TOO_LARGE, FST_ERR_CTP_INVALID_CONTENT_LENGTH } = errorCodes;

/** Keeps every body as a Buffer, whatever its content type says. */
export function keepRawBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  // The usual type by its name too: the framework finds that without parsing the header.
  app.addContentTypeParser(['application/json', '*'], ({ headers }, payload, done) => {
    const saidLength = Number(headers['content-length']);
    if (saidLength > LIMITS.bodyBytesMax) {
      done(new FST_ERR_CTP_BODY_TOO_LARGE(), undefined);
      return;
    }
    const reading = new BodyReading(saidLength, done);
    if (!(payload instanceof Incoming && payload.handBody(reading))) follow(payload, reading);
  });
}

type Done = (error: Error | null, body?: Buffer) => void;

/** What has come of a body so far, until all has or something is wrong with it. */
class BodyReading implements BodyReader {
  readonly #parts: Buffer[] = [];
  /** NaN where the head does not say. */
  readonly #saidLength: number;
  readonly #done: Done;
  #length = 0;

  constructor(saidLength: number, done: Done) {
    this.#saidLength = saidLength;
    this.#done = done;
  }

  add(part: Buffer): boolean {
    this.#length += part.length;
    this.#parts.push(part);
    if (this.#length <= LIMITS.bodyBytesMax) return true;
    this.#done(new FST_ERR_CTP_BODY_TOO_LARGE());
    return false;
  }

  end(): void {
    if (!Number.isNaN(this.#saidLength) && this.#length !== this.#saidLength) {
      this.#done(new FST_ERR_CTP_INVALID_CONTENT_LENGTH());
      return;
    }
    // A copy, because what came is a part of what the socket has read.
    this.#done(null, Buffer.concat(this.#parts, this.#length));
  }

  fail(error: Error): void {
    this.#done(error);
  }
}

/** Reads a body by the events of its stream. */
function follow(payload: IncomingMessage, reading: BodyReading): void {
  const leave = (): void => {
    payload.off('data', take).off('end', end).off('error', fail);
  };
  const take = (part: Buffer): void => {
    if (!reading.add(part)) leave();
  };
  const end = (): void => {
    leave();
    reading.end();
  };
  const fail = (error: Error): void => {
    leave();
    reading.fail(error);
  };
  payload.on('data', take).on('end', end).on('error', fail).resume();
}

/** The body as it came; undefined when there was none. */
export function rawBody(request: FastifyRequest): Buffer | undefined {
  return Buffer.isBuffer(request.body) ? request.body : undefined;
}

/** What happens to connections that carry no HTTP, or carry it too slowly. */

import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '#kernel';
import type { Frame } from '../dialect.ts';
import { refuseSaying } from '../refusal.ts';

/** Status lines of what Node's parser gives up on; anything else is a bad request. */
const BROKEN_STATUS: ReadonlyMap<string, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
]);

/** A client that does not hang up in turn is cut off after this. */
const GOODBYE_MAX_MS = 1_000;

interface Exchange {
  readonly request: FastifyRequest['raw'];
  readonly reply: FastifyReply['raw'];
}

/** Answers on the bare socket, where there is no request to reply to. */
export class BrokenHttp {
  readonly #clock: Clock;
  readonly #frame: Frame;
  /** The last request of each connection. */
  readonly #last = new WeakMap<Socket, Exchange>();

  constructor(clock: Clock, frame: Frame) {
    this.#clock = clock;
    this.#frame = frame;
  }

  /** Must run before routes are added, because it watches their requests. */
  watch(app: FastifyInstance): void {
    app.addHook('onRequest', (request, reply, done) => {
      this.#last.set(request.raw.socket, { request: request.raw, reply: reply.raw });
      done();
    });
  }

  answer(error: Error & { readonly code?: string }, socket: Socket): void {
    const last = this.#last.get(socket);
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
    } else if (last?.request.complete === true && !last.reply.writableFinished) {
      // A refusal now would pass for the answer to the good request in front of the broken text.
      socket.pause();
      last.reply.once('finish', () => hangUp(socket, ''));
    } else {
      hangUp(socket, this.#text(error.code ?? ''));
    }
  }

  #text(code: string): string {
    const refused = refuseSaying('parameter_invalid', 'not a well-formed HTTP request in time');
    const { body } = this.#frame.refusal(refused, this.#clock.nowMs());
    return (
      `HTTP/1.1 ${BROKEN_STATUS.get(code) ?? '400 Bad Request'}\r\n` +
      'connection: close\r\ncontent-type: application/json; charset=utf-8\r\n' +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
    );
  }
}

/** Not at once: what the client still sends would have its system throw the last words away. */
function hangUp(socket: Socket, lastWords: string): void {
  const timer = setTimeout(() => socket.destroy(), GOODBYE_MAX_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.end(lastWords);
}

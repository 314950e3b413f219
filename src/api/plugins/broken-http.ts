/** What happens to connections that carry no HTTP, or carry it too slowly. */

import type { Socket } from 'node:net';
import type { Pipelines } from './pipeline.ts';

/** A client that does not hang up in turn is cut off after this. */
const GOODBYE_MAX_MS = 1_000;

/** Has the last words of a connection made, by the code of what was wrong with it. */
type Words = (code: string, say: (text: string) => void, socket: Socket) => void;

/** Answers on the bare socket, where there is no request to reply to. */
export class BrokenHttp {
  readonly #words: Words;
  readonly #pipelines: Pipelines;

  constructor(pipelines: Pipelines, words: Words) {
    this.#pipelines = pipelines;
    this.#words = words;
  }

  answer(error: Error & { readonly code?: string }, socket: Socket): void {
    const last = this.#pipelines.lastOf(socket);
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
    } else if (last?.request.complete === true && !last.response.writableFinished) {
      // A refusal now would pass for the answer to the good request in front of the broken text.
      socket.pause();
      last.response.once('finish', () => hangUp(socket, ''));
    } else {
      this.#words(error.code ?? '', (text) => hangUp(socket, text), socket);
    }
  }
}

/** Not at once: what the client still sends would have its system throw the last words away. */
function hangUp(socket: Socket, lastWords: string): void {
  const timer = setTimeout(() => socket.destroy(), GOODBYE_MAX_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.end(lastWords);
}

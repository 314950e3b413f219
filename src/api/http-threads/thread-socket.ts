/**
 * A connection whose socket an HTTP thread has, on the market thread. It carries requests; once it
 * has left HTTP it carries bytes, as many as the one who reads takes and the client reads.
 */
import { Socket } from 'node:net';
import type { ToThread } from './messages.ts';

/** A socket is given text as it is. */
interface Piece {
  readonly chunk: Uint8Array | string;
  readonly encoding: BufferEncoding;
}

/** A request and the answer to it. */
interface Exchange {
  /** The whole body of the request, a byte a letter, or more of it than anything here takes. */
  give(body: string): void;
  /** What was written of the answer has left the HTTP thread. */
  drained(): void;
  /** The connection has ended before the answer has. */
  lose(): void;
}

type Done = (error?: Error | null) => void;

export class ThreadSocket extends Socket {
  readonly number: number;
  readonly say: (message: ToThread) => void;
  /** Those whose answer has not gone out, by number. */
  readonly exchanges = new Map<number, Exchange>();
  /** What was read and not taken yet; the HTTP thread reads no more before it is. */
  #untakenCount = 0;
  #written: Done | undefined;

  constructor(number: number, address: string, say: (message: ToThread) => void) {
    super({ allowHalfOpen: true });
    this.number = number;
    this.say = say;
    Object.defineProperty(this, 'remoteAddress', { value: address });
  }

  /** What the client sent, a byte a letter. */
  receive(bytes: string): void {
    this.#untakenCount += bytes.length;
    if (this.push(Buffer.from(bytes, 'latin1'))) this._read();
  }

  /** The last bytes were handed to the system of the HTTP thread. */
  written(): void {
    const done = this.#written;
    this.#written = undefined;
    done?.();
  }

  override _read(): void {
    const count = this.#untakenCount;
    this.#untakenCount = 0;
    if (count > 0) this.say({ kind: 'taken', connection: this.number, count });
  }

  override _write(chunk: Uint8Array | string, encoding: BufferEncoding, done: Done): void {
    this.#send([{ chunk, encoding }], done);
  }

  override _writev(pieces: readonly Piece[], done: Done): void {
    this.#send(pieces, done);
  }

  override _final(done: Done): void {
    this.say({ kind: 'end', connection: this.number });
    done();
  }

  override _destroy(error: Error | null, done: Done): void {
    this.say({ kind: 'destroy', connection: this.number });
    const open = [...this.exchanges.values()];
    this.exchanges.clear();
    for (const response of open) response.lose();
    super._destroy(error, (failed) => done(failed));
  }

  #send(pieces: readonly Piece[], done: Done): void {
    this.#written = done;
    const chunks = pieces.map(({ chunk, encoding }) =>
      typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk,
    );
    const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const chunk of chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    this.say({ kind: 'bytes', connection: this.number, bytes });
  }
}

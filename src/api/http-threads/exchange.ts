/**
 * A request that an HTTP thread has received and the answer that it is to send, as node:http would
 * have given them to the framework: nothing behind them can tell the difference.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHead } from './messages.ts';
import type { ThreadSocket } from './thread-socket.ts';

const ENCODING = 'latin1';

export class ThreadRequest extends IncomingMessage {
  /** Undefined until it is here, and once it was handed on. */
  #body: string | undefined;
  #isAwaited = false;

  constructor(socket: ThreadSocket, [method, target, fields]: RequestHead) {
    super(socket);
    this.method = method;
    this.url = target;
    this.headers = fieldsOf(fields);
    this.httpVersion = '1.1';
    this.httpVersionMajor = 1;
    this.httpVersionMinor = 1;
  }

  give(body: string): void {
    this.complete = true;
    this.#body = body;
    if (this.#isAwaited) this._read();
  }

  /** The connection has ended; a body that has not come never will. */
  lose(): void {
    if (!this.complete) this.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
  }

  override _read(): void {
    const body = this.#body;
    this.#isAwaited = body === undefined;
    if (body === undefined) return;
    this.#body = undefined;
    if (body !== '') this.push(Buffer.from(body, ENCODING));
    this.push(null);
  }
}

/** What node:http has made of them: names in small letters, each once. */
function fieldsOf(lines: string): Record<string, string> {
  const fields: Record<string, string> = {};
  const parts = lines.split('\n');
  for (let at = 1; at < parts.length; at += 2) fields[parts[at - 1] ?? ''] = parts[at] ?? '';
  return fields;
}

/** An answer goes out whole, or in parts that wait until the one before has left. */
export class ThreadResponse extends ServerResponse {
  readonly #request: ThreadRequest;
  readonly #socket: ThreadSocket;
  readonly #exchange: number;
  #fields: string | undefined;
  #isBegun = false;

  constructor(request: ThreadRequest, socket: ThreadSocket, exchange: number) {
    super(request);
    this.#request = request;
    this.#socket = socket;
    this.#exchange = exchange;
  }

  /** Whether the head stands, as `headersSent` is to say. */
  get hasHead(): boolean {
    return this.#fields !== undefined;
  }

  override writeHead(status: number, ...given: unknown[]): this {
    this.statusCode = status;
    const last = given.at(-1);
    // A list of names and values is what answers of text come with.
    const lines: string[] = Array.isArray(last) ? last.map(String) : [];
    const fields: Record<string, unknown> = Array.isArray(last)
      ? this.getHeaders()
      : Object.assign(this.getHeaders(), last);
    for (const name in fields) lines.push(name, String(fields[name]));
    this.#fields = lines.join('\n');
    return this;
  }

  override write(chunk: unknown, ...rest: unknown[]): boolean {
    this.#put(chunk, false);
    const written = rest.find((one): one is () => void => typeof one === 'function');
    if (written !== undefined) queueMicrotask(written);
    return false;
  }

  override end(...given: unknown[]): this {
    if (this.finished) return this;
    this.finished = true;
    const [chunk] = given;
    this.#put(typeof chunk === 'function' ? undefined : chunk, true);
    this.#socket.exchanges.delete(this.#exchange);
    process.nextTick(endNow, this);
    return this;
  }

  give(body: string): void {
    this.#request.give(body);
  }

  drained(): void {
    if (!this.finished) this.emit('drain');
  }

  lose(): void {
    this.#request.lose();
    this.destroyed = true;
    this.emit('close');
  }

  override destroy(): this {
    this.#socket.destroy();
    return this;
  }

  #put(chunk: unknown, isLast: boolean): void {
    if (this.#fields === undefined) this.writeHead(this.statusCode);
    const { number: connection } = this.#socket;
    const [exchange, status, fields] = [this.#exchange, this.statusCode, this.#fields ?? ''];
    const body = payloadOf(chunk);
    if (isLast && !this.#isBegun) {
      this.#socket.say([connection, exchange, status, fields, body]);
      return;
    }
    if (!this.#isBegun) this.#socket.say({ kind: 'begin', connection, exchange, status, fields });
    this.#isBegun = true;
    this.#socket.say({ kind: 'part', connection, exchange, body, isLast });
  }
}

// The framework asks for it by the name that node:http has.
Object.defineProperty(ThreadResponse.prototype, 'headersSent', {
  get(this: ThreadResponse): boolean {
    return this.hasHead;
  },
});

function endNow(response: ThreadResponse): void {
  if (response.destroyed) return;
  response.emit('finish');
  response.emit('close');
}

/** Bytes are copied out of what holds them, which would travel whole with a part of it. */
function payloadOf(chunk: unknown): string | Uint8Array | undefined {
  if (typeof chunk === 'string') return chunk;
  return chunk instanceof Uint8Array ? new Uint8Array(chunk) : undefined;
}

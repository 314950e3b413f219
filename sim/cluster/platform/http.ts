/** Stands in for node:http where the processes of a cluster listen. */
import { EventEmitter } from 'node:events';
import { Writable } from 'node:stream';
import { here, networkHere } from '../here.ts';
import type { Life } from '../world.ts';

export interface Request {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly socket: { readonly remoteAddress: string };
}

/** Where a machine is, as those it calls see it: one of its own each. */
export function addressOf(host: string): string {
  const sum = [...host].reduce((before, letter) => before * 31 + letter.charCodeAt(0), 7);
  return `10.${(sum >> 16) & 255}.${(sum >> 8) & 255}.${sum & 255}`;
}

export interface Reply {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** The side of an answer that the server writes. */
export class ServerResponse extends Writable {
  statusCode = 200;
  readonly #headers = new Map<string, string>();
  readonly #pieces: Buffer[] = [];
  readonly #onReply: (reply: Reply | undefined) => void;

  /** `onReply` is given nothing when the answer is cut off. */
  constructor(onReply: (reply: Reply | undefined) => void) {
    super();
    this.#onReply = onReply;
  }

  setHeader(name: string, value: string): this {
    this.#headers.set(name, value);
    return this;
  }

  setTimeout(): this {
    return this;
  }

  override _write(piece: Buffer, _encoding: string, done: () => void): void {
    this.#pieces.push(Buffer.from(piece));
    done();
  }

  override _final(done: () => void): void {
    const body = Buffer.concat(this.#pieces);
    this.#onReply({ status: this.statusCode, headers: this.#headers, body });
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (!this.writableFinished) this.#onReply(undefined);
    done(error);
  }
}

export class Server extends EventEmitter {
  readonly #life: Life = here();
  #place: string | undefined;

  get listening(): boolean {
    return this.#place !== undefined;
  }

  address(): { readonly port: number } | null {
    return this.#place === undefined ? null : { port: Number(this.#place.split(':')[1]) };
  }

  listen({ host, port }: { readonly host: string; readonly port: number }): this {
    const { world } = this.#life;
    const place = `${host}:${port}`;
    this.#place = place;
    world.listeners.set(place, { life: this.#life, server: this });
    this.#life.onEnd(() => this.#leave());
    world.at(0, () => this.emit('listening'), this.#life);
    return this;
  }

  close(): this {
    this.#leave();
    this.#life.world.at(0, () => this.emit('close'), this.#life);
    return this;
  }

  closeAllConnections(): void {}

  #leave(): void {
    const { listeners } = this.#life.world;
    if (this.#place !== undefined && listeners.get(this.#place)?.server === this) {
      listeners.delete(this.#place);
    }
    this.#place = undefined;
  }
}

export function createServer(answer: (request: Request, response: ServerResponse) => void): Server {
  return new Server().on('request', answer);
}

export interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Asks another process over the network; rejects with the code of what went wrong. */
export function call(url: URL, { headers = {}, signal }: Asked): Promise<Reply> {
  const network = networkHere();
  const life = here();
  const { world, host: from } = life;
  const to = url.hostname;
  return new Promise((resolve, reject) => {
    const inLife = (act: () => void): void => world.at(0, act, life);
    const failing = (code: string) => (): void =>
      inLife(() => reject(Object.assign(new Error(code), { code })));
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    const back = (reply: Reply | undefined, code = 'ECONNRESET'): void => {
      const answer = reply === undefined ? failing(code) : () => inLife(() => resolve(reply));
      network.repeat(to, from, answer, failing('ETIMEDOUT'));
    };
    const arrive = (): void => {
      const listener = world.listeners.get(url.host);
      if (listener === undefined) {
        back(undefined, 'ECONNREFUSED');
        return;
      }
      const socket = { remoteAddress: addressOf(from) };
      const request: Request = { url: url.pathname, method: 'GET', headers, socket };
      listener.life.onEnd(() => back(undefined));
      const response = new ServerResponse(back);
      world.at(0, () => listener.server.emit('request', request, response), listener.life);
    };
    network.repeat(from, to, arrive, failing('ETIMEDOUT'));
  });
}

/** A request without a body whose answer is its headers. */
export function get(url: URL, asked: Asked): EventEmitter {
  const request = new EventEmitter();
  call(url, asked).then(
    ({ headers }) =>
      request.emit('response', { headers: Object.fromEntries(headers), resume: () => undefined }),
    (error: unknown) => request.emit('error', error),
  );
  return request;
}

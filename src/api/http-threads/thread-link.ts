/** One HTTP thread as the market thread sees it: its connections, what is asked on them. */
import { Worker } from 'node:worker_threads';
import { unreachable } from '#kernel';
import { ThreadRequest, ThreadResponse } from './exchange.ts';
import {
  type Arrived,
  Batch,
  type FromThread,
  type ThreadTerms,
  type ToThread,
} from './messages.ts';
import { ThreadSocket } from './thread-socket.ts';

/** What becomes of what an HTTP thread brings. */
export interface Market {
  readonly request: (request: ThreadRequest, response: ThreadResponse) => void;
  readonly upgrade: (request: ThreadRequest, socket: ThreadSocket, head: Buffer) => void;
  /** A connection that nothing has counted yet. */
  readonly opened: (socket: ThreadSocket) => void;
  /** The last words to one that carries no HTTP. */
  readonly brokenWords: (code: string) => string;
}

type OfConnection = Exclude<
  Extract<FromThread, { readonly connection: number }>,
  { readonly kind: 'opened' }
>;

export class ThreadLink {
  readonly #worker: Worker;
  readonly #market: Market;
  readonly #lagMs = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #batch: Batch<ToThread>;
  readonly #sockets = new Map<number, ThreadSocket>();
  readonly #listening = Promise.withResolvers<number>();
  readonly #stopped = Promise.withResolvers<void>();
  #connectionsCount = 0;
  /** Resolves with what it failed of, once it is gone. */
  readonly ended: Promise<unknown>;

  constructor(name: string, terms: Omit<ThreadTerms, 'lagMs'>, market: Market) {
    const workerData: ThreadTerms = { ...terms, lagMs: this.#lagMs };
    const file = new URL('./thread-worker.ts', import.meta.url);
    this.#worker = new Worker(file, { workerData, name });
    this.#market = market;
    // After what runs now and what that has resolve: the answers of one turn go in one message.
    this.#batch = new Batch(process.nextTick, (messages) => this.#worker.postMessage(messages));
    this.#worker.on('message', (messages: readonly FromThread[]) => this.#hear(messages));
    const ended = Promise.withResolvers<unknown>();
    this.ended = ended.promise;
    let fault: unknown = new Error('an HTTP thread has ended');
    this.#worker.on('error', (error) => {
      fault = error;
    });
    this.#worker.once('exit', () => {
      this.#end();
      this.#listening.reject(fault);
      this.#stopped.resolve();
      ended.resolve(fault);
    });
    this.#listening.promise.catch(() => undefined);
  }

  get connectionsCount(): number {
    return this.#connectionsCount;
  }

  /** How far it is behind. */
  get lagMs(): number {
    return Atomics.load(this.#lagMs, 0);
  }

  /** Resolves with the port. */
  listen(host: string, port: number, isShared: boolean): Promise<number> {
    this.#batch.add({ kind: 'listen', host, port, isShared });
    return this.#listening.promise;
  }

  /** Takes no more connections, and ends once those that it has are closed. */
  async stop(): Promise<void> {
    this.#batch.add({ kind: 'stop' });
    await this.#stopped.promise;
    await this.#worker.terminate();
  }

  closeAllConnections(): void {
    this.#batch.add({ kind: 'closeAll' });
  }

  /** At once, with all that it has. */
  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  #end(): void {
    for (const socket of this.#sockets.values()) socket.destroy();
    this.#sockets.clear();
    this.#connectionsCount = 0;
  }

  #hear(messages: readonly FromThread[]): void {
    for (const message of messages) this.#obey(message);
  }

  #obey(message: FromThread): void {
    if (Array.isArray(message)) {
      this.#receive(message);
      return;
    }
    switch (message.kind) {
      case 'listening':
        this.#listening.resolve(message.port);
        break;
      case 'failed':
        this.#listening.reject(message.error);
        break;
      case 'stopped':
        this.#stopped.resolve();
        break;
      case 'opened':
        this.#open(message.connection, message.address, message.isOuter);
        break;
      default: {
        const socket = this.#sockets.get(message.connection);
        if (socket !== undefined) this.#obeyAt(socket, message);
      }
    }
  }

  #open(connection: number, address: string, isOuter: boolean): void {
    const say = (message: ToThread): void => this.#batch.add(message);
    const socket = new ThreadSocket(connection, address, say);
    this.#sockets.set(connection, socket);
    if (!isOuter) return;
    this.#connectionsCount += 1;
    socket.once('close', () => {
      this.#connectionsCount -= 1;
    });
    this.#market.opened(socket);
  }

  #obeyAt(socket: ThreadSocket, message: OfConnection): void {
    switch (message.kind) {
      case 'body':
        socket.exchanges.get(message.exchange)?.give(message.body);
        break;
      case 'drained':
        socket.exchanges.get(message.exchange)?.drained();
        break;
      case 'upgrade':
        this.#market.upgrade(
          new ThreadRequest(socket, message.head),
          socket,
          Buffer.from(message.bytes, 'latin1'),
        );
        break;
      case 'bytes':
        socket.receive(message.bytes);
        break;
      case 'written':
        socket.written();
        break;
      case 'ended':
        socket.push(null);
        break;
      case 'closed':
        this.#sockets.delete(message.connection);
        socket.destroy();
        break;
      case 'broken': {
        const { connection, code } = message;
        this.#batch.add({ kind: 'words', connection, text: this.#market.brokenWords(code) });
        break;
      }
      default:
        unreachable(message);
    }
  }

  #receive([connection, exchange, head, body]: Arrived): void {
    const socket = this.#sockets.get(connection);
    if (socket === undefined) return;
    const request = new ThreadRequest(socket, head);
    const response = new ThreadResponse(request, socket, exchange);
    socket.exchanges.set(exchange, response);
    if (body !== undefined) request.give(body);
    this.#market.request(request, response);
  }
}

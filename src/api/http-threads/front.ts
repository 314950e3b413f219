/**
 * What an HTTP thread does with its connections: reads requests off them, as many at a time as one
 * may have, hands them over and writes the answers. What has left HTTP it carries as bytes.
 */
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { assert, unreachable } from '#kernel';
import { createListener } from '../listeners.ts';
import { BrokenHttp } from '../plugins/broken-http.ts';
import { Pipelines } from '../plugins/pipeline.ts';
import { patternOf } from '../streams/stream-paths.ts';
import {
  type Answered,
  type Arrived,
  Batch,
  type FromThread,
  type RequestHead,
  type ThreadTerms,
  type ToThread,
} from './messages.ts';

/** What may be under way to the market thread of one connection that has left HTTP. */
const UNTAKEN_MAX = 65_536;

/** A connection, and what is asked on it. */
interface Line {
  readonly number: number;
  readonly socket: Socket;
  readonly exchanges: Map<number, ServerResponse>;
  /** What makes its last words go out. */
  say: ((text: string) => void) | undefined;
  untakenCount: number;
}

type OfConnection = Extract<ToThread, { readonly connection: number }>;
type Part = Extract<ToThread, { readonly kind: 'part' }>;

export class Front {
  readonly #terms: ThreadTerms;
  readonly #server: Server;
  readonly #batch: Batch<FromThread>;
  readonly #pipelines: Pipelines;
  readonly #broken: BrokenHttp;
  readonly #lines = new Map<number, Line>();
  readonly #lineOf = new WeakMap<Duplex, Line>();
  #connectionsCount = 0;
  #exchangesCount = 0;

  constructor(terms: ThreadTerms, post: (messages: readonly FromThread[]) => void) {
    this.#terms = terms;
    // What came on all sockets in a turn of the event loop goes in one message.
    this.#batch = new Batch(setImmediate, post);
    this.#pipelines = new Pipelines(terms.hasTurns);
    this.#broken = new BrokenHttp(this.#pipelines, (...broken) => this.#askWords(...broken));
    const paths = new Set(terms.streamPaths);
    const { tls } = terms;
    const isUpgraded = ({ url }: IncomingMessage) => patternOf(url, paths) !== undefined;
    this.#server = createListener({ tls, isUpgraded }, (...exchange) => this.#receive(...exchange));
    this.#follow(this.#server);
  }

  hear(messages: readonly ToThread[]): void {
    for (const message of messages) this.#obey(message);
  }

  #follow(server: Server): void {
    server.on('connection', (socket: Socket) => this.#open(socket, true));
    server.on('secureConnection', (socket: Socket) => this.#open(socket, false));
    server.on('upgrade', (...upgrade: [IncomingMessage, Duplex, Buffer]) =>
      this.#upgrade(...upgrade),
    );
    server.on('clientError', (error, socket: Socket) => this.#broken.answer(error, socket));
    server.on('error', (error) => this.#batch.add({ kind: 'failed', error }));
  }

  #open(socket: Socket, isOuter: boolean): void {
    const { remoteAddress: address } = socket;
    if (address === undefined) {
      socket.destroy();
      return;
    }
    this.#connectionsCount += 1;
    const connection = this.#connectionsCount;
    const exchanges = new Map<number, ServerResponse>();
    const line: Line = { number: connection, socket, exchanges, say: undefined, untakenCount: 0 };
    this.#lines.set(connection, line);
    this.#lineOf.set(socket, line);
    this.#batch.add({ kind: 'opened', connection, address, isOuter });
    socket.once('close', () => {
      this.#lines.delete(connection);
      this.#batch.add({ kind: 'closed', connection });
    });
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const line = this.#lineOf.get(socket);
    if (line === undefined) return;
    this.#pipelines.enter({ request, response }, () => this.#pass(line, request, response));
  }

  #pass(line: Line, request: IncomingMessage, response: ServerResponse): void {
    this.#exchangesCount += 1;
    const exchange = this.#exchangesCount;
    line.exchanges.set(exchange, response);
    // Comes once the answer has left, which it does not while the client does not read.
    response.once('close', () => {
      line.exchanges.delete(exchange);
      this.#pipelines.leave(line.socket);
    });
    const body = hasBody(request.headers) ? undefined : '';
    const message: Arrived = [line.number, exchange, headOf(request), body];
    this.#batch.add(message);
    if (body === undefined) this.#readBody(request, message);
  }

  /** Most bodies come with their heads, and leave with them. */
  #readBody(request: IncomingMessage, message: Arrived): void {
    const { turn } = this.#batch;
    const parts: string[] = [];
    let count = 0;
    const finish = (): void => {
      const body = parts.join('');
      const [connection, exchange] = message;
      if (this.#batch.turn === turn) message[3] = body;
      else this.#batch.add({ kind: 'body', connection, exchange, body });
    };
    const read = (part: Buffer): void => {
      parts.push(part.toString('latin1'));
      count += part.length;
      if (count <= this.#terms.bodyBytesMax) return;
      // The rest is read and thrown away: that it is too much is seen already.
      request.off('data', read).off('end', finish).resume();
      finish();
    };
    request.on('data', read).on('end', finish);
  }

  #askWords(code: string, say: (text: string) => void, socket: Socket): void {
    const line = this.#lineOf.get(socket);
    if (line === undefined) {
      socket.destroy();
      return;
    }
    // A client that has ended its side would have the socket ended before the words are here.
    socket.pause();
    line.say = (text) => {
      say(text);
      socket.resume();
    };
    this.#batch.add({ kind: 'broken', connection: line.number, code });
  }

  #upgrade(request: IncomingMessage, duplex: Duplex, head: Buffer): void {
    const line = this.#lineOf.get(duplex);
    if (line === undefined) {
      duplex.destroy();
      return;
    }
    const { number: connection, socket } = line;
    const bytes = head.toString('latin1');
    this.#batch.add({ kind: 'upgrade', connection, head: headOf(request), bytes });
    socket.setTimeout(0);
    socket.on('error', () => undefined);
    socket.on('end', () => this.#batch.add({ kind: 'ended', connection }));
    socket.on('data', (part: Buffer) => {
      this.#batch.add({ kind: 'bytes', connection, bytes: part.toString('latin1') });
      line.untakenCount += part.length;
      if (line.untakenCount >= UNTAKEN_MAX) socket.pause();
    });
  }

  #obey(message: ToThread): void {
    if (Array.isArray(message)) {
      this.#answer(message);
      return;
    }
    switch (message.kind) {
      case 'listen':
        this.#listen(message);
        break;
      case 'stop':
        this.#server.close(() => this.#batch.add({ kind: 'stopped' }));
        break;
      case 'closeAll':
        this.#server.closeAllConnections();
        break;
      default: {
        const line = this.#lines.get(message.connection);
        if (line !== undefined) this.#obeyAt(line, message);
      }
    }
  }

  #obeyAt(line: Line, message: OfConnection): void {
    const { socket, number: connection } = line;
    switch (message.kind) {
      case 'begin':
        begin(line.exchanges.get(message.exchange), message.status, message.fields);
        break;
      case 'part':
        this.#write(line, message);
        break;
      case 'bytes':
        socket.write(message.bytes, () => this.#batch.add({ kind: 'written', connection }));
        break;
      case 'taken':
        line.untakenCount -= message.count;
        if (line.untakenCount < UNTAKEN_MAX) socket.resume();
        break;
      case 'words':
        line.say?.(message.text);
        break;
      case 'end':
        socket.end();
        break;
      case 'destroy':
        socket.destroy();
        break;
      default:
        unreachable(message);
    }
  }

  #answer([connection, exchange, status, fields, body]: Answered): void {
    const response = this.#lines.get(connection)?.exchanges.get(exchange);
    begin(response, status, fields)?.end(body);
  }

  #write({ exchanges }: Line, { connection, exchange, body, isLast }: Part): void {
    const response = exchanges.get(exchange);
    if (response === undefined || isLast) {
      response?.end(body);
      return;
    }
    const drained = (): void => this.#batch.add({ kind: 'drained', connection, exchange });
    if (response.write(body ?? '')) drained();
    else response.once('drain', drained);
  }

  /** Where several listen, the system shares out who connects. */
  #listen({ host, port, isShared }: Extract<ToThread, { readonly kind: 'listen' }>): void {
    this.#server.listen({ host, port, reusePort: isShared }, () => {
      const address = this.#server.address();
      assert(typeof address === 'object' && address !== null, 'a listening server has an address');
      this.#batch.add({ kind: 'listening', port: address.port });
    });
  }
}

function begin(
  response: ServerResponse | undefined,
  status: number,
  fields: string,
): ServerResponse | undefined {
  return response?.writeHead(status, fields === '' ? [] : fields.split('\n'));
}

function headOf({ method = '', url = '', headers }: IncomingMessage): RequestHead {
  const lines: string[] = [];
  for (const name in headers) lines.push(name, String(headers[name]));
  return [method, url, lines.join('\n')];
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

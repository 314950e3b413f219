/**
 * The leader's side of the connections of a cluster: listens on the member's own address, takes
 * commands from followers while this member leads, and lets them hear that it is there. Whoever
 * comes while it takes the lead is kept waiting; when it leads no more, everybody is sent away.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Command, type Event, type Origin, type Refused, refuse, writeTagged } from '#domain';
import type { Snapshots } from '#log';
import { Doorkeeper, HELLO_PATH } from './handshake.ts';
import {
  type AnswerRow,
  BEAT_EVERY_MS,
  commandOf,
  type FromLeader,
  LINK_BYTES_MAX,
  LINK_PATH,
  NOT_LEADING,
  type QuestionRow,
  type RefusedRow,
  type RequestRow,
  readToLeader,
} from './link-messages.ts';
import { STATUS_PATH } from './member-status.ts';
import { isUndecided } from './open-requests.ts';
import { SNAPSHOT_PATH, SnapshotDoor } from './snapshot-link.ts';

/** Where commands go while this member leads. */
export interface Led {
  readonly claim: number;
  readonly releasedSeq: number;
  /** How long ago it has heard from a quorum of the log. */
  readonly contactAgeMs: number;
  submit(command: Command, origin: Origin): Promise<readonly Event[]>;
  /** What it says to a question over one connection; undefined when it does not know any more. */
  answer(asker: string, question: string): Promise<string | undefined>;
  /** The connection is over. */
  left(asker: string): void;
}

export interface LinkServerOptions {
  readonly host: string;
  readonly port: number;
  readonly secret: string;
  readonly snapshots: Pick<Snapshots, 'newestFile'>;
  /** What it says of itself to the others, as JSON. */
  readonly statusText: () => string;
}

const SENDER_NAME = /^[\w.:-]{1,64}$/;
/** A follower that does not read is cut off beyond this. */
const UNSENT_BYTES_MAX = 8 * 1024 * 1024;
/** A member that is connected to and does not lead is about to: longer than any takeover. */
const WAIT_MAX_MS = 1_000;

export class LinkServer {
  readonly #options: LinkServerOptions;
  readonly #server: Server;
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: LINK_BYTES_MAX });
  readonly #refused = new Map<WebSocket, RefusedRow[]>();
  readonly #snapshots: SnapshotDoor;
  readonly #doorkeeper: Doorkeeper;
  #mayServe = true;
  /** Connections that wait until this member leads, and what each of them is told then. */
  readonly #waiting = new Map<WebSocket, (led: Led) => void>();
  #isOver = false;
  #lastConnection = 0;
  #led: Led | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LinkServerOptions) {
    this.#options = options;
    this.#snapshots = new SnapshotDoor(options.snapshots);
    this.#doorkeeper = new Doorkeeper(options.secret);
    this.#server = createServer((request, response) => this.#answer(request, response));
    this.#server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
  }

  /** Resolves with the address that others reach it at, once it listens. */
  async listen(): Promise<string> {
    const { host, port } = this.#options;
    await once(this.#server.listen({ host, port, exclusive: true }), 'listening');
    const address = this.#server.address();
    const own = typeof address === 'object' && address !== null ? address.port : port;
    const url = `ws://${host.includes(':') ? `[${host}]` : host}:${own}`;
    this.#doorkeeper.standAt(url);
    return url;
  }

  /** From here on takes commands. */
  lead(led: Led): void {
    this.#led = led;
    this.#timer = setInterval(() => this.#beat(), BEAT_EVERY_MS);
    this.#timer.unref();
    for (const welcome of this.#waiting.values()) welcome(led);
    this.#waiting.clear();
  }

  /** Sends everybody away. */
  retire(): void {
    this.#isOver = true;
    this.#led = undefined;
    clearInterval(this.#timer);
    // What has ended it is said before.
    setImmediate(() => {
      for (const socket of this.#sockets.clients) socket.close(NOT_LEADING);
    });
  }

  /** Its state is not to be trusted: nobody joins with it. */
  suspend(): void {
    this.retire();
    this.#mayServe = false;
  }

  async close(): Promise<void> {
    this.retire();
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#server.close();
    this.#server.closeAllConnections();
    if (this.#server.listening) await once(this.#server, 'close');
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { url = '' } = request;
    if (url === HELLO_PATH) {
      this.#doorkeeper.hello(request, response);
      return;
    }
    const isKnown = url === STATUS_PATH || (url === SNAPSHOT_PATH && this.#mayServe);
    if (!isKnown || !this.#doorkeeper.isProved(request)) {
      response.statusCode = isKnown ? 401 : 404;
      response.end();
    } else if (url === SNAPSHOT_PATH) this.#snapshots.serve(request, response);
    else response.end(this.#options.statusText());
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Whoever hangs up in the middle must not end this process.
    socket.on('error', () => socket.destroy());
    const [path, query] = (request.url ?? '').split('?', 2);
    const sender = new URLSearchParams(query).get('sender') ?? '';
    const isKnown = path === LINK_PATH && SENDER_NAME.test(sender);
    if (!isKnown || !this.#doorkeeper.isProved(request)) {
      socket.end(`HTTP/1.1 ${isKnown ? '401 Unauthorized' : '404 Not Found'}\r\n\r\n`);
      return;
    }
    this.#sockets.handleUpgrade(request, socket, head, (opened) => this.#welcome(opened, sender));
  }

  #welcome(socket: WebSocket, sender: string): void {
    socket.on('error', () => socket.terminate());
    if (this.#led !== undefined) this.#serve(socket, sender, this.#led);
    else if (this.#isOver) socket.close(NOT_LEADING);
    else this.#keepWaiting(socket, (led) => this.#serve(socket, sender, led));
  }

  #keepWaiting(socket: WebSocket, welcome: (led: Led) => void): void {
    this.#waiting.set(socket, welcome);
    const timer = setTimeout(() => {
      if (this.#waiting.delete(socket)) socket.close(NOT_LEADING);
    }, WAIT_MAX_MS);
    socket.on('close', () => {
      clearTimeout(timer);
      this.#waiting.delete(socket);
    });
  }

  #serve(socket: WebSocket, sender: string, led: Led): void {
    this.#sendBeat(socket, led);
    this.#lastConnection += 1;
    // The end of one connection may be heard of after the next one has begun.
    const asker = `${sender} ${this.#lastConnection}`;
    socket.on('close', () => this.#led?.left(asker));
    socket.on('message', (data) => {
      const message = readToLeader(String(data));
      if (message === undefined) socket.close(1008);
      else if (message[0] === 'ask') void this.#answerAll(socket, asker, message[1]);
      else for (const row of message[1]) this.#carryOut(socket, sender, row);
    });
  }

  /** Questions that came together are answered together; what is not known stays without one. */
  async #answerAll(socket: WebSocket, asker: string, rows: readonly QuestionRow[]): Promise<void> {
    const answers: AnswerRow[] = [];
    for (const [number, question] of rows) {
      const answer = await this.#led?.answer(asker, question);
      if (answer !== undefined) answers.push([number, answer]);
    }
    if (answers.length > 0) this.#send(socket, ['answers', answers]);
  }

  /** What it did is in the log, where its sender sees it; only a refusal is sent back. */
  #carryOut(socket: WebSocket, sender: string, [request, openFrom, text]: RequestRow): void {
    const led = this.#led;
    if (led === undefined) return;
    const command = commandOf(text);
    const refused = (why: Refused): RefusedRow => [request, led.releasedSeq, writeTagged(why)];
    // Of a release that writes what this one does not read: nothing is carried out.
    if (command === undefined) {
      this.#refuse(socket, refused(refuse('venue_busy')));
      return;
    }
    // It has ended this leader and is in no log: said at once, before the connection is closed.
    const failed = () => this.#send(socket, ['refused', [refused(refuse('internal_fault'))]]);
    submitted(led, command, { sender, request, openFrom }).then(([first]) => {
      // A halted venue has not judged it, or does not know: the next leader does.
      if (first?.kind !== 'refused' || isUndecided(first)) return;
      this.#refuse(socket, refused(first));
    }, failed);
  }

  /** Refusals of one turn go out together. */
  #refuse(socket: WebSocket, row: RefusedRow): void {
    const rows = this.#refused.get(socket);
    if (rows !== undefined) {
      rows.push(row);
      return;
    }
    const first = [row];
    this.#refused.set(socket, first);
    setImmediate(() => {
      this.#refused.delete(socket);
      this.#send(socket, ['refused', first]);
    });
  }

  #beat(): void {
    const led = this.#led;
    if (led === undefined) return;
    for (const socket of this.#sockets.clients) this.#sendBeat(socket, led);
  }

  #sendBeat(socket: WebSocket, { claim, releasedSeq, contactAgeMs }: Led): void {
    this.#send(socket, ['beat', claim, releasedSeq, Math.round(contactAgeMs)]);
  }

  #send(socket: WebSocket, message: FromLeader): void {
    if (socket.bufferedAmount > UNSENT_BYTES_MAX) socket.terminate();
    else if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
  }
}

/** As a promise also when the engine fails at once. */
export async function submitted(
  led: Pick<Led, 'submit'>,
  command: Command,
  origin: Origin,
): Promise<readonly Event[]> {
  return led.submit(command, origin);
}

/** Stands in for ws: connections between the processes of a cluster, and those of its clients. */
import { EventEmitter } from 'node:events';
import { here, networkHere } from '../here.ts';
import { End } from '../wire.ts';
import type { Life } from '../world.ts';
import { addressOf, type Request } from './http.ts';

const BROKEN = 1006;
/** Of a header, where the length follows in a field of its own, by what stands in its place. */
const HEADER_BYTES: ReadonlyMap<number, number> = new Map([
  [126, 4],
  [127, 10],
]);

interface ClientOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly handshakeTimeout?: number;
}

/** What a server is handed with an upgrade: how to refuse it, or the end to go on with. */
class Handshake extends EventEmitter {
  readonly #answer: (end: End | undefined) => void;
  /** What has come of it. */
  opened: WebSocket | undefined;
  destroyed = false;

  constructor(answer: (end: End | undefined) => void) {
    super();
    this.#answer = answer;
  }

  accept(end: End): void {
    this.#answer(end);
  }

  end(): void {
    this.#answer(undefined);
  }

  destroy(): void {
    this.destroyed = true;
    this.#answer(undefined);
  }

  cork(): void {}

  uncork(): void {}

  /** A whole message with its header, as the streams write it past ws. */
  write(message: Buffer): void {
    this.opened?.send(message.subarray(HEADER_BYTES.get(message.readUInt8(1)) ?? 2));
  }
}

export class WebSocket extends EventEmitter {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  readonly CONNECTING = 0;
  readonly OPEN = 1;
  readonly CLOSING = 2;
  readonly CLOSED = 3;
  readyState: number = WebSocket.CONNECTING;
  readonly #life: Life = here();
  #end: End | undefined;
  /** Of whoever has connected; empty on the side of a server. */
  #query = '';
  /** The first frames of a message that goes on. */
  #begun = '';

  constructor(url: string | undefined, options: ClientOptions = {}) {
    super();
    if (url !== undefined) this.#connect(new URL(url), options);
  }

  /** The side of a server. */
  static over(end: End): WebSocket {
    const socket = new WebSocket(undefined);
    socket.#open(end);
    return socket;
  }

  /** What the other side has not taken yet. */
  get bufferedAmount(): number {
    return this.#end?.unsentBytes ?? 0;
  }

  /** Whether this side takes what arrives: what it does not take waits with the sender. */
  set isReading(isReading: boolean) {
    if (this.#end !== undefined) this.#end.isReading = isReading;
  }

  send(frame: string | Buffer, { fin = true }: { readonly fin?: boolean } = {}): void {
    if (this.readyState !== WebSocket.OPEN) return;
    const text = this.#begun + frame.toString();
    this.#begun = fin ? '' : text;
    if (!fin) return;
    const { world, host } = this.#life;
    if (this.#query !== '') world.noteSent(this.#query, text);
    world.onSent(host, text);
    this.#end?.send({ text });
  }

  ping(): void {}

  close(code = 1000): void {
    if (this.readyState === WebSocket.CONNECTING) this.terminate();
    if (this.readyState !== WebSocket.OPEN) return;
    this.readyState = WebSocket.CLOSING;
    this.#end?.send({ close: code });
  }

  terminate(): void {
    if (this.readyState === WebSocket.CLOSED) return;
    this.#end?.send({ close: BROKEN });
    this.#closed(BROKEN);
  }

  #connect(url: URL, { headers = {}, handshakeTimeout }: ClientOptions): void {
    const network = networkHere();
    const life = this.#life;
    const { world, host: from } = life;
    const to = url.hostname;
    this.#query = url.search;
    const fail = (code: string): void => this.#fail(code);
    if (handshakeTimeout !== undefined) {
      life.setTimer(handshakeTimeout, () => fail('ETIMEDOUT'), false);
    }
    const refuse = (code: string) => network.post(to, from, () => fail(code), life);
    network.post(from, to, () => {
      const listener = world.listeners.get(url.host);
      if (listener === undefined) {
        refuse('ECONNREFUSED');
        return;
      }
      const answer = (end: End | undefined): void => {
        if (end === undefined) refuse('EPROTO');
        else network.post(to, from, () => this.#join(end), life);
      };
      const request: Request = {
        url: url.pathname + url.search,
        method: 'GET',
        headers,
        socket: { remoteAddress: addressOf(from) },
      };
      const upgrade = (): boolean =>
        listener.server.emit('upgrade', request, new Handshake(answer), Buffer.alloc(0));
      world.at(0, upgrade, listener.life);
    });
  }

  #join(theirs: End): void {
    const mine = new End(this.#life, networkHere());
    End.join(mine, theirs);
    // Whoever has given up meanwhile hangs up.
    if (this.readyState !== WebSocket.CONNECTING) mine.send({ close: BROKEN });
    else {
      this.#open(mine);
      this.emit('open');
    }
    theirs.begin();
  }

  #open(end: End): void {
    this.#end = end;
    this.readyState = WebSocket.OPEN;
    end.handle({
      onText: (text) => {
        if (this.readyState === WebSocket.OPEN || this.readyState === WebSocket.CLOSING) {
          this.emit('message', Buffer.from(text), false);
        }
      },
      onClose: (code) => this.#closed(code),
    });
  }

  #fail(code: string): void {
    if (this.readyState !== WebSocket.CONNECTING) return;
    this.emit('error', Object.assign(new Error(code), { code }));
    this.#closed(BROKEN);
  }

  /** Heard of in a later turn, once. */
  #closed(code: number): void {
    if (this.readyState === WebSocket.CLOSED) return;
    this.readyState = WebSocket.CLOSED;
    this.#life.world.at(0, () => this.emit('close', code), this.#life);
  }
}

export class WebSocketServer extends EventEmitter {
  readonly clients = new Set<WebSocket>();

  handleUpgrade(
    _request: Request,
    socket: Handshake,
    _head: Buffer,
    welcome: (opened: WebSocket) => void,
  ): void {
    const end = new End(here(), networkHere());
    const opened = WebSocket.over(end);
    this.clients.add(opened);
    opened.once('close', () => this.clients.delete(opened));
    opened.once('close', () => socket.emit('close'));
    socket.opened = opened;
    socket.accept(end);
    welcome(opened);
  }
}

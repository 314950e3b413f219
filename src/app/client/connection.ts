/** One WebSocket that is kept: watched by pings, opened again when it breaks, later each time. */

/** live: messages arrive; stale: open but silent; closed: nobody needs it. */
export type StreamState = 'connecting' | 'live' | 'stale' | 'closed';

export interface ConnectionUser {
  /** Where to, at the moment it is opened. */
  address(): string;
  isNeeded(): boolean;
  onState(state: StreamState): void;
  onOpen(): void;
  onText(text: string): void;
  /** It is gone: left from here, or ended or refused by the other side. */
  onBroken(isOurs: boolean): void;
  /** A frame that is answered. */
  ping(): string;
}

const WATCH_EVERY_MS = 1_000;
/** After so much silence it is asked for a sign of life. */
const QUIET_MS = 3_000;
/** How long the answer may take before the connection counts as stale, and as dead. */
const PONG_STALE_MS = 3_000;
const PONG_MAX_MS = 10_000;
/** How long it may take where the network is known to have changed. */
const PONG_SOON_MS = 2_000;
const RECONNECT_MIN_MS = 1_000;
const RECONNECT_MAX_MS = 15_000;
const DOUBLINGS_MAX = 10;
/** One that lived so long was a good one: the next break is answered quickly again. */
const STEADY_MS = 30_000;

export class Connection {
  readonly #user: ConnectionUser;
  #socket: WebSocket | undefined;
  #state: StreamState = 'closed';
  #openedMs = 0;
  #heardMs = 0;
  #pingedMs = 0;
  /** From a ping to its answer, at most. */
  #patienceMs = PONG_MAX_MS;
  #breaks = 0;
  #reconnectTimer: ReturnType<typeof setTimeout> | undefined;
  #watchTimer: ReturnType<typeof setInterval> | undefined;

  constructor(user: ConnectionUser) {
    this.#user = user;
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Opens it unless it is open, or is about to be. */
  open(): void {
    if (this.#socket !== undefined || this.#reconnectTimer !== undefined) return;
    this.#tell('connecting');
    const socket = new WebSocket(this.#user.address());
    this.#socket = socket;
    this.#openedMs = performance.now();
    this.#heardMs = this.#openedMs;
    this.#pingedMs = this.#openedMs;
    this.#patienceMs = PONG_MAX_MS;
    this.#watchTimer ??= setInterval(() => this.#watch(), WATCH_EVERY_MS);
    socket.onopen = () => this.#user.onOpen();
    socket.onmessage = ({ data }) => {
      this.#heardMs = performance.now();
      this.#patienceMs = PONG_MAX_MS;
      this.#tell('live');
      this.#user.onText(String(data));
    };
    socket.onclose = () => this.#broken(false);
  }

  send(text: string): void {
    if (this.isOpen) this.#socket?.send(text);
  }

  /**
   * The network is there, as after a sleep of the machine: a new connection does not wait any
   * longer, and an old one has to answer soon. While it is not there nothing that is shown is live.
   */
  look(isOnline: boolean): void {
    if (!isOnline) {
      if (this.#socket !== undefined) this.#tell('stale');
      return;
    }
    if (this.#reconnectTimer !== undefined) {
      this.#endWait();
      if (this.#user.isNeeded()) this.open();
      else this.#rest();
    } else if (this.isOpen) {
      this.#patienceMs = PONG_SOON_MS;
      this.#ping();
    }
  }

  /** Leaves this one, and opens another after a while. */
  reopen(): void {
    const socket = this.#socket;
    if (socket === undefined) return;
    leave(socket);
    this.#broken(true);
  }

  /** The same at once, as for another login: nothing broke. */
  renew(): void {
    if (this.#socket === undefined && this.#reconnectTimer === undefined) return;
    this.reopen();
    this.#breaks = 0;
    this.#endWait();
    if (this.#user.isNeeded()) this.open();
    else this.#rest();
  }

  /** Ends when nobody needs it. */
  close(): void {
    this.reopen();
    this.#endWait();
    this.#rest();
  }

  /** While it is needed, another one is opened after a while. */
  #broken(isOurs: boolean): void {
    const nowMs = performance.now();
    this.#breaks = nowMs - this.#openedMs > STEADY_MS ? 1 : this.#breaks + 1;
    this.#socket = undefined;
    this.#user.onBroken(isOurs);
    if (!this.#user.isNeeded()) {
      this.#rest();
      return;
    }
    this.#tell('connecting');
    const growthMs = RECONNECT_MIN_MS * 2 ** Math.min(this.#breaks - 1, DOUBLINGS_MAX);
    // Half of it by chance, so that a thousand clients do not come back in the same moment.
    const waitMs = Math.min(growthMs, RECONNECT_MAX_MS) * (0.5 + Math.random() / 2);
    this.#endWait();
    this.#reconnectTimer = setTimeout(() => {
      this.#reconnectTimer = undefined;
      if (this.#user.isNeeded()) this.open();
      else this.#rest();
    }, waitMs);
  }

  #endWait(): void {
    clearTimeout(this.#reconnectTimer);
    this.#reconnectTimer = undefined;
  }

  #rest(): void {
    clearInterval(this.#watchTimer);
    this.#watchTimer = undefined;
    this.#tell('closed');
  }

  #tell(state: StreamState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#user.onState(state);
  }

  /** Sends a ping that is due, or looks for its answer. */
  #watch(): void {
    const nowMs = performance.now();
    if (!this.isOpen) {
      if (nowMs - this.#openedMs > PONG_MAX_MS) this.reopen();
      return;
    }
    const sinceMs = nowMs - this.#pingedMs;
    if (this.#heardMs < this.#pingedMs) {
      if (sinceMs > this.#patienceMs) this.reopen();
      else if (sinceMs > PONG_STALE_MS) this.#tell('stale');
    } else if (nowMs - this.#heardMs > QUIET_MS) this.#ping();
  }

  #ping(): void {
    this.#pingedMs = performance.now();
    this.send(this.#user.ping());
  }
}

function leave(socket: WebSocket): void {
  socket.onopen = null;
  socket.onclose = null;
  socket.onmessage = null;
  socket.close();
}

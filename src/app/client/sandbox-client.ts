/** Speaks to the sandbox of a running venue: one method for each of its endpoints. */
import { AdminClient } from './admin-client.ts';

/** The venue's clock: time in milliseconds; speed of real time, as in '0', '1' or '60'. */
export interface SandboxClock {
  readonly time: number;
  readonly controlled: boolean;
  readonly speed: string;
}

export interface SandboxCheckpoint {
  readonly name: string;
  readonly seq: number;
  readonly time: number;
  readonly rows: number;
}

/** Which calls or stream messages go wrong, how often, and how; docs/SANDBOX.md has the kinds. */
export interface SandboxFault {
  readonly label?: string;
  /** The key that is hit; every key without it. */
  readonly key?: string;
  /** As in 'POST /people/v1/accounts' or 'swap depth'; everything without it. */
  readonly target?: string;
  readonly effect: {
    readonly kind: string;
    readonly ms?: number;
    readonly jitterMs?: number;
    readonly retryAfterMs?: number;
    readonly status?: number;
  };
  /** Part of what matches that is hit, as in '0.1'; all without it. */
  readonly probability?: string;
  readonly skip?: number;
  readonly count?: number;
  readonly seed?: number;
}

export interface SandboxState {
  readonly seq: number;
  readonly time: number;
  readonly clock: SandboxClock;
  readonly checkpoints: readonly SandboxCheckpoint[];
  readonly faults: readonly (SandboxFault & { readonly faultId: number })[];
}

/** Every call rejects when the venue refuses it or cannot be reached. */
export class SandboxClient {
  readonly #client: AdminClient;

  constructor(url: string, token: string) {
    this.#client = new AdminClient(url, token, '/sandbox/v1');
  }

  state(): Promise<SandboxState> {
    return this.#client.call('GET', '/state');
  }

  pause(): Promise<SandboxClock> {
    return this.#clock('pause', {});
  }

  /** Speed of real time: 0.001 to 1000. */
  run(speed = 1): Promise<SandboxClock> {
    return this.#clock('run', { speed });
  }

  /** Time passes second by second, with all that it brings; up to a day. */
  step(ms: number): Promise<SandboxClock> {
    return this.#clock('step', { ms });
  }

  /** It is later at once, as if the venue had slept. */
  jump(time: number): Promise<SandboxClock> {
    return this.#clock('jump', { time });
  }

  /** Jumps to just before the next funding of a contract, and pauses. */
  beforeFunding(symbol: string, beforeMs = 1_000): Promise<SandboxClock> {
    return this.#clock('funding', { symbol, beforeMs });
  }

  /** Sets the index price of a contract; '0' takes it back. */
  async index(symbol: string, price: string): Promise<void> {
    await this.#client.call('POST', '/index', { symbol, price });
  }

  /** Moves the simulated market of a coin. */
  async price(coin: string, price: string): Promise<void> {
    await this.#client.call('POST', '/price', { coin, price });
  }

  async credit(account: string, coin: string, amount: string, wallet = 'spot'): Promise<void> {
    await this.#client.call('POST', '/credit', { account, coin, amount, wallet });
  }

  save(name: string): Promise<SandboxCheckpoint> {
    return this.#client.call('POST', '/checkpoints', { name });
  }

  /** All is as it was; time and ids go on, streams end. */
  reset(name: string): Promise<SandboxCheckpoint> {
    return this.#client.call('POST', `/checkpoints/${encodeURIComponent(name)}/reset`, {});
  }

  /** Resolves with the number of the rule. */
  async addFault(fault: SandboxFault): Promise<number> {
    const added = await this.#client.call<{ faultId: number }>('POST', '/faults', fault);
    return added.faultId;
  }

  /** Takes one rule back, or all of them. */
  async clearFaults(faultId?: number): Promise<void> {
    await this.#client.call('DELETE', faultId === undefined ? '/faults' : `/faults/${faultId}`);
  }

  #clock(what: string, body: object): Promise<SandboxClock> {
    return this.#client.call('POST', `/clock/${what}`, body);
  }
}

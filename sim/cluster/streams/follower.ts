/**
 * A client of the streams of one process after the other: it connects, follows, reads slowly now
 * and then, hangs up, and goes on elsewhere. In the end what it holds has to be what is there.
 */
import type { AccountId } from '#domain';
import type { Draw } from '../../world/draw.ts';
import { callApi } from '../api-client.ts';
import { Files } from '../files.ts';
import { signedHeaders } from '../keys.ts';
import type { Network } from '../network.ts';
import { WebSocket } from '../platform/ws.ts';
import type { SimulatedProcess } from '../process.ts';
import { API_PORT } from '../served.ts';
import { Life } from '../world.ts';
import type { Comparison, Fold, FoldParts } from './fold.ts';
import { ClassicContractAccount, ClassicSpotAccount, CurrentAccount } from './private-folds.ts';
import { ClassicMarkets, CurrentMarkets } from './public-folds.ts';
import type { Published } from './published.ts';

interface Kind {
  readonly path: string;
  /** Of streams that log in by headers. */
  readonly isSigned?: boolean;
  fold(parts: FoldParts, timeMs: number): Fold;
}

const SIGNED_TARGET = '/v3/ws/private';

export const STREAM_KINDS: readonly Kind[] = [
  { path: '/spot/v1/stream', fold: (parts) => new ClassicMarkets(parts, 'spot') },
  { path: '/ws/v1', fold: (parts) => new ClassicMarkets(parts, 'contract') },
  { path: '/spot/v3/ws/public', fold: (parts) => new CurrentMarkets(parts, 'spot') },
  { path: '/contract/v3/ws/public', fold: (parts) => new CurrentMarkets(parts, 'contract') },
  { path: '/spot/v1/stream', fold: (parts, timeMs) => new ClassicSpotAccount(parts, timeMs) },
  { path: '/ws/v1', fold: (parts, timeMs) => new ClassicContractAccount(parts, timeMs) },
  {
    path: '/spot/v3/ws/private',
    isSigned: true,
    fold: (parts) => new CurrentAccount(parts, 'spot'),
  },
  {
    path: '/contract/v3/ws/private',
    isSigned: true,
    fold: (parts) => new CurrentAccount(parts, 'contract'),
  },
];

export interface FollowerParts {
  readonly network: Network;
  readonly published: Published;
  readonly processes: readonly [SimulatedProcess, ...SimulatedProcess[]];
  readonly startMs: number;
}

const PATIENCE_MS = 3_000;

export class Follower {
  readonly name: string;
  readonly #parts: FollowerParts;
  readonly #kind: Kind;
  readonly #accountId: AccountId;
  readonly #draw: Draw;
  readonly #life: Life;
  #at: SimulatedProcess;
  #socket: WebSocket | undefined;
  #fold: Fold | undefined;
  #hasHeard = false;
  #compared = new Set<string>();
  /** It stays where it is, and reads as fast as it can. */
  isCalm = false;

  constructor(name: string, kind: Kind, accountId: AccountId, parts: FollowerParts) {
    const { world } = parts.network;
    this.name = name;
    this.#kind = kind;
    this.#accountId = accountId;
    this.#parts = parts;
    this.#draw = world.draw(name);
    this.#life = new Life(world, name, new Files(), 1);
    this.#at = this.#draw.of(parts.processes);
  }

  begin(): void {
    this.#soon(1, () => this.#connect());
    this.#disturb();
  }

  /** Everything it was sent has arrived, and is what the log and its process say. */
  get isCurrent(): boolean {
    const fold = this.#fold;
    if (fold === undefined || !this.#hasHeard || !fold.isCurrent()) return false;
    const left = fold.comparisons().filter(({ target }) => !this.#compared.has(target));
    for (const comparison of left) void this.#compare(comparison);
    return left.length === 0;
  }

  get status(): string {
    const { name } = this.#at;
    return `${this.name} at ${name}: ${this.#fold?.isCurrent()}, ${this.#compared.size} read`;
  }

  #connect(): void {
    const { startMs, network } = this.#parts;
    const { world } = network;
    const { path, isSigned } = this.#kind;
    const timeMs = Math.round(startMs + world.nowMs);
    const headers = isSigned ? signedHeaders(this.#accountId, timeMs, SIGNED_TARGET) : {};
    const socket = new WebSocket(`ws://${this.#at.name}:${API_PORT}${path}`, {
      headers,
      handshakeTimeout: PATIENCE_MS,
    });
    const fold = this.#kind.fold(this.#foldParts(socket), timeMs);
    this.#socket = socket;
    this.#fold = fold;
    this.#hasHeard = false;
    this.#compared = new Set();
    socket.on('error', () => undefined);
    socket.on('open', () => {
      world.coverage.count('stream: connected');
      for (const request of fold.requests) socket.send(request);
    });
    socket.on('message', (text: Buffer) => this.#hear(text.toString(), fold));
    socket.on('close', (code: number) => {
      world.coverage.count(`stream: closed with ${code}`);
      if (this.#socket !== socket) return;
      this.#fold = undefined;
      this.#at = this.#draw.of(this.#parts.processes);
      this.#soon(this.#draw.of([20, 200, 900]), () => this.#connect());
    });
  }

  #hear(text: string, fold: Fold): void {
    if (fold !== this.#fold || !text.startsWith('{')) return;
    const message = JSON.parse(text) as Record<string, unknown>;
    const isRefused = message.event === 'error' || message.result === false;
    this.#parts.network.world.check(!isRefused, 'streams take requests', () => text);
    this.#hasHeard = true;
    fold.take(message);
  }

  #foldParts(socket: WebSocket): FoldParts {
    const { published, network } = this.#parts;
    const { world } = network;
    const { name } = this.#at;
    return {
      published,
      accountId: this.#accountId,
      count: (what) => world.coverage.count(what),
      check: (holds, rule, what) => {
        if (this.#socket !== socket) return;
        world.check(holds, rule, () => `${this.name} at ${name}: ${what()}`);
      },
    };
  }

  /** What clients do: nothing for a while, or hang up. */
  #disturb(): void {
    const draw = this.#draw;
    this.#soon(1 + draw.below(3_000), () => {
      const socket = this.#socket;
      if (!this.isCalm && socket !== undefined) {
        if (draw.percent(25)) socket.terminate();
        else if (draw.percent(30)) this.#readNothing(socket, draw.of([50, 400, 1_500, 2_500]));
      }
      this.#disturb();
    });
  }

  #readNothing(socket: WebSocket, forMs: number): void {
    this.#parts.network.world.coverage.count('stream: reads nothing for a while');
    socket.isReading = false;
    this.#soon(forMs, () => {
      socket.isReading = true;
    });
  }

  async #compare({ target, isEqual }: Comparison): Promise<void> {
    const { startMs, network } = this.#parts;
    const compared = this.#compared;
    const timeMs = Math.round(startMs + network.world.nowMs);
    const call = { accountId: this.#accountId, timeMs, method: 'GET' as const, target };
    const reply = await callApi(this.name, this.#at.name, call);
    if (reply?.status === 200 && isEqual(reply.body)) compared.add(target);
  }

  #soon(ms: number, act: () => void): void {
    this.#parts.network.world.at(ms, act, this.#life);
  }
}

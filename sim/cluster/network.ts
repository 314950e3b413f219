/**
 * The network between simulated machines: messages take their time, overtake those of other
 * connections, are lost, come twice, and do not pass where the network is cut.
 */
import type { Draw } from '../world/draw.ts';
import type { Life, World } from './world.ts';

const REPEAT_MS = 200;
const REPEATED_MS = 10_000;

export interface NetworkTemper {
  readonly usualMs: number;
  readonly slowPercent: number;
  readonly lostPercent: number;
  readonly twicePercent: number;
}

export class Network {
  readonly world: World;
  readonly #draw: Draw;
  readonly #temper: NetworkTemper;
  readonly #cuts = new Set<string>();
  readonly #stalled = new Set<string>();
  /** Nothing is lost, late or twice any more. */
  isCalm = false;

  constructor(world: World, temper: NetworkTemper) {
    this.world = world;
    this.#draw = world.draw('network');
    this.#temper = temper;
  }

  cut(from: string, to: string): void {
    this.#cuts.add(`${from} ${to}`);
  }

  heal(): void {
    this.#cuts.clear();
    this.#stalled.clear();
  }

  /** What the log has to say of news reaches this machine late. */
  stall(host: string): void {
    this.#stalled.add(host);
  }

  isStalled(host: string): boolean {
    return this.#stalled.has(host);
  }

  isCut(from: string, to: string): boolean {
    return this.#cuts.has(`${from} ${to}`);
  }

  delayMs(): number {
    const { usualMs, slowPercent } = this.#temper;
    const fast = usualMs * (0.2 + this.#draw.below(1_000) / 600);
    if (this.isCalm || !this.#draw.percent(slowPercent)) return fast;
    this.world.coverage.count('message late');
    return fast + this.#draw.below(600);
  }

  isLost(): boolean {
    return !this.isCalm && this.#draw.percent(this.#temper.lostPercent);
  }

  comesTwice(): boolean {
    return !this.isCalm && this.#draw.percent(this.#temper.twicePercent);
  }

  /** One message that nobody repeats: it arrives late or never. */
  post(from: string, to: string, act: () => void, life?: Life): void {
    if (this.isLost()) {
      this.world.coverage.count('message lost');
      return;
    }
    const arrive = (): void => {
      if (!this.isCut(from, to)) act();
      else this.world.coverage.count('message stopped by a cut');
    };
    this.world.at(this.delayMs(), arrive, life);
  }

  /** A message that its machine repeats, for a while: then it is given up. */
  repeat(from: string, to: string, act: () => void, onLost: () => void): void {
    const { world } = this;
    const endMs = world.nowMs + REPEATED_MS;
    const attempt = (): void => {
      if (!this.isLost() && !this.isCut(from, to)) act();
      else if (world.nowMs < endMs) world.at(REPEAT_MS, attempt);
      else onLost();
    };
    world.at(this.delayMs(), attempt);
  }
}

/**
 * A fault rule in force: what it fits and whom it hits. Its chance follows from its seed alone, so
 * the same rule hits the same ones among those that match. The counts begin with the process.
 */
import type { FaultEffect, FaultRule } from '#domain';
import { Prng } from '#kernel';

const REST_OF_PATH = '*';

export class ArmedRule<Effect extends FaultEffect = FaultEffect> {
  readonly faultId: number;
  readonly effect: Effect;
  readonly #rule: FaultRule;
  readonly #prng: Prng;
  #matchesCount = 0;
  #hitsCount = 0;

  constructor(rule: FaultRule, effect: Effect) {
    this.faultId = rule.faultId;
    this.effect = effect;
    this.#rule = rule;
    this.#prng = new Prng(rule.seed, 'fault');
  }

  /** Whether the rule is about this call, by whichever key. */
  fitsCall(method: string, path: string, key: string): boolean {
    return this.#fitsKey(key) && isCallTarget(this.#rule.target, method, path);
  }

  /** Whether the rule is about this channel; without one, about the stream as a whole. */
  fitsStream(stream: string, key: string, channel?: string): boolean {
    if (!this.#fitsKey(key)) return false;
    const { target } = this.#rule;
    if (target === '' || target === stream) return true;
    return channel !== undefined && target === `${stream} ${channel}`;
  }

  /** Counts one that the rule fits: true when it is hit. */
  strikes(): boolean {
    const { skipCount, hitsMax, probabilityPpm } = this.#rule;
    this.#matchesCount += 1;
    if (this.#matchesCount <= skipCount) return false;
    if (hitsMax > 0 && this.#hitsCount >= hitsMax) return false;
    if (!this.#prng.chance(probabilityPpm)) return false;
    this.#hitsCount += 1;
    return true;
  }

  /** A whole number from 0 to `max`, from the rule's own chance. */
  drawUpTo(max: number): number {
    return this.#prng.below(max + 1);
  }

  #fitsKey(key: string): boolean {
    return this.#rule.key === '' || this.#rule.key === key;
  }
}

function isCallTarget(target: string, method: string, path: string): boolean {
  if (target === '' || target === method || target === path) return true;
  const call = `${method} ${path}`;
  if (!target.endsWith(REST_OF_PATH)) return target === call;
  const start = target.slice(0, -REST_OF_PATH.length);
  return path.startsWith(start) || call.startsWith(start);
}

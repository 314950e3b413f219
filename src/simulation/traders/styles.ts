/**
 * The ways in which the resident traders trade, as pure functions of what they see, what they
 * remember of prices and their own random numbers. They wish; orders are made elsewhere.
 */
import { PPM, type Side } from '#domain';
import type { Prng } from '#kernel';
import { heavyTailed } from '../tail.ts';

export type TraderStyle = 'noise' | 'momentum' | 'reversion';

export interface Sight {
  /** Middle of the book. */
  readonly middleTicks: number;
  /** Held beyond what it wants to hold; in a contract longs less shorts. */
  readonly surplusLots: number;
}

export interface TraderRules {
  /** Mean size of an order. */
  readonly sizeLots: number;
  /** The surplus never grows beyond this, either way. */
  readonly limitLots: number;
  /** Probability of wanting to trade in one tick. */
  readonly chancePpm: number;
  /** Which way takers of the market lean now: -1, all sell, to 1, all buy; none when absent. */
  readonly lean?: number;
}

export interface Wish {
  readonly side: Side;
  readonly sizeLots: number;
}

/** Moving averages of the middle price, in ticks: what a trader remembers of a market. */
export class Averages {
  fast = 0;
  slow = 0;

  notice(middleTicks: number): void {
    if (this.slow === 0) {
      this.fast = middleTicks;
      this.slow = middleTicks;
      return;
    }
    this.fast += (middleTicks - this.fast) / FAST_TICKS;
    this.slow += (middleTicks - this.slow) / SLOW_TICKS;
  }

  /** How far the fast average is above the slow one, in parts per million. */
  get trendPpm(): number {
    return this.slow === 0 ? 0 : ((this.fast - this.slow) / this.slow) * PPM;
  }
}

const FAST_TICKS = 8;
const SLOW_TICKS = 120;
/** A trend below this is none. */
const TREND_MIN_PPM = 60;

/** What a trader wants to do in this tick; it draws from its numbers in every case alike. */
export function wishOf(
  style: TraderStyle,
  rules: TraderRules,
  sight: Sight,
  averages: Averages,
  prng: Prng,
): Wish | undefined {
  const acts = prng.chance(rules.chancePpm);
  const coin = prng.below(PPM);
  const scatter = heavyTailed(prng.below(PPM) / PPM);
  if (!acts) return undefined;
  const side = sideOfStyle(style, rules, sight, averages, coin);
  if (side === undefined) return undefined;
  const wanted = Math.max(1, Math.round(rules.sizeLots * scatter));
  const after = side === 'buy' ? sight.surplusLots + wanted : sight.surplusLots - wanted;
  const grows = Math.abs(after) > Math.abs(sight.surplusLots);
  return grows && Math.abs(after) > rules.limitLots ? undefined : { side, sizeLots: wanted };
}

function sideOfStyle(
  style: TraderStyle,
  rules: TraderRules,
  { surplusLots }: Sight,
  { trendPpm }: Averages,
  coin: number,
): Side | undefined {
  if (style === 'noise') return isBalancingBuy(rules, surplusLots, coin) ? 'buy' : 'sell';
  if (Math.abs(trendPpm) < TREND_MIN_PPM) return homewards(rules, surplusLots);
  const rises = trendPpm > 0;
  return rises === (style === 'momentum') ? 'buy' : 'sell';
}

/** An even coin without surplus or lean, and the more loaded the more of either there is. */
function isBalancingBuy(
  { limitLots, lean = 0 }: TraderRules,
  surplusLots: number,
  coin: number,
): boolean {
  const part = Math.max(-1, Math.min(1, surplusLots / limitLots - lean));
  return coin < (PPM / 2) * (1 - part);
}

/** Without a trend a trader goes back to what it wants to hold, and then waits. */
function homewards({ sizeLots }: TraderRules, surplusLots: number): Side | undefined {
  if (Math.abs(surplusLots) < sizeLots) return undefined;
  return surplusLots > 0 ? 'sell' : 'buy';
}

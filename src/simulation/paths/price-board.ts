/** The prices of all coins that have a path, and of the pairs and contracts made of them. */
import { Prng } from '#kernel';
import { ConstantPath, PATH_SCALE, type PricePath } from './path.ts';
import { RandomPath, type RandomRules } from './random-path.ts';
import { RecordedPath, type Recording } from './recorded-path.ts';

/** How the price of one coin is made. Prices in whole 10^-8 of the quote currency. */
export type CoinPath =
  | { readonly kind: 'constant'; readonly coin: string; readonly price: number }
  | {
      readonly kind: 'random';
      readonly coin: string;
      readonly price: number;
      readonly rules: RandomRules;
    }
  | {
      readonly kind: 'recorded';
      readonly coin: string;
      readonly recording: Recording;
      readonly speed: number;
    };

export interface PathPlan {
  readonly seed: number;
  /** Under this name the prices are reported to contracts that have such a source. */
  readonly feed: string;
  /** So many days before the market opened have candles, too. */
  readonly pastDays: number;
  readonly coins: readonly CoinPath[];
}

/** What a price is of, and what it is in. */
export interface PricedIn {
  readonly baseCode: string;
  readonly quoteCode: string;
  readonly priceScale: number;
}

export interface BoardPrice {
  readonly priceTicks: number;
  readonly isLive: boolean;
}

export class PriceBoard {
  readonly #paths = new Map<string, PricePath>();
  readonly #common: Prng;

  constructor({ seed, coins }: PathPlan) {
    this.#common = new Prng(seed, 'market');
    for (const plan of coins) this.#paths.set(plan.coin, pathOf(plan, seed));
  }

  advance(deltaMs: number): void {
    const common = this.#common.normal();
    for (const path of this.#paths.values()) path.advance(deltaMs, common);
  }

  isRecorded(coin: string): boolean {
    return this.#paths.get(coin)?.progress !== undefined;
  }

  /** A coin without a path is the currency that prices are in. Undefined without a base path. */
  priceOf({ baseCode, quoteCode, priceScale }: PricedIn): BoardPrice | undefined {
    const base = this.#paths.get(baseCode);
    if (base === undefined) return undefined;
    const quote = this.#paths.get(quoteCode);
    const ratio = base.price / (quote === undefined ? 10 ** PATH_SCALE : quote.price);
    const priceTicks = Math.max(1, Math.round(ratio * 10 ** priceScale));
    return { priceTicks, isLive: base.isLive && quote?.isLive !== false };
  }

  /** A price is set from outside; one that is in a coin with a path of its own moves nothing. */
  moveTo({ baseCode, quoteCode, priceScale }: PricedIn, priceTicks: number): void {
    if (this.#paths.has(quoteCode)) return;
    this.#paths.get(baseCode)?.moveTo(Math.round(priceTicks * 10 ** (PATH_SCALE - priceScale)));
  }

  /** How far each recording is. */
  progress(): { readonly coin: string; readonly progress: string }[] {
    return [...this.#paths].flatMap(([coin, { progress }]) =>
      progress === undefined ? [] : [{ coin, progress }],
    );
  }
}

function pathOf(plan: CoinPath, seed: number): PricePath {
  if (plan.kind === 'constant') return new ConstantPath(plan.price);
  if (plan.kind === 'recorded') return new RecordedPath(plan.recording, plan.speed);
  return new RandomPath(plan.price, plan.rules, new Prng(seed, plan.coin));
}

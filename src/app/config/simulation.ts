/**
 * The simulated market of a configuration: who quotes, who trades, and what prices do by
 * themselves. Complaints carry the place.
 */
import { resolve } from 'node:path';
import { compactSymbol, contractSymbol, isOfContract } from '#domain';
import { ConfigFault, type Path } from './document.ts';
import type { Figures } from './figures.ts';
import { type Recording, readRecording } from './recording.ts';
import type { CoinPathContent, FileContent, TraderStyle } from './schema.ts';

/** A market of the file, by what rows about it call it. */
export interface Market {
  readonly symbol: string;
  readonly quantityScale: number;
}

/** What a market is found by: its symbol, with or without the dash between the coins. */
export function marketKey(symbol: string): string {
  const compact = compactSymbol(symbol);
  return isOfContract(symbol) ? contractSymbol(compact) : compact;
}

/** What an account wants to hold, how far from it it may get, and how far its quotes then move. */
export interface InventoryConfig {
  readonly homeLots: number;
  readonly limitLots: number;
  readonly skewPpm: number;
}

/** The ladder of a pair or contract: orders per side, the step between them, the size of each. */
export interface LadderConfig {
  readonly symbol: string;
  readonly levelsCount: number;
  readonly spacingPpm: number;
  readonly levelLots: number;
  readonly variationPpm: number;
  readonly inventory?: InventoryConfig;
}

export interface LiquidityConfig {
  readonly accountName: string;
  readonly ladders: readonly LadderConfig[];
}

interface TraderMarketConfig {
  readonly symbol: string;
  readonly sizeLots: number;
  readonly homeLots: number;
  readonly limitLots: number;
  readonly ordersPerMinute: number;
}

export interface TraderConfig {
  readonly style: TraderStyle;
  readonly accountName: string;
  readonly markets: readonly TraderMarketConfig[];
}

export interface CrowdConfig {
  readonly seed: number;
  readonly traders: readonly TraderConfig[];
}

interface RandomRulesConfig {
  readonly volatilityPpm: number;
  readonly correlationPpm: number;
  readonly jumpsPerDay: number;
  readonly jumpPpm: number;
}

/** Prices in whole 10^-8 of the currency. */
export type CoinPathConfig =
  | { readonly kind: 'constant'; readonly coin: string; readonly price: number }
  | {
      readonly kind: 'random';
      readonly coin: string;
      readonly price: number;
      readonly rules: RandomRulesConfig;
    }
  | {
      readonly kind: 'recorded';
      readonly coin: string;
      readonly recording: Recording;
      readonly speed: number;
    };

export interface PathsConfig {
  readonly seed: number;
  readonly feed: string;
  readonly pastDays: number;
  readonly coins: readonly CoinPathConfig[];
}

export interface Simulation {
  readonly liquidity: LiquidityConfig | null;
  readonly crowd: CrowdConfig | null;
  readonly paths: PathsConfig | null;
}

const PATH_SCALE = 8;
const PPM_SCALE = 6;
const FEED_DEFAULT = 'path';
const SPEED_MAX = 100_000;

/** Reads that part of a file. Recordings are read here, so a missing one is found at once. */
export function readSimulation(
  file: FileContent,
  figures: Figures,
  markets: ReadonlyMap<string, Market>,
): Simulation {
  const reader = new SimulationReader(file, figures, markets);
  return { liquidity: reader.liquidity(), crowd: reader.crowd(), paths: reader.paths() };
}

class SimulationReader {
  readonly #file: FileContent;
  readonly #figures: Figures;
  readonly #markets: ReadonlyMap<string, Market>;

  constructor(file: FileContent, figures: Figures, markets: ReadonlyMap<string, Market>) {
    this.#file = file;
    this.#figures = figures;
    this.#markets = markets;
  }

  liquidity(): LiquidityConfig | null {
    const { liquidity } = this.#file;
    if (liquidity === undefined) return null;
    this.#checkAccount(['liquidity', 'account'], liquidity.account);
    const ladders = liquidity.ladders.map((ladder, at): LadderConfig => {
      const path = ['liquidity', 'ladders', at];
      const { levels: levelsCount, inventory } = ladder;
      const { symbol, quantityScale: scale } = this.#market([...path, 'symbol'], ladder.symbol);
      const levelLots = this.#figures.scaled([...path, 'quantity'], ladder.quantity, scale);
      const spacingPpm = this.#figures.rate([...path, 'spacing'], ladder.spacing);
      const variation = [...path, 'variation'];
      const variationPpm = this.#figures.rate(variation, ladder.variation ?? '0');
      const quoted = { symbol, levelsCount, spacingPpm, levelLots, variationPpm };
      if (inventory === undefined) return quoted;
      const place = [...path, 'inventory'];
      const skewPpm = this.#figures.rate([...place, 'skew'], inventory.skew);
      return { ...quoted, inventory: { ...this.#bounds(inventory, scale, place), skewPpm } };
    });
    return { accountName: liquidity.account, ladders };
  }

  crowd(): CrowdConfig | null {
    const { participants } = this.#file;
    if (participants === undefined) return null;
    const traders = participants.traders.map(({ style, account, markets }, at): TraderConfig => {
      const path = ['participants', 'traders', at];
      this.#checkAccount([...path, 'account'], account);
      const read = markets.map((market, index) => {
        const place = [...path, 'markets', index];
        const { perMinute: ordersPerMinute, quantity } = market;
        const { symbol, quantityScale: scale } = this.#market([...place, 'symbol'], market.symbol);
        const sizeLots = this.#figures.positive([...place, 'quantity'], quantity, scale);
        return { symbol, sizeLots, ordersPerMinute, ...this.#bounds(market, scale, place) };
      });
      return { style, accountName: account, markets: read };
    });
    return { seed: participants.seed ?? 0, traders };
  }

  paths(): PathsConfig | null {
    const { paths } = this.#file;
    if (paths === undefined) return null;
    const seen = new Set<string>();
    const coins = paths.coins.map((coin, at) => {
      const path = ['paths', 'coins', at];
      if (seen.has(coin.coin)) this.#figures.complain([...path, 'coin'], 'is there twice');
      seen.add(coin.coin);
      return this.#coinPath(coin, path);
    });
    const { seed = 0, feed = FEED_DEFAULT, pastDays = 0 } = paths;
    return { seed, feed, pastDays, coins };
  }

  #coinPath(row: CoinPathContent, path: Path): CoinPathConfig {
    const { coin, kind } = row;
    if (kind === 'recorded') return this.#recorded(row, path);
    if (row.price === undefined) this.#figures.complain(path, 'missing price');
    const price =
      row.price === undefined
        ? 1
        : this.#figures.positive([...path, 'price'], row.price, PATH_SCALE);
    if (kind === 'constant') return { kind, coin, price };
    const rate = (field: 'volatility' | 'jump') =>
      this.#figures.scaled([...path, field], row[field], PPM_SCALE);
    const correlationPpm = this.#figures.rate([...path, 'correlation'], row.correlation);
    const { jumpsPerDay = 0 } = row;
    const rules = { volatilityPpm: rate('volatility'), jumpPpm: rate('jump') };
    return { kind, coin, price, rules: { ...rules, correlationPpm, jumpsPerDay } };
  }

  #recorded({ coin, file, speed = 1 }: CoinPathContent, path: Path): CoinPathConfig {
    if (file === undefined) this.#figures.complain(path, 'missing file');
    const recording = file === undefined ? NO_RECORDING : this.#recording(path, file);
    return { kind: 'recorded', coin, recording, speed };
  }

  #recording(path: Path, file: string): Recording {
    try {
      return readRecording(resolve(file));
    } catch (error) {
      if (!(error instanceof ConfigFault)) throw error;
      this.#figures.complain([...path, 'file'], error.message);
      return NO_RECORDING;
    }
  }

  #bounds(
    row: { readonly home?: string; readonly limit: string },
    scale: number,
    path: Path,
  ): { readonly homeLots: number; readonly limitLots: number } {
    return {
      homeLots: this.#figures.scaled([...path, 'home'], row.home, scale),
      limitLots: this.#figures.positive([...path, 'limit'], row.limit, scale),
    };
  }

  #market(path: Path, name: string): Market {
    const market = this.#markets.get(marketKey(name));
    if (market === undefined) {
      this.#figures.complain(path, 'is neither a listed pair nor a contract');
    }
    return market ?? { symbol: name, quantityScale: 0 };
  }

  #checkAccount(path: Path, account: string): void {
    const owner = (this.#file.accounts ?? []).some(({ name }) => name === account);
    if (!owner) this.#figures.complain(path, 'is not among the accounts');
  }
}

/** Stands in for one that was complained about. */
const NO_RECORDING: Recording = { timesMs: [], prices: [], validMs: 0 };

/**
 * The paths of the file with recordings of the command line in place of theirs: each word is
 * COIN=FILE, and the speed is that of all of them. Throws ConfigFault.
 */
export function withRecordings(
  paths: PathsConfig | null,
  words: readonly string[],
  speedText: string | undefined,
): PathsConfig | null {
  const speed = speedFlag(speedText, words.length > 0);
  if (words.length === 0) return paths;
  const coins = new Map((paths?.coins ?? []).map((path) => [path.coin, path]));
  for (const word of words) {
    const [, name = '', file = ''] = /^([A-Za-z0-9]{2,16})=(.+)$/.exec(word) ?? [];
    if (file === '') throw new ConfigFault([`--path takes COIN=FILE, not ${word}`]);
    const coin = name.toUpperCase();
    coins.set(coin, { kind: 'recorded', coin, recording: readRecording(resolve(file)), speed });
  }
  const { seed = 0, feed = FEED_DEFAULT, pastDays = 0 } = paths ?? {};
  return { seed, feed, pastDays, coins: [...coins.values()] };
}

function speedFlag(text: string | undefined, hasPath: boolean): number {
  if (text === undefined) return 1;
  if (!hasPath) throw new ConfigFault(['--speed is that of recorded prices: say --path too']);
  const speed = /^[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) : Number.NaN;
  if (speed > 0 && speed <= SPEED_MAX) return speed;
  throw new ConfigFault([`--speed takes a number above 0 and up to ${SPEED_MAX}, not ${text}`]);
}

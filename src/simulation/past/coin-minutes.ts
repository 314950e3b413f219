/**
 * What coins were worth in each minute of a past that never was, made from a seed: calm and busy
 * hours, jumps, and all coins together as far as their rules say. It ends where their paths begin.
 */
import { PPM } from '#domain';
import { Prng } from '#kernel';
import type { CoinPath } from '../paths/price-board.ts';
import type { RandomRules } from '../paths/random-path.ts';

export const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
export const DAY_MINUTES = 1_440;
const HOURS_OF_DAY = 24;
const MINUTES_OF_YEAR = 365 * DAY_MINUTES;
const WORD = 2 ** 32;

/** How busy each hour of the UTC day is, with a mean of about one. */
const BUSY_HOURS = [
  0.8, 0.8, 0.75, 0.7, 0.65, 0.65, 0.7, 0.85, 1, 1.05, 1.05, 1, 1.1, 1.4, 1.6, 1.55, 1.4, 1.25, 1.1,
  1, 0.95, 0.9, 0.85, 0.8,
];
/** How fast unrest comes and goes, minute by minute, and its bounds; one is ordinary. */
const CALMING = 0.02;
const UNREST = 0.12;
const UNREST_MIN = 0.2;
const UNREST_MAX = 6;
/** The part of a minute's trades that does not depend on how far the price moved in it. */
const STEADY_PART = 0.6;

/** By minute. `closes` has one more: it begins with what the first minute opened at. */
export interface CoinMinutes {
  readonly closes: Float64Array;
  /** The furthest above and below both ends of the minute, as factors. */
  readonly above: Float64Array;
  readonly below: Float64Array;
  /** How much was traded, in parts of the ordinary. */
  readonly activity: Float64Array;
}

type RandomCoin = Extract<CoinPath, { readonly kind: 'random' }>;

/** What all coins feel in a minute. */
interface Weather {
  /** Normally distributed. */
  readonly common: Float64Array;
  /** Variance, in parts of the ordinary. */
  readonly unrest: Float64Array;
}

/** The minutes before `endMs` of every coin with a random path, by its code. */
export function coinMinutes(
  seed: number,
  coins: readonly CoinPath[],
  count: number,
  endMs: number,
): ReadonlyMap<string, CoinMinutes> {
  const weather = weatherOf(seed, count, endMs);
  const random = coins.filter((coin) => coin.kind === 'random');
  return new Map(random.map((plan) => [plan.coin, minutesOf(plan, seed, weather)]));
}

function weatherOf(seed: number, count: number, endMs: number): Weather {
  const prng = new Prng(seed, 'past');
  const common = new Float64Array(count);
  const unrest = new Float64Array(count);
  let mood = 1;
  for (let at = 0; at < count; at += 1) {
    common[at] = bell(prng);
    const next = mood + CALMING * (1 - mood) + UNREST * mood * bell(prng);
    mood = Math.max(UNREST_MIN, Math.min(UNREST_MAX, next));
    const hour = Math.floor((endMs - (count - at) * MINUTE_MS) / HOUR_MS) % HOURS_OF_DAY;
    unrest[at] = mood * (BUSY_HOURS[hour] ?? 1);
  }
  return { common, unrest };
}

/** Forward from one, then scaled so that it ends at the price of the path. */
function minutesOf({ coin, price, rules }: RandomCoin, seed: number, weather: Weather) {
  const prng = new Prng(seed, `past ${coin}`);
  const count = weather.common.length;
  const closes = new Float64Array(count + 1).fill(1);
  const above = new Float64Array(count);
  const below = new Float64Array(count);
  const activity = new Float64Array(count);
  const part = rules.correlationPpm / PPM;
  const own = Math.sqrt(1 - part * part);
  const deviation = rules.volatilityPpm / PPM / Math.sqrt(MINUTES_OF_YEAR);
  for (let at = 0; at < count; at += 1) {
    const unrest = weather.unrest[at] ?? 1;
    const draw = part * (weather.common[at] ?? 0) + own * bell(prng);
    const scale = deviation * Math.sqrt(unrest);
    const change = scale * draw + jumpOf(rules, prng);
    closes[at + 1] = (closes[at] ?? 1) * Math.max(0.5, 1 + change);
    above[at] = 1 + scale * reach(prng);
    below[at] = 1 - scale * reach(prng);
    activity[at] = unrest * (STEADY_PART + (1 - STEADY_PART) * draw * draw);
  }
  const factor = price / (closes[count] ?? 1);
  return { closes: closes.map((close) => close * factor), above, below, activity };
}

function jumpOf({ jumpsPerDay, jumpPpm }: RandomRules, prng: Prng): number {
  const jumps = prng.word() / WORD < jumpsPerDay / DAY_MINUTES;
  return jumps ? (jumpPpm / PPM) * bell(prng) : 0;
}

/**
 * About normally distributed, mean 0 and variance 1, never beyond 3. Tails come from unrest and
 * jumps here; a sum of three instead of the twelve of Prng.normal saves 60 % of the work.
 */
function bell(prng: Prng): number {
  return (2 * (prng.word() + prng.word() + prng.word())) / WORD - 3;
}

/** From 0 to 1, mostly short. */
function reach(prng: Prng): number {
  return (prng.word() / WORD) * (prng.word() / WORD);
}

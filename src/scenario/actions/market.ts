/** Steps of the operator: prices, terms, halts and funds of the venue. */
import Type from 'typebox';
import { formatTrimmed, mulDivFloor, parseDecimal } from '#kernel';
import { type Action, action } from '../action.ts';
import {
  byCoin,
  byContract,
  byMarket,
  contract,
  decimal,
  duration,
  durationMs,
  strict,
  terms,
  whole,
} from '../fields.ts';
import { isContract, type Stage } from '../stage.ts';

const STATUSES = ['online', 'halt', 'offline'];
const RAMP_STEPS_MAX = 1_000;
const PRICE_SCALE = 12;

/** One row after the other, because their order is that of the file. */
async function each<T>(
  rows: Readonly<Record<string, T>>,
  act: (key: string, value: T) => Promise<unknown>,
): Promise<string> {
  for (const [key, value] of Object.entries(rows)) await act(key, value);
  return Object.entries(rows)
    .map(([key, value]) => `${key} ${value}`)
    .join(', ');
}

function setIndex(stage: Stage, market: string, price: string): Promise<unknown> {
  return stage.venue.sandbox.setIndex({ symbol: market, price });
}

/** Changes terms of a contract or pair, in the words of the configuration file. */
export async function setTerms(stage: Stage, market: string, terms: object): Promise<void> {
  const { admin } = stage.venue;
  const changes = { symbol: market, ...terms };
  await (isContract(market) ? admin.updateContract(changes) : admin.updateSpot(changes));
}

const rampSchema = Type.Object(
  { index: contract, from: decimal, to: decimal, steps: whole, every: Type.Optional(duration) },
  strict,
);

/** The price after each step: the whole way in equal parts, rounded down to steps of the market. */
function rampPrices(from: string, to: string, count: number, stepText: string): string[] {
  const start = scaled(from);
  const way = scaled(to) - start;
  const step = scaled(stepText);
  return Array.from({ length: count }, (_, at) => {
    const price = start + mulDivFloor(way, BigInt(at + 1), BigInt(count));
    return formatTrimmed(at + 1 === count ? scaled(to) : price - (price % step), PRICE_SCALE);
  });
}

function scaled(text: string): bigint {
  const value = parseDecimal(text, PRICE_SCALE);
  return typeof value === 'bigint' ? value : 0n;
}

export const MARKET_ACTIONS: readonly Action[] = [
  action('index', {
    summary: "sets the operator's index price, which outranks every source; 0 takes it back",
    example: 'index: { BTC-USDT-PERP: 29500 }',
    schema: byContract(decimal),
    run: async (prices, stage) =>
      `index: ${await each(prices, (market, price) => setIndex(stage, market, price))}`,
  }),
  action('ramp', {
    summary: 'moves the index price in equal steps, with that much time before each',
    example: 'ramp: { index: BTC-USDT-PERP, from: 30000, to: 24000, steps: 30, every: 1s }',
    schema: rampSchema,
    run: async ({ index, from, to, steps, every = '0s' }, stage) => {
      const ms = durationMs(every);
      const { priceStep } = await stage.venue.admin.contract({ symbol: index });
      const count = Math.min(Number(steps), RAMP_STEPS_MAX);
      for (const price of rampPrices(from, to, count, priceStep)) {
        if (ms > 0) await stage.venue.sandbox.stepClock({ ms });
        await setIndex(stage, index, price);
      }
      return `index of ${index}: from ${from} to ${to} in ${count} steps`;
    },
  }),
  action('price', {
    summary:
      'moves the reference price of the pairs of a coin, which simulated traders quote around',
    example: 'price: { BTC: 30000 }',
    schema: byCoin(decimal),
    run: async (prices, stage) =>
      `price: ${await each(prices, (code, price) =>
        stage.venue.sandbox.movePrice({ coin: code, price }),
      )}`,
  }),
  action('terms', {
    summary: 'changes terms of a market, in the words of docs/OPERATIONS.md',
    example: 'terms: { BTC-USDT-PERP: { priceBand: 0.05, takerFee: 0 } }',
    schema: byMarket(terms),
    run: async (wanted, stage) => {
      await each(wanted, (market, changes) => setTerms(stage, market, changes));
      return `new terms: ${Object.keys(wanted).join(', ')}`;
    },
  }),
  action('status', {
    summary: 'halts a market, takes it offline or puts it online',
    example: 'status: { ETH-USDT-PERP: halt }',
    schema: byMarket(Type.Enum(STATUSES)),
    run: async (statuses, stage) =>
      `status: ${await each(statuses, (market, status) => setTerms(stage, market, { status }))}`,
  }),
  action('insurance', {
    summary: 'puts money into the insurance fund of a coin',
    example: 'insurance: { USDT: 1000 }',
    schema: byCoin(decimal),
    run: async (amounts, stage) =>
      `into the insurance fund: ${await each(amounts, (code, amount) =>
        stage.venue.admin.fundInsurance({ coin: code, amount }),
      )}`,
  }),
];

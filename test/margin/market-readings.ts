/** Examples of funding, premium, mark price, price band and the deleveraging queue. */
import {
  deleveragingScore,
  fineValue,
  fundingDue,
  fundingRatePpb,
  markPrice,
  nextFundingMs,
  premiumPpb,
  priceBand,
} from '#domain';
import {
  type Example,
  exampleOf,
  fromTicks,
  moneyOf,
  ONE,
  ppbOf,
  ppmOf,
  priceOf,
  sizeOf,
} from './example.ts';
import type { Figures, Reading } from './reading.ts';
import type { Rules } from './reference.ts';

const MINUTE_MS = 60_000;
const EIGHT_HOURLY = [0, 480, 960];
/** The interest part of our own contracts. */
const FUNDING_INTEREST_PPM = 100;
const PPB_PER_PERCENT = 10_000_000n;

/** The rate in percent, as the source prints it. */
function rateOfInterest(example: Example, rules: Rules): Figures {
  const quote = example.money('quote_rate_daily');
  const base = example.money('base_rate_daily');
  const perInterval = (quote - base) / BigInt(example.text('intervals_per_day'));
  const fromRates = rules.interestFrom === 'daily_rates';
  const fundingInterestPpm = fromRates
    ? Number((perInterval * 10_000n) / ONE)
    : FUNDING_INTEREST_PPM;
  const premium = ppbOf(example.text('premium'));
  const rate = fundingRatePpb({ ...rules, fundingInterestPpm }, premium);
  return {
    interest: (BigInt(fundingInterestPpm) * ONE) / 10_000n,
    rate: (BigInt(rate) * ONE) / PPB_PER_PERCENT,
  };
}

/** What the short gets: rounded down what it receives, up what it pays. */
function receivedByShort(example: Example): bigint {
  const { terms } = example;
  const value = fineValue(terms, example.size(), example.price('mark'));
  const rate = ppbOf(example.text('rate'));
  return rate > 0 ? fundingDue(terms, value, rate, 'down') : -fundingDue(terms, value, rate, 'up');
}

function payment(example: Example): Figures {
  return { received_by_short: receivedByShort(example) };
}

/** The marks and rates of these settlements are the ones of two other examples. */
const SETTLEMENTS = new Map([
  ['2021-09-01T00:00:00.000Z', 'fund-ft-0'],
  ['2021-09-01T08:00:00.000Z', 'fund-ft-8'],
]);

function settlements(example: Example, rules: Rules): Figures {
  const openMs = Date.parse(`${example.text('open')}Z`);
  const closeMs = Date.parse(`${example.text('close')}Z`);
  const both = rules.settlementAt === 'both_ends';
  let total = 0n;
  let atMs = nextFundingMs(EIGHT_HOURLY, both ? openMs - 1 : openMs);
  for (let count = 0; atMs <= closeMs && count < SETTLEMENTS.size; count += 1) {
    total += receivedByShort(exampleOf(SETTLEMENTS.get(new Date(atMs).toISOString()) ?? ''));
    atMs = nextFundingMs(EIGHT_HOURLY, atMs);
  }
  return { total };
}

/** Average price of a size, or of as much as costs a notional; undefined for a thin side. */
function impactTicks(
  levels: readonly (readonly string[])[],
  notional: bigint,
  indexTicks: number,
  rules: Rules,
): number | undefined {
  const byNotional = rules.impactBy === 'notional';
  // Our own impact size is one of contracts: what the notional buys at the index price.
  let wanted = byNotional ? notional : (notional * ONE) / fromTicks(indexTicks);
  let cost = 0n;
  let size = 0n;
  for (const [price = '0', lots = '0'] of levels) {
    const there = moneyOf(lots);
    const most = byNotional ? (wanted * ONE) / moneyOf(price) : wanted;
    const taken = most < there ? most : there;
    size += taken;
    cost += (taken * moneyOf(price)) / ONE;
    wanted -= byNotional ? (taken * moneyOf(price)) / ONE : taken;
    if (taken === most) return Number((cost * ONE) / size / fromTicks(1));
  }
  return undefined;
}

function premium(example: Example, rules: Rules): Figures {
  const notional = example.money('impact_notional');
  // One example prints no index, only that the best ask is below it.
  const index = example.has('index') ? example.price('index') : priceOf('10000.2');
  const bid = impactTicks(example.rows('bids'), notional, index, rules);
  const ask = impactTicks(example.rows('asks'), notional, index, rules);
  const ppm = Math.trunc(premiumPpb(bid, ask, index) / 1_000);
  return { impact_bid: fromTicks(bid ?? 0), premium_ppm: BigInt(ppm) * ONE };
}

/** The premium of an internal price, scaled, clamped and bounded. */
function scaledRate(example: Example, rules: Rules): Figures {
  const internal = example.price('internal');
  const external = example.price('external');
  const premiumNow = premiumPpb(internal, internal, external);
  const rate = fundingRatePpb(
    { ...rules, fundingInterestPpm: FUNDING_INTEREST_PPM },
    Math.round(premiumNow * rules.premiumScale),
  );
  return { rate: (BigInt(rate) * ONE) / 1_000_000_000n };
}

function carriedIndex(example: Example): Figures {
  const mark = markPrice({
    indexTicks: example.price('index'),
    lastTicks: 0,
    basisTicks: undefined,
    fundingRatePpb: ppbOf(example.text('funding_rate')),
    untilFundingMs: Number(example.text('minutes_to_funding')) * MINUTE_MS,
    fundingIntervalMs: Number(example.text('interval_minutes')) * MINUTE_MS,
    clampPpm: 30_000,
  });
  return { price2: fromTicks(mark) };
}

function band(example: Example): Figures {
  const centre = example.price('mark', 'center');
  // The documented sample has a price step of 0.5; the others print whole prices.
  const step = priceOf(example.has('center') ? '0.5' : '1');
  const { highestTicks, lowestTicks } = priceBand(centre, ppmOf(example.text('x')), step);
  const highest = fromTicks(highestTicks);
  const lowest = fromTicks(lowestTicks);
  return { max_buy: highest, min_sell: lowest, highest, lowest };
}

/** The queue by score, and the fifth of all contracts that each account falls into. */
function queue(example: Example, rules: Rules): Figures {
  const rows = example.rows('positions').map(([account = '', size = '', score = '']) => ({
    account,
    size: sizeOf(size),
    // A profit of `score` on an open value of 1, with an effective leverage of 1.
    score: deleveragingScore(moneyOf(score), ONE, ONE, ONE),
  }));
  const sorted = rows.toSorted((one, other) => (one.score > other.score ? -1 : 1));
  const order = sorted.map(({ account }) => account);
  if (!rules.adlLights) return { order, percentile: {} };
  const total = rows.reduce((sum, { size }) => sum + size, 0);
  const lights: Record<string, number> = {};
  let passed = 0;
  for (const { account, size } of sorted) {
    passed += size;
    lights[account] = Math.ceil((passed * 5) / total) * 20;
  }
  return { order, percentile: lights };
}

export const MARKET_READINGS: readonly Reading[] = [
  {
    ids: ['fund-bitmex-rate'],
    switches: { interestFrom: 'daily_rates' },
    compute: rateOfInterest,
  },
  {
    ids: ['fund-ft-0', 'fund-ft-2', 'fund-ft-8', 'fund-ft-11', 'fund-ft-13'],
    switches: {},
    compute: payment,
  },
  { ids: ['fund-ft-window-incl'], switches: { settlementAt: 'both_ends' }, compute: settlements },
  { ids: ['prem-dydx-pos'], switches: { impactBy: 'notional' }, compute: premium },
  {
    ids: ['prem-dydx-neg2', 'prem-dydx-pos2', 'prem-dydx-zero', 'prem-dydx-thin'],
    switches: {},
    compute: premium,
  },
  {
    ids: ['clamp-vega-scale'],
    switches: { premiumScale: 2.5, fundingClampPpm: 0, fundingCapPpm: 1_000_000 },
    compute: scaledRate,
  },
  {
    ids: ['clamp-vega-low'],
    switches: { fundingClampPpm: 0, fundingCapPpm: 5_000 },
    compute: scaledRate,
  },
  { ids: ['mark-bitget-p2'], switches: {}, compute: carriedIndex },
  {
    ids: ['band-gate-10', 'band-gate-old', 'band-bitget-doc'],
    switches: {},
    compute: band,
  },
  { ids: ['adl-bitmex-rank'], switches: { adlLights: true }, compute: queue },
];

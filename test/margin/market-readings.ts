/** Examples of funding, premium, mark price and price band. */
import { fundingDue, fundingValue, markPrice, premiumPpb, priceBand } from '#domain';
import {
  type Example,
  fromTicks,
  moneyOf,
  ONE,
  ppbOf,
  ppmOf,
  priceOf,
} from '../support/published-examples.ts';
import type { Figures, Reading } from './reading.ts';

const MINUTE_MS = 60_000;

/** What the short gets: rounded down what it receives, up what it pays. */
function receivedByShort(example: Example): bigint {
  const { terms } = example;
  const value = fundingValue(terms, example.size(), example.price('mark'));
  const rate = ppbOf(example.text('rate'));
  return rate > 0 ? fundingDue(terms, value, rate, 'down') : -fundingDue(terms, value, rate, 'up');
}

function payment(example: Example): Figures {
  return { received_by_short: receivedByShort(example) };
}

/** Average price of a size; undefined for a side that has less. */
function impactTicks(
  levels: readonly (readonly string[])[],
  notional: bigint,
  indexTicks: number,
): number | undefined {
  // The impact size is one of contracts: what the notional buys at the index price.
  const impact = (notional * ONE) / fromTicks(indexTicks);
  let wanted = impact;
  let cost = 0n;
  for (const [price = '0', lots = '0'] of levels) {
    const there = moneyOf(lots);
    const taken = wanted < there ? wanted : there;
    cost += (taken * moneyOf(price)) / ONE;
    wanted -= taken;
    if (wanted === 0n) return Number((cost * ONE) / impact / fromTicks(1));
  }
  return undefined;
}

function premium(example: Example): Figures {
  const notional = example.money('impact_notional');
  // One example prints no index, only that the best ask is below it.
  const index = example.has('index') ? example.price('index') : priceOf('10000.2');
  const bid = impactTicks(example.rows('bids'), notional, index);
  const ask = impactTicks(example.rows('asks'), notional, index);
  const ppm = Math.trunc(premiumPpb(bid, ask, index) / 1_000);
  return { impact_bid: fromTicks(bid ?? 0), premium_ppm: BigInt(ppm) * ONE };
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

export const MARKET_READINGS: readonly Reading[] = [
  {
    ids: ['fund-ft-0', 'fund-ft-2', 'fund-ft-8', 'fund-ft-11', 'fund-ft-13'],
    compute: payment,
  },
  {
    ids: ['prem-dydx-neg2', 'prem-dydx-pos2', 'prem-dydx-zero', 'prem-dydx-thin'],
    compute: premium,
  },
  { ids: ['mark-bitget-p2'], compute: carriedIndex },
  { ids: ['band-gate-10', 'band-gate-old', 'band-bitget-doc'], compute: band },
];

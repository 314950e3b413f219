/**
 * Index, mark, premium and band, worked out anew from reports, pairs, trades and the book.
 */
import type { Contract, ContractPrices, Event, IndexSource, Side, WorkingPrice } from '#domain';
import { ceilDivide, floorDivide, least, most, PPB, PPM } from './figures.ts';
import { lastFunding } from './funding-times.ts';
import { mustBe } from './judge.ts';
import {
  bookSide,
  type ContractBook,
  inPriority,
  type Model,
  type PairBook,
  type PriceState,
} from './model.ts';
import type { Turn } from './turn.ts';

const MINUTE_MS = 60_000;
const BASIS_EVERY_MS = 5_000;
const BASIS_WINDOW_MS = 300_000;

export function startPrices(referenceTicks: number): PriceState {
  return {
    reports: new Map(),
    indexTicks: referenceTicks,
    freshMs: 0,
    markTicks: referenceTicks,
    lastTradeMs: 0,
    basis: [],
    premiumSum: 0,
    premiumCount: 0,
    premiumMinute: 0,
    lastPremium: 0,
  };
}

export function isStale({ terms, now }: ContractBook, timeMs: number): boolean {
  if (terms.indexStaleMs === 0 || now.freshMs === 0) return false;
  return timeMs - now.freshMs > terms.indexStaleMs;
}

/**
 * F = P + clamp(I - P), no further from zero than the cap; premiums since the last settlement, or
 * the last one before it.
 */
export function rateOf({ terms, now }: ContractBook): number {
  const { premiumSum, premiumCount, lastPremium } = now;
  const average = premiumCount === 0 ? lastPremium : Math.trunc(premiumSum / premiumCount);
  const [interest, clamp, cap] = [
    terms.fundingInterestPpm * 1_000,
    terms.fundingClampPpm * 1_000,
    terms.fundingCapPpm * 1_000,
  ];
  const pulled = average + within(interest - average, clamp);
  return within(pulled, cap) || 0;
}

function within(value: number, bound: number): number {
  return Math.max(-bound, Math.min(bound, value));
}

function middle(prices: readonly number[]): number {
  const sorted = [...prices].sort((one, other) => one - other);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? upper : Math.floor(((sorted[half - 1] ?? 0) + upper) / 2);
}

/**
 * The operator's price, or the weighted mean of the fresh sources that are not too far from their
 * median; one pair alone moves it at a bounded rate.
 */
function indexNow(model: Model, turn: Turn, book: ContractBook): number | undefined {
  const { terms, now } = book;
  const operator = now.reports.get('operator');
  if (operator !== undefined) return operator.priceTicks;
  const { timeMs } = turn;
  const fresh = terms.indexSources.flatMap((source) => {
    const priceTicks = sourcePrice(model, book, source, timeMs);
    return priceTicks === undefined ? [] : [{ ...source, priceTicks }];
  });
  const prices = fresh.map(({ priceTicks }) => priceTicks);
  const isWitness = now.freshMs === 0 || timeMs - now.freshMs <= MINUTE_MS;
  const centre = middle(fresh.length < 3 && isWitness ? [...prices, now.indexTicks] : prices);
  const room = Number((BigInt(centre) * BigInt(terms.indexOutlierPpm)) / PPM);
  const counted = fresh.filter(({ priceTicks }) => Math.abs(priceTicks - centre) <= room);
  if (counted.length < fresh.length) turn.count('index source left out');
  const [only, second] = counted;
  if (only === undefined) return undefined;
  if (counted.some(({ kind }) => kind === 'spot')) turn.count('index with a pair');
  let [sum, weights] = [0n, 0n];
  for (const { priceTicks, weight } of counted) {
    sum += BigInt(priceTicks) * BigInt(weight);
    weights += BigInt(weight);
  }
  const mean = Number((2n * sum + weights) / (2n * weights));
  if (second !== undefined || only.kind !== 'spot' || terms.indexMovePpm === 0) return mean;
  turn.count('index of one pair alone');
  const passedMs = BigInt(Math.min(timeMs - now.freshMs, MINUTE_MS));
  const moved = BigInt(now.indexTicks) * BigInt(terms.indexMovePpm) * passedMs;
  const reach = Number(ceilDivide(moved, PPM * 1_000n));
  return Math.max(now.indexTicks - reach, Math.min(now.indexTicks + reach, mean));
}

/** What a feed has said that is a source no longer does not count when it becomes one again. */
export function forgetSources({ terms, now }: ContractBook): void {
  const feeds = terms.indexSources.map((source) => (source.kind === 'feed' ? source.name : ''));
  for (const name of now.reports.keys()) {
    if (name !== 'operator' && !feeds.includes(name)) now.reports.delete(name);
  }
}

function sourcePrice(
  model: Model,
  { terms, now }: ContractBook,
  source: IndexSource,
  timeMs: number,
): number | undefined {
  if (source.kind === 'spot') {
    const pair = [...model.pairs.values()].find((one) => one.terms.symbol === source.symbol);
    return pair === undefined ? undefined : pairPrice(pair, terms);
  }
  const report = now.reports.get(source.name);
  if (report === undefined) return undefined;
  const isLate = terms.indexStaleMs > 0 && timeMs - report.timeMs > terms.indexStaleMs;
  return isLate ? undefined : report.priceTicks;
}

/** The middle between what the impact notional is bought and sold at, if they are 1 % apart. */
function pairPrice(pair: PairBook, { indexImpact, priceScale }: Contract): number | undefined {
  if (pair.terms.status !== 'online') return undefined;
  const [bid, ask] = [averageOf(pair, 'buy', indexImpact), averageOf(pair, 'sell', indexImpact)];
  if (bid === undefined || ask === undefined) return undefined;
  // Averages are fractions: both over the product of their sizes.
  const [bids, asks] = [bid.sum * ask.size, ask.sum * bid.size];
  if ((asks - bids) * 200n > asks + bids) return undefined;
  const above = (bids + asks) * 10n ** BigInt(priceScale);
  const below = 2n * bid.size * ask.size * 10n ** BigInt(pair.terms.priceScale);
  const found = floorDivide(2n * above + below, 2n * below);
  return found > 0n ? Number(found) : undefined;
}

/** What a notional takes of one side in whole lots, and one lot at least. */
function averageOf(
  { orders, terms }: PairBook,
  side: Side,
  impact: bigint,
): { readonly sum: bigint; readonly size: bigint } | undefined {
  const own = inPriority(
    side,
    orders.filter((order) => order.side === side),
  );
  const unit = 10n ** 8n * terms.quoteUnitsPerTickLot;
  const wanted = ceilDivide(impact * 10n ** BigInt(terms.quote.scale), unit);
  let [sum, size] = [0n, 0n];
  for (const { priceTicks, openLots } of own) {
    const price = BigInt(priceTicks);
    const missing = most(1n, ceilDivide(wanted - sum, price));
    const taken = least(missing, BigInt(openLots));
    sum += taken * price;
    size += taken;
    if (taken === missing) return { sum, size };
  }
  return undefined;
}

/** Works out index and mark, as every tick and every report does. */
export function refresh(model: Model, turn: Turn, book: ContractBook): void {
  const { now, terms } = book;
  const { timeMs } = turn;
  const found = indexNow(model, turn, book);
  if (found !== undefined) Object.assign(now, { indexTicks: found, freshMs: timeMs });
  sampleBasis(book, timeMs);
  if (isStale(book, timeMs)) return;
  const { indexTicks } = now;
  const next = book.nextFundingMs;
  const interval = next - lastFunding(terms, next - 1);
  const until = Math.max(0, Math.min(interval, next - timeMs));
  const carry = BigInt(indexTicks) * BigInt(rateOf(book)) * BigInt(until);
  const whole = PPB * BigInt(interval);
  // To the nearest tick, halves away from zero.
  const sign = carry < 0n ? -1n : 1n;
  const carried = indexTicks + Number(sign * ((2n * sign * carry + whole) / (2n * whole)));
  const basis = averageBasis(book);
  const based = basis === undefined ? carried : indexTicks + basis;
  const isRecent = book.lastTicks > 0 && timeMs - now.lastTradeMs <= MINUTE_MS;
  const mark = middle([isRecent ? book.lastTicks : carried, carried, based]);
  const room = Number((BigInt(indexTicks) * BigInt(terms.markClampPpm)) / PPM);
  now.markTicks = Math.max(1, indexTicks - room, Math.min(indexTicks + room, mark));
}

function bestOf(book: ContractBook, side: 'buy' | 'sell'): number | undefined {
  const own = book.orders.filter(({ action }) => bookSide(action) === side);
  return inPriority(side, own)[0]?.priceTicks;
}

function sampleBasis(book: ContractBook, timeMs: number): void {
  const { now } = book;
  now.basis = now.basis.filter((sample) => timeMs - sample.timeMs <= BASIS_WINDOW_MS);
  const newest = now.basis.at(-1);
  if (newest !== undefined && timeMs - newest.timeMs < BASIS_EVERY_MS) return;
  const [bid, ask] = [bestOf(book, 'buy'), bestOf(book, 'sell')];
  if (bid === undefined || ask === undefined) return;
  now.basis.push({ timeMs, basisTicks: Math.floor((bid + ask) / 2) - now.indexTicks });
}

function averageBasis(book: ContractBook): number | undefined {
  const { basis } = book.now;
  if (basis.length === 0) return undefined;
  if (bestOf(book, 'buy') === undefined || bestOf(book, 'sell') === undefined) return undefined;
  return Math.trunc(basis.reduce((sum, { basisTicks }) => sum + basisTicks, 0) / basis.length);
}

/** Once in every minute, by ticks, and not over a stale index. */
function samplePremium(book: ContractBook, timeMs: number): void {
  const { now } = book;
  const minute = Math.floor(timeMs / MINUTE_MS);
  if (minute === now.premiumMinute || isStale(book, timeMs)) return;
  now.premiumMinute = minute;
  const index = now.indexTicks;
  const above = Math.max(0, (impactOf(book, 'buy') ?? index) - index);
  const below = Math.max(0, index - (impactOf(book, 'sell') ?? index));
  now.lastPremium = Number((BigInt(above - below) * PPB) / BigInt(index));
  now.premiumSum += now.lastPremium;
  now.premiumCount += 1;
}

/** The average price of the impact size; undefined for a side that is too thin. */
function impactOf(book: ContractBook, side: 'buy' | 'sell'): number | undefined {
  const own = book.orders.filter(({ action }) => bookSide(action) === side);
  let missing: number = book.terms.impactLots;
  let sum = 0n;
  for (const { priceTicks, openLots } of inPriority(side, own)) {
    const taken = Math.min(missing, openLots);
    sum += BigInt(priceTicks) * BigInt(taken);
    missing -= taken;
    if (missing === 0) return Number(sum / BigInt(book.terms.impactLots));
  }
  return undefined;
}

function bandOf({ terms, now }: ContractBook): { high: number; low: number } {
  const [mark, band] = [BigInt(now.markTicks), BigInt(terms.priceBandPpm)];
  const step = BigInt(terms.priceStepTicks);
  const high = floorDivide(mark * (PPM + band), PPM * step) * step;
  const low = -floorDivide(-(mark * (PPM - band)), PPM * step) * step;
  return { high: Number(high), low: Number(low > 0n ? low : step) };
}

/** A settlement begins a new average. */
export function beginAverage({ now }: ContractBook): void {
  Object.assign(now, { premiumSum: 0, premiumCount: 0 });
}

/** Prices are published when one of them has changed, and say what was worked out. */
export function checkPublished(
  model: Model,
  turn: Turn,
  book: ContractBook,
  prices: ContractPrices,
): void {
  const { now, terms } = book;
  const name = `of contract ${terms.instrumentId}`;
  mustBe('price', `index ${name}`, prices.indexTicks, now.indexTicks);
  mustBe('price', `mark ${name}`, prices.markTicks, now.markTicks);
  mustBe('price', `staleness ${name}`, prices.indexStale, isStale(book, turn.timeMs));
  const { high, low } = bandOf(book);
  mustBe('price', `highest price ${name}`, prices.highestTicks, high);
  mustBe('price', `lowest price ${name}`, prices.lowestTicks, low);
  mustBe('price', `next settlement ${name}`, prices.nextFundingMs, book.nextFundingMs);
  mustBe('funding', `rate ${name}`, prices.fundingRatePpb, rateOf(book));
  const fund = model.totals[terms.margin.assetId]?.insurance;
  mustBe('insurance', `fund ${name}`, prices.insuranceFund, fund);
  turn.count('prices worked out');
}

/** A tick works out all prices before anything follows from them, a report those of its own. */
export function begin(model: Model, turn: Turn, event: Event): void {
  if (event.kind !== 'ticked' && event.kind !== 'index_reported') return;
  for (const book of model.contracts.values()) {
    const { instrumentId, status } = book.terms;
    if (event.kind === 'index_reported') {
      if (event.instrumentId !== instrumentId) continue;
      const { source, priceTicks } = event;
      if (priceTicks === 0) book.now.reports.delete(source);
      else book.now.reports.set(source, { priceTicks, timeMs: turn.timeMs });
    }
    if (status === 'suspended') continue;
    refresh(model, turn, book);
    turn.marks.set(instrumentId, book.now.markTicks);
    if (isStale(book, turn.timeMs)) turn.stale.add(instrumentId);
    if (event.kind === 'ticked') samplePremium(book, turn.timeMs);
  }
}

/** After a reset prices are as fresh as they were when the checkpoint was saved. */
export function wake(book: ContractBook, laterMs: number): void {
  const { now } = book;
  const later = (timeMs: number): number => (timeMs === 0 ? 0 : timeMs + laterMs);
  now.lastTradeMs = later(now.lastTradeMs);
  now.freshMs = later(now.freshMs);
  for (const report of now.reports.values()) report.timeMs = later(report.timeMs);
  for (const sample of now.basis) sample.timeMs = later(sample.timeMs);
}

/** The price that a trigger looks at; without a trade yet, the mark price. */
export function workingTicks(book: ContractBook, working: WorkingPrice = 'last'): number {
  if (working === 'index') return book.now.indexTicks;
  return working === 'mark' || book.lastTicks === 0 ? book.now.markTicks : book.lastTicks;
}

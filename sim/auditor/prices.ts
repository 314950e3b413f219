/**
 * Index, mark, premium and band, worked out anew from reports, trades and the book: the sources of
 * simulated contracts are one feed and the operator.
 */
import type { ContractPrices, Event } from '#domain';
import { floorDivide, PPB, PPM } from './figures.ts';
import { lastFunding } from './funding-times.ts';
import { mustBe } from './judge.ts';
import { bookSide, type ContractBook, inPriority, type Model, type PriceState } from './model.ts';
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
    isPremiumKnown: true,
  };
}

export function isStale({ terms, now }: ContractBook, timeMs: number): boolean {
  if (terms.indexStaleMs === 0 || now.freshMs === 0) return false;
  return timeMs - now.freshMs > terms.indexStaleMs;
}

/** F = P + clamp(I - P), no further from zero than the cap; premiums since the last settlement. */
function rateOf({ terms, now }: ContractBook): number {
  const { premiumSum, premiumCount } = now;
  const average = premiumCount === 0 ? 0 : Math.trunc(premiumSum / premiumCount);
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

/** The operator's price, or the feed's if it is fresh and not too far from the last index. */
function indexNow({ terms, now }: ContractBook, timeMs: number): number | undefined {
  const operator = now.reports.get('operator');
  if (operator !== undefined) return operator.priceTicks;
  const feed = now.reports.get('feed');
  if (feed === undefined) return undefined;
  const { indexStaleMs, indexOutlierPpm } = terms;
  if (indexStaleMs > 0 && timeMs - feed.timeMs > indexStaleMs) return undefined;
  const isWitness = now.freshMs === 0 || timeMs - now.freshMs <= MINUTE_MS;
  const witnesses = isWitness ? [feed.priceTicks, now.indexTicks] : [feed.priceTicks];
  const centre = middle(witnesses);
  const room = Number((BigInt(centre) * BigInt(indexOutlierPpm)) / PPM);
  return Math.abs(feed.priceTicks - centre) <= room ? feed.priceTicks : undefined;
}

/** Works out index and mark, as every tick and every report does. */
export function refresh(book: ContractBook, timeMs: number): void {
  const { now, terms } = book;
  const found = indexNow(book, timeMs);
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
  now.premiumSum += Number((BigInt(above - below) * PPB) / BigInt(index));
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
function beginAverage({ now }: ContractBook): void {
  Object.assign(now, { premiumSum: 0, premiumCount: 0, isPremiumKnown: true });
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
  if (now.isPremiumKnown) mustBe('funding', `rate ${name}`, prices.fundingRatePpb, rateOf(book));
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
    refresh(book, turn.timeMs);
    turn.marks.set(instrumentId, book.now.markTicks);
    turn.rates.set(instrumentId, rateOf(book));
    if (isStale(book, turn.timeMs)) turn.stale.add(instrumentId);
    if (event.kind !== 'ticked') continue;
    if (book.nextFundingMs <= turn.timeMs) {
      if (!book.now.isPremiumKnown) turn.rates.delete(instrumentId);
      beginAverage(book);
    }
    samplePremium(book, turn.timeMs);
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

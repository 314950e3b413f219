/**
 * Random orders and cancels through every book at once. The books must agree with each other after
 * each step, and with a prediction that knows the rules of matching but none of the code.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Force } from '#domain';
import type { MatchEnd } from '#engine/testing';
import { present } from '#kernel';
import { prevention } from '../support/arbitraries.ts';
import { BOOKS, BookDesk, type DeskOrder, say, type Ticket } from './book-desk.ts';

type Step =
  | { readonly kind: 'place'; readonly ticket: Ticket }
  | { readonly kind: 'cancel'; readonly number: number }
  | { readonly kind: 'reduce'; readonly number: number; readonly size: number };

interface Outcome {
  readonly end: MatchEnd;
  readonly notes: readonly string[];
}

/** Nearly everything trades. */
const NARROW: Market = { middleTicks: 100, reachTicks: 5, overlapTicks: 5, stepsMax: 60 };
/** Over more levels than a block has, which lose their orders and get others. */
const MIDDLING: Market = { middleTicks: 500, reachTicks: 250, overlapTicks: 5, stepsMax: 1_500 };
/** Most orders rest, each at its own price. */
const WIDE: Market = { middleTicks: 5_000, reachTicks: 4_999, overlapTicks: 50, stepsMax: 1_500 };

/** Ends the search for a smaller failing example; the runs themselves take about a second. */
const LIMITED = { interruptAfterTimeLimit: 30_000, markInterruptAsFailure: true };

const who = fc.constantFrom('A', 'B', 'C', 'D');
const size = fc.integer({ min: 1, max: 10 });
const nothing = fc.constant(undefined);
const LIMIT_FORCES: readonly Force[] = ['gtc', 'gtc', 'gtc', 'post_only', 'fok', 'ioc'];

interface Market {
  readonly middleTicks: number;
  /** How far from the middle orders on their own side of it may be. */
  readonly reachTicks: number;
  /** How far beyond the middle they may be. */
  readonly overlapTicks: number;
  readonly stepsMax: number;
}

function limitOrders({ middleTicks, reachTicks, overlapTicks }: Market): fc.Arbitrary<Ticket> {
  const deep = middleTicks - reachTicks;
  const high = middleTicks + reachTicks;
  const sides = [
    { side: 'buy', price: fc.integer({ min: deep, max: middleTicks + overlapTicks }) },
    { side: 'sell', price: fc.integer({ min: middleTicks - overlapTicks, max: high }) },
  ] as const;
  const force = fc.constantFrom(...LIMIT_FORCES);
  const ordersOf = ({ side, price }: (typeof sides)[number]) =>
    fc.record({ who, side: fc.constant(side), size, price, budget: nothing, force, prevention });
  return fc.oneof(ordersOf(sides[0]), ordersOf(sides[1]));
}

function marketOrders({ middleTicks }: Market): fc.Arbitrary<Ticket> {
  const force = fc.constant('ioc');
  const side = fc.constantFrom('buy', 'sell');
  const bySize = { who, side, size, price: nothing, budget: nothing, force, prevention };
  const budget = fc.integer({ min: 1, max: 20 * middleTicks });
  const byBudget = { ...bySize, side: fc.constant('buy'), size: fc.constant(0), budget };
  return fc.oneof(fc.record<Ticket>(bySize), fc.record<Ticket>(byBudget));
}

function steps(market: Market): fc.Arbitrary<Step[]> {
  const number = fc.integer({ min: 1, max: market.stepsMax });
  const place = (ticket: fc.Arbitrary<Ticket>) => fc.record({ kind: fc.constant('place'), ticket });
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 10, arbitrary: place(limitOrders(market)) },
    { weight: 1, arbitrary: place(marketOrders(market)) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('cancel'), number }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('reduce'), number, size }) },
  );
  const { stepsMax } = market;
  return fc.array(step, { minLength: stepsMax / 10, maxLength: stepsMax, size: 'max' });
}

describe('the books agree on every order', () => {
  it('around one price, where nearly everything trades', () => {
    fc.assert(fc.property(steps(NARROW), runThroughAll), { ...LIMITED, numRuns: 400 });
  });

  it('over hundreds of prices that come back', () => {
    fc.assert(fc.property(steps(MIDDLING), runThroughAll), { ...LIMITED, numRuns: 5 });
  });

  it('over thousands of prices, where levels come and go', () => {
    fc.assert(fc.property(steps(WIDE), runThroughAll), { ...LIMITED, numRuns: 10 });
  });
});

function runThroughAll(sequence: readonly Step[]): void {
  const desks = BOOKS.map(({ create }) => new BookDesk(create()));
  const reference = present(desks[0], 'a first book');
  for (const step of sequence) {
    const expected = step.kind === 'place' ? predict(reference, step.ticket) : undefined;
    for (const desk of desks) {
      assert.deepEqual(act(desk, step), expected);
      desk.book.check();
    }
    for (const desk of desks) assert.deepEqual(picture(desk), picture(reference));
  }
}

function act(desk: BookDesk, step: Step): Outcome | undefined {
  switch (step.kind) {
    case 'place':
      return { end: desk.place(step.ticket), notes: desk.notes };
    case 'cancel':
      desk.cancel(step.number);
      return undefined;
    case 'reduce':
      desk.reduce(step.number, step.size);
      return undefined;
  }
}

function picture(desk: BookDesk) {
  return {
    buys: desk.orders('buy'),
    sells: desk.orders('sell'),
    buyLevels: desk.levels('buy'),
    sellLevels: desk.levels('sell'),
    ordersCount: desk.book.ordersCount,
  };
}

/** What must happen to an order, from the list of the orders it could meet, best first. */
function predict(desk: BookDesk, ticket: Ticket): Outcome {
  const { who, side, price, prevention, force } = ticket;
  const met = Array.from(desk.book.orders(side === 'buy' ? 'sell' : 'buy')).filter(
    ({ priceTicks }) =>
      price === undefined || (side === 'buy' ? priceTicks <= price : priceTicks >= price),
  );
  if (force === 'post_only') {
    return { end: met.length > 0 ? 'post_only_would_take' : 'exhausted', notes: [] };
  }
  const walk = predictWalk(ticket, met);
  const others = met.filter((maker) => maker.who !== who);
  const firstOwn = met.findIndex((maker) => maker.who === who);
  const fillable = {
    none: met,
    cancel_maker: others,
    cancel_taker: firstOwn === -1 ? met : met.slice(0, firstOwn),
    cancel_both: firstOwn === -1 ? met : met.slice(0, firstOwn),
  }[prevention];
  const enough = fillable.reduce((sum, maker) => sum + maker.openLots, 0) >= ticket.size;
  return force === 'fok' && !enough ? { end: 'fok_not_fillable', notes: [] } : walk;
}

function predictWalk(ticket: Ticket, met: readonly DeskOrder[]): Outcome {
  const notes: string[] = [];
  let size = ticket.size;
  let budget = ticket.budget ?? 0;
  const wants = (price: number) =>
    ticket.budget === undefined ? size : Math.floor(budget / price);
  for (const maker of met) {
    const price = maker.priceTicks;
    if (wants(price) === 0) return { end: 'satisfied', notes };
    if (maker.who === ticket.who && ticket.prevention !== 'none') {
      if (ticket.prevention !== 'cancel_taker') notes.push(`cancel ${say(maker)}`);
      if (ticket.prevention !== 'cancel_maker') return { end: 'self_trade', notes };
      continue;
    }
    const filled = Math.min(wants(price), maker.openLots);
    notes.push(`fill ${maker.who} ${filled} @ ${price}`);
    size -= filled;
    budget -= filled * price;
    if (wants(price) === 0) return { end: 'satisfied', notes };
  }
  return { end: 'exhausted', notes };
}

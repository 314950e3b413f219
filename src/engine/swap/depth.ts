/** What an order would meet in the book now, and the prices it is judged at because of it. */
import { dueTo, refuse, type Side, sideOf } from '#domain';
import { accepts, opposite } from '../book/book.ts';
import type { MarginAccount } from '../margin/margin-account.ts';
import type { Refusal } from '../state.ts';
import type { MarketState } from './market-state.ts';
import type { LimitOrderTerms, OrderTerms } from './order.ts';

/** A market order needs a price within the band to trade at. */
export function checkDepth({ market }: MarginAccount, terms: OrderTerms): Refusal {
  const side = sideOf(terms.action);
  const best = market.book.best(opposite(side));
  if (best === undefined) return refuse('no_opposite_depth');
  const { highestTicks, lowestTicks } = market.band;
  const isWithin =
    side === 'buy' ? best.priceTicks <= highestTicks : best.priceTicks >= lowestTicks;
  return isWithin ? undefined : refuse('no_opposite_depth', dueTo('best_price_outside_band'));
}

/**
 * The price that a closing limit is judged at: the worst one at which it would fill now. What of it
 * would rest, or has no counterparty, is judged at the limit.
 */
export function closeTicks({ market }: MarginAccount, terms: LimitOrderTerms): number {
  const { force, priceTicks, sizeLots } = terms;
  const side = sideOf(terms.action);
  const best = market.book.best(opposite(side));
  if (best === undefined || !accepts(side, priceTicks, best.priceTicks)) return priceTicks;
  // Mostly the best price has enough: then no level is looked at.
  const atBest = best.level?.lots ?? 0;
  if (atBest >= sizeLots && force !== 'post_only') return best.priceTicks;
  let missing: number = sizeLots;
  let worst = 0;
  for (const level of market.book.levels(opposite(side))) {
    if (!accepts(side, priceTicks, level.priceTicks)) break;
    worst = level.priceTicks;
    missing -= level.lots;
    if (missing <= 0) break;
  }
  const mayRest = missing > 0 && force !== 'ioc' && force !== 'fok';
  return worst === 0 || mayRest || force === 'post_only' ? priceTicks : worst;
}

/**
 * The price that sets the margin: the order's own, unless it would trade at once at one that needs
 * more: a linear short above its limit, an inverse long below it. A market order's is the best one;
 * zero when there is none.
 */
export function costTicks({ market }: MarginAccount, terms: OrderTerms): number {
  const side = sideOf(terms.action);
  const best = market.book.best(opposite(side))?.priceTicks;
  const isLinear = market.contract.kind === 'linear';
  if (terms.type === 'market') {
    if (best === undefined) return 0;
    // Filled whole or not at all: what it needs is known only at the last price it takes.
    const needsMore = terms.force === 'fok' && (side === 'buy') === isLinear;
    return needsMore ? lastTicks(market, side, terms.sizeLots) : best;
  }
  if (best === undefined) return terms.priceTicks;
  if (side === 'sell' && isLinear) return Math.max(best, terms.priceTicks);
  return side === 'buy' && !isLinear ? Math.min(best, terms.priceTicks) : terms.priceTicks;
}

/**
 * The first price that an order would trade at: the best one it accepts, or its own; zero at the
 * market when there is nothing to trade with.
 */
export function firstTicks({ market }: MarginAccount, terms: OrderTerms): number {
  const side = sideOf(terms.action);
  const best = market.book.best(opposite(side))?.priceTicks;
  if (terms.type === 'market') return best ?? 0;
  const isTaking = best !== undefined && accepts(side, terms.priceTicks, best);
  return isTaking ? best : terms.priceTicks;
}

/** The price of the last lot that an order of this size would take from the book. */
function lastTicks({ book }: MarketState, side: Side, size: number): number {
  let missing = size;
  let found = 0;
  for (const level of book.levels(opposite(side))) {
    found = level.priceTicks;
    missing -= level.lots;
    if (missing <= 0) break;
  }
  return found;
}

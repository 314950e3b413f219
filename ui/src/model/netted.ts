/**
 * Which orders of the venue closed a position against the account's own opposite one. The interface
 * numbers them like deleveraging (types 7 and 8). They differ in that the account is closed on both
 * sides of the contract in one step, or that both fills of one trade are its own.
 */
import type { FillLine } from './fills.ts';
import type { OrderLine } from './orders.ts';

/** Ids of the netted ones among these orders. */
export function nettedOrders(orders: readonly OrderLine[]): ReadonlySet<string> {
  const forced = orders.filter(({ cause }) => cause !== 'owner');
  const sides = Map.groupBy(forced, ({ symbol, createdMs }) => `${symbol} ${createdMs}`);
  const netted = [...sides.values()].filter(
    (ofStep) => new Set(ofStep.map(({ action }) => action)).size > 1,
  );
  return deleveraged(netted.flat());
}

/** Ids of the netted ones among these fills. */
export function nettedFills(fills: readonly FillLine[]): ReadonlySet<string> {
  const forced = fills.filter(({ cause }) => cause !== 'owner');
  const trades = Map.groupBy(forced, ({ tradeId }) => tradeId);
  return deleveraged([...trades.values()].filter((ofTrade) => ofTrade.length > 1).flat());
}

/** The other side of a netting may be the liquidation itself, which stays one. */
function deleveraged(lines: readonly Pick<OrderLine, 'id' | 'cause'>[]): ReadonlySet<string> {
  return new Set(lines.filter(({ cause }) => cause === 'deleveraging').map(({ id }) => id));
}

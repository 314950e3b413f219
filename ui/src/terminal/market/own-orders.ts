/** The prices of the own open orders, for marking them in the book. */
import { useMemo } from 'react';
import type { BookSide } from '../../model/book-view.ts';
import { scaledNumber } from '../../model/numbers.ts';
import type { OrderLine } from '../../model/orders.ts';
import { useStore } from '../../store/store.ts';
import type { Instrument } from '../context.ts';
import { account } from '../trade/account-state.ts';

const BUYING: ReadonlySet<OrderLine['action']> = new Set(['buy', 'open_long', 'close_short']);

/** In ticks, grouped as the lines of the book are. */
export function useOwnPrices(
  { symbol, priceScale }: Instrument,
  side: BookSide,
  stepTicks: number,
): ReadonlySet<number> {
  const orders = useStore(account.openOrders);
  return useMemo(() => {
    const found = new Set<number>();
    for (const order of orders ?? []) {
      const isOfSide = BUYING.has(order.action) === (side === 'bids');
      if (order.symbol !== symbol || order.price === undefined || !isOfSide) continue;
      const steps = scaledNumber(order.price, priceScale) / stepTicks;
      found.add((side === 'asks' ? Math.ceil(steps) : Math.floor(steps)) * stepTicks);
    }
    return found;
  }, [orders, symbol, priceScale, side, stepTicks]);
}

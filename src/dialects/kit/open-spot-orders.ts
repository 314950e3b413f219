/** Open orders of pairs as a list, which every dialect writes in rows of its own. */
import type { AccountId, OpenOrderView, SpotInstrument, StateReader } from '#domain';
import { present } from '#kernel';

/** Those of an account, newest first: of one pair, or of all when none is given. */
export function openSpotOrders(
  state: StateReader,
  accountId: AccountId,
  only: SpotInstrument | undefined,
  write: (pair: SpotInstrument, order: OpenOrderView) => string,
): string {
  const rows: string[] = [];
  for (const order of state.openOrders(accountId)) {
    if (only !== undefined && order.instrumentId !== only.instrumentId) continue;
    const pair = present(state.listings.spotById(order.instrumentId), 'pair of an order');
    rows.push(write(pair, order));
  }
  return `[${rows.join(',')}]`;
}

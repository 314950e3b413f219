/** What a market that is halted or suspended does to the order that is being matched in it. */
import type { InstrumentId, MarketStatus } from '#domain';
import { ordersAtWork } from './orders-at-work.ts';
import { cancelOrder as cancelSpotOrder } from './spot/close.ts';
import type { State } from './state.ts';
import { cancelOrder as cancelContractOrder } from './swap/close.ts';

/** Ends what is left of an order at work in a market that does not trade: it cannot rest there. */
export function endHaltedOrder(
  state: State,
  { instrumentId, status }: { readonly instrumentId: InstrumentId; readonly status: MarketStatus },
): void {
  if (status === 'online') return;
  for (const { kind, order } of ordersAtWork(state)) {
    if (order.instrumentId !== instrumentId) continue;
    if (kind === 'spot_order') cancelSpotOrder(state, order, 'market_halted');
    else cancelContractOrder(state, order, 'market_halted');
  }
}

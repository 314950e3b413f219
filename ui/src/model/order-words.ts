/** What an order does to what is held, in one word. */
import { type ContractAction, isOfContract, type Side } from '#domain';

interface Doing {
  readonly symbol: string;
  readonly side: Side;
  readonly reduceOnly: boolean;
}

export function actionOf(row: Doing): Side | ContractAction {
  return isOfContract(row.symbol) ? contractActionOf(row) : row.side;
}

export function contractActionOf({ side, reduceOnly }: Omit<Doing, 'symbol'>): ContractAction {
  if (reduceOnly) return side === 'buy' ? 'close_short' : 'close_long';
  return side === 'buy' ? 'open_long' : 'open_short';
}

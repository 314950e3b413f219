/** What orders that wait for a trigger are called, and the prices that they look at. */
import {
  type ContractAction,
  holdSideOf,
  isOpen,
  type TriggerOrderView,
  WORKING_PRICES,
  type WorkingPrice,
} from '#domain';

const WORKING_TYPE_OF = {
  last: 'CONTRACT_PRICE',
  mark: 'MARK_PRICE',
  index: 'INDEX_PRICE',
} as const satisfies Record<WorkingPrice, string>;

/** The index price is an extension: the contract has the other two. */
export const WORKING_PRICE_OF: ReadonlyMap<string, WorkingPrice> = new Map(
  WORKING_PRICES.map((working) => [WORKING_TYPE_OF[working].toLowerCase(), working]),
);

export function workingTypeWord(working: WorkingPrice = 'last') {
  return WORKING_TYPE_OF[working];
}

/** What an order that waits is called: what it is for, and at which price it will be executed. */
export function algoTypeWord(trigger: TriggerOrderView) {
  const kind = isProfit(trigger) ? 'TAKE_PROFIT' : 'STOP';
  return trigger.type === 'limit' ? kind : (`${kind}_MARKET` as const);
}

/** A close takes profit when the price moves the way of the position, an entry when it says so. */
function isProfit({ purpose, action, direction, intent }: TriggerOrderView): boolean {
  if (purpose !== 'trigger') return purpose === 'take_profit';
  return isOpen(action) ? intent === 'take_profit' : direction === profitDirection(action);
}

function profitDirection(action: ContractAction): TriggerOrderView['direction'] {
  return holdSideOf(action) === 'long' ? 'rise' : 'fall';
}

/** The closed lists of this interface that only contracts have. */
import {
  type ContractAction,
  type HoldSide,
  holdSideOf,
  isOpen,
  type MarginMode,
  type TriggerOrderView,
  type WorkingPrice,
} from '#domain';

const POSITION_SIDE_OF = { long: 'LONG', short: 'SHORT' } as const;
const WORKING_TYPE_OF = { last: 'CONTRACT_PRICE', mark: 'MARK_PRICE' } as const;

export function positionSideWord(side: HoldSide): 'LONG' | 'SHORT' {
  return POSITION_SIDE_OF[side];
}

export function marginTypeWord(mode: MarginMode): 'CROSSED' | 'ISOLATED' {
  return mode === 'cross' ? 'CROSSED' : 'ISOLATED';
}

export function workingTypeWord(working: WorkingPrice = 'last') {
  return WORKING_TYPE_OF[working];
}

/** What an order that waits is called: what it is for, and at which price it will be executed. */
export function algoTypeWord(trigger: TriggerOrderView) {
  const kind = isProfit(trigger) ? 'TAKE_PROFIT' : 'STOP';
  return trigger.type === 'limit' ? kind : (`${kind}_MARKET` as const);
}

/** A close takes profit when the price moves the way of the position. */
function isProfit({ purpose, action, direction }: TriggerOrderView): boolean {
  if (purpose !== 'trigger') return purpose === 'take_profit';
  return !isOpen(action) && direction === profitDirection(action);
}

function profitDirection(action: ContractAction): TriggerOrderView['direction'] {
  return holdSideOf(action) === 'long' ? 'rise' : 'fall';
}

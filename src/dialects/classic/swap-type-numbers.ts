/** The numbers by which clients know what an order or a fill does, and who placed it. */
import { CONTRACT_ACTIONS, type ContractAction, holdSideOf, type OrderCause } from '#domain';

/**
 * `type` of an order: 1 to 4 the owner's, 5 to 10 the steps of liquidation. It has
 * none of its own for netting.
 */
export function orderTypeNumber(action: ContractAction, cause: OrderCause): number {
  const plain = CONTRACT_ACTIONS.indexOf(action) + 1;
  if (cause === 'owner') return plain;
  const isLong = holdSideOf(action) === 'long';
  const first = { reduction: 5, deleveraging: 7, netting: 7, liquidation: 9 }[cause];
  return isLong ? first : first + 1;
}

/**
 * `delegateType` of a fill: 1 to 4, 5/6 reduced, 11/12 deleveraged or netted, 13/14
 * liquidated.
 */
export function delegateTypeNumber(action: ContractAction, cause: OrderCause): number {
  const plain = CONTRACT_ACTIONS.indexOf(action) + 1;
  if (cause === 'owner') return plain;
  const isLong = holdSideOf(action) === 'long';
  const first = { reduction: 5, deleveraging: 11, netting: 11, liquidation: 13 }[cause];
  return isLong ? first : first + 1;
}

/** Order type numbers of the contract interface as action and cause. */
import {
  CONTRACT_ACTIONS,
  type ContractAction,
  delegateTypeNumber,
  isOpen,
  type OrderCause,
  orderTypeNumber,
} from '#domain';
import { present } from '#kernel';

/** What an order does to a position, and who placed it. */
export interface ActionWords {
  readonly action: ContractAction;
  readonly cause: OrderCause;
}

const FORCED: readonly OrderCause[] = ['reduction', 'deleveraging', 'liquidation'];
const WORDS: readonly ActionWords[] = [
  ...CONTRACT_ACTIONS.map((action) => ({ action, cause: 'owner' }) as const),
  ...CONTRACT_ACTIONS.filter((action) => !isOpen(action)).flatMap((action) =>
    FORCED.map((cause) => ({ action, cause })),
  ),
];
const BY_TYPE = new Map(
  WORDS.map((words) => [String(orderTypeNumber(words.action, words.cause)), words]),
);
const BY_DELEGATE = new Map(
  WORDS.map((words) => [String(delegateTypeNumber(words.action, words.cause)), words]),
);

/** `type` of a contract order. */
export function wordsOfType(type: string): ActionWords {
  return present(BY_TYPE.get(type), `order type ${type}`);
}

/** `delegateType` of a contract fill. */
export function wordsOfDelegate(delegateType: string): ActionWords {
  return present(BY_DELEGATE.get(delegateType), `delegate type ${delegateType}`);
}

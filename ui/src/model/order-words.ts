/** Order type numbers of the contract interface as action and cause. */
import {
  CONTRACT_ACTIONS,
  type ContractAction,
  holdSideOf,
  isOpen,
  type OrderCause,
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
/**
 * 1 to 4 the owner's; of the steps of a liquidation a first number for long, the next for short.
 */
const BY_TYPE = byNumber({ reduction: 5, deleveraging: 7, netting: 7, liquidation: 9 });
const BY_DELEGATE = byNumber({ reduction: 5, deleveraging: 11, netting: 11, liquidation: 13 });

function byNumber(
  firsts: Readonly<Record<Exclude<OrderCause, 'owner'>, number>>,
): ReadonlyMap<string, ActionWords> {
  return new Map(
    WORDS.map((words) => {
      const { action, cause } = words;
      if (cause === 'owner') return [String(CONTRACT_ACTIONS.indexOf(action) + 1), words];
      return [String(firsts[cause] + (holdSideOf(action) === 'long' ? 0 : 1)), words];
    }),
  );
}

/** `type` of a contract order. */
export function wordsOfType(type: string): ActionWords {
  return present(BY_TYPE.get(type), `order type ${type}`);
}

/** `delegateType` of a contract fill. */
export function wordsOfDelegate(delegateType: string): ActionWords {
  return present(BY_DELEGATE.get(delegateType), `delegate type ${delegateType}`);
}

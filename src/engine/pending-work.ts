/**
 * What one command has set off and is not done yet: trigger orders that a trade met, and the orders
 * of an account that the operator clears. It waits in the state, in the order in which it came up.
 */
import type { AccountId, InstrumentId } from '#domain';
import type { DueTriggers } from './trigger/levels.ts';

/** Orders up to an id are cancelled: what is placed meanwhile stays. */
export interface CancelSpotWork {
  readonly kind: 'cancel_spot';
  readonly accountId: AccountId;
  readonly ordersTo: number;
}

/** First the orders, then the trigger orders that are there by then; zero until that is known. */
export interface CancelContractWork {
  readonly kind: 'cancel_contract';
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly ordersTo: number;
  triggersTo: number;
}

/** What one trade has set off. */
export interface TriggersWork {
  readonly kind: 'triggers';
  readonly instrumentId: InstrumentId;
  readonly due: DueTriggers;
}

export type Work = CancelSpotWork | CancelContractWork | TriggersWork;

/**
 * How the contract stream shows an account: rows of its orders and trigger orders and, in each
 * contract, what its account and its positions are worth after a step; and whose account and which
 * contract an event changes.
 */

import {
  type AccountWriter,
  type ContractOrderChange,
  contractOrdersOf,
  type OrderChange,
  type PrivateRow,
  type StateRow,
  type TriggerOrderChange,
} from '#api';
import {
  type AccountId,
  type Contract,
  closedStatus,
  type Event,
  HOLD_SIDES,
  type InstrumentId,
  type Listings,
  linearContractsOf,
  marginWallet,
  openStatus,
  type StateReader,
} from '#domain';
import { present } from '#kernel';
import { contractChanged } from '../kit/account-events.ts';
import { CONTRACT_ACCOUNT, POSITION } from './swap-account.ts';
import { CONTRACT_ORDER } from './swap-orders.ts';
import { feedName, type PrivateChannel } from './swap-stream-channels.ts';
import { writeStreamRow } from './swap-stream-messages.ts';
import { PLAN, waitingOutcome } from './swap-triggers.ts';

export class ContractAccountWriter implements AccountWriter {
  readonly #listings: Listings;
  readonly #accountId: AccountId;
  /** Contracts in which the account holds anything, as of the last step applied. */
  readonly #held = new Set<InstrumentId>();
  /** Rows of state as last written, by feed: one that stays the same is not repeated. */
  readonly #written = new Map<string, string>();

  constructor(listings: Listings, accountId: AccountId) {
    this.#listings = listings;
    this.#accountId = accountId;
  }

  orders(state: StateReader): readonly OrderChange[] {
    return contractOrdersOf(state, this.#accountId);
  }

  orderRows(change: OrderChange): readonly PrivateRow[] {
    if (change.kind === 'spot_order') return [];
    const { instrumentId } = change.order;
    const contract = present(this.#listings.contractById(instrumentId), 'listed contract');
    return change.kind === 'contract_order'
      ? contractOrderRows(contract, change)
      : planRows(contract, change);
  }

  showsOrder({ kind, order }: OrderChange, feed: string): boolean {
    if (kind === 'spot_order') return false;
    return feed === feedName(kind === 'contract_order' ? 'order' : 'currentPlan', order);
  }

  stateRows(state: StateReader): readonly StateRow[] {
    return this.#rowsIn(state.listings.contracts.values(), state);
  }

  changedRows(events: readonly Event[], state: StateReader): readonly StateRow[] {
    const touched = new Set<Contract>();
    for (const event of events) {
      for (const one of this.#changedBy(event, state)) touched.add(one);
    }
    return this.#rowsIn(touched, state);
  }

  /** The contract that an event changes, with those that show the same wallet. */
  #changedBy(event: Event, state: StateReader): readonly Contract[] {
    const { listings } = state;
    if (event.kind === 'balance_changed' && event.wallet === 'margin') {
      return linearContractsOf(listings, event.assetId);
    }
    const contract = contractChanged(event, listings);
    if (contract === undefined) return [];
    const owner = present(state.account(this.#accountId), 'account of a key');
    if (marginWallet(owner, contract) !== 'margin') return [contract];
    return linearContractsOf(listings, contract.margin.assetId);
  }

  /** A new price touches the holders of the contract, new terms every account. */
  isTouchedBy(event: Event): boolean {
    return event.kind !== 'contract_priced' || this.#held.has(event.prices.instrumentId);
  }

  #rowsIn(contracts: Iterable<Contract>, state: StateReader): readonly StateRow[] {
    const owner = present(state.account(this.#accountId), 'account of a key');
    return [...contracts].flatMap((contract) => {
      const { instrumentId } = contract;
      const view = present(state.marginAccount(this.#accountId, instrumentId), 'contract account');
      if (HOLD_SIDES.some((side) => view[side].lots > 0)) this.#held.add(instrumentId);
      else this.#held.delete(instrumentId);
      const shown = { contract, account: view, createdTimeMs: owner.createdTimeMs };
      return [
        ...this.#stateRow('position', contract, POSITION.write(shown)),
        ...this.#stateRow('account', contract, CONTRACT_ACCOUNT.write(shown)),
      ];
    });
  }

  #stateRow(channel: PrivateChannel, contract: Contract, row: string): readonly StateRow[] {
    const feed = feedName(channel, contract);
    if (this.#written.get(feed) === row) return [];
    this.#written.set(feed, row);
    return [{ key: feed, feed, write: () => writeStreamRow(contract, row) }];
  }
}

/** A fill that completes its order is published with the closing that follows it. */
function contractOrderRows(
  contract: Contract,
  { order, reason }: ContractOrderChange,
): readonly PrivateRow[] {
  if (reason === undefined && order.filledLots === order.sizeLots) return [];
  const status = reason === undefined ? openStatus(order) : closedStatus(reason);
  const write = () =>
    writeStreamRow(contract, CONTRACT_ORDER.write({ contract, order, status, reason }));
  return [{ feed: feedName('order', contract), write }];
}

/** Its end is news for those who follow what waits and for those who follow what is over. */
function planRows(
  contract: Contract,
  { order, timeMs, end }: TriggerOrderChange,
): readonly PrivateRow[] {
  const outcome = end === undefined ? waitingOutcome(order) : { ...end, updatedTimeMs: timeMs };
  const write = () =>
    writeStreamRow(contract, PLAN.write({ contract, plan: order, outcome, isMore: false }));
  const current = { feed: feedName('currentPlan', contract), write };
  return end === undefined
    ? [current]
    : [current, { feed: feedName('historyPlan', contract), write }];
}

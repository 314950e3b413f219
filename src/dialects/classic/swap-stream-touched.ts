/** What an event changes for the owners of contract accounts: whose account, in which contract. */
import type { AccountId, Contract, Event, Listings } from '#domain';

const NO_ACCOUNT: readonly AccountId[] = [];

/** Accounts that an event is about; a new price or new terms concern many. */
export function contractAccountsOf(
  event: Event,
  listings: Listings,
): readonly AccountId[] | 'many' {
  switch (event.kind) {
    case 'contract_trade':
      return [event.maker.accountId, event.taker.accountId];
    case 'contract_order_closed':
      return [event.order.accountId];
    case 'trigger_order_accepted':
    case 'trigger_order_grown':
    case 'trigger_order_closed':
      return [event.trigger.accountId];
    case 'contract_order_accepted':
    case 'order_rested':
    case 'liquidated':
    case 'margin_adjusted':
    case 'contract_settings_changed':
    case 'balance_changed':
      return contractOf(event, listings) === undefined ? NO_ACCOUNT : [event.accountId];
    case 'contract_priced':
    case 'contract_listed':
    case 'contract_updated':
      return 'many';
    default:
      return NO_ACCOUNT;
  }
}

/** The contract in which an event changes an account; undefined when it is about no contract. */
export function contractOf(event: Event, listings: Listings): Contract | undefined {
  switch (event.kind) {
    case 'contract_order_accepted':
    case 'contract_trade':
    case 'liquidated':
    case 'margin_adjusted':
    case 'contract_settings_changed':
    case 'order_rested':
      return listings.contractById(event.instrumentId);
    case 'contract_order_closed':
      return listings.contractById(event.order.instrumentId);
    case 'trigger_order_accepted':
    case 'trigger_order_grown':
    case 'trigger_order_closed':
      return listings.contractById(event.trigger.instrumentId);
    case 'balance_changed':
      return listings.contract(event.wallet);
    case 'contract_priced':
      return listings.contractById(event.prices.instrumentId);
    case 'contract_listed':
    case 'contract_updated':
      return listings.contractById(event.contract.instrumentId);
    default:
      return undefined;
  }
}

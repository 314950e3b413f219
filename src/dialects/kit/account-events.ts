/** Whose account an event changes, and what of it: the same for every dialect of the streams. */
import type { AccountId, AssetId, Contract, Event, Listings, OrderView } from '#domain';
import { present } from '#kernel';

/** The accounts whose orders or spot balances an event changes. */
export function spotAccountsOf(event: Event): readonly AccountId[] {
  switch (event.kind) {
    case 'order_accepted':
    case 'order_rested':
    case 'lock_set':
      return [event.accountId];
    case 'order_moved':
    case 'order_closed':
      return [event.order.accountId];
    case 'balance_changed':
      return event.wallet === 'spot' ? [event.accountId] : [];
    case 'trade':
      return [event.takerAccountId, event.makerAccountId];
    default:
      return [];
  }
}

/** The coins in which an event moves spot money of its accounts, held money included. */
export function coinsChanged(event: Event, listings: Listings): readonly AssetId[] {
  switch (event.kind) {
    case 'balance_changed':
      return event.wallet === 'spot' ? [event.assetId] : [];
    case 'lock_set':
      return [event.assetId];
    case 'order_rested':
      return heldCoin(event, listings);
    case 'order_moved':
      return heldCoin(event.order, listings);
    case 'order_closed':
      return event.restingLots > 0 ? heldCoin(event.order, listings) : [];
    case 'trade': {
      const { base, quote } = present(listings.spotById(event.instrumentId), 'pair of a trade');
      return [base.assetId, quote.assetId];
    }
    default:
      return [];
  }
}

/** An order of a contract rests by the same event; it holds no spot balance. */
function heldCoin(
  { instrumentId, side }: Pick<OrderView, 'instrumentId' | 'side'>,
  listings: Listings,
): readonly AssetId[] {
  const pair = listings.spotById(instrumentId);
  if (pair === undefined) return [];
  return [side === 'sell' ? pair.base.assetId : pair.quote.assetId];
}

const NO_ACCOUNT: readonly AccountId[] = [];

/** Accounts that an event is about; a new price or new terms concern many. */
export function contractAccountsOf(
  event: Event,
  listings: Listings,
): readonly AccountId[] | 'many' {
  switch (event.kind) {
    case 'contract_trade':
      return [event.maker.accountId, event.taker.accountId];
    case 'contract_order_moved':
    case 'contract_order_closed':
      return [event.order.accountId];
    case 'trigger_order_accepted':
    case 'trigger_order_grown':
    case 'trigger_order_modified':
    case 'trigger_order_closed':
      return [event.trigger.accountId];
    case 'contract_order_accepted':
    case 'order_rested':
    case 'liquidated':
    case 'insurance_moved':
    case 'margin_adjusted':
    case 'contract_settings_changed':
      return contractChanged(event, listings) === undefined ? NO_ACCOUNT : [event.accountId];
    case 'balance_changed':
      return event.wallet === 'spot' ? NO_ACCOUNT : [event.accountId];
    case 'contract_priced':
    case 'contract_listed':
    case 'contract_updated':
      return 'many';
    default:
      return NO_ACCOUNT;
  }
}

/** The contract in which an event changes an account; undefined when it is about no contract. */
export function contractChanged(event: Event, listings: Listings): Contract | undefined {
  switch (event.kind) {
    case 'contract_order_accepted':
    case 'contract_trade':
    case 'liquidated':
    case 'insurance_moved':
    case 'margin_adjusted':
    case 'contract_settings_changed':
    case 'order_rested':
      return listings.contractById(event.instrumentId);
    case 'contract_order_moved':
    case 'contract_order_closed':
      return listings.contractById(event.order.instrumentId);
    case 'trigger_order_accepted':
    case 'trigger_order_grown':
    case 'trigger_order_modified':
    case 'trigger_order_closed':
      return listings.contractById(event.trigger.instrumentId);
    case 'balance_changed':
      return event.instrumentId === undefined
        ? listings.contract(event.wallet)
        : listings.contractById(event.instrumentId);
    case 'contract_priced':
      return listings.contractById(event.prices.instrumentId);
    case 'contract_listed':
    case 'contract_updated':
      return listings.contractById(event.contract.instrumentId);
    default:
      return undefined;
  }
}

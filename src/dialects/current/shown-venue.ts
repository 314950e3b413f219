/**
 * The venue as this interface shows it: contracts that it does not know have no orders, fills,
 * money or trigger orders here. Every list, look-up, cancel and sum goes through it; the private
 * stream asks `isShown` of each contract.
 */
import type { Services } from '#api';
import type { Contract, InstrumentId, Listings, StateReader, VenuePort } from '#domain';
import type { HistoryReader } from '#history';
import { isShown, shownContracts } from './symbols.ts';

type Of = { readonly instrumentId: InstrumentId };

/** What handlers work with, without the contracts that are not shown. */
export function showing(services: Services): Services {
  const { venue, history, live } = services;
  return {
    ...services,
    historyReady: () => services.historyReady(),
    venue: shownVenue(venue),
    history: shownHistory(history, live.listings),
  };
}

function hiddenContracts(listings: Listings): readonly Contract[] {
  return [...listings.contracts.values()].filter((contract) => !isShown(contract));
}

function hiddenIds(listings: Listings): readonly InstrumentId[] {
  return hiddenContracts(listings).map(({ instrumentId }) => instrumentId);
}

function isOfShown(listings: Listings, instrumentId: InstrumentId): boolean {
  const contract = listings.contractById(instrumentId);
  return contract === undefined || isShown(contract);
}

function shownVenue(venue: VenuePort): VenuePort {
  return {
    submit: (command) => venue.submit(command),
    read: (query, reader) => venue.read((state) => query(shownState(state)), reader),
    onApplied: (look) => venue.onApplied((step, state) => look(step, shownState(state))),
    get releasedSeq() {
      return venue.releasedSeq;
    },
    get isCrowded() {
      return venue.isCrowded;
    },
    get hasWork() {
      return venue.hasWork;
    },
  };
}

/** Valid only as long as the state that it is of. */
function shownState(state: StateReader): StateReader {
  const { listings } = state;
  const ifShown = <T extends Of>(found: T | undefined) =>
    found !== undefined && isOfShown(listings, found.instrumentId) ? found : undefined;
  const onlyShown = <T extends Of>(found: Iterable<T>) =>
    [...found].filter(({ instrumentId }) => isOfShown(listings, instrumentId));
  const hiding: Pick<StateReader, Hiding> = {
    openContractOrder: (id) => ifShown(state.openContractOrder(id)),
    openContractOrderByClientId: (owner, name) =>
      ifShown(state.openContractOrderByClientId(owner, name)),
    openContractOrders: (owner, only) => onlyShown(state.openContractOrders(owner, only)),
    waitingTrigger: (id) => ifShown(state.waitingTrigger(id)),
    waitingTriggerByClientId: (owner, name) => ifShown(state.waitingTriggerByClientId(owner, name)),
    waitingTriggers: (owner, only) => onlyShown(state.waitingTriggers(owner, only)),
  };
  return { ...asIs(state), ...hiding };
}

type Hiding =
  | 'openContractOrder'
  | 'openContractOrderByClientId'
  | 'openContractOrders'
  | 'waitingTrigger'
  | 'waitingTriggerByClientId'
  | 'waitingTriggers';

/** Written out: a state keeps itself to itself, so its methods are called on it. */
function asIs(state: StateReader): Omit<StateReader, Hiding> {
  const { seq, timeMs, lastId, listings, accountsCount, sandbox } = state;
  return {
    ...{ seq, timeMs, lastId, listings, accountsCount, sandbox },
    account: (id) => state.account(id),
    accountByName: (name) => state.accountByName(name),
    accounts: () => state.accounts(),
    heldAccounts: () => state.heldAccounts(),
    keys: () => state.keys(),
    openOrder: (id) => state.openOrder(id),
    openOrderByClientId: (owner, name) => state.openOrderByClientId(owner, name),
    openOrders: (owner) => state.openOrders(owner),
    bookLevels: (id, side) => state.bookLevels(id, side),
    contractPrices: (id) => state.contractPrices(id),
    marginAccount: (owner, id) => state.marginAccount(owner, id),
    marginFunds: (owner, asset) => state.marginFunds(owner, asset),
    owned: (owner) => state.owned(owner),
    insuranceFund: (asset) => state.insuranceFund(asset),
    moneyResult: (command) => state.moneyResult(command),
    audit: () => state.audit(),
  };
}

function shownHistory(history: HistoryReader, listings: Listings): HistoryReader {
  const except = () => hiddenIds(listings);
  const ifShown = async <T extends Of>(found: Promise<T | undefined>) => {
    const one = await found;
    return one !== undefined && isOfShown(listings, one.instrumentId) ? one : undefined;
  };
  return {
    ...history,
    contractOrder: (owner, id) => ifShown(history.contractOrder(owner, id)),
    contractOrderByClientId: (owner, only, name) =>
      history.contractOrderByClientId(owner, only, name, except()),
    contractOrders: (query) => history.contractOrders({ ...query, except: except() }),
    contractFills: (query) => history.contractFills({ ...query, except: except() }),
    contractPast: (query) => history.contractPast({ ...query, except: except() }),
    trigger: (owner, id) => ifShown(history.trigger(owner, id)),
    triggerByClientId: (owner, name) => history.triggerByClientId(owner, name, except()),
    triggers: (query) => history.triggers({ ...query, except: except() }),
    ledger: (query) => history.ledger({ ...query, except: hiddenMoney(listings) }),
  };
}

/** Wallets of contracts that are not shown, and coins that no other contract has. */
function hiddenMoney(listings: Listings) {
  const shown = new Set(shownContracts(listings).map(({ margin }) => margin.assetId));
  const hidden = hiddenContracts(listings);
  const coins = new Set(hidden.map(({ margin }) => margin.assetId));
  return {
    assetIds: [...coins].filter((assetId) => !shown.has(assetId)),
    wallets: hidden.map(({ symbol }) => symbol),
  };
}

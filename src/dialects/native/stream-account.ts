/**
 * How the stream shows an account: its balances, settings, positions, orders and triggers, and each
 * fill, in rows as REST has them. One channel has all of it, one message what a step has changed.
 */
import {
  type AccountWriter,
  type ContractOrderChange,
  contractOrdersOf,
  type OrderChange,
  type PrivateRow,
  type SpotOrderChange,
  type StateRow,
  spotOrdersOf,
  type TriggerOrderChange,
} from '#api';
import {
  type AccountId,
  type AccountView,
  type AssetId,
  type BalanceView,
  type Contract,
  type Event,
  HOLD_SIDES,
  type InstrumentId,
  type Listings,
  linearContractsOf,
  marginWallet,
  type StateReader,
  type Wallet,
} from '#domain';
import { present } from '#kernel';
import {
  coinsChanged,
  contractAccountsOf,
  contractChanged,
  spotAccountsOf,
} from '../kit/account-events.ts';
import { BALANCE, balancesOf } from './account.ts';
import { FILL, type ShownFill } from './fill-rows.ts';
import { SETTINGS } from './margin-rows.ts';
import { ORDER } from './order-rows.ts';
import { POSITION } from './position-rows.ts';
import { ACCOUNT_CHANNEL } from './stream-channels.ts';
import { marketById } from './terms.ts';
import { TRIGGER } from './trigger-rows.ts';

/** What a message has, in this order. */
const LISTS = ['balances', 'settings', 'positions', 'orders', 'triggers', 'fills'] as const;
type List = (typeof LISTS)[number];

/** What can change the settings of an account in a contract. */
const SETTING: readonly Event['kind'][] = ['contract_settings_changed', 'contract_listed'];

/** The accounts that an event concerns. */
export function accountsOf(event: Event, listings: Listings): readonly AccountId[] | 'many' {
  const ofContracts = contractAccountsOf(event, listings);
  return ofContracts === 'many' ? 'many' : [...spotAccountsOf(event), ...ofContracts];
}

export class NativeAccountWriter implements AccountWriter {
  readonly lists = LISTS;
  readonly #listings: Listings;
  readonly #accountId: AccountId;
  /** Contracts in which something is held, as of the last step applied. */
  readonly #held = new Set<InstrumentId>();
  /** Rows of state as last written, by key: what stays the same is not repeated. */
  readonly #written = new Map<string, string>();

  constructor(listings: Listings, accountId: AccountId) {
    this.#listings = listings;
    this.#accountId = accountId;
  }

  orders(state: StateReader): readonly OrderChange[] {
    const accountId = this.#accountId;
    return [...spotOrdersOf(state, accountId), ...contractOrdersOf(state, accountId)];
  }

  orderRows(change: OrderChange): readonly PrivateRow[] {
    if (change.kind === 'trigger_order') return [this.#triggerRow(change)];
    const order = this.#orderRow(change);
    const shown = change.kind === 'spot_order' ? this.#fillOf(change) : this.#contractFill(change);
    return shown === undefined
      ? [order]
      : [order, { ...rowIn('fills'), write: () => FILL.write(shown) }];
  }

  showsOrder(): boolean {
    return true;
  }

  stateRows(state: StateReader): readonly StateRow[] {
    const balances = balancesOf(state, this.#accountId).flatMap(({ wallet, balance }) =>
      this.#balanceRow(wallet, balance, state),
    );
    const contracts = [...state.listings.contracts.values()];
    return [
      ...balances,
      ...this.#settingsRows(contracts, state),
      ...this.#positionRows(contracts, state),
    ];
  }

  changedRows(events: readonly Event[], state: StateReader): readonly StateRow[] {
    const { listings } = state;
    const owner = present(state.account(this.#accountId), 'account of a key');
    const coins = new Set(events.flatMap((event) => coinsChanged(event, listings)));
    const touched = new Set<Contract>();
    const wallets = new Map<string, readonly [Wallet, AssetId]>();
    for (const assetId of coins) wallets.set(`spot ${assetId}`, ['spot', assetId]);
    const margins = new Set<AssetId>();
    const changed = new Set<Contract>();
    for (const event of events) {
      if (event.kind === 'balance_changed' && event.wallet === 'margin') margins.add(event.assetId);
      const contract = contractChanged(event, listings);
      if (contract === undefined) continue;
      touched.add(contract);
      if (SETTING.includes(event.kind)) changed.add(contract);
      const { assetId } = contract.margin;
      const wallet = marginWallet(owner, contract);
      if (wallet === 'margin') margins.add(assetId);
      else wallets.set(wallet, [wallet, assetId]);
    }
    for (const assetId of margins) {
      wallets.set(`margin ${assetId}`, ['margin', assetId]);
      for (const contract of this.#heldBehind(assetId, listings)) touched.add(contract);
    }
    return [
      ...this.#balanceRows(wallets.values(), owner, state),
      ...this.#settingsRows(changed, state),
      ...this.#positionRows(touched, state),
    ];
  }

  /** A new price or new terms concern those who hold the contract, a new one everybody. */
  isTouchedBy(event: Event): boolean {
    if (event.kind === 'contract_listed') return true;
    if (event.kind === 'contract_priced') return this.#held.has(event.prices.instrumentId);
    return event.kind === 'contract_updated' && this.#held.has(event.contract.instrumentId);
  }

  #orderRow({ order, timeMs, reason }: SpotOrderChange | ContractOrderChange): PrivateRow {
    const shown = reason === undefined ? order : { ...order, reason, closedTimeMs: timeMs };
    const market = marketById(this.#listings, order.instrumentId);
    const write = () => ORDER.write({ market, order: shown });
    return { ...rowIn('orders'), about: `order ${order.orderId}`, write };
  }

  #triggerRow({ order, timeMs, end }: TriggerOrderChange): PrivateRow {
    const { instrumentId, orderId } = order;
    const market = present(this.#listings.contractById(instrumentId), 'contract of a trigger');
    const shown = {
      ...{ market, trigger: order },
      ...(end && { end: { ...end, updatedTimeMs: timeMs }, filledLots: end.executedLots }),
    };
    const write = () => TRIGGER.write(shown);
    return { ...rowIn('triggers'), about: `trigger ${orderId}`, write };
  }

  #fillOf({ order, trade, timeMs }: SpotOrderChange): ShownFill | undefined {
    if (trade === undefined) return undefined;
    const { accountId, instrumentId, orderId, side, type: orderType } = order;
    const { tradeId, priceTicks, sizeLots, quoteAmount, takerOrderId } = trade;
    const pair = present(this.#listings.spotById(instrumentId), 'pair of a trade');
    const fill = {
      fillId: tradeId,
      ...{ orderId, accountId, instrumentId, side, orderType },
      role: takerOrderId === orderId ? 'taker' : 'maker',
      ...{ priceTicks, sizeLots, quoteAmount, timeMs },
      feeAmount: side === 'buy' ? trade.buyerFee : trade.sellerFee,
      feeAssetId: side === 'buy' ? pair.base.assetId : pair.quote.assetId,
    } as const;
    return { market: pair, fill };
  }

  #contractFill({ filledBy, timeMs }: ContractOrderChange): ShownFill | undefined {
    if (filledBy === undefined) return undefined;
    const { trade, fill } = filledBy;
    const { kind: _kind, taker, maker: _maker, assetId: _asset, ...facts } = trade;
    const role = taker.orderId === fill.orderId ? 'taker' : 'maker';
    const market = marketById(this.#listings, trade.instrumentId);
    return { market, fill: { ...fill, ...facts, role, timeMs } };
  }

  #balanceRows(
    wallets: Iterable<readonly [Wallet, AssetId]>,
    owner: AccountView,
    state: StateReader,
  ): readonly StateRow[] {
    return [...wallets].flatMap(([wallet, assetId]) => {
      const balance = owner.balance(wallet, assetId);
      return balance === undefined ? [] : this.#balanceRow(wallet, balance, state);
    });
  }

  #balanceRow(wallet: Wallet, balance: BalanceView, { listings }: StateReader): StateRow[] {
    const coin = present(listings.asset(balance.assetId), 'coin of a balance');
    const text = BALANCE.write({ wallet, coin, balance });
    return this.#stateRow('balances', `${wallet} ${coin.code}`, text);
  }

  #settingsRows(contracts: Iterable<Contract>, state: StateReader): readonly StateRow[] {
    return [...contracts].flatMap((contract) => {
      const account = state.marginAccount(this.#accountId, contract.instrumentId);
      if (account === undefined) return [];
      const text = SETTINGS.write({ contract, account });
      return this.#stateRow('settings', `settings ${contract.symbol}`, text);
    });
  }

  #positionRows(contracts: Iterable<Contract>, state: StateReader): readonly StateRow[] {
    return [...contracts].flatMap((contract) => this.#positionsIn(contract, state));
  }

  #positionsIn(contract: Contract, state: StateReader): readonly StateRow[] {
    const { instrumentId, symbol } = contract;
    const account = state.marginAccount(this.#accountId, instrumentId);
    if (account === undefined) return [];
    if (HOLD_SIDES.some((side) => account[side].lots > 0)) this.#held.add(instrumentId);
    else if (!this.#held.delete(instrumentId)) return [];
    const { markTicks } = present(state.contractPrices(instrumentId), 'prices of a contract');
    return HOLD_SIDES.flatMap((side) => {
      const position = account[side];
      const key = `${symbol} ${side}`;
      const isGone = position.lots === 0;
      if (isGone && !this.#written.has(key)) return [];
      return this.#stateRow(
        'positions',
        key,
        POSITION.write({ contract, account, position, markTicks }),
        isGone,
      );
    });
  }

  /** What is held in other contracts of the same wallet stands or falls with it. */
  #heldBehind(assetId: AssetId, listings: Listings): readonly Contract[] {
    if (this.#held.size === 0) return [];
    return linearContractsOf(listings, assetId).filter((one) => this.#held.has(one.instrumentId));
  }

  /** Empty where nothing of it has changed. */
  #stateRow(list: List, key: string, text: string, isGone = false): StateRow[] {
    if (this.#written.get(key) === text) return [];
    if (isGone) this.#written.delete(key);
    else this.#written.set(key, text);
    return [{ ...rowIn(list), key, isGone, write: () => text }];
  }
}

function rowIn(list: List): Pick<PrivateRow, 'feed' | 'list'> {
  return { feed: ACCOUNT_CHANNEL, list };
}

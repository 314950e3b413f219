/**
 * An account: settings, balances per wallet, and its open orders as a linked list through the
 * orders themselves, so that listing them costs what is listed and nothing is stored twice.
 */

import type {
  AccountId,
  AccountSettings,
  AccountView,
  AssetId,
  BalanceView,
  InstrumentId,
  OpenOrderView,
  OrderId,
  SelfTradePrevention,
  Wallet,
  WalletScope,
} from '#domain';
import { assert, present } from '#kernel';
import type { AccountTerms } from './account-terms.ts';
import { type Balance, MarginBalance } from './balance.ts';
import { ContractIds } from './contract-ids.ts';
import { NamedOrders } from './named-orders.ts';
import { SpotBalance, type SpotBalances } from './spot-balances.ts';
import { UsedIds } from './used-ids.ts';

/** An open order, as much as the list of its account needs of it. */
export interface ListedOrder {
  readonly orderId: OrderId;
  readonly instrumentId: InstrumentId;
  readonly clientOrderId: string | undefined;
  accountOlder: ListedOrder | null;
  accountNewer: ListedOrder | null;
  nextNamed: ListedOrder | null;
  /** As it is now. */
  openView(): OpenOrderView;
}

export class Account implements AccountView {
  // What every order asks stands first, side by side.
  readonly accountId: AccountId;
  terms: AccountTerms;
  openOrdersCount = 0;
  newestOrder: ListedOrder | null = null;
  readonly createdTimeMs: number;
  settings: AccountSettings;
  moneyHolder = '';
  oldestOrder: ListedOrder | null = null;
  /** Open orders by client order id, for those that have one; null before the first one. */
  #namedOrders: NamedOrders<ListedOrder> | null = null;
  /** Client ids of orders and transfers that are over; null before the first one. */
  usedOrderIds: UsedIds | null = null;
  usedTransferIds: UsedIds | null = null;
  /** Ids that were chosen for contract orders: null before the first one, as most accounts stay. */
  chosenContractIds: ContractIds | null = null;
  /** Of all accounts; index is the asset id. */
  readonly #spot: readonly SpotBalances[];
  /** Behind all linear contracts of a coin; index is the asset id. */
  readonly #margin: (Balance | undefined)[] = [];
  /** Behind one contract each. */
  readonly #contracts = new Map<Wallet, Balance>();

  constructor(
    accountId: AccountId,
    settings: AccountSettings,
    terms: AccountTerms,
    spot: readonly SpotBalances[],
    createdTimeMs: number,
  ) {
    this.accountId = accountId;
    this.terms = terms;
    this.#spot = spot;
    this.createdTimeMs = createdTimeMs;
    this.settings = settings;
  }

  /** Where ids of contract orders are kept, made for the first one. */
  get contractIds(): ContractIds {
    this.chosenContractIds ??= new ContractIds(this.accountId);
    return this.chosenContractIds;
  }

  get name(): string {
    return this.settings.name;
  }

  get frozen(): boolean {
    return this.terms.frozen;
  }

  get selfTradePrevention(): SelfTradePrevention {
    return this.terms.selfTradePrevention;
  }

  get openOrdersMax(): number {
    return this.terms.openOrdersMax;
  }

  get takerFeePpm(): number | null {
    return this.terms.takerFeePpm;
  }

  get makerFeePpm(): number | null {
    return this.terms.makerFeePpm;
  }

  get wallets(): WalletScope {
    return this.terms.wallets ?? 'contract';
  }

  /** The spot balance of an asset. */
  spot(assetId: AssetId): SpotBalance {
    const balances = present(this.#spot[assetId], 'balances of a listed asset');
    return new SpotBalance(balances, this.accountId);
  }

  /** The balance in a wallet; that of a contract holds one asset, the contract's margin coin. */
  wallet(wallet: Wallet, assetId: AssetId): Balance | SpotBalance {
    if (wallet === 'spot') return this.spot(assetId);
    if (wallet === 'margin') return this.#margin[assetId] ?? addedTo(this.#margin, assetId);
    const known = this.#contracts.get(wallet);
    if (known !== undefined) {
      assert(known.assetId === assetId, "a contract's wallet holds its margin coin only");
      return known;
    }
    const made = new MarginBalance(assetId);
    this.#contracts.set(wallet, made);
    return made;
  }

  /** Untouched balances are looked up by checks too: they are not part of the state. */
  *spotBalances(): Generator<SpotBalance> {
    for (const balances of this.#spot) {
      if (balances.updatedTimeMs(this.accountId) > 0) {
        yield new SpotBalance(balances, this.accountId);
      }
    }
  }

  *contractBalances(): Generator<readonly [Wallet, Balance]> {
    for (const balance of this.#margin) if (balance?.touched) yield ['margin', balance];
    for (const entry of this.#contracts) if (entry[1].touched) yield entry;
  }

  balance(wallet: Wallet, assetId: AssetId): BalanceView | undefined {
    const known = this.#known(wallet, assetId);
    return known?.touched && known.assetId === assetId ? known : undefined;
  }

  #known(wallet: Wallet, assetId: AssetId): Balance | undefined {
    if (wallet === 'spot') return this.#spot[assetId] && this.spot(assetId);
    return wallet === 'margin' ? this.#margin[assetId] : this.#contracts.get(wallet);
  }

  /** Where the used ids of spot orders or of transfers are kept. */
  usedIds(scope: 'spot' | 'transfer'): UsedIds {
    if (scope === 'spot') {
      this.usedOrderIds ??= new UsedIds(this.accountId, scope);
      return this.usedOrderIds;
    }
    this.usedTransferIds ??= new UsedIds(this.accountId, scope);
    return this.usedTransferIds;
  }

  /** An open spot order by the id that its owner chose. */
  orderByClientId(clientOrderId: string): ListedOrder | undefined {
    return this.#namedOrders?.get(clientOrderId);
  }

  /** Whether a spot order of this id was closed not long ago. */
  isOrderIdUsed(clientOrderId: string, timeMs: number): boolean {
    return this.usedOrderIds?.isTaken(clientOrderId, timeMs) === true;
  }

  /** Whether a transfer of this id was made not long ago. */
  isTransferIdTaken(clientOid: string, timeMs: number): boolean {
    return this.usedTransferIds?.isTaken(clientOid, timeMs) === true;
  }

  addOrder(order: ListedOrder): void {
    order.accountOlder = this.newestOrder;
    if (this.newestOrder !== null) this.newestOrder.accountNewer = order;
    else this.oldestOrder = order;
    this.newestOrder = order;
    this.openOrdersCount += 1;
    if (order.clientOrderId !== undefined) {
      this.#namedOrders ??= new NamedOrders();
      this.#namedOrders.add(order.clientOrderId, order);
    }
  }

  /** Whether an order is in its list: the end of the list or followed by another one. */
  lists(order: ListedOrder): boolean {
    return order.accountNewer !== null || this.newestOrder === order;
  }

  removeOrder(order: ListedOrder): void {
    const { accountOlder: older, accountNewer: newer } = order;
    if (newer !== null) newer.accountOlder = older;
    else this.newestOrder = older;
    if (older !== null) older.accountNewer = newer;
    else this.oldestOrder = newer;
    order.accountOlder = null;
    order.accountNewer = null;
    this.openOrdersCount -= 1;
    if (order.clientOrderId !== undefined) this.#namedOrders?.delete(order.clientOrderId, order);
  }
}

/** Puts an empty balance into a list of balances by asset id. */
function addedTo(balances: (Balance | undefined)[], assetId: AssetId): Balance {
  // Dense from the start: a hole would turn the array into a slow dictionary.
  while (balances.length <= assetId) balances.push(undefined);
  const made = new MarginBalance(assetId);
  balances[assetId] = made;
  return made;
}

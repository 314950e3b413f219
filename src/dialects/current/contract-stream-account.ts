/**
 * How the private stream of contracts shows an account: its orders, what waits for a trigger, its
 * fills, its positions, and its money behind all contracts of a coin.
 */
import {
  type AccountWriter,
  type ContractOrderChange,
  contractOrdersOf,
  type OrderChange,
  type PrivateRow,
  type StateRow,
  type StreamServices,
  type TriggerOrderChange,
} from '#api';
import {
  type AccountId,
  type AssetId,
  type Contract,
  type Event,
  HOLD_SIDES,
  type InstrumentId,
  type Listings,
  type MarginAccountView,
  type StateReader,
} from '#domain';
import { present } from '#kernel';
import { contractChanged } from '../kit/account-events.ts';
import {
  contractFillFields,
  contractOrderFields,
  triggerFields,
} from './contract-stream-orders.ts';
import { FeeRates } from './fee-rates.ts';
import { writeFunds } from './margin-funds.ts';
import { type FilledPrices, OrderPrices } from './order-prices.ts';
import { PositionRows } from './position-rows.ts';
import { messageData } from './private-message.ts';
import { isShown, shownContracts } from './symbols.ts';

export class ContractAccountWriter implements AccountWriter {
  readonly #services: StreamServices;
  readonly #listings: Listings;
  readonly #accountId: AccountId;
  readonly #prices = new OrderPrices();
  readonly #rates = new FeeRates();
  /** As of the last step applied. */
  readonly #views = new Map<InstrumentId, MarginAccountView>();
  readonly #positions = new PositionRows();
  /** Money as last sent, by coin: what stays the same is not repeated. */
  readonly #funds = new Map<string, string>();

  constructor(services: StreamServices, accountId: AccountId) {
    this.#services = services;
    this.#listings = services.live.listings;
    this.#accountId = accountId;
  }

  data(feed: string, rows: readonly string[], events: readonly Event[]): string {
    return messageData(feed, rows, events);
  }

  orders(state: StateReader): readonly OrderChange[] {
    return contractOrdersOf(state, this.#accountId);
  }

  recall(standing: Iterable<OrderChange>, lastId: number): Promise<void> {
    const accountId = this.#accountId;
    const { history } = this.#services;
    return this.#prices.recall(this.#services, standing, lastId, (page) =>
      history.contractFills({ accountId, ...page }),
    );
  }

  orderRows(change: OrderChange): readonly PrivateRow[] {
    if (change.kind === 'spot_order') return [];
    const { instrumentId, orderId } = change.order;
    const contract = present(this.#listings.contractById(instrumentId), 'listed contract');
    if (!isShown(contract)) return [];
    const order = this.#orderRow(contract, change);
    const row: PrivateRow = {
      feed: 'orders',
      about: String(orderId),
      write: () => JSON.stringify(order),
    };
    if (change.kind === 'trigger_order' || change.filledBy === undefined) return [row];
    const { filledBy, timeMs } = change;
    const fill = contractFillFields(contract, this.#viewOf(contract), filledBy, timeMs);
    return [row, { feed: 'fill', write: () => JSON.stringify(fill) }];
  }

  /** Nothing is sent before something changes. */
  showsOrder(): boolean {
    return false;
  }

  stateRows(state: StateReader): readonly StateRow[] {
    const contracts = shownContracts(state.listings);
    for (const contract of contracts) this.#positionRows(contract, [], state);
    const coins = new Set(contracts.map(({ margin }) => margin.assetId));
    for (const coin of coins) this.#fundsRow(coin, state);
    return [];
  }

  changedRows(events: readonly Event[], state: StateReader): readonly StateRow[] {
    const { listings } = state;
    const touched = new Set(events.map((event) => contractChanged(event, listings)));
    const contracts = [...touched].filter((one) => one !== undefined).filter(isShown);
    const positions = contracts.flatMap((one) => this.#positionRows(one, events, state));
    const coins = new Set([
      ...contracts.map(({ margin }) => margin.assetId),
      ...events.flatMap(coinsMoved),
    ]);
    return [...positions, ...[...coins].flatMap((coin) => this.#fundsRow(coin, state))];
  }

  /** Takes down how the account stands in a contract. */
  #positionRows(
    contract: Contract,
    events: readonly Event[],
    state: StateReader,
  ): readonly StateRow[] {
    const { instrumentId } = contract;
    const owner = present(state.account(this.#accountId), 'account of a key');
    const view = present(state.marginAccount(this.#accountId, instrumentId), 'contract account');
    this.#rates.become(owner);
    this.#views.set(instrumentId, view);
    const { seq, timeMs } = state;
    const look = { contract, view, events, seq, timeMs };
    return HOLD_SIDES.flatMap((side) => this.#positions.rows({ ...look, side }));
  }

  #viewOf({ instrumentId }: Contract): MarginAccountView {
    return present(this.#views.get(instrumentId), 'contract account that was looked at');
  }

  #orderRow(contract: Contract, change: ContractOrderChange | TriggerOrderChange): object {
    const shown = {
      contract,
      view: this.#viewOf(contract),
      rates: this.#rates.ofContract(contract),
    };
    return change.kind === 'trigger_order'
      ? triggerFields(shown, change)
      : contractOrderFields(shown, change, this.#pricesAfter(change));
  }

  #pricesAfter({ order: { orderId }, filledBy, reason }: ContractOrderChange): FilledPrices {
    if (filledBy !== undefined) {
      return this.#prices.filled(orderId, filledBy.trade.priceTicks, filledBy.fill.fee);
    }
    return reason === undefined ? this.#prices.of(orderId) : this.#prices.ended(orderId);
  }

  #fundsRow(assetId: AssetId, state: StateReader): readonly StateRow[] {
    const owner = present(state.account(this.#accountId), 'account of a key');
    const coin = present(state.listings.asset(assetId), 'margin coin');
    const funds = present(state.marginFunds(this.#accountId, assetId), 'funds of an account');
    const row = writeFunds(coin, funds, owner.createdTimeMs);
    if (this.#funds.get(coin.code) === row) return [];
    this.#funds.set(coin.code, row);
    const text = `${row.slice(0, -1)},"updatedTime":"${state.timeMs}"}`;
    return [{ key: coin.code, feed: 'account', write: () => text }];
  }
}

/** A wallet may be that of several contracts: its money is no contract's. */
function coinsMoved(event: Event): readonly AssetId[] {
  const isMargin = event.kind === 'balance_changed' && event.wallet === 'margin';
  return isMargin ? [event.assetId] : [];
}

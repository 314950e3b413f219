/** What an attack on the contract endpoints needs to be there: orders, plan orders, positions. */

import { strict as assert } from 'node:assert/strict';
import { formatId } from '#dialects';
import {
  type AccountId,
  type Command,
  type ContractAction,
  type InstrumentId,
  lots,
  type MarginAccountView,
  type TriggerPurpose,
  ticks,
} from '#domain';
import { present } from '#kernel';
import { contractOf } from '../support/markets.ts';
import { contractOrder, triggerOrder } from '../support/orders.ts';
import type { Site } from './bad-input-site.ts';

const SYMBOL = 'cmt_btcusdt';
/** 30,000.0, where the demo venue starts. */
const PRICE = ticks(300_000);
const FAR_BELOW = ticks(200_000);
const FAR_ABOVE = ticks(500_000);
const HELD = lots(100);

export class ContractSite {
  readonly #site: Site;

  constructor(site: Site) {
    this.#site = site;
  }

  /** The id of an open order of the demo account, placed if there is none. */
  restingOrder(): Promise<string> {
    return this.orderOf('demo');
  }

  /** As restingOrder, of another account. */
  async orderOf(name: string): Promise<string> {
    const accountId = await this.#site.accountId(name);
    const found = await this.#openOrder(accountId);
    if (found !== undefined) return found;
    await this.#run(await this.#order(accountId, 'open_long', FAR_BELOW));
    return present(await this.#openOrder(accountId), 'resting order');
  }

  /** The id of a waiting plan order of the demo account, placed if there is none. */
  waitingPlan(): Promise<string> {
    return this.planOf('demo');
  }

  /** As waitingPlan, of another account. */
  async planOf(name: string): Promise<string> {
    const accountId = await this.#site.accountId(name);
    const found = await this.#waiting(accountId);
    if (found !== undefined) return found;
    const instrumentId = await this.#instrumentId();
    await this.#run(
      triggerOrder({
        accountId,
        instrumentId,
        action: 'open_long',
        sizeLots: lots(1),
        triggerTicks: FAR_BELOW,
      }),
    );
    return present(await this.#waiting(accountId), 'waiting plan order');
  }

  /** Leaves the demo account without open orders and plan orders. */
  async clear(): Promise<object> {
    const accountId = await this.#site.accountId('demo');
    const instrumentId = await this.#instrumentId();
    const isBusy = await this.#site.server.venue.read((state) => {
      const account = present(state.marginAccount(accountId, instrumentId), 'contract account');
      return account.openOrdersCount + account.triggerOrdersCount > 0;
    });
    if (isBusy) await this.#run({ kind: 'cancel_all_contract_orders', accountId });
    return {};
  }

  /** Gives the demo account a long position with isolated margin, if it has none. */
  async hold(): Promise<object> {
    const owner = await this.#site.accountId('demo');
    if ((await this.#account()).long.lots !== 0) return {};
    await this.#isolate(owner);
    const maker = await this.#site.accountId('maker');
    await this.#run(await this.#order(maker, 'open_short', PRICE));
    await this.#run(await this.#order(owner, 'open_long', PRICE));
    return {};
  }

  /** A position, and somebody who takes twice as much. */
  async holdReversible(): Promise<object> {
    await this.hold();
    const maker = await this.#site.accountId('maker');
    const bid = await this.#order(maker, 'open_long', PRICE);
    for (let count = 0; count < 2; count += 1) await this.#run(bid);
    return {};
  }

  /** The margin mode that the demo account is in: to ask for it again changes nothing. */
  async marginType(): Promise<string> {
    const { marginMode } = await this.#account();
    return marginMode === 'cross' ? 'CROSSED' : 'ISOLATED';
  }

  /** The id of an isolated long position of the demo account. */
  async isolatedId(): Promise<string> {
    await this.hold();
    return String((await this.#account()).long.positionId);
  }

  async #isolate(accountId: AccountId): Promise<void> {
    if ((await this.#account()).marginMode === 'isolated') return;
    await this.clear();
    const instrumentId = await this.#instrumentId();
    await this.#run({ kind: 'set_margin_mode', accountId, instrumentId, mode: 'isolated' });
  }

  /** A position, and nothing that waits. */
  async holdNothingWaiting(): Promise<void> {
    await this.clear();
    await this.hold();
  }

  /** The id of a take-profit of the demo account's position. */
  async takeProfit(): Promise<string> {
    await this.hold();
    const accountId = await this.#site.accountId('demo');
    const instrumentId = await this.#instrumentId();
    const found = await this.#waitingFor(accountId, 'take_profit');
    if (found !== undefined) return found;
    await this.#run({
      kind: 'place_tp_sl',
      accountId,
      instrumentId,
      side: 'long',
      purpose: 'take_profit',
      type: 'market',
      triggerTicks: FAR_ABOVE,
      workingPrice: 'last',
      sizeLots: lots(0),
      clientOrderId: undefined,
    });
    return present(await this.#waitingFor(accountId, 'take_profit'), 'take-profit');
  }

  async #account(): Promise<MarginAccountView> {
    const accountId = await this.#site.accountId('demo');
    const instrumentId = await this.#instrumentId();
    return this.#site.server.venue.read((state) =>
      present(state.marginAccount(accountId, instrumentId), 'contract account'),
    );
  }

  /** Puts something on the other side of the book, for orders that take what is there. */
  async offer(): Promise<void> {
    const maker = await this.#site.accountId('maker');
    for (let count = 0; count < 20; count += 1) {
      await this.#run(await this.#order(maker, 'open_short', PRICE));
    }
  }

  async #order(accountId: AccountId, action: ContractAction, price = PRICE): Promise<Command> {
    return contractOrder({
      accountId,
      instrumentId: await this.#instrumentId(),
      action,
      priceTicks: price,
      sizeLots: HELD,
    });
  }

  async #openOrder(accountId: AccountId): Promise<string | undefined> {
    const instrumentId = await this.#instrumentId();
    return this.#site.server.venue.read((state) => {
      const [first] = state.openContractOrders(accountId, instrumentId);
      return first === undefined ? undefined : formatId(first.orderId);
    });
  }

  #waiting(accountId: AccountId): Promise<string | undefined> {
    return this.#waitingFor(accountId, 'trigger');
  }

  async #waitingFor(accountId: AccountId, wanted: TriggerPurpose): Promise<string | undefined> {
    const instrumentId = await this.#instrumentId();
    return this.#site.server.venue.read((state) => {
      const waiting = [...state.waitingTriggers(accountId, instrumentId)];
      const first = waiting.find(({ purpose }) => purpose === wanted);
      return first && formatId(first.orderId);
    });
  }

  #instrumentId(): Promise<InstrumentId> {
    return this.#site.server.venue.read(
      ({ listings }) => contractOf(listings, SYMBOL).instrumentId,
    );
  }

  async #run(command: Command): Promise<void> {
    const [first] = await this.#site.submit(command);
    assert.ok(first?.kind !== 'refused', first?.kind === 'refused' ? first.reject : '');
  }
}

/** The spot endpoints of a house, called as clients do, with a check of what comes back. */
import { strict as assert } from 'node:assert/strict';
import Value from 'typebox/value';
import { SPOT_ENDPOINTS, type SpotEndpointName } from '#dialects';
import { present } from '#kernel';
import { Desk } from './desk.ts';
import { House, type Reply, type Trader } from './house.ts';

export type Row = Readonly<Record<string, string>>;

/** What most orders have in common. */
export const LIMIT = { symbol: 'BTCUSDT_SPBL', orderType: 'limit', force: 'normal' };

export class SpotDesk extends Desk {
  #round = 0;
  #pair: readonly Trader[] = [];

  static async open(): Promise<SpotDesk> {
    return new SpotDesk(await House.open());
  }

  call(who: Trader, name: SpotEndpointName, fields: object = {}): Promise<Reply> {
    return this.send(who, SPOT_ENDPOINTS[name], fields);
  }

  /** The data of a success, which must fit the schema of its endpoint to the last field. */
  async data<T = Row[]>(who: Trader, name: SpotEndpointName, fields: object = {}): Promise<T> {
    const { status, body, text } = await this.call(who, name, fields);
    assert.equal(status, 200, text);
    assert.deepEqual([...Value.Errors(SPOT_ENDPOINTS[name].response, body.data)], []);
    return body.data as T;
  }

  async refusal(who: Trader, name: SpotEndpointName, fields: object): Promise<unknown[]> {
    const { status, body } = await this.call(who, name, fields);
    return [status, body.code];
  }

  /** Places an order that must be taken: a limit order, unless the fields say otherwise. */
  async place(who: Trader, fields: object): Promise<string> {
    const order = { ...LIMIT, ...fields };
    return (await this.data<{ orderId: string }>(who, 'placeOrder', order)).orderId;
  }

  order(who: Trader, side: string, price: string, quantity: string): Promise<string> {
    return this.place(who, { side, price, quantity });
  }

  async cancel(who: Trader, orderId: string): Promise<void> {
    await this.data(who, 'cancelOrder', { ...LIMIT, orderId });
  }

  /** Gives a resting order another price and size. */
  async move(who: Trader, orderId: string, price: string, quantity: string): Promise<void> {
    await this.data<Row>(who, 'moveOrder', { symbol: LIMIT.symbol, orderId, price, quantity });
  }

  /** An order as its owner sees it. */
  async info(who: Trader, orderId: string): Promise<Row> {
    return present((await this.data(who, 'orderInfo', { ...LIMIT, orderId }))[0], 'order');
  }

  /** Alice and bob, new ones; what those before them left in the book is cancelled. */
  async pair(money: Row): Promise<[alice: Trader, bob: Trader]> {
    for (const { accountId } of this.#pair) {
      await this.house.run({ kind: 'cancel_all_spot_orders', accountId });
    }
    this.#round += 1;
    const traderOf = (name: string) => this.house.trader(`${name}${this.#round}`, money);
    const pair: [Trader, Trader] = [await traderOf('alice'), await traderOf('bob')];
    this.#pair = pair;
    return pair;
  }
}

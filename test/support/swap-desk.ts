/** Calls the contract endpoints of a house as their clients do, and checks what comes back. */
import { strict as assert } from 'node:assert/strict';
import Value from 'typebox/value';
import { type SignedSwapName, SWAP_ENDPOINTS } from '#dialects';
import type { Wallet } from '#domain';
import { present } from '#kernel';
import { ContractDesk, LINEAR_SYMBOL } from './contract-desk.ts';
import type { House, Reply, Trader } from './house.ts';

export type Row = Readonly<Record<string, string | boolean | null>>;

/** What most calls have in common, and three orders a reader can do sums on. */
export const SYMBOL = { symbol: LINEAR_SYMBOL };
const LIMIT = { ...SYMBOL, order_type: '0', match_price: '0' };
export const OPEN_LONG = { ...LIMIT, type: '1', price: '29000', size: '10' };
export const OPEN_SHORT = { ...LIMIT, type: '2', price: '30000', size: '10' };
export const CLOSE_LONG = { ...LIMIT, type: '3', price: '30000', size: '10' };

/** An id that this venue could have given and has not. */
export const UNKNOWN_ID = '700000000000999999';

/** Everything that is no id of an order of the caller, in the ways it can be none. */
export const NO_IDS = [UNKNOWN_ID, '1', 'abc', '8'.repeat(18), -5, 0.5];

export class SwapDesk {
  readonly house: House;
  #round = 0;
  #traders: Trader[] = [];

  private constructor(house: House) {
    this.house = house;
  }

  /** Over a venue of its own, whose mark prices are 30000. */
  static async open(): Promise<SwapDesk> {
    return new SwapDesk((await ContractDesk.open()).house);
  }

  /** A new trader with money in both contracts. */
  async trader(name: string, money: Readonly<Record<string, string>> = {}): Promise<Trader> {
    this.#round += 1;
    const trader = await this.house.trader(`${name}${this.#round}`);
    const wallets = { cmt_btcusdt: '100000', cmt_btcusd: '10', ...money };
    for (const [wallet, amount] of Object.entries(wallets)) {
      const contract = present(this.house.live.listings.contract(wallet), wallet);
      const { code } = contract.margin;
      const name: Wallet = `cmt_${wallet.slice(4)}`;
      if (amount !== '0') await this.house.deposit(trader.accountId, code, amount, name);
    }
    this.#traders.push(trader);
    return trader;
  }

  /** Takes what all traders so far have in the book and in waiting out of it. */
  async clear(): Promise<void> {
    for (const { accountId } of this.#traders) {
      await this.house.run({ kind: 'cancel_all_contract_orders', accountId });
    }
    this.#traders = [];
  }

  call(who: Trader, name: SignedSwapName, fields: object): Promise<Reply> {
    const { method, path } = SWAP_ENDPOINTS[name];
    if (method === 'POST') return this.house.signedPost(who, path, fields);
    const given = Object.entries(fields).map(([key, value]) => [key, String(value)] as const);
    const query = new URLSearchParams(Object.fromEntries(given)).toString();
    return this.house.signedGet(who, query === '' ? path : `${path}?${query}`);
  }

  /** The body of a success, which must fit the schema of its endpoint to the last field. */
  async data<T = Row>(who: Trader, name: SignedSwapName, fields: object): Promise<T> {
    const { status, body } = await this.call(who, name, fields);
    assert.equal(status, 200, `${JSON.stringify(fields)}: ${JSON.stringify(body)}`);
    assert.deepEqual([...Value.Errors(SWAP_ENDPOINTS[name].response, body)], []);
    assert.equal(body.code, undefined, 'clients take any code in a success for an error');
    return body as T;
  }

  /** Status and code of a refusal. */
  async refusal(who: Trader, name: SignedSwapName, fields: object): Promise<unknown[]> {
    const { status, body } = await this.call(who, name, fields);
    assert.notEqual(status, 200, JSON.stringify(body));
    assert.deepEqual(Object.keys(body), ['code', 'msg', 'message', 'requestTime', 'data']);
    return [status, body.code];
  }

  /** Places an order that must be taken. */
  async place(who: Trader, fields: object): Promise<string> {
    return String((await this.data(who, 'placeOrder', fields)).order_id);
  }

  /** An order as its owner sees it, open or closed. */
  detail(who: Trader, orderId: string, symbol = LINEAR_SYMBOL): Promise<Row> {
    return this.data(who, 'orderDetail', { symbol, orderId });
  }

  /** The ids of a list. */
  async ids(who: Trader, name: SignedSwapName, fields: object): Promise<unknown[]> {
    return (await this.data<Row[]>(who, name, fields)).map(({ order_id }) => order_id);
  }
}

/**
 * Two contracts a reader can do sums on: their endpoints called as clients do, with a check of what
 * comes back, and traders who move them by command.
 */
import { strict as assert } from 'node:assert/strict';
import Value from 'typebox/value';
import { formatId, type SignedSwapName, SWAP_ENDPOINTS } from '#dialects';
import {
  type Command,
  type Contract,
  type ContractAction,
  type ContractTerms,
  type Event,
  lots,
  OPERATOR_SOURCE,
  ticks,
  WALLETS_DEFAULT,
  type WalletScope,
} from '#domain';
import { TERMS } from './contracts.ts';
import { Desk } from './desk.ts';
import { House, type Reply, type Trader } from './house.ts';
import { contractOf } from './markets.ts';
import { contractOrder } from './orders.ts';

export const LINEAR_SYMBOL = 'cmt_btcusdt';
export const INVERSE_SYMBOL = 'cmt_btcusd';

/** One tick is 0.1. */
const TICKS_PER_UNIT = 10;

export type Row = Readonly<Record<string, string | boolean | null>>;

/** What most calls have in common, and three orders a reader can do sums on. */
export const SYMBOL = { symbol: LINEAR_SYMBOL };
const LIMIT = { ...SYMBOL, order_type: '0', match_price: '0' };
export const OPEN_LONG = { ...LIMIT, type: '1', price: '29000', size: '10' };
export const OPEN_SHORT = { ...LIMIT, type: '2', price: '30000', size: '10' };
export const CLOSE_LONG = { ...LIMIT, type: '3', price: '30000', size: '10' };

/** An id that this venue could have given and has not. */
export const UNKNOWN_ID = formatId(999_999);

/** Everything that is no id of an order of the caller, in the ways it can be none. */
export const NO_IDS = [UNKNOWN_ID, '1', 'abc', '8'.repeat(18), `7${'0'.repeat(17)}`, -5, 0.5];

export class SwapDesk extends Desk {
  readonly #wallets: WalletScope;
  #round = 0;
  #traders: Trader[] = [];

  private constructor(house: House, wallets: WalletScope) {
    super(house);
    this.#wallets = wallets;
  }

  /**
   * Over a venue of its own, whose mark price is the index (to a millionth): 30000 until moved. Its
   * traders have these wallets: with one per contract they begin with isolated margin.
   */
  static async open(wallets: WalletScope = WALLETS_DEFAULT, house?: House): Promise<SwapDesk> {
    const desk = new SwapDesk(house ?? (await House.open()), wallets);
    for (const symbol of [LINEAR_SYMBOL, INVERSE_SYMBOL]) {
      const { instrumentId } = desk.contract(symbol);
      const changes = { ...TERMS, markClampPpm: 1 };
      await desk.house.run({ kind: 'update_contract', instrumentId, changes });
      await desk.setIndex(30_000, symbol);
    }
    return desk;
  }

  contract(symbol: string): Contract {
    return contractOf(this.house.live.listings, symbol);
  }

  setIndex(price: number, symbol = LINEAR_SYMBOL): Promise<readonly Event[]> {
    const { instrumentId } = this.contract(symbol);
    const priceTicks = ticks(price * TICKS_PER_UNIT);
    return this.house.run({
      kind: 'report_index',
      instrumentId,
      source: OPERATOR_SOURCE,
      priceTicks,
    });
  }

  /** Changes the terms of a contract. */
  async change(changes: Partial<ContractTerms>, symbol = LINEAR_SYMBOL): Promise<void> {
    const { instrumentId } = this.contract(symbol);
    await this.house.run({ kind: 'update_contract', instrumentId, changes });
  }

  tick(): Promise<readonly Event[]> {
    return this.house.run({ kind: 'tick' });
  }

  /** A trader with money in the wallet of one contract and nothing else. */
  async funded(name: string, money: string, symbol = LINEAR_SYMBOL): Promise<Trader> {
    const trader = await this.house.trader(name, {}, {}, this.#wallets);
    await this.fund(trader, money, symbol);
    return trader;
  }

  async fund({ accountId }: Trader, money: string, symbol = LINEAR_SYMBOL): Promise<void> {
    const { margin } = this.contract(symbol);
    await this.house.deposit(
      accountId,
      margin.code,
      money,
      `${symbol.slice(4).toUpperCase()}-PERP`,
    );
  }

  /** Places a limit order that the venue must take. */
  order(
    who: Trader,
    action: ContractAction,
    price: number,
    size: number,
    symbol = LINEAR_SYMBOL,
  ): Promise<readonly Event[]> {
    return this.house.run(this.command(who, action, price, size, symbol));
  }

  command(
    { accountId }: Trader,
    action: ContractAction,
    price: number,
    size: number,
    symbol = LINEAR_SYMBOL,
  ): Command {
    const { instrumentId } = this.contract(symbol);
    return contractOrder({
      accountId,
      instrumentId,
      action,
      priceTicks: ticks(price * TICKS_PER_UNIT),
      sizeLots: lots(size),
    });
  }

  /** One trade: both sides open at this price. */
  async trade(
    long: Trader,
    short: Trader,
    price: number,
    size: number,
    symbol = LINEAR_SYMBOL,
  ): Promise<void> {
    await this.order(short, 'open_short', price, size, symbol);
    const events = await this.order(long, 'open_long', price, size, symbol);
    assert.ok(events.some((event) => event.kind === 'contract_trade'));
  }

  /** A new trader with money in both contracts. */
  async trader(name: string, money: Readonly<Record<string, string>> = {}): Promise<Trader> {
    this.#round += 1;
    const trader = await this.house.trader(`${name}${this.#round}`, {}, {}, this.#wallets);
    const wallets = { cmt_btcusdt: '100000', cmt_btcusd: '10', ...money };
    for (const [wallet, amount] of Object.entries(wallets)) {
      if (amount !== '0') await this.fund(trader, amount, wallet);
    }
    this.#traders.push(trader);
    return trader;
  }

  /** Alice and bob, new ones; what those before them left in the book is cancelled. */
  async pair(): Promise<[alice: Trader, bob: Trader]> {
    await this.clear();
    return [await this.trader('alice'), await this.trader('bob')];
  }

  /** Takes what all traders so far have in the book and in waiting out of it. */
  async clear(): Promise<void> {
    for (const { accountId } of this.#traders) {
      await this.house.run({ kind: 'cancel_all_contract_orders', accountId });
    }
    this.#traders = [];
  }

  call(who: Trader, name: SignedSwapName, fields: object): Promise<Reply> {
    return this.send(who, SWAP_ENDPOINTS[name], fields);
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

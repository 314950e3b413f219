/** Contracts of a venue, called through the current interface as clients do, and checked. */
import { strict as assert } from 'node:assert/strict';
import { CURRENT_CONTRACT_ENDPOINTS as CALLS } from '#dialects';
import { CurrentDesk, SYMBOL } from '../support/current-desk.ts';
import type { House, Trader } from '../support/house.ts';
import { SwapDesk } from '../support/swap-desk.ts';
import { assertShaped } from './contract-examples.ts';

export interface Row {
  /** Named as text, which most are; ids and times are numbers. */
  readonly [name: string]: string;
}

export const OPEN_LONG = { side: 'BUY', positionSide: 'LONG' };
export const OPEN_SHORT = { side: 'SELL', positionSide: 'SHORT' };
export const CLOSE_LONG = { side: 'SELL', positionSide: 'LONG' };
export const CLOSE_SHORT = { side: 'BUY', positionSide: 'SHORT' };

type Name = keyof typeof CALLS;
type Order = readonly [who: Trader, order: object];

export class CurrentContractDesk extends CurrentDesk {
  readonly swap: SwapDesk;
  #traders = 0;

  private constructor(swap: SwapDesk, house: House) {
    super(house);
    this.swap = swap;
  }

  static async open(): Promise<CurrentContractDesk> {
    const swap = await SwapDesk.open();
    return new CurrentContractDesk(swap, swap.house);
  }

  /** Two accounts that nobody else uses, at an index price of 30000. */
  async pair(): Promise<readonly [Trader, Trader]> {
    this.#traders += 1;
    const ann = await this.swap.funded(`ann${this.#traders}`, '100000');
    const bob = await this.swap.funded(`bob${this.#traders}`, '100000');
    await this.swap.setIndex(30_000);
    return [ann, bob];
  }

  /** An answer that has the shape of the real one and fits the schema of its endpoint. */
  async ask<T = Row>(who: Trader, name: Name, fields: object = {}): Promise<T> {
    await this.act(who, name, fields);
    return this.data<T>(who, CALLS[name], fields);
  }

  /** As ask, for a call that must not be made twice. */
  async act<T = Row>(who: Trader, name: Name, fields: object = {}): Promise<T> {
    const { status, text } = await this.call(who, CALLS[name], fields);
    assert.equal(status, 200, text);
    assert.doesNotMatch(text, /": |"msg"/);
    const answer = JSON.parse(text);
    assertShaped(name, answer);
    return answer;
  }

  place(who: Trader, order: object): Promise<Row> {
    return this.act(who, 'placeContractOrder', { symbol: SYMBOL, type: 'LIMIT', ...order });
  }

  /** The first order rests, the second one takes it. */
  async deal(
    [maker, makes]: Order,
    [taker, takes]: Order,
    price: string,
    quantity: string,
  ): Promise<void> {
    await this.place(maker, { ...makes, price, quantity });
    await this.place(taker, { ...takes, type: 'MARKET', quantity });
  }

  /** The account's money in the one margin coin that it has. */
  async balance(who: Trader): Promise<Row> {
    const [row, ...others] = await this.ask<Row[]>(who, 'contractBalance');
    assert.deepEqual(others, []);
    return row ?? {};
  }

  /** The one side it holds. */
  async position(who: Trader): Promise<Row | undefined> {
    const [row, ...others] = await this.ask<Row[]>(who, 'allPosition');
    assert.deepEqual(others, []);
    const single = await this.ask<Row[]>(who, 'singlePosition', { symbol: SYMBOL });
    assert.deepEqual(single, row === undefined ? [] : [row]);
    return row;
  }
}

/** Two contracts a reader can do sums on, and traders who move them by command. */
import { strict as assert } from 'node:assert/strict';
import {
  type Command,
  type Contract,
  type ContractAction,
  type Event,
  lots,
  OPERATOR_SOURCE,
  ticks,
} from '#domain';
import { present } from '#kernel';
import { TERMS } from './contracts.ts';
import { House, type Trader } from './house.ts';

export const LINEAR_SYMBOL = 'cmt_btcusdt';
export const INVERSE_SYMBOL = 'cmt_btcusd';

/** One tick is 0.1. */
const TICKS_PER_UNIT = 10;

export class ContractDesk {
  readonly house: House;

  private constructor(house: House) {
    this.house = house;
  }

  /** A venue whose mark price is the index (to a millionth), which is 30000 until it is moved. */
  static async open(): Promise<ContractDesk> {
    const desk = new ContractDesk(await House.open());
    for (const symbol of [LINEAR_SYMBOL, INVERSE_SYMBOL]) {
      const { instrumentId } = desk.contract(symbol);
      const changes = { ...TERMS, markClampPpm: 1 };
      await desk.house.run({ kind: 'update_contract', instrumentId, changes });
      await desk.setIndex(30_000, symbol);
    }
    return desk;
  }

  contract(symbol: string): Contract {
    return present(this.house.live.listings.contract(symbol), symbol);
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

  tick(): Promise<readonly Event[]> {
    return this.house.run({ kind: 'tick' });
  }

  /** A trader with money in the wallet of a contract. */
  async trader(name: string, money: string, symbol = LINEAR_SYMBOL): Promise<Trader> {
    const trader = await this.house.trader(name);
    await this.fund(trader, money, symbol);
    return trader;
  }

  async fund({ accountId }: Trader, money: string, symbol = LINEAR_SYMBOL): Promise<void> {
    const { margin } = this.contract(symbol);
    await this.house.deposit(accountId, margin.code, money, `cmt_${symbol.slice(4)}`);
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
    return {
      kind: 'place_contract_order',
      accountId,
      instrumentId,
      action,
      type: 'limit',
      force: 'gtc',
      priceTicks: ticks(price * TICKS_PER_UNIT),
      sizeLots: lots(size),
      clientOrderId: '',
      takeProfitTicks: ticks(0),
      stopLossTicks: ticks(0),
    };
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

  close(): Promise<void> {
    return this.house.close();
  }
}

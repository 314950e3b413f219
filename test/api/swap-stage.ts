import type { Trader } from '../support/house.ts';
import { INVERSE_SYMBOL, LINEAR_SYMBOL, type Row, SwapDesk } from '../support/swap-desk.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const RICH = { cmt_btcusdt: '10000000', cmt_btcusd: '1000' };

/** The wire's numbers of what an order does. */
const OPEN_LONG = '1';
const OPEN_SHORT = '2';
const CLOSE_LONG = '3';
const CLOSE_SHORT = '4';

/** Who does what in a trade. */
type Party = readonly [who: Trader, type: string];

export class Stage {
  readonly desk: SwapDesk;
  /** Takes the other side of whatever others do. */
  readonly maker: Trader;
  /** Has positions and orders of every kind, in fixed mode. */
  readonly owner: Trader;
  /** Everybody whose answers are worth reading. */
  readonly people: Trader[] = [];

  private constructor(desk: SwapDesk, maker: Trader, owner: Trader) {
    this.desk = desk;
    this.maker = maker;
    this.owner = owner;
    this.people.push(owner);
  }

  static async open(): Promise<Stage> {
    const desk = await SwapDesk.open('contract');
    const stage = new Stage(desk, await desk.trader('maker', RICH), await desk.trader('owner'));
    await stage.#deleverage();
    await stage.#reduce();
    await stage.#tradeLinear();
    await stage.#tradeInverse();
    await stage.#cross();
    await stage.#plan();
    await stage.#fund();
    await stage.#fillBook();
    return stage;
  }

  close(): Promise<void> {
    return this.desk.house.close();
  }

  /** Another trader, whose answers are read too. */
  async trader(name: string, money: Readonly<Record<string, string>> = {}): Promise<Trader> {
    const trader = await this.desk.trader(name, money);
    this.people.push(trader);
    return trader;
  }

  /** A trader whose position and nothing else is there, so that settings can be changed. */
  async holder(name: string): Promise<Trader> {
    const holder = await this.trader(name);
    await this.deal(30_000, 10, [this.maker, OPEN_SHORT], [holder, OPEN_LONG]);
    return holder;
  }

  order(who: Trader, type: string, price: number, size: number, more: object = {}) {
    const symbol = LINEAR_SYMBOL;
    return this.desk.place(who, { symbol, type, price, size, ...more });
  }

  /** A trade: the first party rests, the second one takes. */
  async deal(
    price: number,
    size: number,
    [resting, restingType]: Party,
    [taking, takingType]: Party,
    symbol = LINEAR_SYMBOL,
  ): Promise<void> {
    await this.order(resting, restingType, price, size, { symbol });
    await this.order(taking, takingType, price, size, { symbol });
  }

  async #leverage(who: Trader, leverage: number): Promise<void> {
    await this.desk.data<Row>(who, 'leverage', { symbol: LINEAR_SYMBOL, leverage });
  }

  /** A long and a short are taken over, each half in the book and half by deleveraging. */
  async #deleverage(): Promise<void> {
    const [long, short] = [await this.trader('long'), await this.trader('short')];
    const [bear, bull] = [await this.trader('bear'), await this.trader('bull')];
    const buyer = await this.desk.trader('buyer', RICH);
    for (const who of [long, short]) await this.#leverage(who, 10);
    for (const who of [bear, buyer]) await this.#leverage(who, 2);
    await this.deal(30_000, 10, [bear, OPEN_SHORT], [long, OPEN_LONG]);
    await this.order(buyer, OPEN_LONG, 28_600, 5);
    await this.desk.setIndex(26_900);
    await this.desk.setIndex(30_000);
    await this.deal(30_000, 10, [bull, OPEN_LONG], [short, OPEN_SHORT]);
    await this.order(buyer, OPEN_SHORT, 31_400, 5);
    await this.desk.setIndex(32_900);
    await this.desk.setIndex(30_000);
  }

  /** A long and a short of the third tier lose what is beyond the first. */
  async #reduce(): Promise<void> {
    const [long, short] = [await this.trader('whale', RICH), await this.trader('shark', RICH)];
    const other = await this.desk.trader('other', RICH);
    await this.#leverage(other, 2);
    await this.deal(30_000, 60_000, [other, OPEN_SHORT], [long, OPEN_LONG]);
    await this.order(other, OPEN_LONG, 29_200, 50_000);
    await this.desk.setIndex(29_240);
    await this.desk.setIndex(30_000);
    await this.deal(30_000, 60_000, [other, OPEN_LONG], [short, OPEN_SHORT]);
    await this.order(other, OPEN_SHORT, 30_800, 50_000);
    await this.desk.setIndex(30_780);
    await this.desk.setIndex(30_000);
  }

  async #tradeLinear(): Promise<void> {
    const { owner, maker } = this;
    await this.deal(30_000, 10, [maker, OPEN_SHORT], [owner, OPEN_LONG]);
    this.desk.house.clock.advance(2 * MINUTE_MS);
    await this.deal(30_100, 6, [maker, OPEN_LONG], [owner, OPEN_SHORT]);
    await this.deal(30_200, 2, [maker, OPEN_LONG], [owner, CLOSE_LONG]);
    await this.deal(30_050, 2, [maker, OPEN_SHORT], [owner, CLOSE_SHORT]);
    for (const order_type of ['1', '2', '3']) {
      await this.order(maker, OPEN_SHORT, 30_010, 2);
      await this.order(owner, OPEN_LONG, 30_010, 3, { order_type });
      await this.desk.house.run({ kind: 'cancel_all_contract_orders', accountId: maker.accountId });
    }
    await this.order(maker, OPEN_SHORT, 30_010, 3);
    await this.order(owner, OPEN_LONG, 0, 3, { match_price: '1', price: null });
    await this.order(owner, OPEN_LONG, 29_990, 4, { client_oid: 'partly#filled' });
    await this.order(maker, OPEN_SHORT, 29_990, 1);
    await this.order(owner, OPEN_LONG, 29_000, 5, { order_type: '1' });
    await this.order(owner, CLOSE_LONG, 30_500, 3);
    await this.order(owner, CLOSE_SHORT, 29_500, 1);
  }

  async #tradeInverse(): Promise<void> {
    const { owner, maker } = this;
    const deal = (price: number, first: Party, second: Party) =>
      this.deal(price, 3_000, first, second, INVERSE_SYMBOL);
    await deal(30_000, [maker, OPEN_SHORT], [owner, OPEN_LONG]);
    await deal(30_500, [maker, OPEN_LONG], [owner, CLOSE_LONG]);
    await deal(30_400, [owner, OPEN_SHORT], [maker, OPEN_LONG]);
  }

  async #cross(): Promise<void> {
    const crosser = await this.trader('crosser');
    await this.desk.data<Row>(crosser, 'holdModel', { symbol: LINEAR_SYMBOL, holdModel: 2 });
    await this.deal(30_000, 8, [this.maker, OPEN_SHORT], [crosser, OPEN_LONG]);
    await this.deal(30_010, 3, [this.maker, OPEN_LONG], [crosser, OPEN_SHORT]);
  }

  /** Plan orders that fire, fail, are cancelled and wait, and a pair of presets. */
  async #plan(): Promise<void> {
    const { owner, maker, desk } = this;
    const poor = await this.trader('poor', { cmt_btcusdt: '1' });
    const taker = await desk.trader('taker');
    await this.#planOf(poor, { trigger_price: 30_300 });
    await this.#planOf(owner, { trigger_price: 30_300, match_type: '0', execute_price: 30_310 });
    await this.order(maker, OPEN_SHORT, 30_310, 2);
    await this.deal(30_300, 1, [maker, OPEN_SHORT], [taker, OPEN_LONG]);
    const orderId = await this.#planOf(owner, { trigger_price: 33_000 });
    await desk.data(owner, 'cancelPlan', { symbol: LINEAR_SYMBOL, orderId });
    for (const [type, holdSide] of ['11', '12', '21', '22']) {
      await this.#planOf(owner, { trigger_price: 34_000, type, holdSide });
    }
    const inverse = { symbol: INVERSE_SYMBOL, trigger_price: 27_000, size: 100 };
    await this.#planOf(owner, { ...inverse, match_type: '0', execute_price: 27_000 });
    const presets = { presetTakeProfitPrice: 35_000, presetStopLossPrice: 26_000 };
    await this.order(maker, OPEN_SHORT, 30_020, 1);
    await this.order(owner, OPEN_LONG, 30_020, 1, presets);
  }

  async #planOf(who: Trader, fields: object) {
    const common = { symbol: LINEAR_SYMBOL, size: 2, type: '1', holdSide: '1', match_type: '1' };
    return (await this.desk.data(who, 'placePlan', { ...common, ...fields })).order_id;
  }

  /** Two settlements, at 07:00 and 15:00 UTC. */
  async #fund(): Promise<void> {
    const { clock } = this.desk.house;
    for (const hour of [7, 15]) {
      const midnightMs = clock.nowMs() - (clock.nowMs() % (24 * HOUR_MS));
      clock.set(midnightMs + hour * HOUR_MS);
      await this.desk.house.run({ kind: 'tick' });
    }
  }

  /** What the public sees last: both sides of the linear book, and a mark price off the index. */
  async #fillBook(): Promise<void> {
    for (const price of [30_400, 30_410.5]) await this.order(this.maker, OPEN_SHORT, price, 7);
    for (const price of [29_900, 29_890.5]) await this.order(this.maker, OPEN_LONG, price, 8);
    await this.desk.setIndex(30_033.5);
    await this.desk.house.run({ kind: 'tick' });
  }
}

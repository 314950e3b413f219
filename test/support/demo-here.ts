/** The demo venue in the process of the test, traded by its accounts at the venue's own time. */
import { strict as assert } from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { OutcryClient } from '#client';
import type { Clock } from '#kernel';
import { ask, DEMO, dataOf, MAKER, type Row, rowsOf, Trader } from './http-trader.ts';
import { operatorClient } from './operator-client.ts';
import { ADMIN_TOKEN } from './program.ts';
import { scratchDirectory } from './scratch.ts';
import { ServerHere } from './server-here.ts';

export class DemoHere extends ServerHere {
  /** The newest time the venue is known to have reached: the system clock may be elsewhere. */
  #venueMs = Date.now();

  /** Its data survive until the file ends, itself until the test does; it is not started. */
  constructor(context: TestContext, clock?: Clock) {
    super(scratchDirectory(), clock);
    context.after(() => this.stop());
  }

  get sandbox(): OutcryClient['sandbox'] {
    return operatorClient(this.url, ADMIN_TOKEN).sandbox;
  }

  get operator(): OutcryClient['admin'] {
    return operatorClient(this.url, ADMIN_TOKEN).admin;
  }

  readonly venueMs = (): number => this.#venueMs;

  /** A trader who signs with a clock, the venue's if none is given. */
  trader(credential = DEMO, nowMs = this.venueMs): Trader {
    return new Trader(this.url, credential, nowMs);
  }

  /** Asks the venue for its time, which traders sign with from then on. */
  async lookAtClock(): Promise<number> {
    this.#venueMs = Number(dataOf(await ask(this.url, '/api/spot/v1/public/time')));
    return this.#venueMs;
  }

  /** Two orders that meet at a price: the demo account buys from the maker. */
  async trade(price: string, quantity = '0.01'): Promise<void> {
    await this.lookAtClock();
    const terms = { symbol: 'BTCUSDT', orderType: 'limit', force: 'normal', price, quantity };
    dataOf(await this.trader(MAKER).post('/trade/orders', { ...terms, side: 'sell' }));
    dataOf(await this.trader().post('/trade/orders', { ...terms, side: 'buy' }));
  }

  /** Two orders that meet in a contract: the demo account goes long, the maker short. */
  async swapTrade(price: string, size = '10'): Promise<void> {
    await this.lookAtClock();
    const terms = { symbol: 'cmt_btcusdt', client_oid: '', order_type: '0', match_price: '0' };
    const order = { ...terms, price, size };
    const path = '/order/placeOrder';
    dataOf(await this.trader(MAKER).swapPost(path, { ...order, type: '2' }));
    dataOf(await this.trader().swapPost(path, { ...order, type: '1' }));
  }

  /** The demo account's fills, newest first. */
  async fills(): Promise<Row[]> {
    await this.lookAtClock();
    return rowsOf(await this.trader().post('/trade/fills', { symbol: 'BTCUSDT' }));
  }

  /** Fails unless every coin adds up. */
  async audit(): Promise<void> {
    const report: { readonly balanced?: unknown } = await this.operator.audit();
    assert.equal(report.balanced, true, JSON.stringify(report));
  }
}

/** A venue with fault rules on a real socket: rules come as commands, calls as from clients. */

import { strict as assert } from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { FaultInjector, HttpThreads, STREAM_LIMITS, type StreamLimits } from '#api';
import { clientIdOf } from '#dialects';
import { type FaultEffect, type FaultRule, lots, OPERATOR_SOURCE, ticks } from '#domain';
import { present } from '#kernel';
import { House, type Trader } from '../support/house.ts';
import { spotOrder } from '../support/orders.ts';
import { OPEN_LONG } from '../support/swap-desk.ts';

export const ORDERS_PATH = '/api/spot/v1/trade/orders';
export const TIME_PATH = '/api/spot/v1/public/time';
export const SWAP_ORDERS_PATH = '/api/swap/v3/order/placeOrder';
export const SWAP_TIME_PATH = '/api/swap/v3/market/time';

export type RuleChoices = Partial<Omit<FaultRule, 'faultId' | 'effect'>>;

/** A rule for everybody and everything, always, unless told otherwise. */
export function ruleOf(effect: FaultEffect, choices: RuleChoices = {}): Omit<FaultRule, 'faultId'> {
  const always = { probabilityPpm: 1_000_000, skipCount: 0, hitsMax: 0, seed: 0 };
  return { label: '', key: '', target: '', ...always, ...choices, effect };
}

export interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: { readonly code?: string; readonly requestTime?: number; readonly data?: unknown };
  readonly tookMs: number;
}

export class FaultyHouse {
  readonly house: House;
  readonly faults: FaultInjector;
  readonly agent = new Agent({ keepAlive: true });

  private constructor(house: House, faults: FaultInjector) {
    this.house = house;
    this.faults = faults;
  }

  /** Every change of a book is a message of its own, and the contracts have prices. */
  static async open(limits: Partial<StreamLimits> = {}): Promise<FaultyHouse> {
    const faults = new FaultInjector();
    const streamLimits = { ...STREAM_LIMITS, updateIntervalMs: 0, goodbyeMaxMs: 200, ...limits };
    const house = await House.open({ faults, streamLimits });
    house.listeners.unshift((step) => {
      for (const event of step.events) faults.apply(event);
    });
    for (const { instrumentId } of house.live.listings.contracts.values()) {
      const source = OPERATOR_SOURCE;
      await house.run({ kind: 'report_index', instrumentId, source, priceTicks: ticks(300_000) });
    }
    await house.port();
    return new FaultyHouse(house, faults);
  }

  /** Waits for no client that keeps its connection open. */
  async close(): Promise<void> {
    this.agent.destroy();
    this.house.listener.closeAllConnections();
    await this.house.close();
  }

  /** Sets a rule and gives its number. */
  async rule(effect: FaultEffect, choices: RuleChoices = {}): Promise<number> {
    const [added] = await this.house.run({ kind: 'add_fault', rule: ruleOf(effect, choices) });
    assert.ok(added?.kind === 'fault_added');
    return added.rule.faultId;
  }

  /** Takes a rule away, or all of them. */
  async lift(faultId = 0): Promise<void> {
    await this.house.run({ kind: 'remove_faults', faultId });
  }

  /** A trader with money for both kinds of market. */
  async trader(name: string): Promise<Trader> {
    const trader = await this.house.trader(name, { USDT: '1000000', BTC: '100' });
    await this.house.deposit(trader.accountId, 'USDT', '100000', 'BTC-USDT-PERP');
    return trader;
  }

  /** A call by anybody. */
  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.#call('GET', path, headers);
  }

  /** A signed call. */
  post(who: Trader, path: string, fields: object): Promise<Answer> {
    const body = JSON.stringify(fields);
    return this.#call('POST', path, this.house.sign(who, 'POST', path, body), body);
  }

  /** A spot order to buy that rests. */
  buy(who: Trader, price: string, clientOrderId = ''): Promise<Answer> {
    const words = { side: 'buy', orderType: 'limit', force: 'normal', quantity: '0.1' };
    const order = { symbol: 'BTCUSDT_SPBL', ...words, price, clientOrderId };
    return this.post(who, ORDERS_PATH, order);
  }

  /** A contract order to open long that rests. */
  openLong(who: Trader, price: string): Promise<Answer> {
    return this.post(who, SWAP_ORDERS_PATH, { ...OPEN_LONG, price });
  }

  /** One change of the book of the first pair, without a call. */
  async moveBook({ accountId }: Trader, priceTicks: number): Promise<void> {
    const pair = present(this.house.live.listings.spotBySymbol('BTC-USDT'), 'pair');
    await this.house.run(
      spotOrder({
        accountId,
        instrumentId: pair.instrumentId,
        side: 'buy',
        priceTicks: ticks(priceTicks),
        sizeLots: lots(100),
      }),
    );
  }

  async openOrders({ accountId }: Trader): Promise<string[]> {
    return this.house.venue.read((state) => [...state.openOrders(accountId)].map(clientIdOf));
  }

  async openContractOrders({ accountId }: Trader): Promise<number> {
    const { instrumentId } = present(
      this.house.live.listings.contract('BTC-USDT-PERP'),
      'contract',
    );
    return this.house.venue.read(
      (state) => [...state.openContractOrders(accountId, instrumentId)].length,
    );
  }

  /** Connections that clients have open. */
  connections(): Promise<number> {
    const { listener } = this.house;
    if (listener instanceof HttpThreads) return Promise.resolve(listener.connectionsCount);
    return new Promise((resolve, reject) => {
      listener.getConnections((error, open) => (error === null ? resolve(open) : reject(error)));
    });
  }

  async #call(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<Answer> {
    const port = await this.house.port();
    const startMs = performance.now();
    const type = { 'content-type': 'application/json' };
    const options = { port, method, path, headers: { ...type, ...headers }, agent: this.agent };
    const request = httpRequest(options);
    request.end(body);
    const [reply]: IncomingMessage[] = await once(request, 'response');
    const { statusCode = 0, headers: given } = present(reply, 'reply');
    let text = '';
    for await (const part of present(reply, 'reply')) text += part;
    const tookMs = performance.now() - startMs;
    const retryAfter = given['retry-after'];
    return { status: statusCode, retryAfter, body: JSON.parse(text), tookMs };
  }
}

/**
 * Calls of the contract endpoints as their documentation has them, over a venue where everything
 * has happened. A success is compared with the documentation and with the product's own tables.
 */
import { strict as assert } from 'node:assert/strict';
import Value from 'typebox/value';
import type { Endpoint } from '#api';
import { SWAP_ENDPOINTS } from '#dialects';
import { present } from '#kernel';
import { type Reply, START_MS, type Trader } from '../support/house.ts';
import { INVERSE_SYMBOL, LINEAR_SYMBOL } from '../support/swap-desk.ts';
import { Seen } from './shape.ts';
import { DOCUMENTED, type Documented, type DocumentedName } from './swap-documented.ts';
import { Stage } from './swap-stage.ts';

export const SYMBOL = { symbol: LINEAR_SYMBOL };
export const BOTH = [LINEAR_SYMBOL, INVERSE_SYMBOL];

/** The product's own rows, by path. */
export const TABLE: ReadonlyMap<string, Endpoint> = new Map(
  Object.values(SWAP_ENDPOINTS).map((endpoint) => [endpoint.path, endpoint]),
);

export type FieldValues = Readonly<Record<string, unknown>>;

export function endpointOf(path: string): Endpoint {
  return present(TABLE.get(path), path);
}

/** One order of a batch, and all of an order but its contract and its id. */
export const ORDER = { size: '1', type: '1', order_type: '0', match_price: '0', price: '29000' };

const PAGE = { pageIndex: '1', pageSize: '20' };
const PLANS = { ...SYMBOL, side: '1', delegateType: '1', ...PAGE, startTime: '0' };
const CANDLES = {
  ...SYMBOL,
  granularity: '60',
  startTime: String(START_MS - 60_000),
  endTime: String(START_MS + 600_000),
  start: '2026-11-21T04:00:00.000Z',
  end: '2026-11-21T05:00:00.000Z',
};

type Make = (calls: SwapCalls) => FieldValues | Promise<FieldValues>;

/** A call with every documented parameter, that succeeds however often it is made. */
const FULL: Record<DocumentedName, Make> = {
  time: () => ({}),
  contracts: () => ({}),
  depth: () => ({ ...SYMBOL, limit: '5' }),
  tickers: () => ({}),
  ticker: () => SYMBOL,
  trades: () => ({ ...SYMBOL, limit: '100' }),
  candles: () => CANDLES,
  index: () => SYMBOL,
  open_interest: () => SYMBOL,
  price_limit: () => SYMBOL,
  funding_time: () => SYMBOL,
  historyFundRate: () => ({ ...SYMBOL, ...PAGE }),
  mark_price: () => SYMBOL,
  open_count: () => ({ ...SYMBOL, amount: '1000', openPrice: '30000', leverage: '10' }),
  placeOrder: (calls) => ({
    ...SYMBOL,
    ...ORDER,
    client_oid: calls.clientOid(),
    presetTakeProfitPrice: '33000',
    presetStopLossPrice: '27000',
  }),
  batchOrders: (calls) => ({
    ...SYMBOL,
    orderDataList: [{ ...ORDER, client_oid: calls.clientOid() }],
  }),
  cancel_order: async (calls) => ({ ...SYMBOL, orderId: await calls.newOrder() }),
  cancel_batch_orders: async (calls) => ({ ...SYMBOL, ids: [await calls.newOrder()] }),
  detail: async (calls) => ({ ...SYMBOL, orderId: await calls.newOrder() }),
  history: () => ({ ...SYMBOL, ...PAGE, createDate: '90' }),
  current: () => SYMBOL,
  fills: async (calls) => ({ ...SYMBOL, orderId: await calls.newOrder() }),
  plan_order: (calls) => ({
    ...SYMBOL,
    client_oid: calls.clientOid(),
    size: '1',
    type: '1',
    side: '1',
    holdSide: '1',
    match_type: '0',
    execute_price: '36000',
    trigger_price: '36000',
  }),
  cancel_plan: async (calls) => ({ ...SYMBOL, orderId: await calls.newPlan() }),
  currentPlan: (calls) => ({ ...PLANS, endTime: calls.now() }),
  historyPlan: (calls) => ({ ...PLANS, endTime: calls.now() }),
  accounts: () => ({}),
  account: () => SYMBOL,
  settings: () => SYMBOL,
  leverage: () => ({ ...SYMBOL, leverage: '10', side: '1', holdSide: '1' }),
  adjustMargin: () => ({ ...SYMBOL, amount: '1.5', positionType: '0', type: '1' }),
  modifyAutoAppendMargin: () => ({ ...SYMBOL, holdSide: '1', append_type: '1' }),
  allPosition: () => ({}),
  singlePosition: () => SYMBOL,
  changeHoldModel: () => ({ ...SYMBOL, holdModel: '1' }),
};

export class SwapCalls {
  readonly stage: Stage;
  /** What the answers so far have shown. */
  readonly seen = new Seen();
  /** Has a position and no order, so that nothing keeps his settings from being changed. */
  readonly holder: Trader;
  #chosen = 0;

  private constructor(stage: Stage, holder: Trader) {
    this.stage = stage;
    this.holder = holder;
  }

  static async open(): Promise<SwapCalls> {
    const stage = await Stage.open();
    return new SwapCalls(stage, await stage.holder('holder'));
  }

  close(): Promise<void> {
    return this.stage.close();
  }

  now(): string {
    return String(this.stage.desk.house.clock.nowMs());
  }

  /** An id that a client might choose, another one each time. */
  clientOid(): string {
    this.#chosen += 1;
    return `client#${this.#chosen}`;
  }

  newOrder(more: object = {}): Promise<string> {
    return this.stage.desk.place(this.stage.owner, { ...SYMBOL, ...ORDER, ...more });
  }

  async newPlan(more: object = {}): Promise<unknown> {
    const when = { type: 1, holdSide: 1, match_type: 1, trigger_price: 36_000 };
    const fields = { ...SYMBOL, size: 1, ...when, ...more };
    return (await this.stage.desk.data(this.stage.owner, 'placePlan', fields)).order_id;
  }

  /** Who may make the full call: settings are changed by somebody without open orders. */
  callerOf(name: DocumentedName): Trader {
    const { path, method } = DOCUMENTED[name];
    const isSetting = method === 'POST' && !path.includes('/order/');
    return isSetting ? this.holder : this.stage.owner;
  }

  /** Every documented parameter with a value that is fine. */
  async full(name: DocumentedName): Promise<FieldValues> {
    return await FULL[name](this);
  }

  ask(name: DocumentedName, who: Trader, fields: FieldValues): Promise<Reply> {
    const { method, path, access }: Documented = DOCUMENTED[name];
    const { house } = this.stage.desk;
    if (method === 'POST') return house.signedPost(who, path, fields);
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(fields)) {
      if (value !== undefined) query.set(key, String(value));
    }
    const url = query.size === 0 ? path : `${path}?${query}`;
    return access === 'signed' ? house.signedGet(who, url) : house.get(url);
  }

  /** The bare body of a success: as documented, as our own table promises, and free of codes. */
  async conforming<Body = unknown>(
    name: DocumentedName,
    who: Trader,
    fields: FieldValues = {},
  ): Promise<Body> {
    const { status, headers, body, text } = await this.ask(name, who, fields);
    const what = `${name} ${JSON.stringify(fields)}`;
    assert.equal(status, 200, `${what}: ${text}`);
    assert.match(String(headers['content-type']), /^application\/json/, what);
    const { path, answer } = DOCUMENTED[name];
    assert.deepEqual(this.seen.compare(answer, body, name), [], what);
    assert.deepEqual([...Value.Errors(endpointOf(path).response, body)], [], what);
    assert.equal(Object.hasOwn(body, 'code'), false, 'clients take any code for an error');
    return body as Body;
  }

  /** Status and code of an answer: 200 and undefined for a success. */
  async outcome(name: DocumentedName, fields: FieldValues): Promise<unknown[]> {
    const { status, body } = await this.ask(name, this.callerOf(name), fields);
    return [status, body.code];
  }
}

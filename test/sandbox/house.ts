/** One data directory over several lives of a sandbox, each in the process of the test. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { pino } from 'pino';
import { SandboxClient } from '#client';
import { loadConfig } from '#config';
import type { Clock } from '#kernel';
import { type Server, startServer } from '#server';
import { ask, DEMO, dataOf, MAKER, type Row, rowsOf, Trader } from '../support/http-trader.ts';
import { ADMIN_TOKEN } from '../support/program.ts';
import { scratchDirectory } from '../support/scratch.ts';

export interface Choices {
  readonly participants?: boolean;
  readonly sandbox?: boolean;
}

const SYSTEM_CLOCK: Clock = { nowMs: () => Date.now() };

export class SandboxHouse {
  readonly directory: string;
  /** What the clock follows until a sandbox sets it. */
  readonly system: Clock;
  #server: Server | undefined;

  constructor(context: TestContext, system: Clock = SYSTEM_CLOCK) {
    this.directory = scratchDirectory();
    this.system = system;
    context.after(() => this.stop());
  }

  async start({ participants = false, sandbox = true }: Choices = {}): Promise<void> {
    const place = { data: this.directory, port: '0', adminToken: ADMIN_TOKEN };
    const config = loadConfig({ ...place, participants, sandbox, rateLimits: 'off' }, {});
    this.#server = await startServer(config, pino({ level: 'silent' }), this.system);
  }

  async stop(): Promise<void> {
    await this.#server?.close();
    this.#server = undefined;
  }

  get server(): Server {
    assert(this.#server !== undefined);
    return this.#server;
  }

  get url(): string {
    return this.server.url;
  }

  get sandbox(): SandboxClient {
    return new SandboxClient(this.url, ADMIN_TOKEN);
  }

  /** A trader who signs with a clock, the venue's if none is given. */
  trader(credential = DEMO, nowMs = this.venueMs): Trader {
    return new Trader(this.url, credential, nowMs);
  }

  /** The newest time the venue is known to have reached. */
  readonly venueMs = (): number => this.#venueMs;
  #venueMs = Date.now();

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

  async operator(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await fetch(`${this.url}/admin/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    return JSON.parse(text).data;
  }

  /** Every public answer about the markets, as text without the time it was given. */
  async publicAnswers(): Promise<Record<string, string>> {
    const answers: Record<string, string> = {};
    for (const path of PUBLIC) {
      const text = await (await fetch(this.url + path)).text();
      answers[path] = text.replace(/"(requestTime|timestamp|ts)":"?[0-9]+"?/g, '');
    }
    return answers;
  }
}

const SPOT = '/api/spot/v1';
const SWAP = '/api/swap/v3/market';
const PUBLIC = [
  `${SPOT}/public/currencies`,
  `${SPOT}/public/products`,
  `${SPOT}/market/tickers`,
  `${SPOT}/market/depth?symbol=BTCUSDT`,
  `${SPOT}/market/fills?symbol=BTCUSDT`,
  ...['1min', '1h', '1d', '7d', '1M'].map(
    (period) => `${SPOT}/market/candles?symbol=BTCUSDT&period=${period}&limit=1000`,
  ),
  `${SWAP}/contracts`,
  `${SWAP}/tickers`,
  `${SWAP}/depth?symbol=cmt_btcusdt`,
  `${SWAP}/trades?symbol=cmt_btcusdt`,
  `${SWAP}/candles?symbol=cmt_btcusdt&granularity=60`,
  `${SWAP}/mark_price?symbol=cmt_btcusdt`,
  `${SWAP}/index?symbol=cmt_btcusdt`,
  `${SWAP}/open_interest?symbol=cmt_btcusdt`,
  `${SWAP}/funding_time?symbol=cmt_btcusdt`,
  `${SWAP}/historyFundRate?symbol=cmt_btcusdt&pageIndex=1&pageSize=20`,
];

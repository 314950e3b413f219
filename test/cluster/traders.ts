/**
 * Clients of a cluster that note what they were told, and how long they waited for it. Some let
 * orders rest and cancel them, some trade with each other, some are the unmodified ccxt client.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { present } from '#kernel';
import { DEMO, MAKER, Trader } from '../support/http-trader.ts';
import { DEMO as CCXT_DEMO, MAKER as CCXT_MAKER } from '../support/server-ccxt.ts';
import { type Client as CcxtClient, connect } from '../support/server-ccxt4.ts';
import type { SentOrder } from './checker.ts';

type Side = 'buy' | 'sell';

/** What became of a request: nothing is known of it when there is neither. */
interface Outcome {
  readonly orderId?: string;
  /** No answer that a client can expect. */
  readonly odd?: string;
  /** The connection broke: the next request goes to another gateway. */
  readonly isAway?: boolean;
}

/** One account at one gateway. */
interface Hand {
  place(side: Side, priceCents: number, quantity: string): Promise<Outcome>;
  cancel(orderId: string): Promise<Outcome>;
}

export interface Notes {
  readonly sent: readonly SentOrder[];
  readonly odd: readonly string[];
}

const PAIR = 'BTCUSDT_SPBL';
const PAUSE_AFTER_FAULT_MS = 20;
/** Below and above each other: what rests is not traded. */
const RESTING = { fromCents: 10_000, quantity: '0.1' };
const TRADED = { fromCents: 2_900_000, quantity: '0.001' };
const BATCH_ORDERS = 50;

/** Two clients of each kind per gateway, and a ccxt, until they are stopped. */
export class Traders {
  readonly #urls: readonly string[];
  readonly #sent: (SentOrder & { orderId?: string | undefined })[] = [];
  readonly #odd: string[] = [];
  readonly #clients: Client[] = [];
  readonly #ccxt: readonly CcxtClient[];
  #lastRestingCents = RESTING.fromCents;
  #lastTradedCents = TRADED.fromCents;
  #during = 'the start';

  private constructor(urls: readonly string[], ccxt: readonly CcxtClient[]) {
    this.#urls = urls;
    this.#ccxt = ccxt;
  }

  static async start(urls: readonly string[]): Promise<Traders> {
    const ccxt = urls.map((url) => connect(url, CCXT_DEMO));
    await Promise.all(ccxt.map((client) => client.loadMarkets()));
    const traders = new Traders(urls, ccxt);
    const kinds = ['rest', 'trade', 'rest', 'trade', 'ccxt'] as const;
    for (const at of urls.keys()) for (const kind of kinds) traders.#begin(kind, at);
    return traders;
  }

  get notes(): Notes {
    return { sent: this.#sent, odd: this.#odd };
  }

  get acknowledgedCount(): number {
    return this.#sent.filter(({ orderId }) => orderId !== undefined).length;
  }

  /** For the report of a failure. */
  get state(): readonly string[] {
    return this.#clients.map(({ kind, answersCount }) => `${kind} ${answersCount}`);
  }

  /** What is sent, and how long clients wait, is booked to this from here on. */
  note(during: string): void {
    this.#during = during;
    for (const client of this.#clients) client.worstMs = 0;
  }

  /** Whether every client got so many answers since the last note of that. */
  answers(): () => boolean {
    const before = this.#clients.map(({ answersCount }) => answersCount);
    return () =>
      this.#clients.every(({ answersCount }, at) => answersCount > (before[at] ?? 0) + 2);
  }

  /** The longest that any client has been without a success since the last note. */
  get worstMs(): number {
    return Math.max(...this.#clients.map(({ worstMs, waitedMs }) => Math.max(worstMs, waitedMs)));
  }

  /** Places one order more at this address; its id, if it was acknowledged. */
  async placeOne(url: string): Promise<string | undefined> {
    const outcome = await this.#place(new ClassicHand(url, DEMO), 'buy', this.#nextCents(RESTING));
    return outcome.orderId;
  }

  /** The price of an order that is sent in some other way. */
  nextTradedCents(): number {
    return this.#register(this.#nextCents(TRADED)).priceCents;
  }

  /** So many orders as fast as possible, and all open ones off the books again. */
  async hurry(url: string, count: number): Promise<void> {
    const trader = new Trader(url, DEMO);
    for (let done = 0; done < count; done += BATCH_ORDERS) {
      const sent = Array.from({ length: BATCH_ORDERS }, () =>
        this.#register(this.#nextCents(RESTING)),
      );
      const orderList = sent.map(({ priceCents }) => ({
        ...terms('buy', priceCents, RESTING.quantity),
        clientOrderId: `batch-${priceCents}`,
      }));
      const answer = await trader.post('/trade/batch-orders', { symbol: PAIR, orderList });
      const rows: unknown = Reflect.get(Object(answer.data), 'resultList');
      for (const row of Array.isArray(rows) ? rows : []) {
        const order = sent.find(({ priceCents }) => row.clientOrderId === `batch-${priceCents}`);
        if (order !== undefined) order.orderId = String(row.orderId);
      }
      await this.clear(this.#urls.indexOf(url));
    }
  }

  /** Takes off the books what lost answers have left there. */
  async clear(at = 0): Promise<void> {
    const url = this.#urls[at] ?? '';
    for (const credentials of [CCXT_DEMO, CCXT_MAKER]) {
      const client = connect(url, credentials);
      client.setMarkets(present(this.#ccxt[0], 'ccxt client').markets);
      await client.cancelAllOrders('BTC/USDT');
    }
  }

  async stop(): Promise<Notes> {
    await Promise.all(this.#clients.map((client) => client.stop()));
    return this.notes;
  }

  #begin(kind: 'rest' | 'trade' | 'ccxt', at: number): void {
    const urls = [...this.#urls.slice(at), ...this.#urls.slice(0, at)];
    const ccxt = [...this.#ccxt.slice(at), ...this.#ccxt.slice(0, at)];
    if (kind === 'trade') {
      const pairs = urls.map((url) => [new ClassicHand(url, DEMO), new ClassicHand(url, MAKER)]);
      this.#clients.push(
        new Client(kind, pairs.length, (which) => this.#trade(pairs[which] ?? [])),
      );
      return;
    }
    const hands = urls.map((url, which) =>
      kind === 'rest' ? new ClassicHand(url, DEMO) : new CcxtHand(present(ccxt[which], 'ccxt')),
    );
    const handOf = (which: number) => present(hands[which], 'hand');
    this.#clients.push(new Client(kind, hands.length, (which) => this.#rest(handOf(which))));
  }

  async #rest(hand: Hand): Promise<Outcome> {
    const placed = await this.#place(hand, 'buy', this.#nextCents(RESTING), RESTING.quantity);
    if (placed.orderId === undefined) return placed;
    const { odd, isAway } = await hand.cancel(placed.orderId);
    if (odd !== undefined) this.#odd.push(`cancel of ${placed.orderId}: ${odd}`);
    return isAway === true ? { isAway } : placed;
  }

  /** One sells and the other buys; the next time the other way round. */
  async #trade(pair: Hand[]): Promise<Outcome> {
    const [seller, buyer] = pair.reverse();
    let outcome: Outcome = {};
    for (const [hand, side] of [[seller, 'sell'] as const, [buyer, 'buy'] as const]) {
      const priceCents = this.#nextCents(TRADED);
      outcome = await this.#place(present(hand, 'hand'), side, priceCents, TRADED.quantity);
      if (outcome.orderId === undefined) break;
    }
    return outcome;
  }

  async #place(
    hand: Hand,
    side: Side,
    priceCents: number,
    quantity = RESTING.quantity,
  ): Promise<Outcome> {
    const sent = this.#register(priceCents);
    const outcome = await hand.place(side, priceCents, quantity);
    sent.orderId = outcome.orderId;
    if (outcome.odd !== undefined) this.#odd.push(`order at ${priceCents}: ${outcome.odd}`);
    return outcome;
  }

  #register(priceCents: number): SentOrder & { orderId?: string | undefined } {
    const sent = { priceCents, during: this.#during };
    this.#sent.push(sent);
    return sent;
  }

  #nextCents(range: typeof RESTING): number {
    if (range === TRADED) return ++this.#lastTradedCents;
    return ++this.#lastRestingCents;
  }
}

/** One that goes on: with the next gateway when a connection breaks. */
class Client {
  readonly kind: string;
  answersCount = 0;
  /** The longest time without a success. */
  worstMs = 0;
  #startedMs = 0;
  #isOver = false;
  readonly #running: Promise<void>;

  constructor(kind: string, gateways: number, turn: (gateway: number) => Promise<Outcome>) {
    this.kind = kind;
    this.#running = this.#run(gateways, turn);
  }

  /** How long it has been waiting now. */
  get waitedMs(): number {
    return this.#isOver ? 0 : performance.now() - this.#startedMs;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #run(gateways: number, turn: (gateway: number) => Promise<Outcome>): Promise<void> {
    let gateway = 0;
    this.#startedMs = performance.now();
    while (!this.#isOver) {
      const { orderId, isAway } = await turn(gateway);
      if (isAway === true) gateway = (gateway + 1) % gateways;
      if (orderId === undefined) {
        await wait(PAUSE_AFTER_FAULT_MS);
        continue;
      }
      this.answersCount += 1;
      this.worstMs = Math.max(this.worstMs, this.waitedMs);
      this.#startedMs = performance.now();
    }
  }
}

function terms(side: Side, priceCents: number, quantity: string) {
  const price = (priceCents / 100).toFixed(2);
  return { side, orderType: 'limit', force: 'normal', price, quantity };
}

class ClassicHand implements Hand {
  readonly #trader: Trader;

  constructor(url: string, credentials: typeof DEMO) {
    this.#trader = new Trader(url, credentials);
  }

  async place(side: Side, priceCents: number, quantity: string): Promise<Outcome> {
    const order = { symbol: PAIR, ...terms(side, priceCents, quantity) };
    return this.#ask('/trade/orders', order, (data) =>
      String(Reflect.get(Object(data), 'orderId')),
    );
  }

  /** One that is gone already was cancelled by a request that got no answer. */
  cancel(orderId: string): Promise<Outcome> {
    return this.#ask('/trade/cancel-order', { symbol: PAIR, orderId }, () => orderId, [400]);
  }

  async #ask(
    path: string,
    body: object,
    idIn: (data: unknown) => string,
    expected: readonly number[] = [],
  ): Promise<Outcome> {
    try {
      const { status, body: answer, data } = await this.#trader.post(path, body);
      if (status === 200) return { orderId: idIn(data) };
      if (status === 503 || expected.includes(status)) return {};
      return { odd: `${status} ${JSON.stringify(answer)}` };
    } catch {
      return { isAway: true };
    }
  }
}

/** What ccxt calls an answer of 503. */
const UNAVAILABLE: ReadonlySet<string> = new Set(['ExchangeNotAvailable', 'OnMaintenance']);
/**
 * What it calls a broken connection, or no answer in time. Its class says so and not its text,
 * which names the address, and the digits of a port may read as a status.
 */
const AWAY: ReadonlySet<string> = new Set(['NetworkError', 'RequestTimeout']);

class CcxtHand implements Hand {
  readonly #client: CcxtClient;

  constructor(client: CcxtClient) {
    this.#client = client;
  }

  place(side: Side, priceCents: number, quantity: string): Promise<Outcome> {
    const price = priceCents / 100;
    return this.#ask(this.#client.createOrder('BTC/USDT', 'limit', side, Number(quantity), price));
  }

  cancel(orderId: string): Promise<Outcome> {
    return this.#ask(this.#client.cancelOrder(orderId, 'BTC/USDT'), ['OrderNotFound']);
  }

  async #ask(
    call: Promise<{ readonly id?: string | undefined }>,
    expected: readonly string[] = [],
  ): Promise<Outcome> {
    try {
      return { orderId: String((await call).id) };
    } catch (error) {
      const name = error instanceof Error ? error.constructor.name : '';
      if (AWAY.has(name)) return { isAway: true };
      return UNAVAILABLE.has(name) || expected.includes(name) ? {} : { odd: String(error) };
    }
  }
}

/** Accounts of a house that trade at random, mostly within one millisecond, and what came of it. */
import { strict as assert } from 'node:assert/strict';
import fc from 'fast-check';
import type { Dialect, Endpoint } from '#api';
import {
  classicDialect,
  currentDialect,
  nativeDialect,
  SPOT_ENDPOINTS,
  SWAP_ENDPOINTS,
} from '#dialects';
import {
  type AccountId,
  type Contract,
  type Event,
  type InstrumentId,
  lots,
  type OrderId,
  type Step,
  ticks,
  WALLETS_DEFAULT,
} from '#domain';
import { present } from '#kernel';
import { House, type Trader } from '../support/house.ts';
import { contractOrder, spotOrder, triggerOrder } from '../support/orders.ts';
import { LINEAR_SYMBOL, SwapDesk } from '../support/swap-desk.ts';
import { ask } from './wire.ts';

const MARKETS = ['spot', 'contract'] as const;
type Market = (typeof MARKETS)[number];

/** An order, and its id as the classic interface shows it. */
interface Shown {
  readonly orderId: number;
  readonly text: unknown;
}

export interface Told {
  readonly house: House;
  /** The one whose lists are walked. */
  readonly trader: Trader;
  readonly accountId: AccountId;
  readonly contract: Contract;
  readonly steps: readonly Step[];
  readonly nowMs: number;
  /** The account's closed orders with most fills. */
  readonly largest: Readonly<Record<Market, Shown>>;
  readonly open: Readonly<Record<Market, number>>;
  readonly waiting: number;
}

export type Act =
  | {
      readonly does: 'fill';
      readonly market: Market;
      /** How many orders the one meets. */
      readonly pieces: number;
      readonly rests: boolean;
      readonly withItself: boolean;
    }
  | {
      readonly does: 'rest' | 'cancel';
      readonly market: Market | 'trigger';
      readonly times: number;
    }
  | { readonly does: 'transfer'; readonly times: number }
  | { readonly does: 'wait'; readonly ms: number };

const times = fc.integer({ min: 1, max: 6 });
const FILL: fc.Arbitrary<Act> = fc.record({
  does: fc.constant('fill' as const),
  market: fc.constantFrom(...MARKETS),
  pieces: fc.integer({ min: 1, max: 12 }),
  rests: fc.boolean(),
  withItself: fc.boolean(),
});
const REST: fc.Arbitrary<Act> = fc.record({
  does: fc.constantFrom('rest' as const, 'cancel' as const),
  market: fc.constantFrom(...MARKETS, 'trigger' as const),
  times,
});
const TRANSFER: fc.Arbitrary<Act> = fc.record({ does: fc.constant('transfer' as const), times });
const WAIT: fc.Arbitrary<Act> = fc.record({
  does: fc.constant('wait' as const),
  ms: fc.constantFrom(1, 1, 700, 61_000),
});
const FIRST: readonly Act[] = MARKETS.flatMap((market): Act[] => [
  { does: 'fill', market, pieces: 7, rests: true, withItself: false },
  { does: 'rest', market, times: 3 },
  { does: 'cancel', market, times: 1 },
]);
const LAST: readonly Act[] = [
  { does: 'rest', market: 'trigger', times: 5 },
  { does: 'cancel', market: 'trigger', times: 3 },
  { does: 'transfer', times: 4 },
  { does: 'wait', ms: 1 },
];
/** All that a day needs to have something in each list, and what else is drawn. */
export const ACTS: fc.Arbitrary<readonly Act[]> = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: FILL },
      { weight: 3, arbitrary: REST },
      { weight: 1, arbitrary: TRANSFER },
      { weight: 2, arbitrary: WAIT },
    ),
    { minLength: 10, maxLength: 20 },
  )
  .map((drawn) => [...FIRST, ...drawn, ...LAST]);

/** Lots of a fill of a pair: five USDT at least. */
const PIECE = 3;
const PAIR_PRICE = ticks(3_000_000);
const PRICE = ticks(300_000);
const LOW = { spot: ticks(2_000_000), contract: ticks(200_000) };
const SETTLEMENTS = 12;
const SETTLEMENT_MS = 8 * 3_600_000;
const DOOMED = 8;

/** A dialect whose endpoints are noted as they are mounted. */
function listening(dialect: Dialect, served: Endpoint[]): Dialect {
  return {
    ...dialect,
    routes: (services) => {
      const routes = dialect.routes(services);
      served.push(...routes.map(({ endpoint }) => endpoint));
      return routes;
    },
  };
}

export class Floor {
  readonly house: House;
  /** All that the house serves of the trading dialects. */
  readonly served: readonly Endpoint[];
  readonly #desk: SwapDesk;
  readonly #steps: Step[] = [];
  readonly #pair: InstrumentId;
  readonly #contract: Contract;
  #accounts = 0;
  #moved = 0;

  private constructor(desk: SwapDesk, served: readonly Endpoint[]) {
    this.#desk = desk;
    this.served = served;
    this.house = desk.house;
    this.house.listeners.push((step) => this.#steps.push(step));
    const { listings } = this.house.live;
    this.#pair = present(listings.spotBySymbol('BTC-USDT'), 'pair').instrumentId;
    this.#contract = desk.contract(LINEAR_SYMBOL);
  }

  /** With settlements and liquidations, all of these in one millisecond. */
  static async open(): Promise<Floor> {
    const served: Endpoint[] = [];
    const dialects = [
      listening(classicDialect, served),
      listening(currentDialect, served),
      listening(nativeDialect, served),
    ] as const;
    const house = await House.open({ dialects });
    const floor = new Floor(await SwapDesk.open(WALLETS_DEFAULT, house), served);
    await floor.#settle();
    await floor.#liquidate();
    return floor;
  }

  async #settle(): Promise<void> {
    for (let settled = 0; settled < SETTLEMENTS; settled += 1) {
      this.house.clock.advance(SETTLEMENT_MS);
      await this.#desk.tick();
    }
  }

  async #liquidate(): Promise<void> {
    const other = await this.#desk.trader('other');
    for (let doomed = 0; doomed < DOOMED; doomed += 1) {
      const trader = await this.#desk.funded(`doomed${doomed}`, '20');
      await this.#desk.trade(trader, other, 30_000, 10);
    }
    await this.#desk.setIndex(26_000);
    await this.#desk.setIndex(30_000);
    const found = this.#steps.flatMap(({ events }) => events);
    assert.ok(found.filter(({ kind }) => kind === 'liquidated').length >= DOOMED);
  }

  /** A day of two new accounts, of which the first one's lists are walked. */
  async tell(acts: readonly Act[]): Promise<Told> {
    this.#accounts += 1;
    const [own, other] = [await this.#rich('own'), await this.#rich('partner')];
    for (const act of acts) await this.#perform(act, own, other);
    const { trader, accountId } = { trader: own, accountId: own.accountId };
    const state = await this.house.venue.read((of) => ({
      spot: [...of.openOrders(accountId)].length,
      contract: [...of.openContractOrders(accountId)].length,
      waiting: [...of.waitingTriggers(accountId)].length,
    }));
    const told = { house: this.house, trader, accountId, contract: this.#contract };
    return {
      ...told,
      steps: this.#steps,
      nowMs: this.house.clock.nowMs(),
      largest: { spot: await this.#largestSpot(own), contract: await this.#largestContract(own) },
      open: state,
      waiting: state.waiting,
    };
  }

  async #rich(name: string): Promise<Trader> {
    const money = { USDT: '10000000', BTC: '100' };
    const trader = await this.house.trader(`${name}${this.#accounts}`, money);
    const { accountId } = trader;
    await this.#desk.fund(trader, '10000000');
    const changes = { selfTradePrevention: 'none' } as const;
    await this.house.run({ kind: 'update_account', accountId, changes });
    return trader;
  }

  async #perform(act: Act, own: Trader, other: Trader): Promise<void> {
    if (act.does === 'wait') this.house.clock.advance(act.ms);
    else if (act.does === 'fill') await this.#fill(act, own, act.withItself ? own : other);
    else if (act.does === 'transfer') await this.#transfer(act.times, own);
    else if (act.does === 'rest') {
      for (let place = 0; place < act.times; place += 1) await this.#rest(act.market, own);
    } else await this.#cancel(act.market, act.times, own);
  }

  /** One order meets several, from either side. */
  async #fill(
    { market, pieces, rests }: Extract<Act, { does: 'fill' }>,
    own: Trader,
    other: Trader,
  ): Promise<void> {
    const one = () => this.#order(market, own, rests, pieces);
    if (rests) await one();
    for (let piece = 0; piece < pieces; piece += 1) await this.#order(market, other, !rests, 1);
    if (!rests) await one();
  }

  #order(market: Market, { accountId }: Trader, isFirst: boolean, size: number) {
    if (market === 'contract') {
      const action = isFirst ? 'open_short' : 'open_long';
      const { instrumentId } = this.#contract;
      const terms = { accountId, instrumentId, action, priceTicks: PRICE } as const;
      return this.house.run(contractOrder({ ...terms, sizeLots: lots(size) }));
    }
    const side = isFirst ? 'sell' : 'buy';
    const terms = { accountId, instrumentId: this.#pair, side, priceTicks: PAIR_PRICE } as const;
    return this.house.run(spotOrder({ ...terms, sizeLots: lots(size * PIECE) }));
  }

  #rest(market: Market | 'trigger', { accountId }: Trader): Promise<readonly Event[]> {
    const { instrumentId } = this.#contract;
    const sizeLots = lots(PIECE);
    if (market === 'spot') {
      const terms = { accountId, instrumentId: this.#pair, side: 'buy', sizeLots } as const;
      return this.house.run(spotOrder({ ...terms, priceTicks: LOW.spot }));
    }
    const terms = { accountId, instrumentId, action: 'open_long', sizeLots } as const;
    return this.house.run(
      market === 'contract'
        ? contractOrder({ ...terms, priceTicks: LOW.contract })
        : triggerOrder({ ...terms, triggerTicks: ticks(PRICE + 10_000) }),
    );
  }

  /** The oldest ones. */
  async #cancel(market: Market | 'trigger', most: number, { accountId }: Trader): Promise<void> {
    const found = await this.house.venue.read((state) =>
      [
        ...(market === 'spot' ? state.openOrders(accountId) : []),
        ...(market === 'contract' ? state.openContractOrders(accountId) : []),
        ...(market === 'trigger' ? state.waitingTriggers(accountId) : []),
      ].map(({ orderId, instrumentId }) => ({ orderId, instrumentId })),
    );
    const kind = {
      spot: 'cancel_spot_order',
      contract: 'cancel_contract_order',
      trigger: 'cancel_trigger_order',
    } as const;
    for (const order of found.slice(-most)) {
      await this.house.run({ kind: kind[market], accountId, ...order });
    }
  }

  /** Each of another amount. */
  async #transfer(most: number, { accountId }: Trader): Promise<void> {
    const { assetId } = this.#contract.margin;
    for (let moved = 0; moved < most; moved += 1) {
      this.#moved += 1;
      const amount = BigInt(1_000_000 + this.#moved);
      const money = { accountId, assetId, amount, from: 'spot', to: 'margin' } as const;
      await this.house.run({ kind: 'transfer', ...money, clientOid: undefined });
    }
  }

  async #largestSpot(own: Trader): Promise<Shown> {
    const closed = this.#closed((event) =>
      event.kind === 'order_closed' ? event.order : undefined,
    );
    const asked = { symbol: 'BTCUSDT_SPBL', limit: 500 };
    const shown = await ask(this.house, SPOT_ENDPOINTS.orderHistory, asked, own);
    const fills = (id: OrderId) =>
      this.#fills((event) =>
        event.kind === 'trade' ? [event.takerOrderId, event.makerOrderId].includes(id) : false,
      );
    return largestOf(
      closed(own.accountId),
      shown.map(({ orderId }) => orderId),
      fills,
    );
  }

  async #largestContract(own: Trader): Promise<Shown> {
    const closed = this.#closed((event) =>
      event.kind === 'contract_order_closed' ? event.order : undefined,
    );
    const shown: unknown[] = [];
    for (let pageIndex = 1; shown.length % 100 === 0 && pageIndex < 9; pageIndex += 1) {
      const asked = { symbol: LINEAR_SYMBOL, pageIndex, pageSize: 100, createDate: 90 };
      const page = await ask(this.house, SWAP_ENDPOINTS.orderHistory, asked, own);
      shown.push(...page.map(({ order_id }) => order_id));
    }
    const fills = (id: OrderId) =>
      this.#fills((event) =>
        event.kind === 'contract_trade'
          ? [event.taker.orderId, event.maker.orderId].includes(id)
          : false,
      );
    return largestOf(closed(own.accountId), shown, fills);
  }

  #fills(isOne: (event: Event) => boolean): number {
    return this.#steps.flatMap(({ events }) => events).filter(isOne).length;
  }

  /** Closed orders of an account, newest first. */
  #closed(orderOf: (event: Event) => { accountId: AccountId; orderId: OrderId } | undefined) {
    return (accountId: AccountId): OrderId[] =>
      this.#steps
        .flatMap(({ events }) => events)
        .flatMap((event) => orderOf(event) ?? [])
        .filter((order) => order.accountId === accountId)
        .map(({ orderId }) => orderId)
        .toSorted((one, other) => other - one);
  }
}

/** Both lists have the same orders, newest first. */
function largestOf(
  closed: readonly OrderId[],
  texts: readonly unknown[],
  fillsOf: (order: OrderId) => number,
): Shown {
  assert.equal(closed.length, texts.length);
  const all = closed.map((orderId, place) => {
    return { orderId, text: texts[place], fills: fillsOf(orderId) };
  });
  return present(all.toSorted((one, other) => other.fills - one.fills)[0], 'closed order');
}

/**
 * A real venue behind its HTTP interface, and what the terminal's model makes of its answers: a
 * contract, an account, the side of the book that an order would take.
 */
import type { native } from '#client';
import { NATIVE_ENDPOINTS as CALLS } from '#dialects';
import type { HoldSide, Side } from '#domain';
import { present } from '#kernel';
import type { TradedContract } from '../../ui/src/model/contract.ts';
import type { MarginMode } from '../../ui/src/model/contract-words.ts';
import type { Opposite, OrderWish } from '../../ui/src/model/expected.ts';
import { type MarginState, marginState, type Sibling } from '../../ui/src/model/margin-account.ts';
import { scaledNumber } from '../../ui/src/model/numbers.ts';
import { type OrderLine, orderLine } from '../../ui/src/model/orders.ts';
import {
  type Balance,
  type Position,
  type Settings,
  SHARED,
  type Standing,
  standingOf,
  walletOf,
} from '../../ui/src/model/positions.ts';
import { ETH } from '../support/coin-floor.ts';
import type { Trader } from '../support/house.ts';
import { contractOf as marketOf, symbolOf } from '../support/markets.ts';
import { NativeCalls } from '../support/native-calls.ts';
import { SwapDesk } from '../support/swap-desk.ts';
import { contractOf, rowOf } from './traded.ts';

/** Beside the linear contract of the desk on one wallet. */
export const ETH_SYMBOL = 'cmt_ethusdt';
const RICH = { cmt_btcusdt: '100000000', cmt_btcusd: '10000' };

/** What an answer shows of an account. */
export interface Shown {
  readonly wallet: Balance | undefined;
  readonly standing: Standing;
  readonly state: MarginState;
  /** The wallet's money as the venue's own books have it. */
  readonly settled: bigint;
}

/** The wire's numbers of what an order does. */
const OPEN: Readonly<Record<HoldSide, string>> = { long: '1', short: '2' };
const CLOSE: Readonly<Record<HoldSide, string>> = { long: '3', short: '4' };
const FORCES = { gtc: '0', post_only: '1', fok: '2', ioc: '3' } as const;

/** Its orders go by the classic interface, so it takes the names of that. */
export class TerminalVenue {
  readonly desk: SwapDesk;
  readonly #calls: NativeCalls;
  /** Makes the book that others trade against. */
  #maker: Trader;
  readonly #contracts = new Map<string, TradedContract>();

  private constructor(desk: SwapDesk, maker: Trader) {
    this.desk = desk;
    this.#calls = new NativeCalls(desk.house);
    this.#maker = maker;
  }

  static async open(): Promise<TerminalVenue> {
    const desk = await SwapDesk.open();
    await desk.house.run({ kind: 'list_contract', spec: ETH });
    await desk.setIndex(2_000, ETH_SYMBOL);
    const venue = new TerminalVenue(desk, await desk.trader('maker', RICH));
    const { listings } = desk.house.live;
    for (const { symbol } of listings.contracts.values()) {
      venue.#contracts.set(symbol, contractOf(rowOf(symbol, listings), listings));
    }
    return venue;
  }

  close(): Promise<void> {
    return this.desk.house.close();
  }

  contract(symbol: string): TradedContract {
    return present(this.#contracts.get(symbolOf(symbol)), symbol);
  }

  /** A new trader with money in both contracts. */
  async trader(symbol: string, mode: MarginMode, leverage: number): Promise<Trader> {
    const trader = await this.desk.trader('trader');
    const holdModel = mode === 'isolated' ? 1 : 2;
    await this.desk.data(trader, 'holdModel', { symbol, holdModel });
    await this.desk.data(trader, 'leverage', { symbol, leverage });
    return trader;
  }

  async shown(who: Trader, symbol: string): Promise<Shown> {
    const all = await this.#calls.data<Settings[]>(who, CALLS.margin);
    const positions = await this.#calls.data<Position[]>(who, CALLS.positions);
    const balances = await this.#calls.data<Balance[]>(who, CALLS.balances);
    const open = await this.#calls.data<native.OrderAnswer[]>(who, CALLS.openOrders);
    const own = present(
      all.find((row) => row.symbol === symbolOf(symbol)),
      symbol,
    );
    const siblings = all
      .filter((row) => row.wallet === SHARED && own.wallet === SHARED && row.coin === own.coin)
      .filter((row) => row !== own)
      .map((row): Sibling => {
        return { contract: this.contract(row.symbol), standing: standingOf(row, positions) };
      });
    const wallet = walletOf(own, balances);
    const standing = standingOf(own, positions);
    const orders = open.map(orderLine);
    const state = marginState(this.contract(symbol), standing, wallet, orders, siblings);
    return { wallet, standing, state, settled: await this.#settled(who, symbol) };
  }

  #settled({ accountId }: Trader, symbol: string): Promise<bigint> {
    const { venue, live } = this.desk.house;
    const { instrumentId } = marketOf(live.listings, symbol);
    return venue.read(
      (state) => present(state.marginAccount(accountId, instrumentId), 'contract account').balance,
    );
  }

  /** Cancels every order in the book; another maker, who holds nothing, makes the next one. */
  async emptyBook(): Promise<void> {
    await this.desk.clear();
    this.#maker = await this.desk.trader('maker', RICH);
  }

  /** Fills the book with one order at each price, best first. */
  async quote(symbol: string, side: Side, levels: Opposite): Promise<void> {
    const type = side === 'buy' ? OPEN.long : OPEN.short;
    for (const { priceTicks, lots } of levels) {
      const price = String(priceTicks / 10);
      const order = { symbol, type, price, size: String(lots), order_type: '0', match_price: '0' };
      await this.desk.place(this.#maker, order);
    }
  }

  /** The book that an order of this side would take, as everybody sees it. */
  async opposite(symbol: string, side: Side): Promise<Opposite> {
    const { text } = await this.desk.house.get(`/api/swap/v3/market/depth?symbol=${symbol}`);
    const depth: Record<'asks' | 'bids', readonly [string, string][]> = JSON.parse(text);
    const { priceScale, quantityScale } = this.contract(symbol);
    return depth[side === 'buy' ? 'asks' : 'bids'].map(([price, size]) => ({
      priceTicks: scaledNumber(price, priceScale),
      lots: scaledNumber(size, quantityScale),
    }));
  }

  /** The fields of an order that opens or closes a side. */
  fields(symbol: string, does: 'open' | 'close', side: HoldSide, wish: OrderWish): object {
    const type = (does === 'open' ? OPEN : CLOSE)[side];
    const size = String(wish.sizeLots);
    if (wish.type === 'market') return { symbol, type, size, order_type: '0', match_price: '1' };
    const price = String(wish.priceTicks / 10);
    return { symbol, type, size, price, order_type: FORCES[wish.force], match_price: '0' };
  }

  /** Sends an order that must be taken, and what became of it. */
  async send(
    who: Trader,
    symbol: string,
    does: 'open' | 'close',
    side: HoldSide,
    wish: OrderWish,
  ): Promise<OrderLine> {
    const id = await this.desk.place(who, this.fields(symbol, does, side, wish));
    return orderLine(await this.#calls.data<native.OrderAnswer>(who, CALLS.order, {}, id));
  }
}

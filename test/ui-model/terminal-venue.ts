/**
 * A real venue behind its HTTP interface, and what the terminal's model makes of its answers: a
 * contract, an account, the side of the book that an order would take.
 */
import { CLASSIC_SPELLING } from '#dialects';
import type { HoldSide, Side } from '#domain';
import { present } from '#kernel';
import type { TradedContract } from '../../ui/src/model/contract.ts';
import type { MarginMode } from '../../ui/src/model/contract-words.ts';
import type { Opposite, OrderWish } from '../../ui/src/model/expected.ts';
import { type MarginState, marginState, type Sibling } from '../../ui/src/model/margin-account.ts';
import { scaledNumber } from '../../ui/src/model/numbers.ts';
import { type SwapOrderRow, swapOrder } from '../../ui/src/model/orders.ts';
import {
  type ContractAccountRow,
  type PositionPair,
  type PositionRow,
  positionPair,
} from '../../ui/src/model/positions.ts';
import { ETH } from '../support/coin-floor.ts';
import type { Trader } from '../support/house.ts';
import { contractOf as marketOf } from '../support/markets.ts';
import { SwapDesk } from '../support/swap-desk.ts';
import { contractOf, rowOf } from './traded.ts';

/** Beside the linear contract of the desk on one wallet. */
export const ETH_SYMBOL = 'cmt_ethusdt';
const RICH = { cmt_btcusdt: '100000000', cmt_btcusd: '10000' };

/** What an answer shows of an account. */
export interface Shown {
  readonly account: ContractAccountRow;
  readonly positions: PositionPair;
  readonly state: MarginState;
  /** The wallet's money as the venue's own books have it: rows show it beside rounded profits. */
  readonly settled: bigint;
}

/** The wire's numbers of what an order does. */
const OPEN: Readonly<Record<HoldSide, string>> = { long: '1', short: '2' };
const CLOSE: Readonly<Record<HoldSide, string>> = { long: '3', short: '4' };
const FORCES = { gtc: '0', post_only: '1', fok: '2', ioc: '3' } as const;

export class TerminalVenue {
  readonly desk: SwapDesk;
  /** Makes the book that others trade against. */
  #maker: Trader;
  readonly #contracts = new Map<string, TradedContract>();

  private constructor(desk: SwapDesk, maker: Trader) {
    this.desk = desk;
    this.#maker = maker;
  }

  static async open(): Promise<TerminalVenue> {
    const desk = await SwapDesk.open();
    await desk.house.run({ kind: 'list_contract', spec: ETH });
    await desk.setIndex(2_000, ETH_SYMBOL);
    const venue = new TerminalVenue(desk, await desk.trader('maker', RICH));
    const { listings } = desk.house.live;
    for (const { symbol: listed } of listings.contracts.values()) {
      const symbol = CLASSIC_SPELLING.nameOf(listed);
      // The desk's rows are told by the names of its dialect.
      venue.#contracts.set(symbol, { ...contractOf(rowOf(listed, listings), listings), symbol });
    }
    return venue;
  }

  close(): Promise<void> {
    return this.desk.house.close();
  }

  contract(symbol: string): TradedContract {
    return present(this.#contracts.get(symbol), symbol);
  }

  /** A new trader with money in both contracts. */
  async trader(symbol: string, mode: MarginMode, leverage: number): Promise<Trader> {
    const trader = await this.desk.trader('trader');
    const holdModel = mode === 'fixed' ? 1 : 2;
    await this.desk.data(trader, 'holdModel', { symbol, holdModel });
    await this.desk.data(trader, 'leverage', { symbol, leverage });
    return trader;
  }

  async shown(who: Trader, symbol: string): Promise<Shown> {
    const account = await this.desk.data<ContractAccountRow>(who, 'account', { symbol });
    const positions = positionPair(await this.desk.data<PositionRow>(who, 'position', { symbol }));
    const rows = await this.desk.data<SwapOrderRow[]>(who, 'openOrders', { symbol });
    const orders = rows.map(swapOrder);
    const siblings = await this.#siblings(who, symbol);
    const state = marginState(this.contract(symbol), account, positions, orders, siblings);
    return { account, positions, state, settled: await this.#settled(who, symbol) };
  }

  #settled({ accountId }: Trader, symbol: string): Promise<bigint> {
    const { venue, live } = this.desk.house;
    const { instrumentId } = marketOf(live.listings, symbol);
    return venue.read(
      (state) => present(state.marginAccount(accountId, instrumentId), 'contract account').balance,
    );
  }

  /** Of traders whose wallets are one for each coin. */
  async #siblings(who: Trader, symbol: string): Promise<Sibling[]> {
    const own = this.contract(symbol);
    const others = [...this.#contracts.values()].filter(
      ({ marginCode, symbol: other }) => marginCode === own.marginCode && other !== symbol,
    );
    return Promise.all(
      others.map(async (contract) => {
        const asked = { symbol: contract.symbol };
        const row = await this.desk.data<PositionRow>(who, 'position', asked);
        return { contract, positions: positionPair(row) };
      }),
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
  ): Promise<SwapOrderRow> {
    const orderId = await this.desk.place(who, this.fields(symbol, does, side, wish));
    return this.desk.data<SwapOrderRow>(who, 'orderDetail', { symbol, orderId });
  }
}

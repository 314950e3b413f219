/**
 * What may be published, worked out from the log alone: the books, trades, balances and fills that
 * its commands lead to, each with the command it comes from.
 */

import { formatId } from '#dialects';
import type { AccountId, Event, InstrumentId, PublicTrade, StateReader, Step } from '#domain';

export type Levels = readonly (readonly [price: number, size: number])[];

export interface Book {
  readonly asks: Levels;
  readonly bids: Levels;
}

interface Trade {
  readonly seq: number;
  readonly row: PublicTrade;
}

const NO_BOOK: Book = { asks: [], bids: [] };

export class Published {
  readonly #trades = new Map<InstrumentId, Trade[]>();
  readonly #tradeKeys = new Map<InstrumentId, string[]>();
  readonly #books = new Map<InstrumentId, { readonly seq: number; readonly book: Book }[]>();
  readonly #lists = new Map<string, string[]>();
  #state: StateReader | undefined;

  /** The state after the last command of the log. */
  get state(): StateReader | undefined {
    return this.#state;
  }

  see(step: Step, state: StateReader): void {
    this.#state = state;
    for (const event of step.events) this.#seeEvent(step, event);
    for (let id = 0; id < state.listings.instrumentsCount; id += 1) {
      this.#seeBook(step.seq, id as InstrumentId, state);
    }
    for (const account of state.accounts()) {
      for (const { assetId, available, held, locked } of account.spotBalances()) {
        const list = this.#list(
          `balance ${account.accountId} ${state.listings.asset(assetId)?.code}`,
        );
        const text = `${available} ${held + locked}`;
        if (list.at(-1) !== text) list.push(text);
      }
    }
  }

  tradesOf(instrumentId: InstrumentId): readonly Trade[] {
    return this.#trades.get(instrumentId) ?? [];
  }

  /** Time, price, size and side of each trade: what both dialects show. */
  tradeKeys(instrumentId: InstrumentId): readonly string[] {
    const known = this.#tradeKeys.get(instrumentId) ?? [];
    this.#tradeKeys.set(instrumentId, known);
    return known;
  }

  /** Free and bound, each time either changed. */
  balances(accountId: AccountId, coin: string): readonly string[] {
    return this.#list(`balance ${accountId} ${coin}`);
  }

  /** Trade and order of each fill of pairs, or of contracts. */
  fills(accountId: AccountId, product: 'spot' | 'contract'): readonly string[] {
    return this.#list(`fills ${accountId} ${product}`);
  }

  /** As it was after this command; `levelsMax` of each side. */
  bookAt(instrumentId: InstrumentId, seq: number, levelsMax: number): Book {
    const found = this.#books.get(instrumentId)?.findLast((one) => one.seq <= seq)?.book ?? NO_BOOK;
    return { asks: found.asks.slice(0, levelsMax), bids: found.bids.slice(0, levelsMax) };
  }

  /** The largest id that is durable: a message with a larger one says too much. */
  get lastId(): string {
    return formatId(this.#state?.lastId ?? 0);
  }

  #seeEvent({ seq, timeMs }: Step, event: Event): void {
    if (event.kind === 'trade') {
      this.#addTrade(seq, { ...event, timeMs });
      for (const side of ['taker', 'maker'] as const) {
        const text = `${formatId(event.tradeId)} ${formatId(event[`${side}OrderId`])}`;
        this.#list(`fills ${event[`${side}AccountId`]} spot`).push(text);
      }
    } else if (event.kind === 'contract_trade') {
      if (event.inBook) this.#addTrade(seq, { ...event, timeMs });
      for (const { accountId, orderId } of [event.maker, event.taker]) {
        const text = `${formatId(event.tradeId)} ${formatId(orderId)}`;
        this.#list(`fills ${accountId} contract`).push(text);
      }
    }
  }

  #addTrade(seq: number, row: PublicTrade): void {
    const { instrumentId, timeMs, priceTicks, sizeLots, takerSide } = row;
    const known = this.#trades.get(instrumentId) ?? [];
    this.#trades.set(instrumentId, known);
    known.push({ seq, row });
    const keys = this.tradeKeys(instrumentId) as string[];
    keys.push(`${timeMs} ${priceTicks} ${sizeLots} ${takerSide}`);
  }

  #seeBook(seq: number, instrumentId: InstrumentId, state: StateReader): void {
    const side = (of: 'buy' | 'sell'): Levels =>
      Array.from(state.bookLevels(instrumentId, of), ({ priceTicks, lots }) => [priceTicks, lots]);
    const book = { asks: side('sell'), bids: side('buy') };
    const known = this.#books.get(instrumentId) ?? [];
    this.#books.set(instrumentId, known);
    const last = known.at(-1)?.book ?? NO_BOOK;
    if (!isEqualBook(last, book)) known.push({ seq, book });
  }

  #list(name: string): string[] {
    const known = this.#lists.get(name) ?? [];
    this.#lists.set(name, known);
    return known;
  }
}

export function isEqualBook(one: Book, other: Book): boolean {
  return isEqualSide(one.asks, other.asks) && isEqualSide(one.bids, other.bids);
}

function isEqualSide(one: Levels, other: Levels): boolean {
  if (one.length !== other.length) return false;
  return one.every(([price, size], at) => price === other[at]?.[0] && size === other[at]?.[1]);
}

/** Books and trades as clients of the public streams keep them, in both dialects. */
import { BookCopy } from './book-copy.ts';
import { type Comparison, type Fold, type FoldParts, Numbers, type Row, rowsOf } from './fold.ts';
import { FOLLOWED, type FollowedMarket, lotsOf, ticksOf } from './markets.ts';
import { isEqualBook } from './published.ts';
import { Slice } from './slice.ts';

type Product = FollowedMarket['product'];
type Texts = readonly (readonly [string, string])[];

const DEEP = 200;

interface Copy {
  readonly market: FollowedMarket;
  readonly book: BookCopy;
  readonly levelsMax: number;
}

/** What both dialects have in common. */
class Markets {
  readonly parts: FoldParts;
  readonly numbers: Numbers;
  readonly copies = new Map<string, Copy>();
  readonly #trades = new Map<string, Slice>();

  constructor(parts: FoldParts) {
    this.parts = parts;
    this.numbers = new Numbers(parts);
  }

  begin(channel: string, copy: Copy, asks: Texts, bids: Texts): void {
    this.copies.set(channel, copy);
    copy.book.begin(asks, bids);
    this.parts.count('stream: book begun');
  }

  change(channel: string, asks: Texts, bids: Texts): Copy | undefined {
    const copy = this.copies.get(channel);
    copy?.book.change(asks, bids);
    this.parts.count('stream: book changed');
    return copy;
  }

  checksum(channel: string, given: unknown): void {
    const copy = this.copies.get(channel);
    const own = copy?.book.checksum;
    const what = () => `${channel}: ${given} instead of ${own}`;
    this.parts.check(own === given, 'checksum of a stream', what);
  }

  /** Against the log, at the command that the message names. */
  judge(channel: string, seq: number): void {
    const copy = this.copies.get(channel);
    if (copy === undefined) return;
    const { market, levelsMax, book } = copy;
    const due = this.parts.published.bookAt(market.instrumentId, seq, levelsMax);
    const what = () =>
      `${channel} at ${seq}: ${JSON.stringify(book.book)}, not ${JSON.stringify(due)}`;
    this.parts.check(isEqualBook(book.book, due), 'book of a stream', what);
  }

  /** Oldest first. A snapshot begins anew. */
  trades(channel: string, market: FollowedMarket, keys: readonly string[], isBegin: boolean): void {
    const list = this.parts.published.tradeKeys(market.instrumentId);
    const slice = isBegin ? new Slice(list) : (this.#trades.get(channel) ?? new Slice(list));
    this.#trades.set(channel, slice);
    for (const key of keys) {
      const what = () => `${channel}: ${key} is none, or not the next one`;
      this.parts.check(slice.take(key), 'trades of a stream', what);
      this.parts.count('stream: trade');
    }
  }

  isCurrent(channelsCount: number): boolean {
    if (this.copies.size < channelsCount) return false;
    const areBooks = [...this.copies.values()].every(({ market, book, levelsMax }) => {
      const due = this.parts.published.bookAt(market.instrumentId, Infinity, levelsMax);
      return isEqualBook(book.book, due);
    });
    return (
      areBooks && [...this.#trades.values()].every((slice) => !slice.hasBegun || slice.isAtEnd)
    );
  }
}

/** Its books name the command that they are after. */
export class CurrentMarkets implements Fold {
  readonly requests: readonly string[];
  readonly #markets: Markets;
  readonly #followed: readonly FollowedMarket[];

  constructor(parts: FoldParts, product: Product) {
    this.#markets = new Markets(parts);
    this.#followed = FOLLOWED.filter((market) => market.product === product);
    const params = this.#followed.flatMap(({ name }) =>
      ['depth15', 'depth200', 'trade', 'ticker', 'kline_1m'].map((channel) => `${name}@${channel}`),
    );
    this.requests = [JSON.stringify({ id: 1, method: 'SUBSCRIBE', params })];
  }

  take(message: Row): void {
    const market = this.#followed.find(({ name }) => name === message.s);
    if (market === undefined) return;
    const isBegin = message.e === 'depthSnapshot';
    if (isBegin || message.e === 'depth') this.#takeBook(market, message, isBegin);
    else if (message.e === 'tradeSnapshot') {
      this.#takeTrades(market, rowsOf(message.d).toReversed(), true);
    } else if (message.e === 'trade') this.#takeTrades(market, rowsOf(message.d), false);
  }

  isCurrent(): boolean {
    return this.#markets.isCurrent(2 * this.#followed.length);
  }

  comparisons(): readonly Comparison[] {
    return [];
  }

  #takeBook(market: FollowedMarket, message: Row, isBegin: boolean): void {
    const { numbers } = this.#markets;
    const levelsMax = Number(message.l);
    const channel = `${market.product} ${market.name}@depth${levelsMax}`;
    const [asks, bids] = [message.a as Texts, message.b as Texts];
    const seq = Number(message.u);
    if (isBegin) {
      this.#markets.begin(channel, { market, book: new BookCopy(market), levelsMax }, asks, bids);
      numbers.begin(channel, seq);
    } else {
      this.#markets.change(channel, asks, bids);
      numbers.follow(channel, seq, Number(message.U));
    }
    this.#markets.judge(channel, seq);
  }

  #takeTrades(market: FollowedMarket, rows: readonly Row[], isBegin: boolean): void {
    const keys = rows.map(({ T, p, q, m }) => {
      const taker = m === true ? 'sell' : 'buy';
      return `${T} ${ticksOf(market, String(p))} ${lotsOf(market, String(q))} ${taker}`;
    });
    this.#markets.trades(`${market.product} ${market.name}@trade`, market, keys, isBegin);
  }
}

/** Its messages are numbered, and its books have checksums. */
export class ClassicMarkets implements Fold {
  readonly requests: readonly string[];
  readonly #markets: Markets;
  readonly #followed: readonly FollowedMarket[];
  readonly #product: Product;

  constructor(parts: FoldParts, product: Product) {
    this.#product = product;
    this.#markets = new Markets(parts);
    this.#followed = FOLLOWED.filter((market) => market.product === product);
    const args =
      product === 'spot'
        ? this.#followed.flatMap(({ name }) =>
            ['books', 'books5', 'trade', 'ticker'].map((channel) => {
              return { instType: 'SP', channel, instId: name };
            }),
          )
        : this.#followed.flatMap(({ name }) =>
            ['depth', 'depth5', 'trade', 'mark_price'].map((channel) => {
              return `swap/${channel}:cmt_${name.toLowerCase()}`;
            }),
          );
    this.requests = [JSON.stringify({ op: 'subscribe', args })];
  }

  take(message: Row): void {
    const { channel, market } = this.#about(message);
    const { data, seq, action } = message;
    if (data !== undefined && rowsOf(data).length === 0) {
      this.#markets.numbers.beginSomewhere(Number(seq));
    }
    if (market === undefined || data === undefined) return;
    const isBegin = action !== 'update';
    const name = `${market.product} ${market.name} ${channel}`;
    if (isBegin) this.#markets.numbers.begin(name, Number(seq));
    else this.#markets.numbers.follow(name, Number(seq));
    if (channel.startsWith('books') || channel.startsWith('depth')) {
      this.#takeBook(name, market, channel, rowsOf(data)[0] ?? {}, isBegin);
    } else if (channel === 'trade') this.#takeTrades(name, market, data, isBegin);
  }

  isCurrent(): boolean {
    return this.#markets.isCurrent(2 * this.#followed.length);
  }

  comparisons(): readonly Comparison[] {
    return [];
  }

  #about(message: Row): { channel: string; market: FollowedMarket | undefined } {
    const named = (name: string) => this.#followed.find((market) => market.name === name);
    if (this.#product === 'spot') {
      const { channel, instId } = (message.arg ?? {}) as Row;
      return { channel: String(channel), market: named(String(instId)) };
    }
    const channel = String(message.table).replace('swap/', '');
    const [first] = rowsOf(message.data);
    const name = String(first?.instrument_id).replace('cmt_', '').toUpperCase();
    return { channel, market: named(name) };
  }

  #takeBook(
    name: string,
    market: FollowedMarket,
    channel: string,
    { asks, bids, checksum }: Row,
    isBegin: boolean,
  ): void {
    const digits = channel.replace(/^[a-z]+/, '');
    const levelsMax = digits === '' ? DEEP : Number(digits);
    const sides = [asks as Texts, bids as Texts] as const;
    if (isBegin) {
      const units = { ...market, lot: this.#product === 'spot' ? market.lot : 1 };
      this.#markets.begin(name, { market, book: new BookCopy(units), levelsMax }, ...sides);
    } else this.#markets.change(name, ...sides);
    if (checksum !== undefined) this.#markets.checksum(name, checksum);
  }

  /** Of pairs newest first, of contracts oldest first. */
  #takeTrades(name: string, market: FollowedMarket, data: unknown, isBegin: boolean): void {
    if (this.#product === 'spot') {
      const rows = [...(data as readonly (readonly string[])[])].reverse();
      const keys = rows.map(([time, price = '', size = '', side]) => {
        return `${time} ${ticksOf(market, price)} ${lotsOf(market, size)} ${side}`;
      });
      this.#markets.trades(name, market, keys, isBegin);
      return;
    }
    const keys = rowsOf(data).map(({ timestamp, price, size, side }) => {
      return `${timestamp} ${ticksOf(market, String(price))} ${Number(size)} ${side}`;
    });
    this.#markets.trades(name, market, keys, isBegin);
  }
}

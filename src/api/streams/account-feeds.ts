/**
 * What the private feeds of one account show: its open orders and rows of its state, as of the last
 * released step, and the rows of each step. How a row is written is the dialect's.
 */
import type { Event, StateReader, Step } from '#domain';
import { present } from '#kernel';
import { AccountOrders, type OrderChange } from './account-orders.ts';

/** A row of a private feed; its content is fixed, its text is made when it is wanted. */
export interface PrivateRow {
  readonly feed: string;
  /** Whether another feed, which shows a part of `feed`, shows it as well. */
  isIn?(feed: string): boolean;
  /** Of the rows of one step and feed that are about the same, only the last one is sent. */
  readonly about?: string;
  /** Which of the lists of its writer it stands in. */
  readonly list?: string;
  write(): string;
}

/** Rows of a snapshot, to be written one by one; their content is fixed. */
export interface SnapshotRows {
  readonly count: number;
  /** The JSON of a row, counted from zero. */
  readonly row: (at: number) => string;
  /** What stands before a row, by its number; `count` is that of the end, behind the last one. */
  readonly before: (at: number) => string;
}

/** A row of the account's state: it replaces the one before with the same key. */
export interface StateRow extends PrivateRow {
  readonly key: string;
  /** Of what is no longer there: a snapshot does not show it. */
  readonly isGone?: boolean;
}

/** How a dialect shows an account. */
export interface AccountWriter {
  /** What it shows of an order when it changes, or of one that stands; may be nothing. */
  orderRows(change: OrderChange): readonly PrivateRow[];
  /** Whether a feed shows a standing order, which is then one row. */
  showsOrder(standing: OrderChange, feed: string): boolean;
  /** Open orders, oldest first. */
  orders(state: StateReader): readonly OrderChange[];
  /**
   * Looks up what the state does not say of the orders that stand in it, whose trades have ids up
   * to `lastId`; rows of later changes wait for it.
   */
  recall?(standing: Iterable<OrderChange>, lastId: number): Promise<void>;
  /** All rows of state. */
  stateRows(state: StateReader): readonly StateRow[];
  /** Rows of the state that a step with these events has just left. */
  changedRows(events: readonly Event[], state: StateReader): readonly StateRow[];
  /** Whether an event that is about no single account changes this one. */
  isTouchedBy?(event: Event): boolean;
  /** The `data` of a push of these rows of a feed, caused by these events; else their list. */
  data?(feed: string, rows: readonly string[], events: readonly Event[]): string;
  /** The lists by name that a message has, in this order; one list without a name without it. */
  readonly lists?: readonly string[];
}

/** A step as it concerns an account: its events, and what it left of the state. */
export interface AccountStep {
  readonly step: Step;
  readonly events: readonly Event[];
  readonly rows: readonly StateRow[];
}

export class AccountFeeds {
  readonly #writer: AccountWriter;
  readonly #lastId: number;
  readonly #orders: AccountOrders;
  readonly #rows = new Map<string, StateRow>();
  /** Feeds that a snapshot was made of, in that order. */
  readonly #asked = new Set<string>();

  constructor(writer: AccountWriter, state: StateReader) {
    this.#writer = writer;
    this.#lastId = state.lastId;
    this.#orders = new AccountOrders(writer.orders(state));
    for (const row of writer.stateRows(state)) this.#rows.set(row.key, row);
  }

  /** Completes the starting state. To be called once, before anything is asked or released. */
  async recall(): Promise<void> {
    await this.#writer.recall?.(this.#orders.standing(), this.#lastId);
  }

  /** All there is in a feed. Its rows are made one by one: an account may have many orders. */
  snapshot(feed: string): SnapshotRows {
    this.#asked.add(feed);
    const orders = [...this.#orders.standing()].filter((order) =>
      this.#writer.showsOrder(order, feed),
    );
    const rows = [...this.#rows.values()].filter((row) => isShown(row, feed));
    const { lists } = this.#writer;
    if (lists !== undefined) return this.#inLists(lists, orders, rows);
    const rowsOf = (at: number) => {
      const order = orders[at];
      return order === undefined ? [rows[at - orders.length]] : this.#writer.orderRows(order);
    };
    const row = (at: number) => present(rowsOf(at)[0], 'row of a snapshot').write();
    const count = orders.length + rows.length;
    return { count, row, before: betweenRows([['', count]]) };
  }

  /** Orders newest first, each row in its list. */
  #inLists(
    lists: readonly string[],
    orders: readonly OrderChange[],
    rows: readonly StateRow[],
  ): SnapshotRows {
    const newestFirst = orders.toSorted((one, other) => other.order.orderId - one.order.orderId);
    const ofOrders = newestFirst.map((order) =>
      present(this.#writer.orderRows(order)[0], 'row of an order that stands'),
    );
    const byList = Map.groupBy<string, PrivateRow>([...ofOrders, ...rows], listOf);
    const all = lists.flatMap((list) => byList.get(list) ?? []);
    return {
      count: all.length,
      row: (at) => present(all[at], 'row of a snapshot').write(),
      before: betweenRows(lists.map((list) => [list, byList.get(list)?.length ?? 0])),
    };
  }

  /** Whether an event that is about no single account changes this one. */
  isTouchedBy(event: Event): boolean {
    return this.#writer.isTouchedBy?.(event) === true;
  }

  /** Takes down what a step that was just applied has left. */
  look(step: Step, events: readonly Event[], state: StateReader): AccountStep {
    return { step, events, rows: this.#writer.changedRows(events, state) };
  }

  /** The `data` of a push of a step's rows of a feed. */
  data(feed: string, rows: readonly PrivateRow[], { events }: AccountStep): string {
    const { lists } = this.#writer;
    if (lists !== undefined) return writeLists(lists, rows);
    const texts = rows.map((row) => row.write());
    return this.#writer.data?.(feed, texts, events) ?? `[${texts.join(',')}]`;
  }

  /** Takes in a released step: its rows by feed, in the order they happened. */
  release({ step, events, rows }: AccountStep): ReadonlyMap<string, readonly PrivateRow[]> {
    const changes = events.flatMap((event) => this.#orders.changes(event, step.timeMs));
    for (const row of rows) {
      if (row.isGone === true) this.#rows.delete(row.key);
      else this.#rows.set(row.key, row);
    }
    const ofOrders = changes.flatMap((change) => this.#writer.orderRows(change));
    const all = withoutRepeated([...ofOrders, ...rows]);
    const byFeed = Map.groupBy(all, ({ feed }) => feed);
    for (const feed of this.#asked) {
      const part = all.filter((row) => row.isIn?.(feed));
      if (part.length > 0) byFeed.set(feed, part);
    }
    return byFeed;
  }
}

function listOf({ list }: PrivateRow): string {
  return present(list, 'list of a row');
}

function writeLists(lists: readonly string[], rows: readonly PrivateRow[]): string {
  const byList = Map.groupBy(rows, listOf);
  const texts = lists.map((list) => {
    const ofList = (byList.get(list) ?? []).map((row) => row.write());
    return `"${list}":[${ofList.join(',')}]`;
  });
  return `{${texts.join(',')}}`;
}

/** What stands around rows in lists, as in {"a":[row,row],"b":[]}; of one without a name [row]. */
function betweenRows(lists: readonly (readonly [name: string, count: number])[]) {
  const texts = new Map<number, string>();
  const isNamed = lists[0]?.[0] !== '';
  let text = isNamed ? '{' : '';
  let at = 0;
  for (const [name, count] of lists) {
    texts.set(at, `${texts.get(at) ?? ''}${text}${isNamed ? `"${name}":` : ''}[`);
    at += count;
    text = '],';
  }
  texts.set(at, `${texts.get(at) ?? ''}]${isNamed ? '}' : ''}`);
  return (before: number) => texts.get(before) ?? ',';
}

/** Of rows about the same only the last one, in the place of the first. */
function withoutRepeated(rows: readonly PrivateRow[]): readonly PrivateRow[] {
  if (rows.every(({ about }) => about === undefined)) return rows;
  const found = new Map<PrivateRow | string, PrivateRow>();
  for (const row of rows) {
    found.set(row.about === undefined ? row : `${row.feed} ${row.about}`, row);
  }
  return [...found.values()];
}

function isShown(row: PrivateRow, feed: string): boolean {
  return row.feed === feed || row.isIn?.(feed) === true;
}

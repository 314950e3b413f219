/** How clients walk a list: the ways that its parameters allow, each giving all rows in order. */
import { strict as assert } from 'node:assert/strict';

/** Numbers as the text that they are. */
export type Row = Readonly<Record<string, unknown>>;

/** One page: what is said besides the filters of the list. */
export type Ask = (fields: object) => Promise<readonly Row[]>;

export type Way = (ask: Ask, limit: number) => Promise<readonly Row[]>;
export type Ways = Readonly<Record<string, Way>>;

/** More than any list of the tests has. */
const PAGES_MAX = 5_000;

/** Page after page, each asked for from where the last row before it was, until one is empty. */
async function pages(next: (last: Row | undefined) => Promise<readonly Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const found = await next(rows.at(-1));
    if (found.length === 0) return rows;
    rows.push(...found);
  }
  return assert.fail('the walk does not end');
}

interface Bounds {
  /** What the rows of a page lie before, and what behind; newest first and oldest first. */
  readonly older: string;
  readonly newer?: string;
  /** The field of a row that is the bound of the next page. */
  readonly of: string;
}

/** By a bound that no row of the page shares. */
export function byBound({ older, newer, of }: Bounds, limitName = 'limit'): Ways {
  const page = (ask: Ask, limit: number, bound: string, value: unknown) =>
    ask({ [limitName]: limit, ...(value !== undefined && { [bound]: String(value) }) });
  const back: Way = (ask, limit) => pages((last) => page(ask, limit, older, last?.[of]));
  if (newer === undefined) return { [`back by ${older}`]: back };
  const forth: Way = async (ask, limit) =>
    (await pages((last) => page(ask, limit, newer, last === undefined ? '1' : last[of]))).reverse();
  return { [`back by ${older}`]: back, [`forth by ${newer}`]: forth };
}

interface Times {
  readonly from: string;
  readonly to: string;
  /** The field of a row that has its time. */
  readonly of: string;
}

/** By times that are a part of the range. Forward means from span to span, each walked back. */
export function byTime({ from, to, of }: Times, limitName = 'limit'): Ways {
  const back =
    (fromMs?: number, toMs?: number): Way =>
    (ask, limit) =>
      pages((last) => {
        const untilMs = last === undefined ? toMs : Number(last[of]) - 1;
        if (fromMs !== undefined && untilMs !== undefined && untilMs < fromMs) {
          return Promise.resolve([]);
        }
        const range = { ...(fromMs && { [from]: fromMs }), ...(untilMs && { [to]: untilMs }) };
        return ask({ [limitName]: limit, ...range });
      });
  const forth: Way = async (ask, limit) => {
    const times = [...new Set((await back()(ask, limit)).map((row) => Number(row[of])))];
    const rows: Row[] = [];
    // Two times a span; the first is open at its beginning, the last at its end.
    for (let place = times.length - 1; place >= 0; place -= 2) {
      const fromMs = place === times.length - 1 ? undefined : times[place];
      const next = times[place - 2];
      rows.unshift(...(await back(fromMs, next === undefined ? undefined : next - 1)(ask, limit)));
    }
    return rows;
  };
  return { [`back by ${to}`]: back(), [`forth by ${from}`]: forth };
}

interface Paging {
  readonly page: string;
  readonly size: string;
  readonly first: 0 | 1;
}

/** By the number of a page, from the first to the last and from the last to the first. */
export function byPage({ page, size, first }: Paging): Ways {
  const at = (ask: Ask, number: number, limit: number) => ask({ [page]: number, [size]: limit });
  const back: Way = async (ask, limit) => {
    let number = first - 1;
    return pages(() => {
      number += 1;
      return at(ask, number, limit);
    });
  };
  const forth: Way = async (ask, limit) => {
    const last = Math.ceil((await back(ask, limit)).length / limit) + first - 1;
    const rows: Row[] = [];
    for (let number = last; number >= first; number -= 1) {
      rows.unshift(...(await at(ask, number, limit)));
    }
    return rows;
  };
  return { [`back by ${page}`]: back, [`forth by ${page}`]: forth };
}

/** Candles, oldest first and one after the other: spans of so many of them, in either direction. */
export function byCandles({ from, to, of }: Times, lengthMs: number, limitName?: string): Ways {
  const span = (ask: Ask, limit: number, fromMs: number): Promise<readonly Row[]> => {
    const toMs = fromMs + (limit - 1) * lengthMs;
    return ask({ [from]: fromMs, [to]: toMs, ...(limitName && { [limitName]: limit }) });
  };
  const back: Way = async (ask, limit) => {
    const [newest] = (await ask({})).slice(-1);
    let fromMs = Number(newest?.[of]) + lengthMs;
    const found = await pages(async () => {
      fromMs -= limit * lengthMs;
      return [...(await span(ask, limit, fromMs))].reverse();
    });
    return found;
  };
  const forth: Way = async (ask, limit) => {
    const oldest = (await back(ask, limit)).at(-1);
    let fromMs = Number(oldest?.[of]) - limit * lengthMs;
    const found = await pages(() => {
      fromMs += limit * lengthMs;
      return span(ask, limit, fromMs);
    });
    return found.reverse();
  };
  return { [`back by ${to}`]: back, [`forth by ${from}`]: forth };
}

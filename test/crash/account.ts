/** Everything a running server says about one account, page by page. */
import assert from 'node:assert/strict';
import { parseDecimal } from '#kernel';
import { type Answer, field, type Row, rowsOf, type Trader } from '../support/http-trader.ts';

const PAGE_ROWS = 500;
const SYMBOLS = ['BTCUSDT_SPBL', 'ETHUSDT_SPBL', 'ETHBTC_SPBL'] as const;

/** More decimals than any number an account is shown. */
const SCALE = 18;

export interface AccountState {
  readonly open: readonly Row[];
  readonly closed: readonly Row[];
  readonly fills: readonly Row[];
  readonly bills: readonly Row[];
  readonly transfers: readonly Row[];
  readonly assets: readonly Row[];
}

export async function readAccount(trader: Trader): Promise<AccountState> {
  const everyPair = async (path: string, idName: string) => {
    const rows: Row[] = [];
    for (const symbol of SYMBOLS) {
      const page = (from: object) => trader.post(path, { symbol, ...from, limit: PAGE_ROWS });
      rows.push(...(await walk(idName, page)));
    }
    return rows;
  };
  return {
    open: rowsOf(await trader.post('/trade/open-orders', { symbol: '' })),
    closed: await everyPair('/trade/history', 'orderId'),
    fills: await everyPair('/trade/fills', 'orderId'),
    bills: await walk('billId', (page) =>
      trader.post('/account/bills', { ...page, limit: PAGE_ROWS }),
    ),
    transfers: await walk('tradeTime', ({ after }) => {
      const page = after === undefined ? '' : `&after=${after}`;
      return trader.get(`/account/transferRecords?limit=${PAGE_ROWS}${page}`);
    }),
    assets: rowsOf(await trader.get('/account/assets')),
  };
}

/** All pages, newest row first. */
async function walk(
  idName: string,
  page: (from: { readonly after?: string }) => Promise<Answer>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const last = rows.at(-1);
    const found = rowsOf(await page(last === undefined ? {} : { after: field(last, idName) }));
    rows.push(...found);
    if (found.length < PAGE_ROWS) return rows;
  }
}

/** A decimal text of an answer as an exact integer. */
export function exact(row: Row, name: string): bigint {
  const value = parseDecimal(field(row, name), SCALE);
  assert(typeof value === 'bigint', `${name} is no number: ${JSON.stringify(row)}`);
  return value;
}

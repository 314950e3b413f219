/** Expectations about the market as a whole: prices, liquidations, funding, funds, the audit. */

import Type from 'typebox';
import { formatTrimmed, parseDecimal } from '#kernel';
import { type Subject, subject, type Values } from '../action.ts';
import { byCoin, contract, expected, name, side, strict, symbol } from '../fields.ts';
import { rowsAt, rowWith, textAt, valueAt } from '../reading.ts';
import { isContract, type Stage } from '../stage.ts';

const ROWS_MAX = 500;
const SUM_SCALE = 18;
const figure = Type.Optional(expected);

async function marketValues(stage: Stage, market: string): Promise<Values> {
  return isContract(market) ? contractValues(stage, market) : pairValues(stage, market);
}

async function contractValues(stage: Stage, market: string): Promise<Values> {
  const terms = await stage.venue.operate('GET', `/admin/v1/contracts/${market}`);
  const prices = valueAt(terms, 'prices');
  const name = stage.nameOf(market);
  const book = await publicData(stage, `/api/swap/v3/market/depth?symbol=${name}&limit=1`);
  const ticker = await publicData(stage, `/api/swap/v3/market/ticker?symbol=${name}`);
  return {
    status: textAt(terms, 'status'),
    index: textAt(prices, 'index'),
    mark: textAt(prices, 'mark'),
    highest: textAt(prices, 'highest'),
    lowest: textAt(prices, 'lowest'),
    open_interest: textAt(prices, 'openInterest'),
    funding_rate: textAt(prices, 'fundingRate'),
    last: textAt(ticker, 'last'),
    ...bestOf(book),
  };
}

async function pairValues(stage: Stage, market: string): Promise<Values> {
  const listed = await stage.venue.operate('GET', '/admin/v1/instruments');
  const terms = rowWith(rowsAt(listed, 'spot'), { symbol: market });
  const name = stage.nameOf(market);
  const book = await publicData(stage, `/api/spot/v1/market/depth?symbol=${name}&limit=1`);
  const ticker = await publicData(stage, `/api/spot/v1/market/ticker?symbol=${name}`);
  return { status: textAt(terms, 'status'), last: textAt(ticker, 'close'), ...bestOf(book) };
}

async function publicData(stage: Stage, path: string): Promise<unknown> {
  const answer = await stage.venue.read(path);
  return answer.kind === 'ok' ? answer.data : undefined;
}

function bestOf(book: unknown): Values {
  const best = (rows: string) => textAt(rowsAt(book, rows)[0], '0') || 'none';
  return { bid: best('bids'), ask: best('asks') };
}

async function liquidations(stage: Stage, market: string): Promise<readonly unknown[]> {
  const path = `/admin/v1/liquidations?symbol=${market}&limit=${ROWS_MAX}`;
  const rows = rowsAt(await stage.venue.operate('GET', path));
  return rows.filter((row) => Number(textAt(row, 'time')) >= stage.startMs);
}

async function liquidationTotals(stage: Stage, market: string): Promise<Values> {
  const rows = await liquidations(stage, market);
  return {
    count: String(rows.length),
    contracts: sumOf(rows, 'contracts'),
    deleveraged: sumOf(rows, 'deleveraged'),
    fund: sumOf(rows, 'fundDelta'),
  };
}

function sumOf(rows: readonly unknown[], field: string): string {
  let sum = 0n;
  for (const row of rows) {
    const value = parseDecimal(textAt(row, field), SUM_SCALE);
    sum += typeof value === 'bigint' ? value : 0n;
  }
  return formatTrimmed(sum, SUM_SCALE);
}

async function newestLiquidation(stage: Stage, as: string, market: string, held: string) {
  const account = await stage.venue.operate(
    'GET',
    `/admin/v1/accounts/${stage.trader(as).account}`,
  );
  const accountId = textAt(account, 'accountId');
  const row = rowWith(await liquidations(stage, market), { accountId, side: held });
  if (row === undefined) return { contracts: '0' };
  return {
    contracts: textAt(row, 'contracts'),
    deleveraged: textAt(row, 'deleveraged'),
    bankruptcy: textAt(row, 'bankruptcy'),
    mark: textAt(row, 'mark'),
    fund: textAt(row, 'fundDelta'),
  };
}

async function newestFunding(stage: Stage, market: string): Promise<Values> {
  const path = `/api/swap/v3/market/historyFundRate?symbol=${stage.nameOf(market)}&pageSize=1`;
  const [row] = rowsAt(await publicData(stage, path));
  return { rate: row === undefined ? 'none' : textAt(row, 'funding_rate') };
}

async function fundValues(stage: Stage): Promise<Values> {
  const rows = rowsAt(await stage.venue.operate('GET', '/admin/v1/insurance'));
  return Object.fromEntries(rows.map((row) => [textAt(row, 'coin'), textAt(row, 'fund')]));
}

export const VENUE_SUBJECTS: readonly Subject[] = [
  subject('market', ['is'], {
    summary: 'prices and state of a market; a side without orders is none',
    example: 'market: { is: BTC-USDT-PERP, mark: 30000, bid: none }',
    schema: Type.Object(
      {
        is: symbol,
        status: figure,
        last: figure,
        bid: figure,
        ask: figure,
        index: figure,
        mark: figure,
        highest: figure,
        lowest: figure,
        open_interest: figure,
        funding_rate: figure,
      },
      strict,
    ),
    read: ({ is }, stage) => marketValues(stage, is),
  }),
  subject('liquidations', ['market'], {
    summary: 'every liquidation of a contract since the scenario began, summed up',
    example: 'liquidations: { market: BTC-USDT-PERP, count: 2, contracts: 30, deleveraged: 25 }',
    schema: Type.Object(
      { market: contract, count: figure, contracts: figure, deleveraged: figure, fund: figure },
      strict,
    ),
    read: ({ market }, stage) => liquidationTotals(stage, market),
  }),
  subject('liquidation', ['as', 'market', 'side'], {
    summary: 'the newest liquidation of a trader; fund is what the insurance fund got or paid',
    example:
      'liquidation: { as: bob, market: BTC-USDT-PERP, side: long, contracts: 20, fund: 0.6767 }',
    schema: Type.Object(
      {
        as: name,
        market: contract,
        side,
        contracts: figure,
        deleveraged: figure,
        bankruptcy: figure,
        mark: figure,
        fund: figure,
      },
      strict,
    ),
    read: ({ as, market, side: held }, stage) => newestLiquidation(stage, as, market, held),
  }),
  subject('funding', ['market'], {
    summary: 'the rate of the newest settlement',
    example: 'funding: { market: BTC-USDT-PERP, rate: 0.00375 }',
    schema: Type.Object({ market: contract, rate: figure }, strict),
    read: ({ market }, stage) => newestFunding(stage, market),
  }),
  subject('insurance', [], {
    summary: 'the insurance fund of coins',
    example: 'insurance: { USDT: 0.8417 }',
    schema: byCoin(expected),
    read: (_funds, stage) => fundValues(stage),
  }),
  subject('books', [], {
    summary: 'whether all money and all contracts add up: yes or no',
    example: 'books: { balanced: yes }',
    schema: Type.Object({ balanced: expected }, strict),
    read: async (_books, stage) => {
      const audit = await stage.venue.operate('GET', '/admin/v1/audit');
      return { balanced: textAt(audit, 'balanced') === 'true' ? 'yes' : 'no' };
    },
  }),
];

/** Expectations about the market as a whole: prices, liquidations, funding, funds, the audit. */

import Type from 'typebox';
import type { admin } from '#client';
import { formatTrimmed, parseDecimal } from '#kernel';
import { type Subject, subject, type Values } from '../action.ts';
import { byCoin, contract, expected, name, side, strict, symbol } from '../fields.ts';
import type { Stage } from '../stage.ts';

const ROWS_MAX = 500;
const SUM_SCALE = 18;
const figure = Type.Optional(expected);

async function marketValues({ anybody }: Stage, symbol: string): Promise<Values> {
  const listed = (await anybody.markets()).find((market) => market.symbol === symbol);
  const [ticker] = await anybody.tickers({ symbol });
  if (ticker === undefined) return { status: listed?.status ?? '' };
  const { last, bid, ask, index, mark, buyMax, sellMin, openInterest, fundingRate } = ticker;
  return {
    status: listed?.status ?? '',
    last,
    bid: bid === '0' ? 'none' : bid,
    ask: ask === '0' ? 'none' : ask,
    index: index ?? '',
    mark: mark ?? '',
    highest: buyMax ?? '',
    lowest: sellMin ?? '',
    open_interest: openInterest ?? '',
    funding_rate: fundingRate ?? '',
  };
}

async function liquidations(
  { venue, startMs }: Stage,
  symbol: string,
): Promise<readonly admin.LiquidationsRow[]> {
  const rows = await venue.admin.liquidations({ symbol, limit: ROWS_MAX });
  return rows.filter(({ time }) => Number(time) >= startMs);
}

async function liquidationTotals(stage: Stage, market: string): Promise<Values> {
  const rows = await liquidations(stage, market);
  return {
    count: String(rows.length),
    contracts: sumOf(rows.map((row) => row.contracts)),
    deleveraged: sumOf(rows.map((row) => row.deleveraged)),
    fund: sumOf(rows.map((row) => row.fundDelta)),
  };
}

function sumOf(figures: readonly string[]): string {
  let sum = 0n;
  for (const text of figures) {
    const value = parseDecimal(text, SUM_SCALE);
    sum += typeof value === 'bigint' ? value : 0n;
  }
  return formatTrimmed(sum, SUM_SCALE);
}

async function newestLiquidation(stage: Stage, as: string, market: string, held: string) {
  const { accountId } = await stage.venue.admin.account({ account: stage.trader(as).account });
  const rows = await liquidations(stage, market);
  const row = rows.find((one) => one.accountId === accountId && one.side === held);
  if (row === undefined) return { contracts: '0' };
  const { contracts, deleveraged, bankruptcy, mark, fundDelta: fund } = row;
  return { contracts, deleveraged, bankruptcy, mark, fund };
}

async function newestFunding({ anybody }: Stage, symbol: string): Promise<Values> {
  const { rows } = await anybody.funding({ symbol, limit: 1 });
  return { rate: rows[0]?.rate ?? 'none' };
}

async function fundValues({ anybody }: Stage): Promise<Values> {
  const rows = await anybody.insurance();
  return Object.fromEntries(rows.map(({ coin, fund }) => [coin, fund]));
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
      const { balanced } = await stage.venue.admin.audit();
      return { balanced: balanced ? 'yes' : 'no' };
    },
  }),
];

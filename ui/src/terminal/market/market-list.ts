/** Which markets the selector lists, and in what order. */
import { compact, fixed } from '../../model/numbers.ts';
import type { Instrument, Ticker } from '../context.ts';

export const GROUPS = ['all', 'favourites', 'spot', 'contract'] as const;
export type Group = (typeof GROUPS)[number];

export type SortColumn = 'name' | 'last' | 'change' | 'turnover';

export interface Sorting {
  readonly column: SortColumn;
  readonly isDescending: boolean;
}

export interface MarketRow {
  readonly instrument: Instrument;
  readonly ticker: Ticker | undefined;
  readonly isFavourite: boolean;
}

export interface Wanted {
  readonly group: Group;
  /** What was typed: every word has to be found in the name. */
  readonly search: string;
  /** Undefined for the order of the venue. */
  readonly sorting: Sorting | undefined;
}

export function marketRows(
  instruments: readonly Instrument[],
  tickers: ReadonlyMap<string, Ticker>,
  favourites: readonly string[],
  { group, search, sorting }: Wanted,
): readonly MarketRow[] {
  const words = search.toLowerCase().split(/\s+/);
  const rows = instruments
    .map((instrument) => ({
      instrument,
      ticker: tickers.get(instrument.symbol),
      isFavourite: favourites.includes(instrument.symbol),
    }))
    .filter((row) => isInGroup(row, group))
    .filter(({ instrument }) => words.every((word) => nameOf(instrument).includes(word)));
  return sorting === undefined ? rows : rows.sort((one, other) => order(one, other, sorting));
}

function isInGroup({ instrument, isFavourite }: MarketRow, group: Group): boolean {
  if (group === 'all') return true;
  return group === 'favourites' ? isFavourite : instrument.kind === group;
}

/** BTC/USDT is found as btc/usdt, btcusdt and btc usdt. */
function nameOf({ title, symbol }: Instrument): string {
  return `${title} ${title.replace('/', '')} ${symbol}`.toLowerCase();
}

function order(one: MarketRow, other: MarketRow, { column, isDescending }: Sorting): number {
  const ascending =
    column === 'name'
      ? one.instrument.title.localeCompare(other.instrument.title)
      : figure(one, column) - figure(other, column);
  return isDescending ? -ascending : ascending;
}

/** For sorting only. */
function figure({ instrument, ticker }: MarketRow, column: 'last' | 'change' | 'turnover'): number {
  if (ticker === undefined) return Number.NEGATIVE_INFINITY;
  return column === 'turnover' ? turnover(ticker, instrument) : Number(ticker[column]);
}

/** In quote currency: of what settles in another coin an estimate at the last price. */
function turnover({ turnover: value, last }: Ticker, { money, quote }: Instrument): number {
  return money === quote ? Number(value) : Number(value) * Number(last);
}

export function turnoverText(ticker: Ticker, instrument: Instrument): string {
  return compact(fixed(turnover(ticker, instrument).toFixed(2), 2));
}

/** The channels of the stream, and what they say: rows are those of the calls of /v1. */
import type * as native from './generated/native.ts';

type Period = native.CandlesInput['period'];

/** As in trades:BTC-USDT, book:200:BTC-USDT or candles:1min:BTC-USDT-PERP. */
export type Channel =
  | 'account'
  | 'tickers'
  | `trades:${string}`
  | `ticker:${string}`
  | `book:${string}`
  | `candles:${Period}:${string}`;

/** In an update the levels that changed: size 0 removes one. */
export interface BookData extends native.BookAnswer {
  /** CRC-32 of the levels that the channel has. */
  readonly checksum: number;
}

/** Of a row of /v1/margin what its owner sets. */
export type ContractSettings = Pick<
  native.MarginRow,
  | 'symbol'
  | 'wallet'
  | 'coin'
  | 'marginMode'
  | 'separated'
  | 'crossLeverage'
  | 'longLeverage'
  | 'shortLeverage'
  | 'longAutoMargin'
  | 'shortAutoMargin'
>;

/** In a snapshot all that there is, and no fills; in an update what one step has changed. */
export interface AccountData {
  readonly balances: native.BalancesAnswer;
  /** What the owner has set in each contract, and which wallet is behind it. */
  readonly settings: readonly ContractSettings[];
  /** One of size 0 is closed. */
  readonly positions: native.PositionsAnswer;
  /** One with a closedTime has ended. */
  readonly orders: native.OpenOrdersAnswer;
  /** One with a closedTime waits no more. */
  readonly triggers: native.WaitingTriggersAnswer;
  readonly fills: readonly native.FillsRow[];
}

/** What the messages of a channel have. */
export type DataOf<C extends Channel> = C extends 'account'
  ? AccountData
  : C extends 'tickers'
    ? native.TickersAnswer
    : C extends `trades:${string}`
      ? native.TradesAnswer
      : C extends `ticker:${string}`
        ? native.TickersRow
        : C extends `book:${string}`
          ? BookData
          : native.CandlesAnswer;

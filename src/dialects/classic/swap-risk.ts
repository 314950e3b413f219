/**
 * What everybody may know of liquidations and of the insurance funds behind contracts. The classic
 * interface never had it; it is an extension of this venue.
 */
import type { Services } from '#api';
import { type Coin, type Contract, HOLD_SIDES, LIMITS } from '#domain';
import type { LiquidationRecord } from '#history';
import { formatTrimmed, present } from '#kernel';
import { COIN, marginCoins } from '../kit/coins.ts';
import { type PublicEndpoint, publicEndpoint } from '../kit/endpoint.ts';
import { TIME_MS } from '../kit/examples.ts';
import { type Named, optionalText, pageLimit, wholeNumber } from '../kit/request.ts';
import { decimal, jsonList, listedName, listOf, oneOf, row, timeMs } from '../kit/row.ts';
import { BASE, contractNamed, MARKET, NAME, type OfContract, price, size } from './swap-terms.ts';

const ROWS_MAX = 100;
const ROWS_DEFAULT = 50;
const DAY_MS = 1_795_219_200_000;

interface Fund {
  readonly coin: Coin;
  readonly fund: bigint;
  readonly timeMs: number;
}

function fundRow(time: string, example: number) {
  return row<Fund>()({
    coin: listedName('Margin coin that it insures', 'USDT', ({ coin }) => coin.code),
    fund: decimal('What is in it', '10000', ({ coin, fund }) => formatTrimmed(fund, coin.scale)),
    timestamp: timeMs(time, example, ({ timeMs }) => timeMs),
  });
}

const FUND = fundRow('As of when', TIME_MS);
const PAST_FUND = fundRow('When the day began, at 00:00 UTC', DAY_MS);

interface LiquidationRow extends OfContract {
  readonly liquidation: LiquidationRecord;
}

const LIQUIDATION = row<LiquidationRow>()({
  liquidation_id: decimal('Rises with time', '17', ({ liquidation }) => liquidation.liquidationId),
  symbol: NAME,
  side: oneOf(HOLD_SIDES, 'Side of the position', 'long', ({ liquidation }) => liquidation.side),
  size: size('Contracts that were closed', '100', ({ liquidation }) => liquidation.sizeLots),
  deleveraged: size(
    'Of them against profitable positions and not in the book',
    '0',
    ({ liquidation }) => liquidation.deleveragedLots,
  ),
  bankruptcy_price: price(
    'Price at which nothing of its margin was left, which the rest was closed at; 0 for none',
    '28517.5',
    ({ liquidation }) => liquidation.bankruptcyTicks,
  ),
  mark_price: price(
    'Mark price that liquidated it',
    '28650.0',
    ({ liquidation }) => liquidation.markTicks,
  ),
  timestamp: timeMs('When it happened', TIME_MS, ({ liquidation }) => liquidation.timeMs),
});

/** A contract, or undefined for all of them. */
const CONTRACT_OR_ALL: Named<string, Contract | undefined> = {
  ...optionalText('Contract, in any case; all of them by default'),
  find: (symbol, listings) => (symbol === '' ? undefined : contractNamed(symbol, listings)),
};

export const SWAP_RISK = {
  insuranceFunds: publicEndpoint({
    ...MARKET,
    path: `${BASE}/market/insurance`,
    summary: 'The insurance fund of each margin coin. An extension of this venue',
    request: {},
    response: listOf(FUND),
    answer: ({ venue }: Services) =>
      venue.read((state) => {
        const { timeMs } = state;
        return jsonList(marginCoins(state.listings), (coin) =>
          FUND.write({ coin, fund: state.insuranceFund(coin.assetId), timeMs }),
        );
      }),
  }),
  insuranceHistory: publicEndpoint({
    ...MARKET,
    path: `${BASE}/market/historyInsurance`,
    summary:
      'What was in an insurance fund when the last days began, newest first ' +
      `(up to ${LIMITS.openingDaysMax} days). An extension of this venue`,
    request: { coin: COIN },
    response: listOf(PAST_FUND),
    example: { request: { coin: 'USDT' } },
    answer: async ({ history, historyReady }: Services, { coin }) => {
      await historyReady();
      const days = await history.funds({ assetId: coin.assetId });
      return jsonList(days, ({ dayMs, fund }) => PAST_FUND.write({ coin, fund, timeMs: dayMs }));
    },
  }),
  recentLiquidations: publicEndpoint({
    ...MARKET,
    path: `${BASE}/market/liquidations`,
    summary:
      'Positions that were liquidated, newest first ' +
      `(${ROWS_DEFAULT} by default, up to ${ROWS_MAX}). An extension of this venue`,
    request: {
      symbol: CONTRACT_OR_ALL,
      before: wholeNumber('A liquidation_id: only those before it, for the next page'),
      limit: pageLimit('Rows wanted; above the maximum counts as it', ROWS_DEFAULT, ROWS_MAX),
    },
    response: listOf(LIQUIDATION),
    example: { request: { symbol: 'cmt_btcusdt', limit: '1' } },
    answer: async ({ live, history, historyReady }: Services, asked) => {
      const { symbol, before, limit } = asked;
      await historyReady();
      const instrumentId = symbol?.instrumentId;
      const found = await history.liquidations({ instrumentId, before, limit });
      return jsonList(found, (liquidation) => {
        const contract = live.listings.contractById(liquidation.instrumentId);
        return LIQUIDATION.write({ contract: present(contract, 'contract'), liquidation });
      });
    },
  }),
} as const satisfies Record<string, PublicEndpoint<Services>>;

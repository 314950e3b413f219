/**
 * What an account owned when each day began, in spot and contract wallets together. The classic
 * interface never had it; it is an extension of this venue.
 */
import type { Services } from '#api';
import { type Asset, LIMITS } from '#domain';
import type { DayEquity } from '#history';
import { present } from '#kernel';
import { formatAmount } from '../kit/amounts.ts';
import { coinOrAll } from '../kit/coins.ts';
import { type SignedEndpoint, signedEndpoint } from '../kit/endpoint.ts';
import { wholeNumber } from '../kit/request.ts';
import { decimal, jsonList, listedName, listOf, row, timeMs } from '../kit/row.ts';
import { perSecond, SPOT_BASE } from './spot-terms.ts';

const DAY_MS = 1_795_219_200_000;

interface EquityRow {
  readonly coin: Asset;
  readonly day: DayEquity;
}

const EQUITY = row<EquityRow>()({
  day: timeMs('When the day began, at 00:00 UTC', DAY_MS, ({ day }) => day.dayMs),
  coinName: listedName('Code of the coin', 'USDT', ({ coin }) => coin.code),
  equity: decimal(
    'Owned then in all wallets, with the unrealised profit of positions',
    '100000.63940000',
    ({ coin, day }) => formatAmount(day.equity, coin.scale),
  ),
});

const COIN = coinOrAll('coinName');

const DAYS = `A page holds whole days, as many as have ${LIMITS.historyRowsMax} rows`;

export const EQUITY_ENDPOINTS = {
  equity: signedEndpoint({
    method: 'GET',
    path: `${SPOT_BASE}/account/equity`,
    rate: perSecond(5),
    permission: 'read',
    summary:
      'What the account owned of each coin when the last days began, newest first ' +
      `(up to ${LIMITS.openingDaysMax} days). ${DAYS}. An extension of this venue`,
    request: {
      coin: COIN,
      startTime: wholeNumber('A time in milliseconds: days that began then or later'),
      endTime: wholeNumber('A time in milliseconds: days that began then or earlier'),
    },
    response: listOf(EQUITY),
    example: { request: { coin: 'USDT' } },
    answer: async ({ live, history, historyReady }: Services, asked, { accountId }) => {
      const { coin: only, startTime: fromMs, endTime: toMs } = asked;
      await historyReady();
      const found = await history.equities({ accountId, assetId: only?.assetId, fromMs, toMs });
      return jsonList(found, (day) => {
        const coin = present(live.listings.asset(day.assetId), 'coin of a row');
        return EQUITY.write({ coin, day });
      });
    },
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;

/** What an account owned when each day began, in all its wallets together. */
import type { Services } from '#api';
import { type Asset, isRefused, LIMITS } from '#domain';
import type { DayEquity } from '#history';
import { formatTrimmed } from '#kernel';
import { coinOf, coinOrAll } from '../kit/coins.ts';
import { type SignedEndpoint, signedEndpoint } from '../kit/endpoint.ts';
import { decimal, jsonList, listedName, row, whole } from '../kit/row.ts';
import { BEFORE_TIME, NEXT_TIME, pageOf, SPAN, spanOf } from './pages.ts';
import { BASE } from './terms.ts';

const DAY_MS = 1_795_219_200_000;

interface Owned {
  readonly coin: Asset;
  readonly day: DayEquity;
}

const EQUITY = row<Owned>()({
  time: whole('When the day began, at 00:00 UTC', DAY_MS, ({ day }) => day.dayMs),
  coin: listedName('Coin', 'USDT', ({ coin }) => coin.code),
  equity: decimal(
    'Owned then in all wallets, with the unrealised profit of positions',
    '100000.6394',
    ({ coin, day }) => formatTrimmed(day.equity, coin.scale),
  ),
});

export const EQUITY_ENDPOINTS = {
  equity: signedEndpoint({
    method: 'GET',
    path: `${BASE}/equity`,
    rate: { limit: 20, windowMs: 1_000 },
    permission: 'read',
    summary:
      'What the account owned of each coin when the last days began, newest first ' +
      `(up to ${LIMITS.openingDaysMax} days). A page holds whole days, as many as have ` +
      `${LIMITS.historyRowsMax} rows`,
    request: { coin: coinOrAll(), ...SPAN, before: BEFORE_TIME },
    response: pageOf(EQUITY, NEXT_TIME),
    answer: async ({ live, history, historyReady }: Services, asked, { accountId }) => {
      const span = spanOf(asked.from, asked.to, asked.before);
      if (isRefused(span)) return span;
      await historyReady();
      const query = { accountId, assetId: asked.coin?.assetId, ...span };
      const days = await history.equities(query);
      const rows = jsonList(days, (day) => EQUITY.write({ coin: coinOf(live.listings, day), day }));
      const last = days.at(-1)?.dayMs;
      // A page ends where another day would be too much: only a look behind it tells.
      const isMore =
        last !== undefined && (await history.equities({ ...query, toMs: last - 1 })).length > 0;
      return `{"rows":${rows},"next":${isMore ? `"${last}"` : 'null'}}`;
    },
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;
